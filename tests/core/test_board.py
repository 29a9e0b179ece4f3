"""The board: counts, sets, access, legality, and the way from one board to the next."""

import pickle
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board, first_cell, left_click, right_click
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.move import Action, Move
from sapper.core.notation import read_board
from sapper.core.rules import RULES, Rules, Start, find_rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import AccessError, CellError, InvalidValueError, LayoutError, MoveFault
from tests.refusals import refused
from tests.strategies import boards

ENGINE = RULES["engine"]
QUESTIONS = ENGINE.replace(question_marks=True)


def _board(
    *rows: str, mine_count: int = 1, rules: str = "engine+question_marks=on", status: Status | None = None
) -> Board:
    board = read_board("\n".join(rows), mine_count=mine_count, rules=find_rules(rules))
    if status is None:
        return board
    return board.apply(Update.nothing(status))


# --- what is seen -------------------------------------------------------------------------------


@given(boards())
def test_counts_and_sets_are_those_of_the_tiles(board: Board) -> None:
    seen = [Tile(code) for code in board.tiles]
    revealed = {cell for cell, tile in enumerate(seen) if tile <= 8 or tile is Tile.EXPLODED}
    assert board.revealed == revealed
    hidden = (Tile.COVERED, Tile.FLAGGED, Tile.QUESTION)
    assert board.covered == {cell for cell, tile in enumerate(seen) if tile in hidden}
    assert board.flagged == {cell for cell, tile in enumerate(seen) if tile in (Tile.FLAGGED, Tile.WRONG_FLAG)}
    assert board.questioned == {cell for cell, tile in enumerate(seen) if tile is Tile.QUESTION}
    assert board.revealed_count == len(board.revealed)
    assert board.covered_count == len(board.covered)
    assert board.flag_count == len(board.flagged)
    assert [board.tile(cell) for cell in range(board.grid.size)] == seen


@pytest.mark.requirement("b196dd53")
@given(boards())
def test_the_clue_of_a_cell_that_is_not_revealed_is_not_there(board: Board) -> None:
    for cell, code in enumerate(board.tiles):
        if code <= 8:
            assert board.clue(cell) == code
        else:
            with pytest.raises(AccessError, match="is not known: the cell is "):
                board.clue(cell)


@given(boards())
def test_it_is_a_value(board: Board) -> None:
    copy = pickle.loads(pickle.dumps(board))
    assert copy == board
    assert hash(copy) == hash(board)
    assert board != board.apply(Update(((Cell(0), bytes([(board.tiles[0] + 1) % 15])),), board.status))


@pytest.mark.parametrize("cell", [-1, 9])
def test_cells_off_the_board(cell: int) -> None:
    board = Board.new(Grid(3, 3), ENGINE, 1)
    for ask in (board.tile, board.clue, lambda one: board.is_legal(Move.reveal(one))):
        with pytest.raises(CellError, match=f"cell {cell} is off the board: cells are 0 to 8"):
            ask(cell)
    assert Move.reveal(cell) not in board.legal_moves


def test_boards_that_are_none() -> None:
    with pytest.raises(LayoutError, match="10 mines do not fit 3x3"):
        Board.new(Grid(3, 3), ENGINE, 10)
    with pytest.raises(InvalidValueError, match="a board of 9 cells has as many tiles, not 8"):
        Board(grid=Grid(3, 3), rules=ENGINE, mine_count=1, tiles=bytes(8))
    with pytest.raises(InvalidValueError, match="15 is not a tile; tiles are 0 to 14"):
        Board(grid=Grid(3, 3), rules=ENGINE, mine_count=1, tiles=bytes(8) + b"\x0f")


# --- moves ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("row", "rules", "move", "reason", "message"),
    [
        ("F##", "engine", Move.reveal(0), MoveFault.FLAGGED, r"a1 is flagged: remove the flag to reveal it"),
        ("F##", "kata", Move.reveal(0), None, ""),
        ("###", "engine", Move.reveal(2), None, ""),
        ("?##", "engine", Move.reveal(0), None, ""),
        ("1##", "engine", Move.reveal(0), MoveFault.REVEALED, r"a1 is revealed already"),
        ("1##", "engine", Move.flag(0), MoveFault.REVEALED, "is revealed already"),
        ("1##", "engine", Move.unflag(0), MoveFault.REVEALED, "is revealed already"),
        ("F##", "engine", Move.flag(0), MoveFault.FLAGGED, "is flagged already"),
        ("?##", "engine", Move.flag(0), None, ""),
        ("###", "engine", Move.unflag(1), MoveFault.NOT_FLAGGED, r"b1 has no flag to remove"),
        ("?##", "engine", Move.unflag(0), MoveFault.NOT_FLAGGED, "has no flag to remove"),
        ("###", "engine", Move.question(0), MoveFault.FORBIDDEN, "rules 'engine' have no question marks"),
        ("###", "engine", Move.unquestion(0), MoveFault.FORBIDDEN, "rules 'engine' have no question marks"),
        ("F##", "engine+question_marks=on", Move.question(0), None, ""),
        ("###", "engine+question_marks=on", Move.question(0), None, ""),
        ("?##", "engine+question_marks=on", Move.question(0), MoveFault.FLAGGED, "has a question mark already"),
        (
            "F##",
            "engine+question_marks=on",
            Move.unquestion(0),
            MoveFault.NOT_FLAGGED,
            "has no question mark to remove",
        ),
        ("?##", "engine+question_marks=on", Move.unquestion(0), None, ""),
        ("F1#", "engine", Move.chord(1), None, ""),
        ("F1?", "engine", Move.chord(1), None, ""),
        ("F1F", "engine", Move.chord(1), MoveFault.CHORD, "needs 1 flag beside it, and has 2"),
        ("#1#", "engine", Move.chord(1), MoveFault.CHORD, "needs 1 flag beside it, and has 0"),
        (".##", "engine", Move.chord(0), None, ""),
        (".F#", "engine", Move.chord(0), MoveFault.CHORD, "needs 0 flags beside it, and has 1"),
        ("F1.", "engine", Move.chord(1), MoveFault.CHORD, "a chord on .* would reveal nothing"),
        ("###", "engine", Move.chord(0), MoveFault.COVERED, "only a clue can be chorded"),
        ("F##", "engine", Move.chord(0), MoveFault.COVERED, "only a clue can be chorded"),
        ("F1#", "kata", Move.chord(1), MoveFault.FORBIDDEN, "rules 'kata' have no chording"),
        ("###", "engine", Move.terminate(), None, ""),
    ],
)
def test_what_is_legal_and_why_not(row: str, rules: str, move: Move, reason: MoveFault | None, message: str) -> None:
    board = _board(row, mine_count=0 if "1" not in row else 1, rules=rules, status=Status.PLAYING)
    assert board.is_legal(move) == (reason is None)
    assert (move in board.legal_moves) == (reason is None)
    if reason is None:
        board.check(move)
    else:
        with refused(reason, match=message):
            board.check(move)


@pytest.mark.parametrize("status", [Status.WON, Status.LOST, Status.TERMINATED])
def test_after_the_end_nothing_is_legal(status: Status) -> None:
    board = _board("#1F", status=status)
    assert list(board.legal_moves) == []
    assert not board.legal_moves
    for action in Action:
        with refused(MoveFault.GAME_OVER, f"the game is over: it was {status.words}"):
            board.check(Move(action, Cell(0)))


@given(boards())
def test_legal_moves_are_those_that_pass(board: Board) -> None:
    moves = [Move(action, Cell(cell)) for cell in range(board.grid.size) for action in Action]
    legal = [move for move in moves if move.action is not Action.TERMINATE and board.is_legal(move)]
    legal.append(Move.terminate())
    assert list(board.legal_moves) == legal
    assert len(board.legal_moves) == len(legal)
    assert board.legal_moves
    assert "reveal" not in board.legal_moves
    for action in Action:
        assert list(board.legal_moves.of(action)) == [move for move in legal if move.action is action]


def test_a_chord_counts_the_neighbours_of_the_grid() -> None:
    torus = Grid(4, 4, TORUS)
    tiles = bytearray([Tile.COVERED]) * 16
    tiles[0] = 1
    tiles[15] = Tile.FLAGGED  # on a torus the far corner is a neighbour
    board = Board(grid=torus, rules=ENGINE, mine_count=1, tiles=bytes(tiles), status=Status.PLAYING)
    assert board.is_legal(Move.chord(0))


# --- change ---------------------------------------------------------------------------------------


@given(boards(), st.data())
def test_apply_puts_the_runs_in_their_places(board: Board, data: st.DataObject) -> None:
    target = data.draw(st.lists(st.integers(0, 14), min_size=board.grid.size, max_size=board.grid.size))
    runs = tuple(
        (Cell(cell), bytes([new]))
        for cell, (old, new) in enumerate(zip(board.tiles, target, strict=True))
        if old != new
    )
    after = board.apply(Update(runs, Status.LOST))
    assert (after.tiles, after.status) == (bytes(target), Status.LOST)
    assert (after.grid, after.rules, after.mine_count) == (board.grid, board.rules, board.mine_count)


def test_an_update_of_nothing_gives_the_same_board() -> None:
    board = Board.new(Grid(3, 3), ENGINE, 1)
    assert board.apply(Update.nothing(Status.READY)) is board
    assert board.apply(Update.nothing(Status.TERMINATED)).status is Status.TERMINATED


def test_updates_that_do_not_fit() -> None:
    board = Board.new(Grid(3, 3), ENGINE, 1)
    with pytest.raises(InvalidValueError, match="the update changes cell 9; cells are 0 to 8"):
        board.apply(Update(((Cell(8), b"\x00\x00"),), Status.PLAYING))
    with pytest.raises(InvalidValueError, match="77 is not a tile"):
        board.apply(Update(((Cell(8), b"\x4d"),), Status.PLAYING))


def test_showing_the_mines_at_the_end() -> None:
    board = _board("F#?", "X1F", "#F#", mine_count=4, status=Status.LOST)
    shown = board.show(CellSet.of([0, 2, 3, 6]))
    assert [tile.name for tile in map(Tile, shown.tiles)] == [
        *("FLAGGED", "COVERED", "MINE"),
        *("EXPLODED", "ONE", "WRONG_FLAG"),
        *("MINE", "WRONG_FLAG", "COVERED"),
    ]
    assert shown.revealed == board.revealed  # showing is not revealing
    assert shown.flag_count == board.flag_count


# --- the first reveal -----------------------------------------------------------------------------


def test_the_start_rule_protects_cells_until_one_is_revealed() -> None:
    every = set(range(12))
    for rules, protected in (("modern", every), ("classic", every), ("engine", set()), ("kata", set())):
        board = Board.new(Grid(4, 3), find_rules(rules), 5)
        assert board.protected == protected
        assert board.is_protected(3) is (rules in ("modern", "classic"))
        flagged = board.apply(Update(((Cell(3), bytes([Tile.FLAGGED])),), Status.PLAYING))
        assert flagged.protected == protected
        assert not flagged.apply(Update(((Cell(0), b"\1"),), Status.PLAYING)).protected
        assert not board.apply(Update.nothing(Status.TERMINATED)).protected
    full = Board.new(Grid(2, 2), find_rules("classic"), 4)
    assert not full.protected
    with pytest.raises(CellError):
        full.is_protected(4)


def test_other_cells_may_be_safe_to_begin_with_than_the_rules_say() -> None:
    board = replace(Board.new(Grid(4, 3), ENGINE, 5), safe_first=CellSet.of([6]))
    assert (board.protected, board.first_cell) == (CellSet.of([6]), 6)
    assert board == Board.new(Grid(4, 3), ENGINE, 5)
    after = board.apply(Update(((Cell(0), b"\1"),), Status.PLAYING))
    assert (after.safe_first, after.protected, after.first_cell) == (None, CellSet(), None)


@pytest.mark.parametrize(
    ("rules", "flags", "first"),
    [("modern", [], (2, 2)), ("modern", [(2, 2)], (2, 1)), ("classic", [], (0, 0)), ("classic", [(0, 0)], (1, 0)),
     ("engine", [], (0, 0)), ("engine", [(0, 0), (1, 0), (0, 1)], (1, 1))],
)  # fmt: skip
def test_the_first_cell_is_the_usual_one_or_the_nearest_without_a_flag(
    rules: str, flags: list[tuple[int, int]], first: tuple[int, int]
) -> None:
    board = Board.new(Grid(9, 9), find_rules(rules), 10)
    for place in flags:
        board = board.apply(Update(((board.grid.cell(*place), bytes([Tile.FLAGGED])),), Status.PLAYING))
    assert board.first_cell == board.grid.cell(*first)
    full = replace(board, tiles=bytes([Tile.FLAGGED]) * 81)
    assert full.first_cell == (20 if rules == "modern" else 0)


def test_a_board_is_won_when_its_game_is() -> None:
    assert [_board("#", status=status).is_won for status in Status] == [status is Status.WON for status in Status]


@pytest.mark.parametrize(
    ("size", "start", "place"),
    [
        ((30, 16), Start.OPEN, (3, 3)),
        ((50, 50), Start.OPEN, (3, 3)),
        ((16, 16), Start.OPEN, (2, 2)),
        ((9, 9), Start.OPEN, (2, 2)),
        ((2, 1), Start.OPEN, (1, 0)),
        ((30, 16), Start.SAFE, (0, 0)),
        ((9, 9), Start.ANY, (0, 0)),
    ],
)
def test_it_depends_on_size_and_start(size: tuple[int, int], start: Start, place: tuple[int, int]) -> None:
    grid = Grid(*size)
    assert grid.xy(first_cell(grid, start)) == place


KATA = RULES["kata"]
CLICKS_QUESTIONS = RULES["modern"].replace(question_marks=True)


def _clicks_board(rules: Rules, tile: Tile, *beside: Tile, status: Status = Status.PLAYING) -> Board:
    """A row whose first cell is clicked."""
    row = bytes([tile, *beside, Tile.COVERED])
    return Board(grid=Grid(len(row), 1), rules=rules, mine_count=1, tiles=row, status=status)


@pytest.mark.parametrize(
    ("rules", "tile", "left", "right"),
    [
        (ENGINE, Tile.COVERED, Move.reveal(0), Move.flag(0)),
        (ENGINE, Tile.FLAGGED, None, Move.unflag(0)),
        (KATA, Tile.FLAGGED, Move.reveal(0), Move.unflag(0)),
        (CLICKS_QUESTIONS, Tile.FLAGGED, None, Move.question(0)),
        (CLICKS_QUESTIONS, Tile.QUESTION, Move.reveal(0), Move.unquestion(0)),
        (ENGINE, Tile.QUESTION, Move.reveal(0), None),
        (ENGINE, Tile.ONE, None, None),
        (ENGINE, Tile.EXPLODED, None, None),
        (ENGINE, Tile.MINE, None, None),
        (ENGINE, Tile.WRONG_FLAG, None, None),
    ],
)
def test_a_click_on_each_tile(rules: Rules, tile: Tile, left: Move | None, right: Move | None) -> None:
    board = _clicks_board(rules, tile)
    assert left_click(board, 0) == left
    assert right_click(board, 0) == right


@pytest.mark.parametrize(
    ("rules", "tile", "beside", "move"),
    [
        (ENGINE, Tile.ZERO, Tile.COVERED, Move.chord(0)),
        (ENGINE, Tile.ZERO, Tile.FLAGGED, None),
        (ENGINE, Tile.ZERO, Tile.ONE, None),
        (ENGINE, Tile.ONE, Tile.FLAGGED, None),
        (KATA, Tile.ZERO, Tile.COVERED, None),
    ],
)
def test_a_left_click_on_a_clue_chords_where_it_reveals_something(
    rules: Rules, tile: Tile, beside: Tile, move: Move | None
) -> None:
    assert left_click(_clicks_board(rules, tile, beside), 0) == move


@pytest.mark.parametrize("status", [Status.WON, Status.LOST, Status.TERMINATED])
@pytest.mark.parametrize("tile", list(Tile))
def test_after_the_end_a_click_means_nothing(status: Status, tile: Tile) -> None:
    board = _clicks_board(CLICKS_QUESTIONS, tile, status=status)
    assert left_click(board, 0) is None
    assert right_click(board, 0) is None


def test_a_click_off_the_board_is_an_error() -> None:
    board = _clicks_board(ENGINE, Tile.COVERED)
    for click in (left_click, right_click):
        for cell in (-1, 2):
            with pytest.raises(CellError, match="off the board"):
                click(board, cell)
