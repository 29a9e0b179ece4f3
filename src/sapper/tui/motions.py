"""Where the cursor goes: motions with counts, the next clue that is not finished, the next tile of a kind."""

from collections.abc import Callable
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.notation import read_tiles
from sapper.core.tile import Tile
from sapper.errors import NotationError

_COVERED: Final = frozenset({Tile.COVERED, Tile.QUESTION})


def moved(board: Board, cell: int, motion: str, count: int | None = None) -> Cell | None:
    """The cell that a motion leads to from another, `count` times or to that row; None for what is no motion, or leads nowhere."""
    grid = board.grid
    x, y = grid.xy(cell)
    times = 1 if count is None else max(1, count)
    match motion:
        case "left":
            x = max(0, x - times)
        case "right":
            x = min(grid.width - 1, x + times)
        case "up":
            y = max(0, y - times)
        case "down":
            y = min(grid.height - 1, y + times)
        case "row_start":
            x = 0
        case "row_end":
            x = grid.width - 1
        case "top":
            y = min(grid.height, times) - 1
        case "bottom":
            y = grid.height - 1 if count is None else min(grid.height, times) - 1
        case "next_clue" | "previous_clue":
            return _repeated(board, cell, is_unfinished, times, -1 if motion == "previous_clue" else 1)
        case _:
            return None
    return grid.cell(x, y)


def is_unfinished(board: Board, cell: int) -> bool:
    """Whether it is a clue with a covered cell beside it that is not flagged."""
    tiles = board.tiles
    return 0 < tiles[cell] <= Tile.EIGHT and any(tiles[near] in _COVERED for near in board.grid.neighbours(cell))


def found(board: Board, cell: int, symbol: str, count: int = 1) -> Cell | None:
    """The next cell with what a symbol of board text means, from a cell on; None if there is none, or it means nothing."""
    try:
        wanted = read_tiles(symbol.upper() if symbol == "f" else symbol)[0]
    except NotationError:
        return None
    return _repeated(board, cell, lambda board, other: board.tiles[other] == wanted, count, 1)


def _repeated(board: Board, cell: int, is_wanted: Callable[[Board, int], bool], times: int, step: int) -> Cell | None:
    at: Cell | None = None
    for _ in range(min(times, board.grid.size)):
        start = cell if at is None else at
        others = ((start + step * number) % board.grid.size for number in range(1, board.grid.size + 1))
        at = next((Cell(other) for other in others if is_wanted(board, other)), None)
        if at is None:
            return None
    return at
