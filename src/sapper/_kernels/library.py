"""The native library, loaded. Importing this module raises `OSError` with one line where there is no usable one.

`BATCH` lets go of the interpreter while a function runs: for work on many boards, layouts or games. `SINGLE` keeps it,
since beside a busy thread taking it back costs more than the analysis of a board.
"""

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any

from sapper._kernels import library_file
from sapper._kernels.declarations import FUNCTIONS, GRID

BAD = -1
NO_MEMORY = -2
AGAIN = "./run.sh or ./test.sh makes it again, or python scripts/native.py"


def _load() -> tuple[ctypes.CDLL, ctypes.PyDLL]:
    path = library_file.SOURCES / library_file.file_name()
    if not path.exists():
        note = library_file.SOURCES / library_file.WHY_NOT
        why = (
            note.read_text(encoding="utf-8").strip()
            if note.exists()
            else f"there is no {path.name} in this installation"
        )
        raise OSError(f"the native library was not made: {why}")
    both = ctypes.CDLL(str(path)), ctypes.PyDLL(str(path))
    both[0].sapper_sources.restype = ctypes.c_char_p
    if both[0].sapper_sources().decode() != library_file.sources_hash():
        raise OSError(f"the native library was made from other sources than those beside it: {AGAIN}")
    if not both[0].sapper_runs_here():
        raise OSError("the native library needs a processor with SSE4.2 and POPCNT (x86-64-v2)")
    for library in both:
        for name, (result, arguments) in FUNCTIONS.items():
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
    return both


BATCH, SINGLE = _load()


def check(status: int) -> int:
    """The result of a function; `ValueError` or `MemoryError` if it is an error."""
    if status == BAD:
        raise ValueError("the native library was given a number that is out of its range")
    if status == NO_MEMORY:
        raise MemoryError("there is not enough memory for the native library")
    return status


def as_indices(numbers: Sequence[int]) -> "array[int]":
    """The numbers as the library takes them; the same object, if it is such an array."""
    return numbers if isinstance(numbers, array) and numbers.typecode == "i" else array("i", numbers)


def address_of(buffer: Any) -> int | None:
    """Where a buffer lies that may be written to; its owner has to keep it. None if it is empty."""
    return ctypes.addressof(ctypes.c_char.from_buffer(buffer)) if memoryview(buffer).nbytes else None


class Table:
    """A grid's neighbour table for the library, checked; it keeps the arrays alive."""

    __slots__ = ("_parts", "address", "grid")

    def __init__(self, starts: Sequence[int], cells: Sequence[int], width: int) -> None:
        """`width` is that of a rectangle with eight neighbours, 0 for any other grid."""
        self._parts = as_indices(starts), as_indices(cells)
        first, second = (part.buffer_info()[0] for part in self._parts)
        self.grid = GRID(len(starts) - 1, width, first, second)
        self.address = ctypes.addressof(self.grid)
        if SINGLE.sapper_grid_check(self.address, len(cells)):
            raise ValueError("this is no neighbour table of a grid")
