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
"""

from collections.abc import Iterable, Sequence
from operator import add
from types import MappingProxyType
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.notation import SYMBOLS
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
_RESET: Final = ansi.RESET.encode()

# How a cell is drawn is one number: its tile, more where the mines are shown, and more again under the cursor. Cells beside each other that
# have the same attributes share one sequence: what is written for a cell depends on the one before, and is made once for each pair.
_SAFE: Final = 16
_MINED: Final = 32
_CURSOR: Final = 64
_SHOWN: Final = bytes([_SAFE, _MINED]) + bytes(254)
"""Added to a tile's number while the mines are shown: for a safe cell, for a mine."""


def painted_cell(board: Board, cell: int, *, colours: bool, reverse: bool) -> str:
    """A cell in the symbols of board text, in colours where they are wanted."""
    tile = board.tiles[cell]
    codes = LOOKS[Tile(tile)][1] if colours else ()
    return ansi.painted(SYMBOLS[tile], *codes, *((ansi.REVERSE,) if reverse else ()))


def _tables() -> tuple[bytes, bytes, tuple[bytes, ...]]:
    """Character and number of the attributes of each way to draw a cell; the sequences of those attributes."""
    characters, numbers = bytearray(256), bytearray(256)
    styles = [""]
    for more, looks in ((0, LOOKS), (_SAFE, _ON_NO_MINE), (_MINED, _ON_A_MINE)):
        for tile in Tile:
            character, codes = looks[tile]
            for place, style in (
                (tile + more, ansi.style(*codes)),
                (tile + more + _CURSOR, ansi.style(*codes, ansi.REVERSE)),
            ):
                if style not in styles:
                    styles.append(style)
                characters[place], numbers[place] = ord(character), styles.index(style)
    return bytes(characters), bytes(numbers), tuple(style.encode() for style in styles)


_CHARACTERS, _NUMBERS, _STYLES = _tables()


def _fragment(before: int, look: int) -> bytes:
    """A cell, drawn behind one whose attributes have that number."""
    character, number = _CHARACTERS[look : look + 1], _NUMBERS[look]
    if before == number:
        return character
    return b"%b%b%b" % (_RESET if before else b"", _STYLES[number], character)


_FRAGMENTS: Final = tuple(
    tuple(_fragment(before, look) for look in range(2 * _CURSOR)) for before in range(len(_STYLES))
)


def _painted(looks: bytearray) -> bytes:
    numbers = looks.translate(_NUMBERS)
    if not numbers.strip(b"\0"):
        return bytes(looks.translate(_CHARACTERS))  # the usual row: nothing but covered cells and blanks
    return _joined(looks, numbers)


def _painted_with_cursor(looks: bytearray, x: int) -> bytes:
    """The same, with the cursor on one of them: what nearly every packet of a player needs once."""
    numbers = looks.translate(_NUMBERS)
    looks[x] += _CURSOR
    if not numbers.strip(b"\0"):
        plain = bytes(looks.translate(_CHARACTERS))
        return b"%b%b%b%b" % (plain[:x], _FRAGMENTS[0][looks[x]], _RESET, plain[x + 1 :])
    numbers[x] = _NUMBERS[looks[x]]
    return _joined(looks, numbers)


def _joined(looks: bytearray, numbers: bytearray) -> bytes:
    """Cells of which some have attributes, drawn."""
    pieces = [_FRAGMENTS[before][look] for before, look in zip(b"\0" + numbers, looks, strict=False)]
    if numbers[-1]:
        pieces.append(_RESET)
    return b"".join(pieces)


class Screen:
    """The screen of one game: follows its updates, and gives the whole screen as bytes (UTF-8).

    Rows are kept as they were drawn last, so that a move costs the rows it changed.
    """

    __slots__ = ("_cells", "_height", "_mines", "_rows", "_stale", "_width")

    def __init__(self, board: Board) -> None:
        self._width = board.grid.width
        self._height = board.grid.height
        self._cells = bytearray(board.tiles)
        self._mines: bytes | None = None
        # A new game's rows are all the same one.
        is_new = self._cells.count(Tile.COVERED) == len(self._cells)
        self._rows: list[bytes] = [_painted(self._cells[: self._width]) if is_new else b""] * self._height
        self._stale: set[int] = set() if is_new else set(range(self._height))

    def apply(self, update: Update) -> None:
        width = self._width
        for start, tiles in update.runs:
            end = start + len(tiles)
            self._cells[start:end] = tiles
            self._stale.update(range(start // width, (end - 1) // width + 1))

    def show(self, mines: CellSet) -> None:
        """Show the mines from now on: at the end of a game, or to who is debugging."""
        self._mines = mines.marks(len(self._cells)).translate(_SHOWN)
        self._stale.update(range(self._height))

    def hide(self) -> None:
        self._mines = None
        self._stale.update(range(self._height))

    def draw(self, cursor: Cell, lines: Iterable[str] = (), *, active: bool = True) -> bytes:
        """The whole screen: the board, the lines of text, and the cursor on its cell.

        The cell is reversed while `active`, so that a finished board is seen as it is.
        """
        y, x = divmod(cursor, self._width)
        for stale in self._stale:
            self._rows[stale] = _painted(self._looks(stale))
        self._stale.clear()
        rows = self._rows.copy()
        if active:
            rows[y] = _painted_with_cursor(self._looks(y), x)
        rows.extend(map(str.encode, lines))
        return b"%b%b%b" % (_CLEAR, _NEWLINE.join(rows), b"\x1b[%d;%dH" % (y + 1, x + 1))

    def _looks(self, y: int) -> bytearray:
        """How each cell of a row is drawn, as numbers: a copy."""
        start, end = y * self._width, (y + 1) * self._width
        cells = self._cells[start:end]
        return cells if self._mines is None else bytearray(map(add, cells, self._mines[start:end]))


def draw_notice(lines: Sequence[str]) -> bytes:
    """A screen with no board: lines of text, and the cursor below them."""
    return _CLEAR + _NEWLINE.join(line.encode() for line in (*lines, ""))
