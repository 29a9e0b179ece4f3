"""Strategies by the names that somebody typed: of the registry, of a module, of a file."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.errors import StrategyLoadError, UnknownNameError
from sapper.simulate.strategy_names import is_path, load_strategy, name_of
from sapper.solver.strategies.registry import STRATEGIES


@pytest.fixture
def clean_imports() -> Iterator[None]:
    """Files that were loaded are forgotten, and so are their folders."""
    path = list(sys.path)
    yield
    sys.path[:] = path
    for name in [name for name in sys.modules if name.startswith("sapper_strategy_")]:
        del sys.modules[name]


def test_names_and_modules() -> None:
    assert load_strategy("single") is STRATEGIES["single"]
    assert load_strategy("sapper.solver.strategies.simple:SingleStrategy") is STRATEGIES["single"]
    assert load_strategy("collections:OrderedDict.fromkeys") is not None
    assert load_strategy(name_of(STRATEGIES["least-risk"])) is STRATEGIES["least-risk"]
    with pytest.raises(UnknownNameError):
        load_strategy("nobody")
    for name, why in (
        ("sys:maxsize", "'sys:maxsize' could not be loaded: it is not callable, but"),
        ("no_such_module:x", "could not be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("sys:nothing", "could not be loaded: AttributeError: "),
    ):
        with pytest.raises(StrategyLoadError, match=why):
            load_strategy(name)


@pytest.mark.usefixtures("clean_imports")
def test_files(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("class Mine:\n    def choose(self, board): ...\n", encoding="utf-8")
    assert is_path(str(file))
    assert is_path(f"{file}:Mine")
    assert not is_path("single")
    for name in (str(file), f"{file}:Mine"):
        assert getattr(load_strategy(name), "__name__", None) == "Mine"
    file.write_text("class One:\n    def choose(self, board): ...\nclass Two(One): ...\n", encoding="utf-8")
    with pytest.raises(StrategyLoadError, match=r"mine\.py has several strategies; name one: .*:One, .*:Two"):
        load_strategy(str(file))
    file.write_text("x = 1\ny =\n", encoding="utf-8")
    with pytest.raises(StrategyLoadError, match=r"could not be loaded: SyntaxError: invalid syntax .*mine\.py, line 2"):
        load_strategy(str(file))
    with pytest.raises(StrategyLoadError, match=r"no file .*none\.py.*sapper strategy new none"):
        load_strategy(str(tmp_path / "none.py"))
