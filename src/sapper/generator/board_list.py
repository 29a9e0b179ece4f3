"""Board lists: layouts as text, a line a game.

A line is `WIDTH HEIGHT MINES i,j,k… FIRST`: the mines' indices (`y * WIDTH + x`) and the first cell to
reveal. Without mines the list of indices is `-`. Empty lines and lines that start with `#` are skipped.
"""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.errors import LayoutError, NotationError, SapperError
from sapper.game.layout import Layout

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"[0-9]{1,9}")
_FIELDS = "WIDTH HEIGHT MINES i,j,k… FIRST"


class ListedGame(NamedTuple):
    """One line of a board list: a layout, and the cell to reveal first."""

    layout: Layout
    first: Cell


def write_game(layout: Layout, first: int) -> str:
    """The line of one game, without a line feed; `LayoutError` for a grid that a list has no words for."""
    grid = layout.grid
    if not grid.is_plane:
        raise LayoutError(f"a board list holds layouts on a plane, not on a {grid.topology.name}")
    mines = ",".join(map(str, layout.mines)) or "-"
    return f"{grid.width} {grid.height} {layout.mine_count} {mines} {grid.check(first)}"


def read_board_list(lines: Iterable[str], *, source: str = "<text>") -> Iterator[ListedGame]:
    """The games of a list, one at a time; `NotationError` (line and column) for a line that is none.

    `lines` is an open file, any lines, or one text.
    """
    for number, line in enumerate(lines.splitlines() if isinstance(lines, str) else lines, 1):
        text = line.removeprefix("\ufeff") if number == 1 else line
        if text.strip() and not text.lstrip().startswith("#"):
            yield _read_line(text, number, source)


def _read_line(text: str, number: int, source: str) -> ListedGame:
    def fault(message: str, column: int) -> NotationError:
        return NotationError(message, source=source, line=number, column=column)

    def read_number(word: str, column: int, meaning: str) -> int:
        if not _NUMBER.fullmatch(word):
            raise fault(f"{meaning} is a number of at most nine digits, not {word[:20]!r}", column)
        return int(word)

    words = [(match[0], match.start() + 1) for match in _WORD.finditer(text)]
    if len(words) != 5:
        raise fault(f"a game is {_FIELDS}: 5 words, not {len(words)}", words[-1][1])
    (width, at_width), (height, at_height), (count, at_count), (mines, at_mines), (first, at_first) = words
    try:
        grid = Grid(read_number(width, at_width, "WIDTH"), read_number(height, at_height, "HEIGHT"))
    except SapperError as error:
        raise error if isinstance(error, NotationError) else fault(str(error), at_width) from None
    cells: set[int] = set()
    column = at_mines
    for word in [] if mines == "-" else mines.split(","):
        cell = read_number(word, column, "a mine")
        if cell >= grid.size:
            raise fault(f"mine {cell} is off the board: cells are 0 to {grid.size - 1}", column)
        if cell in cells:
            raise fault(f"mine {cell} is listed twice", column)
        cells.add(cell)
        column += len(word) + 1
    if read_number(count, at_count, "MINES") != len(cells):
        raise fault(f"MINES says {count}, but {len(cells)} {'is' if len(cells) == 1 else 'are'} listed", at_count)
    first_cell = read_number(first, at_first, "FIRST")
    if first_cell >= grid.size:
        raise fault(f"the first cell {first_cell} is off the board: cells are 0 to {grid.size - 1}", at_first)
    return ListedGame(Layout(grid, CellSet.of(cells)), Cell(first_cell))
