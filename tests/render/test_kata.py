"""The kata's views: frames, bare boards, boards of bombs, and squares counted from the bottom left."""

import pytest
from hypothesis import given

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.rules import RULES
from sapper.core.tile import Tile
from sapper.errors import CellError
from sapper.game.layout import Layout
from sapper.render import kata as view
from tests.strategies import boards, layouts

KATA = RULES["kata"]


def _board(width: int, *tiles: int) -> Board:
    return Board(grid=Grid(width, len(tiles) // width), rules=KATA, mine_count=1, tiles=bytes(tiles))


BOARD = _board(3, Tile.ZERO, Tile.EIGHT, Tile.COVERED, Tile.FLAGGED, Tile.EXPLODED, Tile.ONE)


def test_tiles_of_other_rules_have_symbols_too() -> None:
    board = _board(3, Tile.QUESTION, Tile.MINE, Tile.WRONG_FLAG)
    assert view.bare(board) == "?b!"
    assert view.bordered(board) == "+-+-+-+\n|?|b|!|\n+-+-+-+"


def test_every_tile_has_a_symbol_of_its_own() -> None:
    assert len(set(view.BARE_SYMBOLS)) == len(set(view.BORDERED_SYMBOLS)) == len(Tile)


@given(board=boards())
def test_frame_and_bare_board_show_the_same(board: Board) -> None:
    framed = view.bordered(board).split("\n")
    border = "+-" * board.grid.width + "+"
    assert framed[::2] == [border] * (board.grid.height + 1)
    rows = view.bare(board).split("\n")
    assert [row[1::2].replace(" ", "-") for row in framed[1::2]] == rows
    assert all(row[::2] == "|" * (board.grid.width + 1) for row in framed[1::2])
    assert [view.symbol(board, cell) for cell in range(board.grid.size)] == list("".join(rows))


def test_boards_of_bombs() -> None:
    layout = Layout(Grid(3, 3), CellSet.of([0, 2, 8]))
    assert view.bombs(layout.grid, layout.clues) == "b-b\n---\n--b"
    assert view.bomb_board(layout.grid, layout.clues) == "b2b\n132\n01b"


@given(layout=layouts())
def test_bombs_are_where_the_layout_has_them(layout: Layout) -> None:
    text = view.bombs(layout.grid, layout.clues).replace("\n", "")
    assert CellSet.of(cell for cell, symbol in enumerate(text) if symbol == "b") == layout.mines
    counted = view.bomb_board(layout.grid, layout.clues).replace("\n", "")
    assert all(symbol == "b" or int(symbol) == layout.clue(cell) for cell, symbol in enumerate(counted))


@pytest.mark.parametrize(
    ("text", "x", "y"), [("0;0", 0, 2), ("0;2", 0, 0), ("2;0", 2, 2), ("2;1", 2, 1), ("1;1", 1, 1)]
)
def test_squares_count_from_the_bottom_left(text: str, x: int, y: int) -> None:
    grid = Grid(3, 3)
    assert view.cell_of(grid, text) == grid.cell(x, y)
    assert view.square(grid, grid.cell(x, y)) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("3;0", "square 3;0 is off the board: x is 0 to 2, y is 0 to 1"),
        ("0;2", "square 0;2 is off the board: x is 0 to 2, y is 0 to 1"),
        ("0,1", "a square is x;y, for instance 0;0, not '0,1'"),
        ("-1;0", "a square is x;y, for instance 0;0, not '-1;0'"),
        ("", "a square is x;y, for instance 0;0, not ''"),
    ],
)
def test_what_is_no_square(text: str, message: str) -> None:
    with pytest.raises(CellError, match=message):
        view.cell_of(Grid(3, 2), text)


def test_cells_in_a_sentence_become_squares() -> None:
    assert view.in_squares(Grid(9, 9), "i7 has all its mines: i8 is safe") == "8;2 has all its mines: 8;1 is safe"
    assert view.in_squares(Grid(2, 2), "not here: c1") == "not here: c1"
