"""Many layouts: drawn, measured, played out; compiled where that pays and can be had.

Knows: both backends of these kernels.
Does not know: what a layout is wanted for.
"""

from sapper._kernels._python import search as _python
from sapper._kernels._python.search import Field, Played, Search, Searched
from sapper._kernels.loading import load


class PythonSearcher:
    """One search by the reference."""

    def __init__(self, order: Search) -> None:
        self._order = order

    def search(self, begin: int, tries: int) -> Searched:
        """Try children `begin`, `begin` + 1, … of the seed, up to the first that will do."""
        return _python.search(self._order, begin, tries)

    def play_out(self, clues: bytes) -> Played:
        """Play one layout out."""
        return _python.play_out(self._order.field, clues, self._order.first, self._order.logic)


def searcher(order: Search, *, compiled: bool) -> PythonSearcher:
    """Something that searches; `compiled` asks for the quick backend, which is loaded then, if there is one."""
    if compiled and (jit := load("search")) is not None:
        made: PythonSearcher = jit.Searcher(order)
        return made
    return PythonSearcher(order)


def draw_many(
    field: Field, mines: int, start: int, first: int, seed: int, begin: int, count: int, *, compiled: bool
) -> bytes:
    """The mine maps of games `begin`, `begin` + 1, … of a run, one after the other (see `_python.search`)."""
    if compiled and (jit := load("search")) is not None:
        maps: bytes = jit.draw_many(field, mines, start, first, seed, begin, count)
        return maps
    return _python.draw_many(field, mines, start, first, seed, begin, count)
