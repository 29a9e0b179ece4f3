"""What each packet does in which state, and what the answer shows: the seed's requirements of the server."""

from collections.abc import Iterator
from itertools import islice

import pytest
from hypothesis import given, strategies as st

from sapper.core.grid import Grid
from sapper.core.record import Record
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from sapper.metrics.game import measure_game
from sapper.net.packets import SIGNALS, PacketType, Signal, StartRequest
from sapper.net.seat import (
    DEBUGGING,
    FULL,
    LOST,
    PLAYING,
    WELCOME,
    WON,
    Seat,
    find_fault,
    level_preset,
    new_game,
    seat_ports,
)
from sapper.play.game_parts import most_inputs
from sapper.play.played_game import PlayedGame
from sapper.play.ports import NoSink
from sapper.store.models import Category, GameKind, Result, StoredGame
from tests.net.strategies import client_packets
from tests.network import cursor_of, mines_of, rows_of
from tests.played_games import ListSink

LEFT, RIGHT, UP, DOWN, REVEAL, MARK = (SIGNALS[code] for code in range(1, 7))
QUIT, DEBUG = SIGNALS[8], SIGNALS[10]
SEED = 20260101


class Player:
    """A seat, what it last showed, and the results it reported."""

    def __init__(self, columns: int = 8, rows: int = 6, level: int = 2) -> None:
        self.sink = ListSink()
        self.time = 0.0
        self.ended: list[PlayedGame] = []
        self.seat = Seat(
            new_seed=Rng(SEED).next,
            new_key=lambda: "key",
            clock=lambda: round(self.time * 1000),
            ports=seat_ports(self.sink),
            on_end=self.ended.append,
        )
        self.columns, self.rows, self.level = columns, rows, level
        self.content = ""
        self.games = 0

    @property
    def results(self) -> list[StoredGame]:
        """The games that have ended."""
        return self.sink.of(ended=True)

    @property
    def started(self) -> list[StoredGame]:
        """The records of beginnings, and of help since."""
        return self.sink.of(ended=False)

    def send(self, *packets: Signal | StartRequest) -> list[str]:
        """The lines of the last answer."""
        for packet in packets:
            content = self.seat.answer(packet)
            assert content is not None
            self.content = content.decode()
        return rows_of(self.content)

    def start(self) -> list[str]:
        self.games += 1
        return self.send(StartRequest(columns=self.columns, rows=self.rows, level=self.level))

    def go(self, cell: int) -> None:
        x, y = cursor_of(self.content)
        to_y, to_x = divmod(cell, self.columns)
        self.send(*[LEFT] * (x - to_x), *[RIGHT] * (to_x - x), *[UP] * (y - to_y), *[DOWN] * (to_y - y))
        assert cursor_of(self.content) == (to_x, to_y)

    @property
    def board(self) -> str:
        """The cells, row after row."""
        return "".join(rows_of(self.content)[: self.rows])

    @property
    def message(self) -> str:
        return rows_of(self.content)[self.rows + 1]

    @property
    def mines(self) -> list[int]:
        return list(mines_of(SEED, self.columns, self.rows, self.level, self.games - 1))

    @property
    def safe(self) -> list[int]:
        return [cell for cell in range(self.columns * self.rows) if cell not in self.mines]


def _win(player: Player) -> None:
    for cell in player.mines:
        player.go(cell)
        player.send(MARK)


@pytest.fixture
def player() -> Player:
    return Player()


# --- before, and starting ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [1, 2, 3, 4, 5, 6, 10])
def test_before_the_first_start_a_screen_says_so(player: Player, code: int) -> None:
    assert player.send(SIGNALS[code]) == [*WELCOME, ""]
    assert player.results == []


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (255, 1), (1, 255), (20, 10)])
def test_a_new_game_is_covered_with_the_cursor_at_the_top_left(columns: int, rows: int) -> None:
    player = Player(columns, rows, 1)
    lines = player.start()
    assert lines[:rows] == ["?" * columns] * rows
    assert len(lines) == rows + 2
    assert cursor_of(player.content) == (0, 0)


@pytest.mark.parametrize(("level", "mines"), [(1, 10), (2, 50), (3, 90)], ids=["easy 5 %", "medium 25 %", "hard 45 %"])
def test_levels_are_percentages(level: int, mines: int) -> None:
    assert level_preset(20, 10, level).mine_counts == (mines,)
    # Half a mine is one: 1.5, 2.5 and 4.5 of 10, 10 and 30 cells.
    columns, half = {1: (30, 2), 2: (10, 3), 3: (10, 5)}[level]
    assert level_preset(columns, 1, level).mine_counts == (half,)
    player = Player(20, 10, level)
    assert f"Mines {mines}," in player.start()[10]
    assert len(player.mines) == mines


@pytest.mark.parametrize(
    ("numbers", "fault"),
    [
        ((0, 5, 1), "0 columns are impossible: 1 to 255 are possible."),
        ((5, 0, 1), "0 rows are impossible: 1 to 255 are possible."),
        ((5, 5, 0), "There is no level 0: 1 is easy, 2 is medium, 3 is hard."),
        ((5, 5, 4), "There is no level 4: 1 is easy, 2 is medium, 3 is hard."),
    ],
)
def test_an_impossible_start_says_why_and_touches_nothing(
    player: Player, numbers: tuple[int, int, int], fault: str
) -> None:
    start = StartRequest(columns=numbers[0], rows=numbers[1], level=numbers[2])
    assert find_fault(start) == fault
    assert player.send(start)[2] == f"Not started. {fault}"
    player.start()
    player.go(9)
    player.send(MARK)
    board, cursor = player.board, cursor_of(player.content)
    assert player.send(start)[player.rows + 1] == f"Not started. {fault}"
    assert (player.board, cursor_of(player.content)) == (board, cursor)
    assert player.results == []
    player.send(LEFT)
    assert player.message == PLAYING


# --- playing ------------------------------------------------------------------------------------------


def test_the_cursor_stops_at_the_edges() -> None:
    player = Player(3, 2, 1)
    player.start()
    seen = []
    for packet in (LEFT, UP, RIGHT, RIGHT, RIGHT, DOWN, DOWN, LEFT, UP):
        player.send(packet)
        seen.append(cursor_of(player.content))
    assert seen == [(0, 0), (0, 0), (1, 0), (2, 0), (2, 0), (2, 1), (2, 1), (1, 1), (1, 0)]
    assert player.board == "?" * 6


def test_a_clue_is_shown_and_a_second_reveal_changes_nothing(player: Player) -> None:
    player.start()
    layout = _layout(StartRequest(columns=8, rows=6, level=2), Rng(SEED).next())
    cell = next(cell for cell in player.safe if layout.clue(cell))
    player.go(cell)
    player.send(REVEAL)
    assert player.board == "?" * cell + str(layout.clue(cell)) + "?" * (47 - cell)
    content = player.content
    player.send(REVEAL)
    assert player.content == content


def test_a_zero_opens_its_four_neighbours_and_goes_on_only_from_zeros() -> None:
    player = Player(20, 10, 1)
    player.start()
    layout = _layout(StartRequest(columns=20, rows=10, level=1), Rng(SEED).next())
    clues = layout.clues
    zero = clues.index(0)
    player.go(zero)
    player.send(REVEAL)
    opened, todo = {zero}, [zero]
    for cell in todo:  # the requirement, word for word, over above, below, left and right
        for near in layout.grid.edges(cell):
            if clues[cell] == 0 and near not in opened and clues[near] != 9:
                opened.add(near)
                todo.append(near)
    expected = "".join("?" if cell not in opened else ".12345678"[clues[cell]] for cell in range(200))
    assert player.board == expected


def test_a_mark_is_put_and_taken_away_and_protects_its_cell(player: Player) -> None:
    player.start()
    player.send(MARK)
    assert player.board == "F" + "?" * 47
    assert "marked 1." in player.content
    player.send(REVEAL)
    assert player.board == "F" + "?" * 47
    player.send(MARK)
    assert player.board == "?" * 48
    assert "marked 0." in player.content


def test_a_revealed_cell_cannot_be_marked(player: Player) -> None:
    player.start()
    player.go(player.safe[0])
    player.send(REVEAL)
    content = player.content
    player.send(MARK)
    assert player.content == content


# --- the end --------------------------------------------------------------------------------------------


def test_the_game_is_won_when_all_mines_and_nothing_else_are_marked(player: Player) -> None:
    player.start()
    player.go(player.safe[0])
    player.send(MARK)
    _win(player)
    assert player.message == PLAYING  # one mark is wrong
    player.go(player.safe[0])
    player.time = 12.5
    player.send(MARK)
    assert player.message == WON
    assert player.board == "".join("M" if cell in player.mines else "?" for cell in range(48))
    (result,) = player.results
    assert (result.key, result.kind, result.seed) == ("key.0", GameKind.of(level_preset(8, 6, 2)), Rng(SEED).next())
    assert (result.result, result.category, result.face, result.player) == (Result.WON, Category.PLAIN, "server", None)
    assert (result.moves, result.clicks, result.effective_clicks, result.time_ms) == (14, 14, 14, 12_500)
    assert [game.key for game in player.ended] == ["key"]


def test_the_lost_screen_tells_apart_every_mine_and_mark(player: Player) -> None:
    player.start()
    struck, marked, *left = player.mines
    wrong, opened = player.safe[0], player.safe[-1]
    for cell, packet in ((marked, MARK), (wrong, MARK), (opened, REVEAL)):
        player.go(cell)
        player.send(packet)
    clues = {cell: sign for cell, sign in enumerate(player.board) if sign in ".12345678"}
    assert opened in clues
    player.go(struck)
    player.send(REVEAL)
    signs = {struck: "X", marked: "M", wrong: "!", **dict.fromkeys(left, "B"), **clues}
    assert player.board == "".join(signs.get(cell, "?") for cell in range(48))
    assert player.message == LOST
    assert cursor_of(player.content) == (struck % 8, struck // 8)
    assert [result.result for result in player.results] == [Result.LOST]


@pytest.mark.parametrize("end", ["won", "lost"])
@pytest.mark.parametrize("code", [1, 2, 3, 4, 5, 6, 10])
def test_after_the_end_nothing_changes_and_all_is_answered(player: Player, end: str, code: int) -> None:
    player.start()
    if end == "won":
        _win(player)
    else:
        player.go(player.mines[0])
        player.send(REVEAL)
    content = player.content
    player.send(SIGNALS[code], SIGNALS[code])
    assert player.content == content
    assert len(player.results) == 1
    player.start()
    assert player.board == "?" * 48


def test_start_over_a_running_game_gives_it_up(player: Player) -> None:
    player.start()
    player.send(MARK)
    player.start()
    assert [(result.result, result.moves) for result in player.results] == [(Result.TERMINATED, 1)]


def _is_playing(player: Player) -> bool:
    return player.seat.is_playing


def test_quit_has_no_answer_and_gives_the_game_up(player: Player) -> None:
    assert Player().seat.answer(QUIT) is None
    player.start()
    player.send(MARK)
    assert _is_playing(player)
    assert player.seat.answer(QUIT) is None
    player.seat.leave()
    assert not _is_playing(player)
    assert [result.result for result in player.results] == [Result.TERMINATED]


def test_a_game_is_started_by_its_first_change_and_an_untouched_one_is_none(player: Player) -> None:
    player.start()
    player.send(RIGHT, DOWN, DEBUG, DEBUG)
    player.start()
    player.seat.leave()
    assert (player.started, player.results) == ([], [])
    player.start()
    player.send(RIGHT)
    assert player.started == []
    player.send(MARK, MARK, RIGHT, MARK)
    (started,) = player.started
    assert (started.result, started.debugged) == (Result.PLAYING, False)
    # Whatever happens to the server from now on, this game does not count.
    player.send(DEBUG, DEBUG, DEBUG)
    assert [one.debugged for one in player.started] == [False, True]
    assert "This is not saved yet." in player.seat.unsaved().decode()


def test_a_game_that_its_first_move_ends_is_reported_as_that(player: Player) -> None:
    player.start()
    player.go(player.mines[0])
    player.send(REVEAL)
    assert player.started == []
    assert [result.result for result in player.results] == [Result.LOST]
    assert "YOU LOST" in (text := player.seat.unsaved().decode())
    assert "This is not saved yet." in text


def test_dismissed_players_are_told_why(player: Player) -> None:
    assert rows_of(player.seat.dismiss("closing time").decode())[2] == "closing time"
    player.start()
    player.send(MARK)
    assert rows_of(player.seat.dismiss("closing time").decode())[player.rows + 1] == "closing time"
    assert [result.result for result in player.results] == [Result.TERMINATED]


# --- debug mode -------------------------------------------------------------------------------------------


def test_debug_mode_shows_the_mines_and_hides_them_again(player: Player) -> None:
    player.start()
    marked, wrong = player.mines[1], player.safe[1]
    for cell in (marked, wrong):
        player.go(cell)
        player.send(MARK)
    before = player.content
    player.send(DEBUG)
    signs = {**dict.fromkeys(player.mines, "B"), marked: "M", wrong: "!"}
    assert player.board == "".join(signs.get(cell, "?") for cell in range(48))
    assert player.message == DEBUGGING
    player.send(DEBUG)
    assert player.content == before


def test_a_debugged_game_stays_one_and_the_next_is_none(player: Player) -> None:
    player.start()
    player.send(DEBUG, DEBUG)
    _win(player)
    player.start()
    assert "B" not in player.board
    player.send(MARK)
    player.seat.leave()
    assert [result.category for result in player.results] == [Category.DEBUGGED, Category.PLAIN]


# --- nothing leaks, nothing breaks --------------------------------------------------------------------------


def _seat(seeds: Iterator[int]) -> Seat:
    return Seat(new_seed=lambda: next(seeds), new_key=str, clock=lambda: 0, ports=seat_ports(NoSink()))


def _layout(start: StartRequest, seed: int) -> Layout:
    layout = new_game(start, seed, "key", seat_ports(NoSink())).referee.layout
    assert layout is not None
    return layout


@given(st.integers(1, 3), st.lists(st.sampled_from([LEFT, RIGHT, UP, DOWN, REVEAL, MARK]), max_size=80))
def test_every_game_is_recorded_as_it_was(level: int, packets: list[Signal]) -> None:
    """Whether it was won, lost or given up: the record leads to the same board, result and time."""
    player = Player(5, 4, level)
    player.start()
    for packet in packets:
        player.time += 0.25
        player.send(packet)
    player.seat.leave()
    for game in player.results:
        assert game.record is not None
        assert game.seed is not None
        record = Record.from_json(game.record)
        referee = new_game(StartRequest(columns=5, rows=4, level=level), game.seed, "key", seat_ports(NoSink())).referee
        for one, board in zip(record.played, islice(record.boards(), 1, None), strict=True):
            if not one.update.is_empty or one.update.status.ended:
                assert referee.play(one.move) == one.update
            assert referee.board == board
        assert referee.layout is not None
        assert record.mines == referee.layout.mines
        assert (record.status.value, record.left_out) == (game.result.value, 0)
        assert record.played[-1].at == game.time_ms
        assert (
            sum(not one.update.is_empty for one in record.played)
            - (game.result is Result.TERMINATED and not record.played[-1].update.is_empty)
            == game.moves
        )
        assert game.clicks is not None
        assert game.clicks <= sum(packet in (REVEAL, MARK) for packet in packets)
        numbers = measure_game(record)
        assert (game.bbbv, game.solved_bbbv, game.clicks) == (numbers.bbbv, numbers.solved_bbbv, numbers.clicks)


def test_a_game_with_endless_marks_can_only_be_ended() -> None:
    player = Player(2, 2, 1)
    player.start()
    wrong = player.safe[0]
    player.go(wrong)
    for _ in range(most_inputs(Grid(2, 2))):
        assert FULL not in player.content
        player.send(MARK)
    board = player.board
    player.send(MARK)
    assert player.message == FULL
    assert player.board == board
    player.start()
    assert player.message == PLAYING
    assert [result.result for result in player.results] == [Result.TERMINATED]


@given(
    st.integers(0, 50),
    st.integers(51, 100),
    st.lists(st.sampled_from([LEFT, RIGHT, UP, DOWN, REVEAL, MARK]), max_size=40),
)
def test_two_worlds(one: int, other: int, packets: list[Signal]) -> None:
    """Until a reveal shows a difference, a player on another layout gets the same bytes."""
    start = StartRequest(columns=6, rows=5, level=2)
    seats = [_seat(iter([seed])) for seed in (one, other)]
    layouts = [_layout(start, seed) for seed in (one, other)]
    one_answer, other_answer = (seat.answer(start) for seat in seats)
    for packet in packets:
        assert one_answer == other_answer
        one_answer, other_answer = (seat.answer(packet) for seat in seats)
        is_same = one_answer == other_answer
        if not is_same:
            # Either the cell revealed, or the marks that were all right, tell the two apart.
            assert packet in {REVEAL, MARK}
            assert layouts[0].mines != layouts[1].mines
            return


@given(st.lists(client_packets(), max_size=30))
def test_any_packets_get_a_screen_each(packets: list[StartRequest | Signal]) -> None:
    seat = _seat(iter(range(100)))
    for packet in packets:
        if isinstance(packet, StartRequest) and packet.columns * packet.rows > 2500:
            continue
        content = seat.answer(packet)
        assert (content is None) == (packet.type is PacketType.QUIT)
        assert content is None or content.decode().startswith("\x1b[2J\x1b[H")
