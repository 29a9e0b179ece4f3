"""Which technique a position asks for: the hardest on the easiest way to a safe cell, as `next_step` goes it.

Most positions have a cell that one clue shows to be safe, and these are found for many at once.
"""

import numpy as np
from numpy.typing import NDArray

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.preset import Preset
from sapper.core.status import Status
from sapper.solver.deduce.explain import hardest, iterate_steps, needed_for, next_step
from sapper.solver.deduce.step import Technique

_COVERED = 9


def techniques(preset: Preset, tiles: NDArray[np.uint8], has_safe: NDArray[np.bool_]) -> NDArray[np.int8]:
    """The technique of each row of tiles; `has_safe` says where a cell is certainly safe."""
    found = np.full(len(tiles), Technique.GUESS, np.int8)
    found[has_safe] = Technique.ONE_CLUE
    for at in np.flatnonzero(has_safe & ~by_one_clue(preset.grid, tiles)):
        found[at] = _technique(preset, tiles[at].tobytes())
    return found


def by_one_clue(grid: Grid, tiles: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Whether single clues are enough: those that need all their covered cells show mines, those that have all their mines safe cells."""
    near = _neighbours(grid)
    covered = np.pad(tiles == _COVERED, ((0, 0), (0, 1)))  # the place beyond the last is off the board
    around = covered[:, near].sum(axis=2)
    is_clue = tiles <= 8
    full = np.pad(is_clue & (around == tiles), ((0, 0), (0, 1)))
    mined = covered & np.pad(full[:, near].any(axis=2), ((0, 0), (0, 1)))
    known = mined[:, near].sum(axis=2)
    found: NDArray[np.bool_] = (is_clue & (known == tiles) & (around > known)).any(axis=1)
    return found


def _neighbours(grid: Grid) -> NDArray[np.intp]:
    """The neighbours of each cell; of cells at an edge the place beyond the last stands for those that are missing."""
    found = np.full((grid.size, 8), grid.size)
    for cell, near in enumerate(map(grid.neighbours, range(grid.size))):
        found[cell, : len(near)] = near
    return found


def _technique(preset: Preset, tiles: bytes) -> Technique:
    board = Board(
        grid=preset.grid, rules=preset.rules, mine_count=preset.mine_counts[0], tiles=tiles, status=Status.PLAYING
    )
    steps = []
    for step in iterate_steps(board, up_to=Technique.PATTERN):  # which takes no analysis
        steps.append(step)
        if step.safe:
            return hardest(needed_for(steps)) or Technique.GUESS
    return hardest(next_step(board)) or Technique.GUESS
