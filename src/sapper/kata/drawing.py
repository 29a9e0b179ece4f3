"""Boards as the kata's document draws them: in a frame, or bare."""

import re
from dataclasses import dataclass

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.errors import NotationError
from sapper.render.kata import BARE_SYMBOLS

_BARE = re.compile(r"[-_*Xb0-8]+")
_BORDER = re.compile(r"\+(-\+)+")
_FRAMED = re.compile(r"\|(.\|)+")

# The tiles that a board of the kata can show: no question marks, and the other bombs stay hidden at the end.
_SHOWN = (*range(Tile.EIGHT + 1), Tile.COVERED, Tile.FLAGGED, Tile.EXPLODED)
_TILES = {BARE_SYMBOLS[code]: int(code) for code in _SHOWN}


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A board that is drawn: a character a square, `-` for a covered one whether it was framed or not."""

    line: int
    """The line of its first row."""
    rows: tuple[str, ...]
    is_framed: bool

    @property
    def grid(self) -> Grid:
        return Grid(len(self.rows[0]), len(self.rows))

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def printed(self) -> str:
        """The board as it is drawn in the document: in its frame if it has one."""
        if not self.is_framed:
            return self.text
        border = "+-" * len(self.rows[0]) + "+"
        return "\n".join([border, *(f"|{'|'.join(row.replace('-', ' '))}|\n{border}" for row in self.rows)])

    @property
    def is_blank(self) -> bool:
        return set(self.text) <= {"-", "\n"}

    def tiles(self) -> bytes:
        """What a game shows there, a `Tile` a byte; `NotationError` for a symbol that no game shows."""
        return bytes(self._read(_TILES, "squares are - or blank, _, 1 to 8, * and X"))

    def bombs(self) -> CellSet:
        """The squares marked `b`; `NotationError` for a symbol that is neither `b` nor `-`."""
        return CellSet.where(bytes(self._read({"b": 1, "-": 0}, "a board of bombs has b, else -")))

    def _read(self, codes: dict[str, int], meaning: str) -> list[int]:
        read = []
        for row, symbols in enumerate(self.rows):
            for x, symbol in enumerate(symbols):
                if symbol not in codes:
                    line = self.line + (2 * row + 1 if self.is_framed else row)
                    raise _fault(f"{symbol!r} is not a square: {meaning}", line, 2 * x + 2 if self.is_framed else x + 1)
                read.append(codes[symbol])
        return read


def is_row(line: str) -> bool:
    """True if a line belongs to a board: rows, and whatever begins like a frame, well-formed or not."""
    return line.startswith(("|", "+")) or _BARE.fullmatch(line) is not None


def read_drawing(line: int, rows: list[str]) -> Drawing:
    """The board that some lines draw, the first being line `line`; `NotationError` if they draw none."""
    is_framed = rows[0].startswith(("|", "+"))
    squares = _read_frame(line, rows) if is_framed else rows
    for number, row in enumerate(squares):
        if len(row) != len(squares[0]):
            raise _fault(
                f"this row has {counted(len(row), 'square')}, the first has {len(squares[0])}",
                line + (2 * number + 1 if is_framed else number),
            )
    return Drawing(line=line, rows=tuple(squares), is_framed=is_framed)


def _read_frame(line: int, rows: list[str]) -> list[str]:
    squares = []
    for number, row in enumerate(rows):
        is_border = number % 2 == 0
        if not (_BORDER if is_border else _FRAMED).fullmatch(row):
            wanted = "a border +-+-+" if is_border else "squares between bars, |1| |"
            raise _fault(f"this line of the frame should be {wanted}, not {row!r}", line + number)
        if len(row) != len(rows[0]):
            raise _fault(f"this line of the frame is {len(row)} long, the first is {len(rows[0])}", line + number)
        if not is_border:
            squares.append(row[1::2].replace(" ", "-"))
    if len(rows) % 2 == 0 or not squares:
        raise _fault("a framed board ends with a border +-+-+", line + len(rows) - 1)
    return squares


def _fault(message: str, line: int, column: int = 1) -> NotationError:
    return NotationError(message, line=line, column=column)
