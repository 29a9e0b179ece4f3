"""Board text: what is seen, a line a row.

`#` covered, `F` flagged, `?` question mark, `.` zero, `1`-`8` clues, `*` mine, `X` exploded, `!` wrong
flag; read as well: `0` and `_` for zero, `-` for covered. A first line `WxH/M` gives size and mines, `WxH` the size.
"""

import re

from sapper.core.arguments import check_type
from sapper.core.board import Board, all_safe_revealed
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.preset import check_mines
from sapper.core.rules import RULES, Rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.errors import LayoutError, NotationError

SYMBOLS = ".12345678#F?*X!"
"""The symbol of each tile, by its code."""

_CODES = {symbol: code for code, symbol in enumerate(SYMBOLS)} | {
    "0": int(Tile.ZERO),
    "_": int(Tile.ZERO),
    "-": int(Tile.COVERED),
}
_HEADER = re.compile(r"([0-9]{1,9})x([0-9]{1,9})(?:/([0-9]{1,9}))?")
_LIKE_HEADER = re.compile(r".*/.*|\s*\d+\s*[x×].*")  # no tile is written like that
_MODERN = RULES["modern"]


def is_like_header(line: str) -> bool:
    """True if a line says size and mines, or is meant to: it is no row of tiles."""
    return _LIKE_HEADER.fullmatch(line) is not None


def write_tiles(tiles: bytes) -> str:
    """The symbols of some tiles, one character each."""
    return tiles.translate(_TO_SYMBOLS).decode("ascii")


def read_tiles(text: str) -> bytes:
    """The tiles of some symbols; `NotationError` with the column of one that is none."""
    try:
        return bytes([_CODES[symbol] for symbol in text])
    except KeyError as error:
        symbol = error.args[0]
        told = f"{symbol!r} is not a tile; tiles are {' '.join(SYMBOLS)}, and 0 _ - are read too"
        raise NotationError(told, column=text.index(symbol) + 1) from None


def write_board(board: Board, *, header: bool = True) -> str:
    """The board's text, a line a row, each ended by a line feed; with the line `WxH/M` first unless told not."""
    check_type("board", board, Board)
    width = board.grid.width
    text = write_tiles(board.tiles)
    rows = [text[begin : begin + width] for begin in range(0, len(text), width)]
    if header:
        rows.insert(0, f"{width}x{board.grid.height}/{board.mine_count}")
    return "\n".join(rows) + "\n"


def _check_given(text: str, mine_count: int | None, rules: Rules | None) -> None:
    check_type("text", text, str)
    if mine_count is not None:
        check_type("mine_count", mine_count, int)
    if rules is not None:
        check_type("rules", rules, Rules)


def read_board(
    text: str, *, mine_count: int | None = None, rules: Rules | None = None, source: str = "<text>"
) -> Board:
    """The board that a text shows.

    `mine_count` is needed if the first line does not tell it, and must agree with it if it does. A text alone has no
    rules: without `rules` it is read by those of `modern`, and no start rule protects its first reveal. `source`
    names the text in errors. `NotationError` (with line and column) for anything that is no board.
    """
    _check_given(text, mine_count, rules)
    lines = [line.rstrip() for line in text.removeprefix("\ufeff").splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    first = next((number for number, line in enumerate(lines) if line), len(lines))
    header = _HEADER.fullmatch(lines[first].strip()) if first < len(lines) else None
    if first < len(lines) and not header and is_like_header(lines[first]):
        raise NotationError(
            f"a first line is WIDTHxHEIGHT/MINES, numbers of at most nine digits, not {lines[first].strip()[:40]!r}",
            source=source,
            line=first + 1,
        )
    rows = lines[first + 1 if header else first :]
    line_of_row = first + (2 if header else 1)
    if not rows:
        raise NotationError("the board is empty: write each row in a line, as 1#F", source=source, line=len(lines) + 1)
    if header and header[3]:
        told = int(header[3])
        if mine_count is not None and mine_count != told:
            raise NotationError(
                f"the first line says {counted(told, 'mine')}, but {mine_count:,} {'was' if mine_count == 1 else 'were'} asked for",
                source=source,
                line=first + 1,
            )
        mine_count = told
    if mine_count is None:
        raise NotationError(
            f"the number of mines is missing: give it, or begin with a line {header[0] if header else 'WIDTHxHEIGHT'}/MINES",
            source=source,
        )
    tiles = _read_rows(rows, line_of_row, source)
    if header and (int(header[1]), int(header[2])) != (len(rows[0]), len(rows)):
        raise NotationError(
            f"the first line says {header[1]}x{header[2]}, but {len(rows[0])}x{len(rows)} follow",
            source=source,
            line=first + 1,
        )
    grid = Grid(len(rows[0]), len(rows))
    try:
        check_mines(grid, mine_count)
    except LayoutError as error:
        raise NotationError(str(error), source=source, line=first + 1) from None
    played_by = _MODERN if rules is None else rules
    return Board(
        grid=grid,
        rules=played_by,
        mine_count=mine_count,
        tiles=tiles,
        status=_status(played_by, grid, mine_count, tiles),
        safe_first=CellSet() if rules is None else None,
    )


def _read_rows(rows: list[str], line_of_row: int, source: str) -> bytes:
    tiles = bytearray()
    width = len(rows[0])
    for number, row in enumerate(rows, line_of_row):
        if not row:
            raise NotationError("an empty line inside the board", source=source, line=number)
        try:
            tiles += read_tiles(row)
        except NotationError as error:
            raise NotationError(error.message, source=source, line=number, column=error.column) from None
        if len(row) != width:
            raise NotationError(
                f"this row has {counted(len(row), 'cell')}, the first has {width}",
                source=source,
                line=number,
                column=min(len(row), width) + 1,
            )
    return bytes(tiles)


def _status(rules: Rules, grid: Grid, mine_count: int, tiles: bytes) -> Status:
    if Tile.EXPLODED in tiles:
        return Status.LOST
    if not tiles.strip(bytes([Tile.COVERED])):
        return Status.READY
    revealed = len(tiles.translate(None, _NOT_CLUES))
    if all_safe_revealed(rules, grid.size, mine_count, revealed) and _agree_with_the_rest(grid, tiles):
        return Status.WON
    return Status.PLAYING


def _agree_with_the_rest(grid: Grid, tiles: bytes) -> bool:
    """True if each clue is the number of cells beside it that show none: where all else are mines, no other layout fits."""
    starts, cells = grid.table
    is_mine = tiles.translate(_HAS_NO_CLUE)
    return all(
        clue > Tile.EIGHT or clue == sum(is_mine[near] for near in cells[starts[cell] : starts[cell + 1]])
        for cell, clue in enumerate(tiles)
    )


_TO_SYMBOLS = bytes(ord(SYMBOLS[code]) if code < len(SYMBOLS) else ord("~") for code in range(256))
_NOT_CLUES = bytes(range(Tile.COVERED, 256))
_HAS_NO_CLUE = bytes(code > Tile.EIGHT for code in range(256))
