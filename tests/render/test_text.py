"""The plain view is board text, and can be read back."""

from hypothesis import given

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.tile import Tile
from sapper.render.text import text_view
from tests.strategies import boards


def test_every_tile_has_its_symbol() -> None:
    board = Board(grid=Grid(5, 3), rules=RULES["modern"], mine_count=3, tiles=bytes(Tile))
    assert text_view(board) == ".1234\n5678#\nF?*X!"


@given(board=boards())
def test_it_can_be_read_back(board: Board) -> None:
    text = text_view(board)
    assert text.count("\n") == board.grid.height - 1
    assert read_board(text, mine_count=board.mine_count, rules=board.rules).tiles == board.tiles
