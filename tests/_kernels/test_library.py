"""The native library: it is there, its declarations are its headers', and one that will not do is refused in one line."""

import ctypes
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sapper._kernels import declarations as d, library, library_file, loading
from sapper.core.grid import Grid

ROOT = Path(__file__).parents[2]
C_TYPES = {"int32_t": d.I32, "int64_t": d.I64, "uint64_t": d.U64, "double": d.F64, "void": None}


def _headers() -> str:
    text = "\n".join(path.read_text(encoding="utf-8") for path in sorted(library_file.SOURCES.glob("*.h")))
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)


def _type_of(words: str) -> object:
    """What ctypes calls the type of `const char *name`, `int32_t size` and so on."""
    if "*" in words or "[" in words:
        return d.POINTER
    return C_TYPES[words.removeprefix("const ").split()[0]]


def test_the_library_is_there() -> None:
    assert loading.absence() is None
    assert loading.is_native()


def test_functions_are_declared_as_in_the_headers() -> None:
    found = {}
    for result, name, arguments in re.findall(r"SAPPER_API\s+([^;(]*?)(\w+)\(([^;]*?)\);", _headers()):
        words = [] if arguments.strip() == "void" else arguments.split(",")
        answer = ctypes.c_char_p if "char *" in result else _type_of(result.strip())
        found[name] = (answer, tuple(_type_of(one.strip()) for one in words))
    assert found == d.FUNCTIONS


def test_structures_are_declared_as_in_the_headers() -> None:
    bodies = {name: body for body, name in re.findall(r"typedef struct\s*\w*\s*\{([^}]*)\}\s*(\w+);", _headers())}
    for name, declared in d.STRUCTURES.items():
        fields = []
        for line in filter(None, map(str.strip, bodies[name].split(";"))):
            kind = _type_of(line)
            fields += [(re.findall(r"\w+", part)[-1], kind) for part in line.split(",")]
        assert declared._fields_ == tuple(fields), name


@pytest.mark.parametrize(
    ("starts", "cells", "width"),
    [
        ([0, 1, 1], [2], 0),  # a neighbour off the grid
        ([0, 1, 2], [0, 0], 0),  # its own neighbour
        ([0, 2, 2], [1, 1], 0),  # twice
        ([0, 1, 1], [1], 0),  # not a neighbour of its neighbour
        ([0, 1, 0], [1], 0),  # rows out of order
        ([0, 1, 3], [1, 0], 0),  # longer than it is
        ([0, -1, 2], [1, 0], 0),
        ([1, 1, 2], [1, 0], 0),
        ([0, 1, 2], [-1, 0], 0),
        ([0, 1, 2, 2], [1, 0], 2),  # three cells, two a row
        ([0], [], 0),
    ],
)
def test_what_is_no_neighbour_table(starts: list[int], cells: list[int], width: int) -> None:
    with pytest.raises(ValueError, match="no neighbour table"):
        library.Table(starts, cells, width)


def test_a_neighbour_table() -> None:
    assert library.Table(*Grid(5, 4).table, 5).grid.size == 20
    assert library.Table([0, 0], [], 1).grid.size == 1


def test_a_library_of_other_sources_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_file, "sources_hash", lambda: "0123456789abcdef")
    with pytest.raises(OSError, match="made from other sources than those beside it"):
        library._load()


def test_why_there_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(library_file, "SOURCES", tmp_path)
    with pytest.raises(OSError, match=f"there is no {library_file.file_name()} in this installation"):
        library._load()
    (tmp_path / library_file.WHY_NOT).write_text("there is no C compiler\n", encoding="utf-8")
    with pytest.raises(OSError, match=r"^the native library was not made: there is no C compiler$"):
        library._load()
    (tmp_path / library_file.file_name()).write_text("nothing to load", encoding="utf-8")
    with pytest.raises(OSError, match=r"file too short|invalid ELF|not a mach-o|not valid"):
        library._load()


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The sources and their script in another place."""
    for name in ("scripts/native.py", "src/sapper/_kernels/library_file.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    shutil.copytree(
        library_file.SOURCES, tmp_path / "src/sapper/_kernels/native", ignore=shutil.ignore_patterns("*.so")
    )
    return tmp_path


def _make(copy: Path, **environment: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, copy / "scripts/native.py"],
        env={"PATH": os.environ["PATH"]} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout == ""
    return done.returncode, done.stderr


@pytest.mark.parametrize(
    ("environment", "why"),
    [
        (
            {"PATH": ""},
            "there is no C compiler, neither cc nor gcc nor clang (on Debian: apt-get install gcc libc6-dev)",
        ),
        ({"CC": "no-such-compiler -m64"}, "CC names 'no-such-compiler', which is not on PATH"),
        ({"CC": "false"}, "false did not compile it: exit code 1"),
    ],
)
def test_what_is_in_the_way_is_said_in_one_line(copy: Path, environment: dict[str, str], why: str) -> None:
    said = f"sapper: without its native library, so games and analyses take longer: {why}\n"
    assert _make(copy, **environment) == (1, said)
    folder = copy / "src/sapper/_kernels/native"
    assert (folder / library_file.WHY_NOT).read_text(encoding="utf-8") == f"{why}\n"
    assert not (folder / library_file.file_name()).exists()


@pytest.mark.full
def test_the_compilers_own_words_are_passed_on(copy: Path) -> None:
    (copy / "src/sapper/_kernels/native/sapper.c").write_text("int broken(\n", encoding="utf-8")
    code, said = _make(copy)
    assert (code, said.count("\n")) == (1, 1)
    assert "sapper.c" in said


@pytest.mark.full
def test_it_is_made_and_the_reason_is_gone(copy: Path) -> None:
    folder = copy / "src/sapper/_kernels/native"
    (folder / library_file.WHY_NOT).write_text("no compiler\n", encoding="utf-8")
    assert _make(copy) == (0, "")
    assert not (folder / library_file.WHY_NOT).exists()
    assert ctypes.CDLL(str(folder / library_file.file_name())).sapper_runs_here() == 1
