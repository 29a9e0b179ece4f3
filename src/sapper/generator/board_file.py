"""Layouts from a file in any of the formats that there are: board list, board text, MBF."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.encoding import as_utf8
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.tile import Tile
from sapper.core.words import counted, do_not
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


# Board lists: layouts as text, a line a game.
#
# A line is `WIDTH HEIGHT MINES i,j,k… FIRST`: the mines' indices (`y * WIDTH + x`) and the first cell to reveal.
# Without mines the list of indices is `-`. Empty lines and lines that start with `#` are skipped.
def read_board_list(lines: Iterable[str], *, source: str = "<text>") -> Iterator[ListedGame]:
    """The games of a list, one at a time; `NotationError` (line and column) for an invalid line.

    `lines` is an open file, any lines, or one text.
    """
    if not hasattr(lines, "__iter__"):
        check_type("lines", lines, str)
    for number, line in enumerate(lines.splitlines() if isinstance(lines, str) else lines, 1):
        check_type("a line", line, str)
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


HEADER = 4


# MBF, the *Minesweeper Board Format* of the rankings' programs: one layout in a few bytes.
#
# Width and height in a byte each, the number of mines in two (the high one first), then the mines' x and y in a byte
# each. It has no place for a first cell.
def write_mbf(layout: Layout) -> bytes:
    """The bytes of a layout; `LayoutError` for one that they cannot say."""
    grid = layout.grid
    if not grid.is_plane or grid.width > 255 or grid.height > 255 or layout.mine_count > 0xFFFF:
        raise LayoutError(f"an MBF file holds a plane of at most 255x255 cells, not {grid}")
    pairs = (place for cell in layout.mines for place in grid.xy(cell))
    return bytes((grid.width, grid.height, *layout.mine_count.to_bytes(2), *pairs))


def read_mbf(data: bytes, *, source: str = "<bytes>") -> Layout:
    """The layout that the bytes describe; `NotationError`, with the offset, if they describe none."""
    if len(data) < HEADER:
        raise NotationError(f"an MBF file begins with {HEADER} bytes, not {len(data)}", source=source, offset=len(data))
    width, height, mines = data[0], data[1], int.from_bytes(data[2:HEADER])
    if not width or not height:
        raise NotationError(f"a board of {width}x{height} cells", source=source, offset=0 if not width else 1)
    if mines > width * height:
        raise NotationError(
            f"{counted(mines, 'mine')} {do_not(mines)} fit {width}x{height} cells", source=source, offset=2
        )
    end = HEADER + 2 * mines
    if len(data) != end:
        raise NotationError(
            f"{counted(mines, 'mine')} {'takes' if mines == 1 else 'take'} {end} bytes with the first {HEADER}; there are {len(data)}",
            source=source,
            offset=min(len(data), end),
        )
    grid = Grid(width, height)
    cells: set[int] = set()
    for offset in range(HEADER, end, 2):
        x, y = data[offset], data[offset + 1]
        if x >= width or y >= height:
            raise NotationError(
                f"a mine at ({x}, {y}) is off a board of {width}x{height}", source=source, offset=offset
            )
        if y * width + x in cells:
            raise NotationError(f"a second mine at ({x}, {y})", source=source, offset=offset)
        cells.add(y * width + x)
    return Layout(grid, CellSet.of(cells))


_NOT_TEXT = re.compile(rb"[^\t\n\r\x20-\x7e\x80-\xff]")
_LIST_LINE = re.compile(r"\s*\d+\s")
_COMMENT = re.compile(r"\s*#.*[^\s#F?*X!._0-9-]")  # a row may begin with # too, but has nothing else in it
_MINES = (Tile.MINE, Tile.EXPLODED)


def read_layouts(data: bytes, *, source: str = "<bytes>") -> Iterator[ListedGame]:
    """The layouts of a file, each with its first cell: the listed one, else cell 0.

    Text is a board list if its first line that is no comment begins with a number and a blank, else board texts, an empty
    line between two of them, in UTF-8 or UTF-16; anything else is MBF. `NotationError` says where it is none of these.
    """
    data = as_utf8(data)
    if not data.strip(b" \t\r\n"):
        raise NotationError("no layout found: the file is empty", source=source, line=1)
    if not is_text(data):
        try:
            layout = read_mbf(data, source=source)
        except NotationError as error:
            why = f"no known format: not text, and no MBF file: {error.message}"
            raise NotationError(why, source=source, offset=error.offset) from None
        yield ListedGame(layout, Cell(0))
        return
    text = data.decode("utf-8", errors="replace")
    lines = text.splitlines()
    first = next((line for line in lines if line.strip() and not _COMMENT.match(line)), "")
    if _LIST_LINE.match(first) or not first:
        yield from read_board_list(lines, source=source)
    else:
        yield from _read_texts(lines, source)


def is_text(data: bytes) -> bool:
    """True if the bytes are text: no control characters, which an MBF file always has (sizes, the mines' high byte)."""
    return bool(data.strip()) and _NOT_TEXT.search(data[:65536]) is None


def _read_texts(lines: list[str], source: str) -> Iterator[ListedGame]:
    begin = 0
    for number, line in enumerate([*lines, ""]):
        if line.strip():
            continue
        if begin < number:
            # Empty lines in front keep the line numbers of errors those of the file.
            text = "\n" * begin + "\n".join(lines[begin:number])
            board = read_board(text, mine_count=_mines_shown(lines[begin:number]), source=source)
            yield ListedGame(layout_shown(board, source=source, line=begin + 1), Cell(0))
        begin = number + 1


def _mines_shown(rows: list[str]) -> int | None:
    """The mines that are generated, where no first line gives their number."""
    return None if "/" in rows[0] else sum(row.count(symbol) for row in rows for symbol in "*X")


def layout_shown(board: Board, *, source: str = "<text>", line: int = 1) -> Layout:
    """The layout of a board that shows it all; `NotationError` if it does not, or if a clue is wrong."""
    mines = CellSet.of(cell for cell, code in enumerate(board.tiles) if code in _MINES)
    if len(mines) != board.mine_count:
        raise NotationError(
            f"a layout shows each of its mines as *; here are {len(mines)} of {board.mine_count}",
            source=source,
            line=line,
        )
    layout = Layout(board.grid, mines)
    for cell, code in enumerate(board.tiles):
        if code <= Tile.EIGHT and code != layout.clues[cell]:
            raise NotationError(
                f"the clue at {cell_name(board.grid, cell)} is {code}, but it has {counted(layout.clues[cell], 'mine')} beside it",
                source=source,
                line=line,
            )
    return layout
