"""Strategies by the names that somebody typed: of the registry, of a module, of a file."""

import hashlib
import importlib.metadata
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper import __version__
from sapper.errors import StrategyLoadError, UnknownNameError
from sapper.simulate.strategy_names import file_of, load_strategy, name_of, player_of
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
    assert file_of(str(file)) == file_of(f"{file}:Mine") == file
    assert file_of("single") is None
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


def test_our_own_strategies_have_our_version_and_our_source() -> None:
    least_risk, playouts = player_of("least-risk"), player_of("playouts@10")
    assert least_risk.version == playouts.version == __version__
    assert least_risk.sha256 == playouts.sha256
    assert len(least_risk.sha256 or "") == 64


def test_a_file_is_hashed_and_not_run(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text('raise SystemExit\n__version__ = "2"\n')
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    for name in (str(file), f"{file}:Mine"):
        assert (player_of(name).version, player_of(name).sha256) == ("2", digest)
    file.write_text("(")
    assert player_of(str(file)).version is None
    assert player_of(str(tmp_path / "none.py")).sha256 is None


def test_a_package_is_hashed_whole_but_for_what_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    folder = tmp_path / "theirplayer"
    folder.mkdir()
    (folder / "__init__.py").write_text('__version__ = "0.4"\n')
    (folder / "weights.bin").write_bytes(b"1")
    first = player_of("theirplayer.deep:Player")
    assert first.version == "0.4"
    (folder / "fast.so").write_bytes(b"machine code")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x").write_text("x")
    assert player_of("theirplayer.deep:Player") == first
    (folder / "weights.bin").write_bytes(b"2")
    assert player_of("theirplayer.deep:Player").sha256 != first.sha256
    (tmp_path / "single_theirs.py").write_text("x = 1\n")
    assert player_of("single_theirs:make").sha256 == hashlib.sha256(b"x = 1\n").hexdigest()


def test_an_installed_package_has_its_own_version() -> None:
    assert player_of("click.core:Command").version == importlib.metadata.version("click")
    nothing = player_of("no_such_module:make")
    assert (nothing.version, nothing.sha256) == (None, None)


def test_what_a_file_lacks_is_told_by_the_name_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bot.py"
    file.write_text("x = 1\n")
    with pytest.raises(StrategyLoadError) as raised:
        load_strategy(f"{file}:Nope")
    assert str(raised.value) == f"strategy '{file}:Nope' could not be loaded: {file} has no Nope"
