"""The plain view is board text, and can be read back."""

from hypothesis import given

from sapper.core.board import Board
from sapper.core.notation import read_board
from sapper.render.text import text_view
from tests.strategies import boards


@given(board=boards())
def test_it_can_be_read_back(board: Board) -> None:
    text = text_view(board)
    assert text.count("\n") == board.grid.height - 1
    assert read_board(text, mine_count=board.mine_count, rules=board.rules).tiles == board.tiles
