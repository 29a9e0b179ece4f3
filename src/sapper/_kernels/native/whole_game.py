"""Whole games by the library: the twin of `reference.whole_game`."""

from array import array
from collections.abc import Sequence
from math import comb

from sapper._kernels.interruptible import run_interruptibly
from sapper._kernels.library import BATCH, NO_MEMORY, Table

MOST_CELLS = 64
MOST_LAYOUTS = 1 << 24
_MOST_BITS = 25
"""Of the number of sets that the table has room for: 0.8 GB."""
_SETS_A_LAYOUT_BITS = 6


class NativeWholeGame:
    """All layouts of `mines` mines; `symmetries` are permutations of the cells, the identity among them."""

    def __init__(
        self, starts: Sequence[int], cells: Sequence[int], mines: int, symmetries: Sequence[Sequence[int]]
    ) -> None:
        """`ValueError` for more than 64 cells or `MOST_LAYOUTS`."""
        self._exact = None
        size = len(starts) - 1
        if size > MOST_CELLS:
            raise ValueError(f"it has {size:,} cells, and at most {MOST_CELLS} can be searched")
        layouts = comb(size, mines)
        if layouts > MOST_LAYOUTS:
            raise ValueError(f"it has more than {MOST_LAYOUTS:,} layouts, which is the most that can be searched")
        self._table = Table(starts, cells, 0)
        images = array("i", [cell for one in symmetries for cell in one])
        bits = max(8, min(_MOST_BITS, layouts.bit_length() + _SETS_A_LAYOUT_BITS))
        self._exact = BATCH.sapper_exact_new(self._table.address, mines, images.buffer_info()[0], len(symmetries), bits)
        if not self._exact:
            raise MemoryError(f"there is not enough memory to search {layouts:,} layouts")
        self.sets = 0

    def wins(self, first: int, *, is_open: bool, goal: int, sets: int) -> int | None:
        """Of the layouts in which `first` is no mine (`is_open`: shows a zero), how many best play wins; None if that takes more `sets`.

        A number below `goal` may be any upper bound.
        """
        looked_at = array("q", [0])
        found = run_interruptibly(
            lambda stop: int(
                BATCH.sapper_exact_wins(self._exact, first, is_open, goal, sets, stop, looked_at.buffer_info()[0])
            )
        )
        self.sets += looked_at[0]
        if found == NO_MEMORY:
            return None
        if found < 0:
            raise ValueError(f"{first} is no cell of the grid")
        return found

    def close(self) -> None:
        if self._exact:
            BATCH.sapper_exact_free(self._exact)
            self._exact = None

    def __del__(self) -> None:
        self.close()
