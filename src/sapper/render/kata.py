"""The kata's views: the board in its frame, the bare board, the boards of bombs, and the names of squares.

The kata's symbols are its own (`*` flag, `_` zero, blank or `-` covered, `X` exploded; `b` and `0` on boards
of bombs), and so are its coordinates: `x;y` with the origin at the **bottom** left.
"""

import re

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import read_cell
from sapper.core.grid import Grid
from sapper.errors import CellError, NotationError

BARE_SYMBOLS = "_12345678-*?bX!"
"""The symbol of each tile on the bare board, by its code. The kata has no `?`, `b` and `!` there: other rules may."""

BORDERED_SYMBOLS = BARE_SYMBOLS.replace("-", " ")
"""The same inside a frame, where a covered square is blank."""

BOMB_SYMBOLS = "012345678b"
"""The symbols of a board of bombs, by the clue; the last is a bomb."""

_SQUARE = re.compile(r"(\d{1,9});(\d{1,9})")
_CELL = re.compile(r"\b[a-z]{1,3}[1-9][0-9]{0,3}\b")


def bordered(board: Board) -> str:
    """The board in its frame, every square in a box.

    >>> from sapper.core.rules import RULES
    >>> print(bordered(Board.new(Grid(3, 1), RULES["kata"], 1)))
    +-+-+-+
    | | | |
    +-+-+-+
    """
    border = "+-" * board.grid.width + "+"
    lines = [border]
    for row in _rows(board.grid, board.tiles, BORDERED_SYMBOLS):
        lines += ("|" + "|".join(row) + "|", border)
    return "\n".join(lines)


def bare(board: Board) -> str:
    return "\n".join(_rows(board.grid, board.tiles, BARE_SYMBOLS))


def bombs(grid: Grid, clues: bytes) -> str:
    """Where the bombs are: `b`, else `-`. `clues` is a layout's buffer: 0-8, and 9 at a bomb."""
    return "\n".join(_rows(grid, clues, "-" * 9 + "b"))


def bomb_board(grid: Grid, clues: bytes) -> str:
    """The bombs, and how many of them each other square has beside it, `0` included."""
    return "\n".join(_rows(grid, clues, BOMB_SYMBOLS))


def symbol(board: Board, cell: int) -> str:
    """The kata's symbol of one square: `-` where it is covered."""
    return BARE_SYMBOLS[board.tile(cell)]


def name(grid: Grid) -> str:
    """The board's name, which every message begins with: `[Sandbox 3x3]`."""
    return f"[Sandbox {grid.width}x{grid.height}]"


def square(grid: Grid, cell: int) -> str:
    """A cell as the kata writes it: `x;y`, the origin at the bottom left.

    >>> square(Grid(3, 3), 0), square(Grid(3, 3), 8)
    ('0;2', '2;0')
    """
    x, y = grid.xy(cell)
    return f"{x};{grid.height - 1 - y}"


def cell_of(grid: Grid, text: str) -> Cell:
    """The cell that the kata writes `x;y`; `CellError` if that is no square of this board."""
    match = _SQUARE.fullmatch(text)
    if match is None:
        raise CellError(f"a square is x;y, for instance 0;0, not {text!r}")
    x, y = int(match[1]), int(match[2])
    if x >= grid.width or y >= grid.height:
        raise CellError(f"square {text} is off the board: x is 0 to {grid.width - 1}, y is 0 to {grid.height - 1}")
    return grid.cell(x, grid.height - 1 - y)


def in_squares(grid: Grid, text: str) -> str:
    """A sentence with its cells, `c4` in all of sapper, written as the kata's squares.

    >>> in_squares(Grid(3, 3), "a1 is safe")
    '0;2 is safe'
    """

    def rewrite(match: re.Match[str]) -> str:
        try:
            return square(grid, read_cell(grid, match[0]))
        except NotationError:  # a word that looks like a cell
            return match[0]

    return _CELL.sub(rewrite, text)


def _rows(grid: Grid, codes: bytes, symbols: str) -> list[str]:
    table = symbols.encode("ascii").ljust(256, b"~")
    text = codes.translate(table).decode("ascii")
    return [text[begin : begin + grid.width] for begin in range(0, grid.size, grid.width)]
