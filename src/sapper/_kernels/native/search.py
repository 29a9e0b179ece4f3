"""Searching seeds for a layout with wanted properties, and playing a layout out by logic: the twin of `reference.search`."""

import weakref
from ctypes import addressof, byref, create_string_buffer

from sapper._kernels.declarations import SEARCHED, SPEC
from sapper._kernels.library import BATCH, Table
from sapper._kernels.reference import search as reference
from sapper._kernels.reference.layout import MINE_CLUE
from sapper._kernels.reference.search import HARD, SOLVED, Playout, Search, Searched

_MOST = (1 << 31) - 1


class Searcher:
    """One search, its memory made once; for one thread at a time."""

    def __init__(self, order: Search) -> None:
        self._order = order
        field = order.field
        self._table = Table(field.starts, field.cells, field.width)
        wanted = [min(max(number, 0), _MOST) for number in order.wanted]
        spec = SPEC(order.mines, order.start, order.first, order.logic, *wanted, order.seed)
        self._searcher = BATCH.sapper_searcher_new(self._table.address, byref(spec))
        if not self._searcher:
            raise ValueError(f"a number of this search is out of range, or there is no memory for {field.size:,} cells")
        weakref.finalize(self, BATCH.sapper_searcher_free, self._searcher)
        self._searched = SEARCHED()
        self._buffers = create_string_buffer(field.size), create_string_buffer(field.size)

    def search(self, begin: int, tries: int) -> Searched:
        """As `reference.search`, which also settles what is too hard here."""
        searched, mapped = self._searched, self._buffers[0]
        measured = hard = furthest = 0
        at, end = begin, begin + tries
        while at < end:
            BATCH.sapper_search(self._searcher, at, end - at, addressof(searched), mapped)
            at += searched.tried
            measured += searched.measured
            furthest = max(furthest, searched.furthest)
            if searched.status == HARD:
                settled = reference.search(self._order, at - 1, 1)
                hard += settled.hard
                furthest = max(furthest, settled.furthest)
                if settled.found >= 0:
                    return Searched(at - 1, settled.mines, at - begin, measured, hard, furthest)
            elif searched.status == SOLVED:
                return Searched(at - 1, mapped.raw, at - begin, measured, hard, furthest)
        return Searched(-1, b"", tries, measured, hard, furthest)

    def play_out(self, clues: bytes) -> Playout:
        """As `reference.play_out` of one layout."""
        mapped = bytes(clue == MINE_CLUE for clue in clues)
        status = BATCH.sapper_play_out(self._searcher, mapped, *self._buffers)
        if status == HARD:
            return reference.play_out(self._order.field, clues, self._order.first, self._order.logic)
        return Playout(status, self._buffers[0].raw, self._buffers[1].raw)
