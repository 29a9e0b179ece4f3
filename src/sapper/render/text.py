"""The plain view: board text, as it can be read back and piped from one command to the next."""

from sapper.core.board import Board
from sapper.core.notation import write_board


def text_view(board: Board) -> str:
    """The board's rows in the symbols of board text, joined by line feeds.

    >>> from sapper.core.grid import Grid
    >>> from sapper.core.rules import RULES
    >>> print(text_view(Board.new(Grid(3, 2), RULES["modern"], 1)))
    ###
    ###
    """
    return write_board(board, header=False).removesuffix("\n")
