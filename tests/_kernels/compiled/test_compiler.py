"""How kernels are compiled: one signature each, kept in a folder named by their sources, told of on the way."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.registry import CPUDispatcher

from sapper._kernels.compiled import (
    analysis,
    board,
    combine,
    compiler,
    filling,
    groups,
    ordering,
    polynomials,
    scan,
    states,
    totals,
    workspace,
)

PACKAGE = Path(compiler.__file__).parent
MODULES = (analysis, board, combine, filling, groups, ordering, polynomials, scan, states, totals, workspace)

# A package of the same name and shape with one kernel in it, so that it takes a second, not half a minute.
_LITTLE = """
from sapper._kernels.compiled.compiler import I64, helper, kernel
from sapper._kernels.compiled.other import twice

@kernel(I64(I64))
def outer(value):
    return twice(value) + 1
"""
_OTHER = """
from sapper._kernels.compiled.compiler import I64, helper

@helper(I64(I64))
def twice(value):
    return {factor} * value
"""
_ASK = """
import sys
from sapper._kernels.compiled import compiler
told = []
compiler.on_progress(lambda *news: told.append(news))
compiled = []
compiler.on_compiling(compiled.append)
from sapper._kernels.compiled.little import outer
print(outer(20), outer.stats.cache_hits[next(iter(outer.stats.cache_hits))] if outer.stats.cache_hits else 0, told, compiled)
"""


@pytest.fixture
def little(tmp_path: Path) -> Path:
    """Where such a package is."""
    package = tmp_path / "little" / "sapper" / "_kernels" / "compiled"
    package.mkdir(parents=True)
    for folder in (package, package.parent, package.parent.parent):
        (folder / "__init__.py").touch()
    for name in ("compiler.py", "linking.py"):
        shutil.copy(PACKAGE / name, package)
    (package / "little.py").write_text(_LITTLE, encoding="utf-8")
    (package / "other.py").write_text(_OTHER.format(factor=2), encoding="utf-8")
    return package


def _ask(package: Path, **environment: str) -> str:
    path = str(package.parent.parent.parent)
    done = subprocess.run(
        [sys.executable, "-c", _ASK],
        env={
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONWARNINGS": "default",
            "PYTHONDONTWRITEBYTECODE": "1",
            **environment,
        },
        cwd=path,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_every_kernel_has_one_declared_signature() -> None:
    found = 0
    for module in MODULES:
        for function in vars(module).values():
            if isinstance(function, CPUDispatcher):
                found += 1
                assert len(function.signatures) <= 1, function
    assert found > 40
    with pytest.raises(TypeError, match="No matching definition"):
        workspace.make_states(np.zeros(3))  # type: ignore[arg-type]


def test_a_second_process_loads_what_the_first_compiled(little: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "kept")
    assert _ask(little, SAPPER_CACHE_DIR=cache) == "41 0 [('outer', 0, 1), ('twice', 0, 1)] ['outer', 'twice']"
    assert _ask(little, SAPPER_CACHE_DIR=cache) == "41 1 [('outer', 0, 1)] []"
    assert [path.name[:4] for path in Path(cache).iterdir()] == ["jit-"]


def test_an_edited_callee_in_another_file_is_not_run_as_it_was(little: Path, tmp_path: Path) -> None:
    cache = str(tmp_path / "kept")
    assert _ask(little, SAPPER_CACHE_DIR=cache).startswith("41 0")
    (little / "other.py").write_text(_OTHER.format(factor=3), encoding="utf-8")
    assert _ask(little, SAPPER_CACHE_DIR=cache).startswith("61 0")
    (little / "unrelated.py").write_text("NOTHING = 0\n", encoding="utf-8")
    assert _ask(little, SAPPER_CACHE_DIR=cache).startswith("61 1")


def test_where_nothing_can_be_written_a_temporary_folder_serves(little: Path, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder", encoding="utf-8")
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    environment = {"SAPPER_CACHE_DIR": str(blocked / "below"), "TMPDIR": str(temporary)}
    assert _ask(little, **environment).startswith("41 0")
    assert _ask(little, **environment).startswith("41 1")
    (made,) = temporary.iterdir()
    assert stat.S_IMODE(made.stat().st_mode) == 0o700
    made.chmod(0o777)  # somebody else could have put code there
    assert _ask(little, **environment).startswith("41 0")


def test_the_folder_follows_the_platform_and_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def folder() -> Path:
        compiler.cache_folder.cache_clear()
        return compiler.cache_folder("board").parent

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("SAPPER_CACHE_DIR", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert folder() == tmp_path / "xdg" / "sapper"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # not to be heeded, says its specification
    assert folder() == tmp_path / ".cache" / "sapper"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert folder() == tmp_path / "Library" / "Caches" / "sapper"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert folder() == tmp_path / "local" / "sapper" / "Cache"
    monkeypatch.setenv("SAPPER_CACHE_DIR", str(tmp_path / "chosen"))
    assert folder() == tmp_path / "chosen"
    compiler.cache_folder.cache_clear()


def test_bits(little: Path, tmp_path: Path) -> None:
    (little / "little.py").write_text(
        "from sapper._kernels.compiled.compiler import I64, kernel, bit_count, lowest_bit\n"
        "from sapper._kernels.compiled.other import twice\n\n"
        "@kernel(I64(I64))\ndef outer(value):\n"
        "    return lowest_bit(value) + 100 * bit_count(value)\n",
        encoding="utf-8",
    )
    assert _ask(little, SAPPER_CACHE_DIR=str(tmp_path / "kept")).startswith(f"{2 + 100 * 2} ")
