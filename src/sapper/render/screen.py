"""A board as a screen for ANSI terminals, one character a cell, drawn again only where it changed.

The cell in column `x` of row `y` is the character in column `x` of row `y` of the screen; lines of text
follow below the board. Every kind of cell has a character of its own:

| character | cell |
|---|---|
| `?` | covered |
| `.`, `1`-`8` | revealed, with its clue |
| `F` | marked |
| `B` | a mine, not marked |
| `X` | the mine that was struck |
| `M` | marked, and there is a mine |
| `!` | marked, and there is no mine |

The last four are there only while the mines are shown. The cell under the cursor is reversed, and
the terminal's own cursor stands on it.

Knows: tiles, their characters and colours; which rows an update touched.
Does not know: games, packets, where the mines come from; how large the terminal is.
"""

from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.render import ansi

Look = tuple[str, tuple[int, ...]]
"""A character and the attributes it is drawn with."""

MARKED_MINE: Final[Look] = ("M", ansi.BLACK_ON_GREEN)
"""A mark with a mine under it, once mines are shown."""
WRONG_MARK: Final[Look] = ("!", ansi.BLACK_ON_YELLOW)
"""A mark with none."""
MINE: Final[Look] = ("B", (ansi.BOLD, ansi.RED))

LOOKS: Final = MappingProxyType(
    {
        Tile.ZERO: (".", ()),
        Tile.ONE: ("1", (ansi.CYAN,)),
        Tile.TWO: ("2", (ansi.GREEN,)),
        Tile.THREE: ("3", (ansi.YELLOW,)),
        Tile.FOUR: ("4", (ansi.MAGENTA,)),
        Tile.FIVE: ("5", (ansi.RED,)),
        Tile.SIX: ("6", (ansi.BOLD, ansi.CYAN)),
        Tile.SEVEN: ("7", (ansi.BOLD, ansi.GREEN)),
        Tile.EIGHT: ("8", (ansi.BOLD, ansi.MAGENTA)),
        Tile.COVERED: ("?", ()),
        Tile.FLAGGED: ("F", (ansi.BOLD, ansi.YELLOW)),
        # The games drawn here have no question marks; a board that has one is drawn all the same.
        Tile.QUESTION: ("?", (ansi.BOLD, ansi.YELLOW)),
        Tile.MINE: MINE,
        Tile.EXPLODED: ("X", ansi.WHITE_ON_RED),
        Tile.WRONG_FLAG: WRONG_MARK,
    }
)
"""How each tile is drawn while the mines are not shown."""

_MARKS = (Tile.FLAGGED, Tile.WRONG_FLAG)
_ON_A_MINE: Final = LOOKS | dict.fromkeys(_MARKS, MARKED_MINE) | dict.fromkeys((Tile.COVERED, Tile.QUESTION), MINE)
_ON_NO_MINE: Final = LOOKS | dict.fromkeys(_MARKS, WRONG_MARK)

_NEWLINE: Final = b"\r\n"  # a terminal in raw mode goes straight down at a bare line feed
_CLEAR: Final = ansi.CLEAR.encode()


def _fragments(looks: MappingProxyType[Tile, Look] | dict[Tile, Look], *more: int) -> tuple[bytes, ...]:
    """The finished bytes of each tile, by its code."""
    return tuple(ansi.painted(looks[tile][0], *looks[tile][1], *more).encode() for tile in Tile)


# Drawing a row is one lookup a cell and one join: the bytes of a cell are made once, here.
_HIDDEN: Final = _fragments(LOOKS)
_SHOWN: Final = (_fragments(_ON_NO_MINE), _fragments(_ON_A_MINE))
_HIDDEN_CURSOR: Final = _fragments(LOOKS, ansi.REVERSE)
_SHOWN_CURSOR: Final = (_fragments(_ON_NO_MINE, ansi.REVERSE), _fragments(_ON_A_MINE, ansi.REVERSE))


class Screen:
    """The screen of one game: follows its updates, and gives the whole screen as bytes (UTF-8).

    Rows are kept as they were drawn last, so that a move costs the rows it changed.
    """

    __slots__ = ("_cells", "_height", "_mines", "_rows", "_stale", "_width")

    def __init__(self, board: Board) -> None:
        """The screen of a board as it is now."""
        self._width = board.grid.width
        self._height = board.grid.height
        self._cells = bytearray(board.tiles)
        self._mines: bytes | None = None
        # A new game's rows are all the same one.
        is_new = self._cells.count(Tile.COVERED) == len(self._cells)
        self._rows: list[bytes] = [_HIDDEN[Tile.COVERED] * self._width if is_new else b""] * self._height
        self._stale: set[int] = set() if is_new else set(range(self._height))

    def apply(self, update: Update) -> None:
        """Take over what a move changed."""
        width = self._width
        for start, tiles in update.runs:
            end = start + len(tiles)
            self._cells[start:end] = tiles
            self._stale.update(range(start // width, (end - 1) // width + 1))

    def show(self, mines: CellSet) -> None:
        """Show the mines from now on: at the end of a game, or to who is debugging."""
        self._mines = mines.marks(len(self._cells))
        self._stale.update(range(self._height))

    def hide(self) -> None:
        """Show the mines no longer."""
        self._mines = None
        self._stale.update(range(self._height))

    def draw(self, cursor: Cell, lines: Iterable[str] = (), *, active: bool = True) -> bytes:
        """The whole screen: the board, the lines of text, and the cursor on its cell.

        The cell is reversed while `active`, so that a finished board is seen as it is.
        """
        y, x = divmod(cursor, self._width)
        for stale in self._stale:
            self._rows[stale] = b"".join(self._draw_row(stale))
        self._stale.clear()
        rows = self._rows.copy()
        if active:
            cells = self._draw_row(y)
            cells[x] = self._draw_cursor(cursor)
            rows[y] = b"".join(cells)
        rows += [line.encode() for line in lines]
        return b"%b%b%b" % (_CLEAR, _NEWLINE.join(rows), b"\x1b[%d;%dH" % (y + 1, x + 1))

    def _draw_row(self, y: int) -> list[bytes]:
        """The bytes of each cell of a row."""
        start, end = y * self._width, (y + 1) * self._width
        cells = self._cells[start:end]
        if self._mines is None:
            return list(map(_HIDDEN.__getitem__, cells))
        return [_SHOWN[mine][tile] for tile, mine in zip(cells, self._mines[start:end], strict=True)]

    def _draw_cursor(self, cell: Cell) -> bytes:
        tile = self._cells[cell]
        return _HIDDEN_CURSOR[tile] if self._mines is None else _SHOWN_CURSOR[self._mines[cell]][tile]


def draw_notice(lines: Sequence[str]) -> bytes:
    """A screen with no board: lines of text, and the cursor below them."""
    return _CLEAR + _NEWLINE.join(line.encode() for line in (*lines, ""))
