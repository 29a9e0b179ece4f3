"""Many layouts: drawn, measured, played out; compiled where that pays and can be had.

Knows: both backends of these kernels, and how to load the compiled one.
Does not know: what a layout is wanted for.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from sapper._kernels._python import search as _python
from sapper._kernels._python.search import Field, Played, Search, Searched

Progress = Callable[[str, int, int], None]

_SEARCH = "sapper._kernels._jit.search"


@cache
def can_compile() -> bool:
    """Whether the compiled backend is installed (not whether it is loaded)."""
    return find_spec("numba") is not None


class _Told:
    hook: Progress | None = None


def tell_of_compiling(hook: Progress | None) -> None:
    """Have `hook` told of each kernel that is loaded or compiled from now on for these functions, or nobody."""
    _Told.hook = hook


@cache
def _compiled() -> ModuleType:
    """The compiled backend; it takes a second to load, and once a machine minutes to compile."""
    import_module("sapper._kernels._jit.compiler").on_progress(_Told.hook)
    return import_module(_SEARCH)


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
    if compiled and can_compile():
        made: PythonSearcher = _compiled().Searcher(order)
        return made
    return PythonSearcher(order)


def draw_many(
    field: Field, mines: int, start: int, first: int, seed: int, begin: int, count: int, *, compiled: bool
) -> bytes:
    """The mine maps of games `begin`, `begin` + 1, … of a run, one after the other (see `_python.search`)."""
    if compiled and can_compile():
        maps: bytes = _compiled().draw_many(field, mines, start, first, seed, begin, count)
        return maps
    return _python.draw_many(field, mines, start, first, seed, begin, count)
