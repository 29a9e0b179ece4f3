"""Game ids of Mines in Simon Tatham's Portable Puzzle Collection: `9x9n10:4,4,m750a781f936c7f3d39ec8`.

Before the colon are columns, rows and mines (`9x9` may be `9`; an `a` at the end allows boards that need a guess). Behind it are the first
cell, which may be missing, and a bit a cell in hexadecimal digits, the first cell being the highest bit of the first digit. With an
`m` the bits are masked, so that nobody reads the mines by accident: each half of the bytes is exclusive-or a stream made from the
other half, SHA-1 of it followed by 0, by 1 and so on. (The collection's developer documentation and the comments of its `mines.c`
and `misc.c` describe this.) An id with `#`, and one whose layout is still to be made (`r10,u,…`), name a seed of that program: its board
cannot be had without it.
"""

import hashlib
import re
from typing import Final, NamedTuple

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.words import counted
from sapper.errors import NotationError
from sapper.game.layout import Layout

_ID: Final = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?(?:n(\d{1,6}))?a?([:#])(.*)", re.DOTALL)
_LAYOUT: Final = re.compile(r"(?:(\d{1,4}),(\d{1,4}),)?([mu]?)([0-9a-fA-F]+)")


class PuzzleGame(NamedTuple):
    """The game of an id."""

    layout: Layout
    first: Cell | None
    """The cell that was revealed first, if the id says it."""


def is_puzzle_id(text: str) -> bool:
    return _ID.fullmatch(text.strip()) is not None


def read_puzzle_id(text: str) -> PuzzleGame:
    """The game that an id names; `NotationError` for one that names none, `InvalidValueError` for a board that cannot be."""
    parts = _ID.fullmatch(text.strip())
    if parts is None:
        raise _fault("a game id of Mines is WIDTHxHEIGHTnMINES:X,Y,mDIGITS")
    width = int(parts[1])
    height = width if parts[2] is None else int(parts[2])
    if parts[4] == "#" or parts[5].startswith("r"):
        raise _fault(
            "this id names a seed of that program, whose boards only it can make: after the first click its menu "
            "“Specific” shows an id with the layout, as 9x9n10:4,4,m750a…"
        )
    found = _LAYOUT.fullmatch(parts[5])
    if found is None:
        raise _fault("behind the colon come the first cell and the mines in hexadecimal digits, as 4,4,m750a…")
    grid = Grid(width, height)
    digits = -(-grid.size // 4)
    if len(found[4]) != digits:
        raise _fault(f"{counted(grid.size, 'cell')} take {digits} hexadecimal digits, not {len(found[4])}")
    data = bytes.fromhex(found[4] + "0" * (len(found[4]) % 2))
    if found[3] == "m":
        data = _unmasked(data, grid.size)
    mines = CellSet.of(Cell(cell) for cell in range(grid.size) if data[cell // 8] << cell % 8 & 0x80)
    told = grid.size // 10 if parts[3] is None else int(parts[3])
    if len(mines) != told:
        raise _fault(
            f"the id says {counted(told, 'mine')}, but its layout has {len(mines):,}: it was mistyped or cut off"
        )
    first = None
    if found[1] is not None:
        x, y = int(found[1]), int(found[2])
        if x >= width or y >= height:
            raise _fault(f"the first cell ({x}, {y}) is not on a board of {width}x{height}")
        first = grid.cell(x, y)
    return PuzzleGame(Layout(grid, mines), first)


def _fault(message: str) -> NotationError:
    return NotationError(message, source="<id>")


def _unmasked(data: bytes, bits: int) -> bytes:
    """The bits as they were before they were masked; those behind the last cell are 0."""
    half = len(data) // 2
    one, other = data[:half], bytearray(_mixed(data[half:], data[:half]))
    if bits % 8:
        other[-1] &= 0xFF00 >> bits % 8 & 0xFF
    return _mixed(one, bytes(other)) + other


def _mixed(data: bytes, key: bytes) -> bytes:
    stream, number = b"", 0
    while len(stream) < len(data):
        stream += hashlib.sha1(key + str(number).encode(), usedforsecurity=False).digest()
        number += 1
    return bytes(one ^ other for one, other in zip(data, stream, strict=False))
