"""What a click means: the whole table of tiles and rules."""

import pytest

from sapper.core.board import Board
from sapper.core.clicks import left_click, right_click
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES, Rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import CellError

ENGINE = RULES["engine"]
KATA = RULES["kata"]
QUESTIONS = RULES["modern"].replace(question_marks=True)


def _board(rules: Rules, tile: Tile, *beside: Tile, status: Status = Status.PLAYING) -> Board:
    """A row whose first cell is clicked."""
    row = bytes([tile, *beside, Tile.COVERED])
    return Board(grid=Grid(len(row), 1), rules=rules, mine_count=1, tiles=row, status=status)


@pytest.mark.parametrize(
    ("rules", "tile", "left", "right"),
    [
        (ENGINE, Tile.COVERED, Move.reveal(0), Move.flag(0)),
        (ENGINE, Tile.FLAGGED, None, Move.unflag(0)),
        (KATA, Tile.FLAGGED, Move.reveal(0), Move.unflag(0)),
        (QUESTIONS, Tile.FLAGGED, None, Move.question(0)),
        (QUESTIONS, Tile.QUESTION, Move.reveal(0), Move.unquestion(0)),
        (ENGINE, Tile.QUESTION, Move.reveal(0), None),
        (ENGINE, Tile.ONE, None, None),
        (ENGINE, Tile.EXPLODED, None, None),
        (ENGINE, Tile.MINE, None, None),
        (ENGINE, Tile.WRONG_FLAG, None, None),
    ],
)
def test_a_click_on_each_tile(rules: Rules, tile: Tile, left: Move | None, right: Move | None) -> None:
    board = _board(rules, tile)
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
    assert left_click(_board(rules, tile, beside), 0) == move


@pytest.mark.parametrize("status", [Status.WON, Status.LOST, Status.TERMINATED])
@pytest.mark.parametrize("tile", list(Tile))
def test_after_the_end_a_click_means_nothing(status: Status, tile: Tile) -> None:
    board = _board(QUESTIONS, tile, status=status)
    assert left_click(board, 0) is None
    assert right_click(board, 0) is None


def test_a_click_off_the_board_is_an_error() -> None:
    board = _board(ENGINE, Tile.COVERED)
    for click in (left_click, right_click):
        for cell in (-1, 2):
            with pytest.raises(CellError, match="off the board"):
                click(board, cell)
