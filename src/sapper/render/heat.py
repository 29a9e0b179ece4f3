"""A board with a number in every covered cell: how likely it is to be a mine.

Every cell says what it is in characters; colours, if they are wanted, only repeat it. The wide form writes
chances in percent, three columns a cell; the narrow one a letter for each tenth, one column a cell. A board
that is too wide for even that is cut into panels.
"""

from collections.abc import Iterable, Mapping, Set as AbstractSet
from dataclasses import dataclass
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.coordinates import column_name
from sapper.core.notation import SYMBOLS
from sapper.render.ansi import BLACK_ON_GREEN, BLACK_ON_YELLOW, BOLD, WHITE_ON_RED, painted

SAFE: Final = "ok"
MINED: Final = "*"

_LETTERS: Final = "abcdefghij"
_TWO_LETTERS: Final = 26 + 26 * 26
"""Columns that have at most two letters."""
_SAFE_NARROW: Final = "+"

# Green over yellow to red, all light enough for black text; safe cells and mines are darker, with white text.
_SHADES: Final = (120, 156, 192, 228, 227, 221, 215, 209, 203, 197)
_SAFE_COLOUR: Final = (1, 38, 5, 231, 48, 5, 28)
_MINED_COLOUR: Final = (1, 38, 5, 231, 48, 5, 88)


@dataclass(frozen=True, slots=True, kw_only=True)
class Heat:
    """What to draw: the board, chances from 0 to 1 of covered cells, which are certain, and one to point at.

    A covered cell without a chance is drawn as the board has it. `colours` is how many the reader has:
    0, 8 or 256.
    """

    board: Board
    chances: Mapping[Cell, float]
    safe: AbstractSet[Cell] = frozenset()
    mined: AbstractSet[Cell] = frozenset()
    best: Cell | None = None
    colours: int = 0


def heat_map(heat: Heat, *, width: int | None = None) -> str:
    """The board as text with coordinates, lines ended by a line feed; as narrow as `width` columns if that is given."""
    grid = heat.board.grid
    margin = len(str(grid.height)) + 1
    if is_wide(heat.board, width):
        return _wide(heat, margin)
    columns = max(1, (width or grid.width) - margin)
    panels = [
        _narrow(heat, margin, range(first, min(first + columns, grid.width))) for first in range(0, grid.width, columns)
    ]
    return "\n".join(panels)


def is_wide(board: Board, width: int | None) -> bool:
    """True if the form with percent fits into so many columns."""
    return width is None or len(str(board.grid.height)) + 2 + 3 * board.grid.width <= width


def legend(heat: Heat, *, width: int | None = None) -> str:
    """The meaning of the map's characters, in one line."""
    parts = [(_SAFE_NARROW, "safe"), (MINED, "mine"), ("a-j", "under 10 % to over 90 % likely a mine")]
    if is_wide(heat.board, width):
        parts = [(SAFE, "safe"), (MINED, "mine"), ("1-99", "chance of a mine in %")]
        if heat.best is not None:
            parts.append(("[ ]", "best"))
    return " · ".join(f"{sign} {meaning}" for sign, meaning in parts)


def _wide(heat: Heat, margin: int) -> str:
    grid = heat.board.grid
    every = 1 if grid.width <= _TWO_LETTERS else 5  # three letters would touch
    header = "".join(f"{column_name(x) if x % every == 0 else '':>3}" for x in range(grid.width))
    lines = [" " * (margin - 1) + header]
    for y in range(grid.height):
        first = y * grid.width
        line = [f"{y + 1:>{margin - 1}}"]
        marked = False
        for cell in range(first, first + grid.width):
            best = cell == heat.best
            line.append("[" if best else "]" if marked else " ")
            marked = best
            line.append(_paint(heat, cell, _percent(heat, cell)))
        line.append("]" if marked else "")
        lines.append("".join(line).rstrip())
    return "\n".join(lines) + "\n"


def _narrow(heat: Heat, margin: int, columns: range) -> str:
    grid = heat.board.grid
    header = [" "] * (margin + len(columns))
    for x in columns:
        label = column_name(x)
        if x % 10 == 0 and x + len(label) <= columns.stop:
            header[margin + x - columns.start : margin + x - columns.start + len(label)] = label
    lines = ["".join(header).rstrip()]
    for y in range(grid.height):
        cells = range(y * grid.width + columns.start, y * grid.width + columns.stop)
        lines.append(f"{y + 1:>{margin - 1}} " + "".join(_paint(heat, cell, _letter(heat, cell)) for cell in cells))
    return "\n".join(lines) + "\n"


def _percent(heat: Heat, cell: int) -> str:
    if cell in heat.safe:
        return SAFE
    if cell in heat.mined:
        return f"{MINED:>2}"
    chance = heat.chances.get(Cell(cell))
    if chance is None:
        return f"{SYMBOLS[heat.board.tiles[cell]]:>2}"
    return f"{min(99, max(1, round(100 * chance))):>2}"  # 0 and 100 would read as certain


def _letter(heat: Heat, cell: int) -> str:
    if cell in heat.safe:
        return _SAFE_NARROW
    if cell in heat.mined:
        return MINED
    chance = heat.chances.get(Cell(cell))
    return SYMBOLS[heat.board.tiles[cell]] if chance is None else _LETTERS[_tenth(chance)]


def _tenth(chance: float) -> int:
    return min(9, int(10 * chance))


def _paint(heat: Heat, cell: int, text: str) -> str:
    if not heat.colours:
        return text
    return painted(text, *_colour(heat, cell))


def _colour(heat: Heat, cell: int) -> Iterable[int]:
    many = heat.colours >= 256
    marked = (BOLD,) if cell == heat.best else ()
    if cell in heat.safe:
        return _SAFE_COLOUR if many else (BOLD, *BLACK_ON_GREEN)
    if cell in heat.mined:
        return _MINED_COLOUR if many else WHITE_ON_RED
    chance = heat.chances.get(Cell(cell))
    if chance is None:
        return ()
    if many:
        return (*marked, 38, 5, 16, 48, 5, _SHADES[_tenth(chance)])
    if chance < 0.15:
        return (*marked, *BLACK_ON_GREEN)
    return (*marked, *(BLACK_ON_YELLOW if chance < 0.5 else WHITE_ON_RED))
