"""The exact chance to win small boards, of a strategy without randomness: `bench/strength.py --small`.

All layouts of a board are played at once. Those that show the same numbers stay together, so that the strategy is asked once
for each board it can come to. Where a cell is safe in all of them it is revealed without asking: every strategy that is counted
here plays certain moves first, and in what order does not matter.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.solver.strategies.registry import find_strategy

MINE = 9
COVERED = 9
Clues = NDArray[np.uint8]


def all_layouts(grid: Grid, mine_count: int) -> Clues:
    """Every layout, a row each: the clue of each cell, 9 at a mine."""
    chosen = np.array(list(combinations(range(grid.size), mine_count)))
    mapped = np.zeros((len(chosen), grid.size), np.uint8)
    np.put_along_axis(mapped, chosen, 1, axis=1)
    beside = np.zeros((grid.size, grid.size), np.uint8)
    for cell in range(grid.size):
        beside[cell, list(grid.neighbours(cell))] = 1
    return np.where(mapped == 1, np.uint8(MINE), mapped @ beside)


class Enumerated:
    """A strategy on one size and number of mines."""

    def __init__(self, width: int, height: int, mine_count: int) -> None:
        self._grid, self._mines = Grid(width, height), mine_count
        self.layouts = all_layouts(self._grid, mine_count)
        self._rules = RULES["classic"].replace(start=Start.ANY)
        self.asked = 0

    def won(self, strategy: str, first: int) -> int:
        """How many layouts are won that begin with this cell."""
        self._strategy = find_strategy(strategy)(Rng(1))
        self._known: dict[bytes, int] = {}
        self.asked = 0
        return self._reveal(bytes([COVERED]) * self._grid.size, self.layouts, [first])

    def _reveal(self, tiles: bytes, layouts: Clues, cells: list[int]) -> int:
        """Reveal these cells in every layout; how many are won. Layouts with a mine there are lost."""
        shown = layouts[:, cells]
        shown, layouts = shown[(alive := (shown != MINE).all(axis=1))], layouts[alive]
        if not len(layouts):
            return 0
        rows, which = np.unique(shown, axis=0, return_inverse=True)
        total = 0
        for at, row in enumerate(rows):
            board = bytearray(tiles)
            for cell, clue in zip(cells, row, strict=True):
                board[cell] = clue
            total += self._play(bytes(board), layouts[which.reshape(-1) == at])
        return total

    def _play(self, tiles: bytes, layouts: Clues) -> int:
        """How many of these layouts are won; all fit the board."""
        if len(layouts) == 1:
            return 1
        safe = [cell for cell in np.flatnonzero((layouts != MINE).all(axis=0)).tolist() if tiles[cell] == COVERED]
        if safe:
            return self._reveal(tiles, layouts, safe)
        if tiles not in self._known:
            self.asked += 1
            board = Board(
                grid=self._grid, rules=self._rules, mine_count=self._mines, tiles=tiles, status=Status.PLAYING
            )
            cell = self._strategy.choose(board).move.cell
            self._known[tiles] = self._reveal(tiles, layouts, [int(cell)])
        return self._known[tiles]
