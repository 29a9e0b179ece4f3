"""Layouts from a file in any of the formats that there are: board list, board text, MBF."""

import re
from collections.abc import Iterator

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.encoding import as_utf8
from sapper.core.notation import read_board
from sapper.core.tile import Tile
from sapper.core.words import counted
from sapper.errors import NotationError
from sapper.game.layout import Layout
from sapper.generator.board_list import ListedGame, read_board_list
from sapper.generator.mbf import read_mbf

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
        yield ListedGame(read_mbf(data, source=source), Cell(0))
        return
    text = data.decode("utf-8", errors="replace")
    lines = text.splitlines()
    first = next((line for line in lines if line.strip() and not _COMMENT.match(line)), "")
    if _LIST_LINE.match(first) or not first:
        yield from read_board_list(lines, source=source)
    else:
        yield from _read_texts(lines, source)


def is_text(data: bytes) -> bool:
    """Whether the bytes are text: no control characters, which an MBF file always has (sizes, the mines' high byte)."""
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
