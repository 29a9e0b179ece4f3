"""Loading the compiled backend: who is told, and what becomes of one that is broken."""

import pytest

from sapper._kernels import batch, loading
from sapper._kernels.reference.search import NO_LOGIC, Search, Wanted
from sapper.core.grid import Grid
from sapper.generator.search_values import field_of


class _Listener:
    def __init__(self) -> None:
        self.told: list[str] = []

    def loading(self) -> None:
        self.told.append("loading")

    def compiling(self, kernel: str) -> None:
        self.told.append(kernel)

    def loaded(self) -> None:
        self.told.append("loaded")

    def failed(self, reason: str) -> None:
        self.told.append(reason)


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> _Listener:
    """Nothing is loaded, nothing has failed, and somebody listens."""
    listener = _Listener()
    monkeypatch.setattr(loading, "_State", type("_State", (), {"listener": None, "failure": None, "loaded": {}}))
    loading.listen(listener)
    return listener


def test_loading_is_told_of_once(fresh: _Listener) -> None:
    assert loading.load("search") is not None
    assert loading.load("search") is not None
    assert (fresh.told[0], fresh.told[-1], fresh.told.count("loaded")) == ("loading", "loaded", 1)
    assert loading.failure() is None


def test_a_broken_backend_is_none(fresh: _Listener) -> None:
    assert loading.load("nothing_of_that_name") is None
    reason = "ModuleNotFoundError: No module named 'sapper._kernels.compiled.nothing_of_that_name'"
    assert fresh.told == ["loading", reason, "loaded"]
    assert loading.failure() == reason
    assert not loading.can_compile()
    assert loading.load("search") is None  # and is not tried again
    grid = Grid(4, 4)
    order = Search(field_of(grid), 2, 0, 0, NO_LOGIC, Wanted(), 1)
    assert isinstance(batch.searcher(order, compiled=True), batch.PythonSearcher)
    assert len(batch.draw_many(field_of(grid), 2, 0, 0, 1, 0, 3, compiled=True)) == 48


def test_no_memory_is_no_broken_backend(fresh: _Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_module: str, _progress: object) -> None:
        raise MemoryError

    monkeypatch.setattr(loading, "_load", full)
    with pytest.raises(MemoryError):
        loading.load("search")
    assert loading.can_compile()
    assert fresh.told == ["loading", "loaded"]
