"""Boards as the document draws them are read, or refused with their line."""

import pytest
from hypothesis import given

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.errors import NotationError
from sapper.kata.drawing import is_row, read_drawing
from sapper.render import kata as view
from tests.strategies import boards

FRAMED = "+-+-+\n|_|1|\n+-+-+\n| |*|\n+-+-+\n|X|-|\n+-+-+"
TILES = bytes([Tile.ZERO, Tile.ONE, Tile.COVERED, Tile.FLAGGED, Tile.EXPLODED, Tile.COVERED])


def test_a_framed_board() -> None:
    drawing = read_drawing(7, FRAMED.split("\n"))
    assert (drawing.line, drawing.is_framed, drawing.grid, drawing.tiles()) == (7, True, Grid(2, 3), TILES)
    assert drawing.text == "_1\n-*\nX-"
    assert drawing.printed == FRAMED.replace("|-|", "| |")


def test_a_bare_board() -> None:
    drawing = read_drawing(1, ["_1", "-*", "X-"])
    assert (drawing.is_framed, drawing.grid, drawing.tiles()) == (False, Grid(2, 3), TILES)
    assert drawing.printed == drawing.text == "_1\n-*\nX-"
    assert not drawing.is_blank
    assert read_drawing(1, ["---", "---"]).is_blank


@given(board=boards())
def test_what_is_printed_is_read_back(board: Board) -> None:
    strange = {Tile.QUESTION, Tile.MINE, Tile.WRONG_FLAG} & set(map(Tile, board.tiles))
    for text in (view.bordered(board), view.bare(board)):
        drawing = read_drawing(1, text.split("\n"))
        assert drawing.printed == text
        if strange:
            with pytest.raises(NotationError, match="is not a square"):
                drawing.tiles()
        else:
            assert drawing.tiles() == board.tiles


@pytest.mark.parametrize("line", ["---", "b", "02b", "_1*X", "+-+", "| |", "+oops", "|"])
def test_lines_of_a_board(line: str) -> None:
    assert is_row(line)


@pytest.mark.parametrize("line", ["", "Game:", "- x", "-?-", "9--", "[Sandbox 3x3] Game created", "--- "])
def test_other_lines(line: str) -> None:
    assert not is_row(line)


@pytest.mark.parametrize(
    ("rows", "line", "message"),
    [
        (["---", "--"], 6, "this row has 2 squares, the first has 3"),
        (["+-+", "|1|"], 6, "a framed board ends with a border"),
        (["+-+-+", "|1|", "+-+-+"], 6, "this line of the frame is 3 long, the first is 5"),
        (["+-+", "|1|", "+-"], 7, "should be a border"),
        (["|1|", "+-+"], 5, "should be a border"),
        (["+-+", "+-+"], 6, "should be squares between bars"),
        (["+-+"], 5, "a framed board ends with a border"),
    ],
)
def test_what_is_no_board(rows: list[str], line: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        read_drawing(5, rows)
    assert caught.value.line == line


@pytest.mark.parametrize(
    ("rows", "line", "column"), [(["---", "-b-"], 6, 2), (["+-+-+", "| |_|", "+-+-+", "| |0|", "+-+-+"], 8, 4)]
)
def test_a_symbol_that_no_game_shows(rows: list[str], line: int, column: int) -> None:
    with pytest.raises(NotationError, match="is not a square: squares are") as caught:
        read_drawing(5, rows).tiles()
    assert (caught.value.line, caught.value.column) == (line, column)


def test_a_symbol_that_is_no_bomb() -> None:
    with pytest.raises(NotationError, match="'1' is not a square: a board of bombs has b, else -"):
        read_drawing(1, ["--b", "-1-"]).bombs()
