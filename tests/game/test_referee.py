"""The referee: snapshots, and sources that break their contract. How moves are carried out: test_conformance.py."""

from collections.abc import Callable

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES, Rules, Start, Win
from sapper.core.status import Status
from sapper.errors import LayoutError, MoveFault
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee, RefereeSnapshot
from sapper.game.source import FixedLayout
from sapper.generator.game_code import CodedGame
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.uniform import UniformSource
from tests.playing import Script, game_on, play
from tests.refusals import refused
from tests.strategies import any_rules, layouts, scripts

GRID = Grid(3, 2)
ENGINE = RULES["engine"]


def _layout(*mines: int, grid: Grid = GRID) -> Layout:
    return Layout(grid, CellSet.of(mines))


# --- snapshots ------------------------------------------------------------------------------------


@given(any_rules(), layouts(), scripts(), st.integers(0, 50))
def test_going_back_and_on_again(rules: Rules, layout: Layout, script: Script, back: int) -> None:
    referee = Referee(rules=rules, source=UniformSource(layout.grid, layout.mine_count, 5, rules.start))
    states = [(referee.board, referee.snapshot())]
    states += [(step.after, referee.snapshot()) for step in play(referee, script)]
    board, snapshot = states[back % len(states)]
    last = referee.board
    update = referee.restore(snapshot)
    assert referee.board == last.apply(update) == board
    assert referee.snapshot() == snapshot
    # From there the same script leads to the same boards as it would have.
    replay = Referee(rules=rules, source=UniformSource(layout.grid, layout.mine_count, 5, rules.start))
    replay.restore(snapshot)
    assert list(play(referee, script)) == list(play(replay, script))


def test_a_snapshot_of_another_game_is_refused() -> None:
    referee = Referee(rules=ENGINE, source=FixedLayout(_layout(0)))
    referee.play(Move.reveal(Cell(2)))
    snapshot = referee.snapshot()
    other = Referee(rules=ENGINE, source=FixedLayout(_layout(5)))
    broken = type(snapshot)(snapshot.tiles, snapshot.status, other.layout)
    with pytest.raises(LayoutError, match="the snapshot is of another game"):
        other.restore(broken)
    assert other.status is Status.READY


def test_the_board_is_made_once_a_move() -> None:
    referee = Referee(rules=ENGINE, source=FixedLayout(_layout(0)))
    board = referee.board
    assert referee.board is board
    referee.play(Move.reveal(Cell(1)))
    assert referee.board is not board
    with refused(MoveFault.REVEALED):
        referee.play(Move.reveal(Cell(1)))
    referee.play(Move.terminate())
    with refused(MoveFault.GAME_OVER):
        referee.check(Move.flag(0))


# --- sources ----------------------------------------------------------------------------------------


class Source:
    """A source that settles a layout by asking a function each time."""

    def __init__(
        self, generate: Callable[[Board, int], Layout], start: Layout | None = None, mine_count: int = 1
    ) -> None:
        self.grid = GRID
        self.mine_count = mine_count
        self.is_fixed = False
        self.asked: list[tuple[Board, int]] = []
        self._generate = generate
        self._start = start

    @property
    def safe_first(self) -> None:
        return None

    @property
    def promise(self) -> None:
        return None

    def start(self) -> Layout | None:
        return self._start

    def generate(self, board: Board, cell: Cell) -> Layout:
        self.asked.append((board, cell))
        return self._generate(board, cell)


@pytest.mark.parametrize("wrong", [_layout(0, 1), _layout(), _layout(0, grid=Grid(2, 3))])
def test_a_source_keeps_its_promise(wrong: Layout) -> None:
    with pytest.raises(LayoutError, match=r"promised 1 mine on Grid\(3, 2\), and gave"):
        Referee(rules=ENGINE, source=Source(lambda board, cell: wrong, start=wrong))
    referee = Referee(rules=ENGINE, source=Source(lambda board, cell: wrong))
    with pytest.raises(LayoutError, match=r"promised 1 mine on Grid\(3, 2\), and gave"):
        referee.play(Move.reveal(Cell(0)))
    assert referee.status is Status.READY


def test_a_layout_must_not_contradict_what_was_seen() -> None:
    moving = Source(lambda board, cell: _layout(0) if board.status is Status.READY else _layout(5))
    referee = Referee(rules=ENGINE, source=moving)
    referee.play(Move.reveal(Cell(2)))
    with pytest.raises(LayoutError, match="contradicts what the player has seen"):
        referee.play(Move.reveal(Cell(3)))


def test_a_late_source_is_asked_before_every_reveal_with_what_is_seen() -> None:
    """A mine that flees: it lies wherever it still can, never under the cell that is revealed."""

    def flee(board: Board, cell: int) -> Layout:
        return next(
            layout for mine in range(GRID.size) if mine != cell and (layout := _layout(mine)).agrees_with(board)
        )

    source = Source(flee)
    referee = Referee(rules=RULES["classic"], source=source)
    assert referee.layout is None
    referee.play(Move.flag(Cell(2)))
    first = referee.board
    referee.play(Move.reveal(Cell(0)))  # the mine goes to cell 1
    assert source.asked == [(first, 0)]
    assert referee.board.clue(0) == 1
    referee.play(Move.reveal(Cell(1)))  # and from there to cell 3
    assert source.asked[1][1] == 1
    assert referee.status is Status.PLAYING
    assert referee.layout == _layout(3)


def test_a_chord_asks_a_late_source_cell_by_cell() -> None:
    source = Source(lambda board, cell: _layout(0))
    referee = Referee(rules=ENGINE, source=source)
    referee.play(Move.reveal(Cell(1)))
    referee.play(Move.flag(Cell(0)))
    referee.play(Move.chord(Cell(1)))
    assert [cell for _, cell in source.asked] == [1, 2, 3]  # 4 and 5 were opened by the cascade from 2
    assert referee.status is Status.WON


def test_marks_cannot_win_before_the_layout_is_final() -> None:
    rules = RULES["jminesweeper"]
    late = Referee(rules=rules, source=Source(lambda board, cell: _layout(0), start=_layout(0)))
    late.play(Move.flag(Cell(0)))
    assert late.status is Status.PLAYING
    for cell in (1, 2, 3):  # from 2 a cascade opens the rest: only the mine is left
        late.play(Move.reveal(Cell(cell)))
    assert late.status.value == "won"
    fixed = Referee(rules=rules, source=FixedLayout(_layout(0)))
    fixed.play(Move.flag(Cell(0)))
    assert fixed.status is Status.WON


@pytest.mark.parametrize("start", list(Start))
@pytest.mark.parametrize("win", [Win.FLAGGED, Win.EITHER])
def test_marks_win_before_the_draw_where_there_is_one_layout_only(start: Start, win: Win) -> None:
    rules = RULES["jminesweeper"].replace(start=start, win=win)
    full = Game(rules=rules, source=UniformSource(Grid(2, 1), 2, 1, start))
    # Where revealing wins too, no safe cell is left to reveal, and the first move has won.
    statuses = [full.flag(0).status] if win is Win.EITHER else [full.flag(cell).status for cell in (0, 1)]
    assert statuses == [Status.PLAYING, Status.WON][-len(statuses) :]
    assert full.layout == Layout(Grid(2, 1), CellSet.of([0, 1]))
    empty = Game(rules=rules, source=UniformSource(Grid(2, 1), 0, 1, start))
    assert [empty.flag(0).status, empty.unflag(0).status] == [Status.PLAYING, Status.WON]
    assert empty.layout == Layout(Grid(2, 1), CellSet())


# --- the count of flags, on which a victory by marks rests ---------------------------------------------


def test_a_flag_that_a_cascade_clears_counts_no_more() -> None:
    game = game_on("*..../.....", "formal")
    game.flag(4)
    game.flag(3)
    game.reveal(2)
    assert game.board.flag_count == 0
    assert game.flag(0).status is Status.WON
    late = game_on("*...*/.....", "formal")
    late.flag(2)
    assert [late.reveal(7).status, late.flag(0).status, late.flag(4).status] == [Status.PLAYING] * 2 + [Status.WON]


def test_a_flag_on_a_cell_that_is_revealed_counts_no_more() -> None:
    game = game_on("*...*/.....", RULES["jminesweeper"].replace(click_reveals_flagged=True))
    game.flag(1)
    assert [game.reveal(1).status, game.flag(0).status, game.flag(4).status] == [Status.PLAYING] * 2 + [Status.WON]


# --- what the first reveal may meet -----------------------------------------------------------------


def test_the_board_tells_which_cells_are_safe_to_begin_with() -> None:
    """Every cell, until the layout is laid for one; that one after an undo; none of a layout that lies beforehand."""
    rules = RULES["classic"]
    referee = Referee(rules=rules, source=UniformSource(Grid(4, 4), 5, 1, rules.start))
    assert len(referee.board.protected) == 16
    new = referee.snapshot()
    referee.play(Move.reveal(Cell(6)))
    assert referee.board.protected == set()
    back = RefereeSnapshot(new.tiles, new.status, referee.layout)
    referee.restore(back)
    assert (referee.board.protected, referee.board.first_cell) == (CellSet.of([6]), 6)
    assert not Referee(rules=rules, source=FixedLayout(_layout(0))).board.protected
    assert Referee(rules=rules, source=FixedLayout(_layout(0), first=Cell(4))).board.protected == {4}
    assert not Referee(rules=rules, source=FixedLayout(_layout(0), first=Cell(0))).board.protected


@pytest.mark.parametrize(
    ("rules", "first", "no_guess", "kaboom", "protected"),
    [
        ("modern", None, False, False, 36), ("classic", None, False, False, 36), ("engine", None, False, False, 0),
        ("modern", 14, False, False, 1), ("engine", 14, False, False, 0), ("engine", None, True, False, 36),
        ("modern", 14, True, False, 1), ("engine", 14, True, False, 1), ("engine", None, False, True, 36),
    ],
)  # fmt: skip
def test_every_kind_of_game_protects_what_it_says(
    rules: str, first: int | None, no_guess: bool, kaboom: bool, protected: int
) -> None:
    """Whatever cell is said to be safe to begin with is: by the rules, a code's first cell, no guess, Kaboom."""
    grid, cell = Grid(6, 6), None if first is None else Cell(first)
    spec = LayoutSpec(grid=grid, mine_count=6, start=RULES[rules].start, first=cell or Cell(0), no_guess=True)
    game = CodedGame(
        rules=RULES[rules], grid=grid, mine_count=6, first=cell, seed=3, spec=spec if no_guess else None, kaboom=kaboom
    )
    safe = game.referee().board.protected
    assert len(safe) == protected
    if first is not None and protected:
        assert safe == {first}
    for begin in list(safe)[::5]:
        assert Game.of(game.referee()).reveal(begin).status is not Status.LOST
