"""Whether there is a native half, and what its absence means to those who ask for it."""

import subprocess
import sys

import pytest

from sapper._kernels import batch, library_file, loading
from sapper._kernels.reference.search import NO_LOGIC, Search, Wanted
from sapper.core.grid import Grid
from sapper.generator.search_values import field_of
from tests.halves import REASON, by, by_reference

# In a process of its own, where nothing is loaded yet.
_SCRIPT = """
import sys
from sapper._kernels import batch, library_file, loading
assert "ctypes" not in sys.modules
library_file.sources_hash = lambda: "0" * 16
assert not loading.is_native() and loading.native("search") is None
print(loading.absence())
import sapper
print(sapper.analyse(sapper.read_board("3x1/1\\n#1#")).census)
"""


def test_a_module_is_loaded_once() -> None:
    module = loading.native("search")
    assert module is not None
    assert loading.native("search") is module
    assert loading.absence() is None


def test_without_a_library_the_reference_does_everything() -> None:
    grid = Grid(4, 4)
    order = Search(field_of(grid), 2, 0, 0, NO_LOGIC, Wanted(), 1)
    with by_reference():
        assert not loading.is_native()
        assert loading.absence() == REASON
        assert isinstance(batch.searcher(order), batch.PythonSearcher)
        assert len(batch.draw_many(field_of(grid), 2, 0, 0, 1, 0, 3)) == 48
        with pytest.raises(RuntimeError, match="no native games: the native library was not made"):
            batch.make_player("single", batch.Series(*grid.table, 4, (2,), 0, 0, 1))
    with by("native"):
        assert not isinstance(batch.searcher(order), batch.PythonSearcher)


def test_a_library_that_will_not_do_is_said_in_one_line_and_not_used() -> None:
    done = subprocess.run([sys.executable, "-c", _SCRIPT], capture_output=True, text=True, check=True)
    why, census = done.stdout.splitlines()
    assert why.startswith("the native library was made from other sources than those beside it: ")
    assert census == "2"
    assert library_file.is_installed()
