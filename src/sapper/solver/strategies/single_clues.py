"""What clues say one at a time, kept from move to move: only what changed on the board is looked at again."""

from collections.abc import Container

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.tile import Tile


class SingleClues:
    """Safe cells and mines by single clues, of one board after another; no mine may be shown on any."""

    def __init__(self) -> None:
        self._board: Board | None = None
        self._forget()

    def _forget(self) -> None:
        self._around: dict[int, list[int]] = {}
        """The covered cells beside each clue, where there are any."""
        self._of_mine: dict[int, set[int]] = {}
        """The clues that make a cell a mine."""
        self._of_safe: dict[int, set[int]] = {}
        """The clues that make a cell safe."""
        self._says_mines: set[int] = set()
        self._says_safe: dict[int, list[int]] = {}

    def safe_cell(self, board: Board) -> tuple[Cell, Cell] | None:
        """The lowest safe cell, and the last clue that says so."""
        self._follow(board)
        if not self._of_safe:
            return None
        cell = min(self._of_safe)
        return Cell(cell), Cell(max(self._of_safe[cell]))

    @property
    def mines(self) -> Container[int]:
        """The cells of the last board that a clue makes mines."""
        return self._of_mine

    def _follow(self, board: Board) -> None:
        before = self._board
        if before is None or before.grid is not board.grid:
            self._forget()
            changed = [cell for cell, code in enumerate(board.tiles) if code <= Tile.EIGHT]
        else:
            changed = _differences(before.tiles, board.tiles)
        self._board = board
        starts, cells = board.grid.table
        clues = set(changed)
        for cell in changed:
            clues.update(cells[starts[cell] : starts[cell + 1]])
        turned: set[int] = set()  # cells that have become mines, or are none any more
        for clue in clues:
            turned |= self._read_mines(board, clue)
        for cell in turned:
            clues.update(cells[starts[cell] : starts[cell + 1]])
        for clue in clues:
            self._read_safe(board, clue)

    def _read_mines(self, board: Board, clue: int) -> set[int]:
        """Look at a cell again: what is covered beside it, and whether that is all mines; the cells that turned."""
        tiles = board.tiles
        had = self._around.pop(clue, [])
        if clue not in self._says_mines:
            had = []
        self._says_mines.discard(clue)
        has: list[int] = []
        if tiles[clue] <= Tile.EIGHT:
            starts, cells = board.grid.table
            around = [cell for cell in cells[starts[clue] : starts[clue + 1]] if tiles[cell] > Tile.EIGHT]
            if around:
                self._around[clue] = around
                if len(around) == tiles[clue]:
                    self._says_mines.add(clue)
                    has = around
        turned = set()
        for cell in had:
            if cell not in has and _drop(self._of_mine, cell, clue):
                turned.add(cell)
        for cell in has:
            if cell not in self._of_mine:
                turned.add(cell)
            self._of_mine.setdefault(cell, set()).add(clue)
        return turned

    def _read_safe(self, board: Board, clue: int) -> None:
        for cell in self._says_safe.pop(clue, ()):
            _drop(self._of_safe, cell, clue)
        around = self._around.get(clue, [])
        rest = [cell for cell in around if cell not in self._of_mine]
        if rest and len(around) - len(rest) == board.tiles[clue]:
            self._says_safe[clue] = rest
            for cell in rest:
                self._of_safe.setdefault(cell, set()).add(clue)


def _drop(clues_of: dict[int, set[int]], cell: int, clue: int) -> bool:
    """The clue says nothing of the cell any more; whether none does."""
    clues_of[cell].discard(clue)
    if clues_of[cell]:
        return False
    del clues_of[cell]
    return True


_PIECE = 64


def _differences(before: bytes, now: bytes) -> list[int]:
    """Where two boards differ; whole pieces that are the same are passed over."""
    return [
        at
        for begin in range(0, len(now), _PIECE)
        if before[begin : begin + _PIECE] != now[begin : begin + _PIECE]
        for at in range(begin, min(begin + _PIECE, len(now)))
        if before[at] != now[at]
    ]
