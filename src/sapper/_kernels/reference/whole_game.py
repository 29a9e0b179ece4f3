"""Whole games: in how many layouts best play wins after a first reveal."""

from collections.abc import Sequence
from itertools import combinations
from math import comb
from typing import NamedTuple

from sapper._kernels.reference.endgame import MEMORY, EndgameSearch

MOST_LAYOUTS = 20_000
"""More take hours."""


class ReferenceWholeGame:
    """All layouts of `mines` mines. The neighbours of cell i are `cells[starts[i]:starts[i + 1]]`."""

    def __init__(self, starts: Sequence[int], cells: Sequence[int], mines: int) -> None:
        """`ValueError` where there are more than `MOST_LAYOUTS`."""
        size = len(starts) - 1
        if comb(size, mines) > MOST_LAYOUTS:
            raise ValueError(
                f"it has more than {MOST_LAYOUTS:,} layouts, which is the most that can be searched without the native library"
            )
        self._near = [cells[starts[cell] : starts[cell + 1]] for cell in range(size)]
        layouts = [sum(1 << cell for cell in mined) for mined in combinations(range(size), mines)]
        self._search = EndgameSearch(layouts, range(size), self._near, (1 << size) - 1)
        self.sets = 0
        """Sets of layouts that were looked at."""

    def wins(self, first: int, *, is_open: bool, goal: int, sets: int) -> int | None:
        """Of the layouts in which `first` is no mine (`is_open`: shows a zero), how many best play wins; None if that takes more `sets`.

        A number below `goal` may be any upper bound.
        """
        search = self._search
        left = search.whole & ~search.columns[first]
        for near in self._near[first] if is_open else ():
            left &= ~search.columns[near]
        before = search.nodes
        search.limit(sets, MEMORY)
        low, high = search.after(left, first)
        self.sets += search.nodes - before
        return high if low == high or high < goal else None

    def close(self) -> None:
        """Nothing: the native half gives back its memory."""


LOST = 0
WON = 1
UNSOLVED = 2
"""How a game ended; UNSOLVED: it was too hard for the kernel, and is to be played by Python from its beginning."""


class Series(NamedTuple):
    """Games that differ in their number only."""

    starts: Sequence[int]
    """The neighbour table."""
    cells: Sequence[int]
    width: int
    """Of a rectangle with eight neighbours; 0 for any other grid."""
    mine_counts: Sequence[int]
    """The number of mines, or those that each game draws one of."""
    start: int
    """0 any, 1 safe, 2 open."""
    first: int
    """The cell that every game reveals first."""
    seed: int


class EndedGame(NamedTuple):
    """How one game ended; a guess is a move that was not certain, the first one not counted."""

    ending: int
    moves: int
    guesses: int
    revealed: int
    """Safe cells revealed."""
