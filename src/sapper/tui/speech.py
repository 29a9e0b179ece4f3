"""What a listener is told of a board: rows, cells, and what a move changed; nothing needs to be seen.

Cells that are alike and side by side are said together: `c to f covered`.
"""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final

from sapper.core.board import Board
from sapper.core.coordinates import cell_name, column_name
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.core.words import counted

WORDS: Final = {
    Tile.ZERO: "blank",
    Tile.COVERED: "covered",
    Tile.FLAGGED: "flag",
    Tile.QUESTION: "question mark",
    Tile.MINE: "mine",
    Tile.EXPLODED: "exploded mine",
    Tile.WRONG_FLAG: "wrong flag",
}
_HELD: Final = {
    Tile.FLAGGED: "a flag", Tile.QUESTION: "a question mark", Tile.MINE: "a mine", Tile.EXPLODED: "an exploded mine",
    Tile.WRONG_FLAG: "a wrong flag",
}  # fmt: skip
"""What a cell is said to have; the others are something: blank, covered, 3."""
_MOST_NAMED: Final = 3
"""Changed cells that are said one by one; more are said row by row."""


def tile_words(tile: int) -> str:
    """What is at a cell: `blank`, `3`, `covered` …"""
    return WORDS.get(Tile(tile), str(tile))


def said_cell(board: Board, cell: int) -> str:
    """One cell: `c4 is covered`, `c4 has a flag`."""
    tile, name = Tile(board.tiles[cell]), cell_name(board.grid, cell)
    return f"{name} has {_HELD[tile]}" if tile in _HELD else f"{name} is {tile_words(tile)}"


def said_row(board: Board, y: int) -> str:
    """A row from 0: `row 4: a 1, b to f covered.`"""
    width = board.grid.width
    return f"row {y + 1}: {_runs(enumerate(board.tiles[y * width : (y + 1) * width]))}."


def said_rows(board: Board) -> Iterator[str]:
    return (said_row(board, y) for y in range(board.grid.height))


def said_around(board: Board, cell: int) -> Iterator[str]:
    x, y = board.grid.xy(cell)
    width = board.grid.width
    yield f"{said_cell(board, cell)}."
    for row in range(max(0, y - 1), min(board.grid.height, y + 2)):
        columns = range(max(0, x - 1), min(width, x + 2))
        yield f"row {row + 1}: {_runs((column, board.tiles[row * width + column]) for column in columns)}."


def said_changes(board: Board, update: Update) -> Iterator[str]:
    width = board.grid.width
    cells = [cell for cell, _ in update.cells()]
    if len(cells) <= _MOST_NAMED:
        for cell in cells:
            yield f"{said_cell(board, cell)}."
        return
    yield f"{counted(len(cells), 'cell')} changed."
    for y, row in groupby(cells, lambda cell: cell // width):
        yield f"row {y + 1}: {_runs((cell % width, board.tiles[cell]) for cell in row)}."


def said_state(board: Board, seconds: int) -> str:
    flags, left = board.flag_count, board.mine_count - board.flag_count
    state = {
        Status.READY: "not begun",
        Status.PLAYING: "playing",
        Status.WON: "won",
        Status.LOST: "lost",
        Status.TERMINATED: "given up",
    }[board.status]
    safe = board.grid.size - board.mine_count - board.revealed_count + board.tiles.count(Tile.EXPLODED)
    left_words = f"{left} left" if left >= 0 else f"{-left} more flags than mines"
    return f"{state}; {counted(board.mine_count, 'mine')}, {counted(flags, 'flag')}, {left_words}; {counted(safe, 'safe cell')} to reveal; {counted(seconds, 'second')}."


def _runs(tiles: Iterable[tuple[int, int]]) -> str:
    """Columns with their tiles; neighbours that are alike are said together."""
    parts: list[tuple[int, int, int]] = []
    for x, tile in tiles:
        if parts and parts[-1][2] == tile and parts[-1][1] == x - 1:
            parts[-1] = (parts[-1][0], x, tile)
        else:
            parts.append((x, x, tile))
    return ", ".join(f"{_span(first, last)} {tile_words(tile)}" for first, last, tile in parts)


def _span(first: int, last: int) -> str:
    if first == last:
        return column_name(first)
    return f"{column_name(first)} {'and' if last == first + 1 else 'to'} {column_name(last)}"
