"""One decision of `second-opinion` or `playouts` at a time: a round of playouts after the other, or all that the budget allows."""

import weakref
from array import array
from collections.abc import Callable, Sequence
from ctypes import byref, c_double, c_int32, c_uint64
from time import monotonic

from sapper._kernels.declarations import DECISION, PARTS
from sapper._kernels.library import BATCH, Table
from sapper._kernels.native.playing import parts_for
from sapper._kernels.reference.guess_parts import OTHER_OPINIONS, PLAYED, PLAYOUTS, GuessParts

ROUND = 32
"""Layouts in the first round; then there are as many as before. Fewer say too little about the chance to win."""
FEWEST = 16
"""Layouts; fewer, on very large boards, say nothing of which guess is better: then `best-reply` decides."""

_WORDS = 4
_OTHERS = 0x5DEECE66D1234567
"""Words of the random numbers' state; what makes another state of it."""


def _until(end: float) -> Callable[[], bool]:
    """Whether there is time for another layout that takes as long as the longest so far."""
    longest = 0.0
    last: float | None = None

    def go_on() -> bool:
        nonlocal longest, last
        now = monotonic()
        longest, last = max(longest, now - (now if last is None else last)), now
        return now + longest < end

    return go_on


class Decider:
    """Decides on boards of one grid; one thread uses it."""

    def __init__(self, starts: Sequence[int], cells: Sequence[int], width: int, parts: GuessParts = PLAYOUTS) -> None:
        """`width` is that of a rectangle with eight neighbours, else 0."""
        self._table = Table(starts, cells, width)
        self._others = (PARTS * len(OTHER_OPINIONS))(*map(parts_for, OTHER_OPINIONS))
        self._decider = BATCH.sapper_decider_new(
            self._table.address, byref(parts_for(parts)), self._others, len(self._others), byref(parts_for(PLAYED))
        )
        if not self._decider:
            raise MemoryError("there is not enough memory for playouts")
        weakref.finalize(self, BATCH.sapper_decider_free, self._decider)
        self.decision = DECISION.from_address(BATCH.sapper_decider_decision(self._decider))
        """The current decision, see `playouts.h`."""
        self._budget = parts.playouts
        self._seconds = parts.milliseconds / 1000

    def begin(self, tiles: bytes, mines: int) -> int:
        """The cell to reveal, with guesses left to compare if there is doubt; -1 where the analysis fails."""
        if len(tiles) != self._table.grid.size:
            raise ValueError(f"{len(tiles)} tiles for {self._table.grid.size} cells")
        cell: int = BATCH.sapper_decider_begin(self._decider, tiles, mines)
        return cell

    def compare(self, tiles: bytes, mines: int, cells: Sequence[int]) -> int:
        """Begin with these guesses to compare; the first, or -1 where that cannot be."""
        if len(tiles) != self._table.grid.size:
            raise ValueError(f"{len(tiles)} tiles for {self._table.grid.size} cells")
        listed = array("i", cells)
        cell: int = BATCH.sapper_decider_compare(self._decider, tiles, mines, listed.buffer_info()[0], len(listed))
        return cell

    def play(self, layouts: int) -> int:
        """Play every guess that is left on so many layouts more; how many were drawn."""
        played: int = BATCH.sapper_decider_play(self._decider, layouts)
        return played

    def weigh(self) -> int:
        """Give up guesses that are clearly worse, and the worse half of more than two; which is the best."""
        best: int = BATCH.sapper_decider_weigh(self._decider, (self.decision.left + 1) // 2)
        return best

    def settle(self, best: int) -> int:
        """The cell to take, where `weigh` has said which guess is the best."""
        cell: int = BATCH.sapper_decider_settle(self._decider, best)
        return cell

    def draw(self) -> bool:
        """Draw a layout of the board into `decision.mapped`; whether that can be."""
        return bool(BATCH.sapper_decider_draw(self._decider))

    def choose(self, tiles: bytes, mines: int, go_on: Callable[[], bool] | None = None) -> int:
        """The cell to reveal; -1 where the analysis fails. `go_on` is asked between layouts, in place of the budget."""
        if go_on is None and self._seconds:
            go_on = _until(monotonic() + self._seconds)
        decision = self.decision
        cell = self.begin(tiles, mines)
        best = -1
        while cell >= 0 and decision.left > 1:
            layouts = max(decision.layouts, ROUND)
            if go_on is None:
                layouts = min(layouts, (self._budget - decision.used) // decision.left)
            if layouts <= 0 or self._play(layouts, go_on) == 0:
                break
            best = self.weigh()
            if go_on is not None and not go_on():
                break
        return self.settle(best) if best >= 0 and decision.layouts >= FEWEST else cell

    def win(self, tiles: bytes, mines: int, cell: int, layouts: int) -> float | None:
        """The chance to win after a reveal, by playouts; None where too few can be played, or in too little time."""
        go_on = _until(monotonic() + self._seconds) if self._seconds else None
        if self.compare(tiles, mines, [cell]) != cell or self._play(layouts, go_on) < min(ROUND, layouts):
            return None
        self.weigh()
        return self.wins().get(cell)

    def add_together(self, cells: Sequence[int], survived: float) -> bool:
        """After `compare`: compare a reveal of several cells too, which are all safe with the chance `survived`."""
        listed = array("i", cells)
        return bool(
            BATCH.sapper_decider_add_together(self._decider, listed.buffer_info()[0], len(listed), c_double(survived))
        )

    def draw_others(self) -> None:
        """Draw other layouts from here on than those that follow from the board."""
        words = (c_uint64 * _WORDS).from_address(self.decision.words)
        for at in range(_WORDS):
            words[at] ^= _OTHERS

    def wins(self) -> dict[int, float]:
        """The chance to win after each guess that was compared, as far as the playouts tell; none if there were too few."""
        return self._by_cell(self.decision.score)

    def errors(self) -> dict[int, float]:
        """The standard error of each."""
        return self._by_cell(self.decision.error)

    def apart(self, one: int, other: int) -> tuple[float, float]:
        """By how much a guess wins more than another, by their places, and the standard error of that; less than 0 if one was given up
        before they were weighed last.
        """
        scores = (c_double * self.decision.candidates).from_address(self.decision.score)
        error: float = BATCH.sapper_decider_error(self._decider, one, other)
        return scores[one] - scores[other], error

    def _by_cell(self, numbers: int) -> dict[int, float]:
        decision = self.decision
        count = decision.candidates if decision.layouts >= ROUND else 0
        cells, found = (c_int32 * count).from_address(decision.cell), (c_double * count).from_address(numbers)
        return {cell: round(one, 9) for cell, one in zip(cells, found, strict=True)}

    def _play(self, layouts: int, go_on: Callable[[], bool] | None) -> int:
        """Play that many layouts, or as long as it may go on; how many."""
        if go_on is None:
            return self.play(layouts)
        played = 0
        while played < layouts and go_on() and self.play(1):
            played += 1
        return played
