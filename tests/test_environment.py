"""run.sh and test.sh make their environment when they have to, and only then.

uv, Python's venv and pip are stand-ins here that write down how they were called: what is tested is
when they are called, and what happens when they fail.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = [
    "bash",
    "sh",
    "cat",
    "chmod",
    "cut",
    "dirname",
    "head",
    "ln",
    "mkdir",
    "readlink",
    "rm",
    "sha256sum",
    "shasum",
    "sleep",
    "touch",
]

# Makes a folder that looks like an environment; its python is this same stand-in.
_MAKE_VENV = 'mkdir -p "$last/bin"; ln -s "$STUB_BIN/python3" "$last/bin/python"'
# Installing the project brings the scripts that run.sh and test.sh end with.
_INSTALL = """
    echo "installing (this line belongs on stderr)"
    sleep "${STUB_SLEEP:-0}"
    [ -z "${STUB_FAILS:-}" ] || exit 1
    case "$*" in
    *--editable*)
        printf '#!/bin/sh\\nfor word; do printf "<%%s>" "$word"; done\\n' >"$last/.venv/bin/sapper"
        chmod +x "$last/.venv/bin/sapper"
        ;;
    esac
"""
_UV = f"""#!/bin/sh
for last; do :; done
echo "uv $1 $2 $*" >>"$STUB_LOG"
case "$1" in
venv) {_MAKE_VENV} ;;
pip) {_INSTALL} ;;
esac
"""
_PYTHON = f"""#!/bin/sh
for last; do :; done
case "$1 $2" in
"-m venv") echo "python $*" >>"$STUB_LOG"; {_MAKE_VENV} ;;
"-m pip")
    [ "$3" = install ] || exit "${{STUB_PIP_IS_MISSING:-0}}"
    echo "python $*" >>"$STUB_LOG"
    {_INSTALL}
    ;;
"-m ensurepip") echo "python $*" >>"$STUB_LOG" ;;
"-m pytest") for word; do printf '<%s>' "$word"; done; pwd ;;
*) exec "$REAL_PYTHON" "$@" ;;
esac
"""

# The library's maker, which fails where it is told to.
_NATIVE = """import os, sys
with open(os.environ["STUB_LOG"], "a") as log:
    print("python native.py", file=log)
if "STUB_NO_COMPILER" in os.environ:
    sys.exit("sapper: without its native library")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """A clone of the project as far as the scripts go, and a PATH of stand-ins."""

    root: Path
    bin: Path
    log: Path

    def start(self, script: str = "run.sh", *words: str, **environment: str) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            [script if "/" in script else self.root / script, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.root.parent,
            start_new_session=True,
            env={
                "PATH": str(self.bin),
                "STUB_BIN": str(self.bin),
                "STUB_LOG": str(self.log),
                "REAL_PYTHON": os.path.realpath(sys.executable),
                **environment,
            },
        )

    def run(self, script: str = "run.sh", *words: str, **environment: str) -> tuple[int, str, str]:
        with self.start(script, *words, **environment) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def calls(self) -> list[str]:
        """What the stand-ins were asked to do since this was asked last."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        kinds = {
            "venv": "venv",
            "--require-hashes": "lock",
            "--editable": "project",
            "ensurepip": "ensurepip",
            "native.py": "native",
        }
        return [f"{line.split()[0]} {next(kinds[word] for word in line.split() if word in kinds)}" for line in lines]


@pytest.fixture(params=["uv", "python"])
def maker(request: pytest.FixtureRequest) -> str:
    """Whether uv is on PATH or Python has to do."""
    return str(request.param)


@pytest.fixture
def clone(tmp_path: Path, maker: str) -> Clone:
    root = tmp_path / "a clone’s folder"
    (root / "scripts").mkdir(parents=True)
    for name in ("run.sh", "test.sh", "scripts/environment.sh"):
        shutil.copy(ROOT / name, root / name)
    (root / "requirements.lock").write_text("click==1\n", encoding="utf-8")
    (root / "pyproject.toml").write_text("[project]\n", encoding="utf-8")
    sources = root / "src/sapper/_kernels/native"
    sources.mkdir(parents=True)
    (sources / "one.c").write_text("int one;\n", encoding="utf-8")
    (sources.parent / "library_file.py").write_text("", encoding="utf-8")
    (root / "scripts/native.py").write_text(_NATIVE, encoding="utf-8")
    stand_ins = tmp_path / "bin"
    stand_ins.mkdir()
    for tool in TOOLS:
        if (found := shutil.which(tool)) is not None:
            (stand_ins / tool).symlink_to(found)
    for name, text in {"python3": _PYTHON, "uv": _UV}.items():
        if name != "uv" or maker == "uv":
            (stand_ins / name).write_text(text, encoding="utf-8")
            (stand_ins / name).chmod(0o755)
    return Clone(root=root, bin=stand_ins, log=tmp_path / "log")


def _made(maker: str) -> list[str]:
    return [f"{maker} venv", f"{maker} lock", f"{maker} project", "python native"]


def test_the_first_run_makes_it_and_the_next_does_not(clone: Clone, maker: str) -> None:
    code, out, err = clone.run("run.sh", "analyse", "--json", "a file", "")
    assert (code, out) == (0, "<analyse><--json><a file><>")
    assert "making .venv" in err
    assert clone.calls() == _made(maker)
    assert clone.run("run.sh", "bot") == (0, "<bot>", "")
    assert clone.calls() == []


def test_both_scripts_share_it(clone: Clone, maker: str) -> None:
    assert clone.run("run.sh")[0] == 0
    assert clone.calls() == _made(maker)
    code, out, err = clone.run("test.sh", "-k", "a or b")
    assert (code, err) == (0, "")
    assert out.startswith("<-m><pytest>")
    assert out.endswith(f"<-k><a or b>{clone.root}\n")
    assert clone.calls() == []


def test_named_tests_run_in_one_process(clone: Clone) -> None:
    assert clone.run("test.sh", "tests/core", "-x")[:2] == (0, f"<-m><pytest><tests/core><-x>{clone.root}\n")


def test_it_is_found_through_a_link(clone: Clone) -> None:
    link = clone.root.parent / "sapper"
    link.symlink_to(clone.root / "run.sh")
    assert clone.run(str(link), "bot")[:2] == (0, "<bot>")


def test_another_lock_makes_it_anew(clone: Clone, maker: str) -> None:
    clone.run()
    clone.calls()
    (clone.root / "requirements.lock").write_text("click==2\n", encoding="utf-8")
    assert clone.run()[0] == 0
    assert clone.calls() == _made(maker)


def test_another_pyproject_installs_the_project_again(clone: Clone, maker: str) -> None:
    clone.run()
    clone.calls()
    (clone.root / "pyproject.toml").write_text("[project]\nname = 'x'\n", encoding="utf-8")
    assert clone.run()[0] == 0
    assert clone.calls() == [f"{maker} project"]


def test_other_sources_of_c_make_the_library_again(clone: Clone) -> None:
    clone.run()
    clone.calls()
    (clone.root / "src/sapper/_kernels/native/one.c").write_text("int two;\n", encoding="utf-8")
    assert clone.run()[0] == 0
    assert clone.calls() == ["python native"]
    assert clone.run()[0] == 0
    assert clone.calls() == []


def test_without_a_compiler_it_is_said_once_and_tried_again_with_one(clone: Clone) -> None:
    (clone.bin / "cc").unlink(missing_ok=True)
    assert clone.run("run.sh", "bot", STUB_NO_COMPILER="yes")[:2] == (0, "<bot>")
    clone.calls()
    assert clone.run("run.sh", "bot", STUB_NO_COMPILER="yes") == (0, "<bot>", "")
    assert clone.calls() == []
    (clone.bin / "cc").symlink_to(clone.bin / "python3")
    assert clone.run("run.sh", "bot")[0] == 0
    assert clone.calls() == ["python native"]


def test_a_folder_that_was_moved_makes_it_anew(clone: Clone, maker: str) -> None:
    clone.run()
    clone.calls()
    moved = clone.root.rename(clone.root.with_name("elsewhere"))
    assert clone.run(str(moved / "run.sh"), "bot")[:2] == (0, "<bot>")
    assert clone.calls() == _made(maker)


def test_another_python_makes_it_anew(clone: Clone, maker: str) -> None:
    clone.run()
    clone.calls()
    assert clone.run(SAPPER_PYTHON=str(clone.bin / "python3"))[0] == 0
    assert clone.calls() == _made(maker)


def test_what_fails_is_said_and_done_again(clone: Clone, maker: str) -> None:
    code, out, err = clone.run(STUB_FAILS="yes")
    assert (code, out) == (2, "")
    assert err.endswith("sapper: could not install requirements.lock; what went wrong is said above\n")
    clone.calls()
    assert clone.run("run.sh", "bot")[:2] == (0, "<bot>")
    assert clone.calls() == _made(maker)


def test_what_is_killed_is_done_again(clone: Clone, maker: str) -> None:
    with clone.start(STUB_SLEEP="60") as process:
        for _ in range(3000):
            if clone.log.exists() and "require-hashes" in clone.log.read_text(encoding="utf-8"):
                break
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    clone.calls()
    assert clone.run("run.sh", "bot")[:2] == (0, "<bot>")
    assert clone.calls() == _made(maker)


def test_two_at_once_make_it_once(clone: Clone, maker: str) -> None:
    with clone.start("run.sh", "1", STUB_SLEEP="0.3") as first, clone.start("run.sh", "2", STUB_SLEEP="0.3") as second:
        outputs = [process.communicate(timeout=60)[0] for process in (first, second)]
    assert outputs == ["<1>", "<2>"]
    assert clone.calls() == _made(maker)


@pytest.mark.parametrize("maker", ["python"], indirect=True)
def test_what_uv_made_has_no_pip_until_it_is_needed(clone: Clone, maker: str) -> None:
    assert clone.run(STUB_PIP_IS_MISSING="1")[0] == 0
    assert clone.calls() == [
        "python venv",
        "python ensurepip",
        "python lock",
        "python ensurepip",
        "python project",
        "python native",
    ]


@pytest.mark.parametrize("maker", ["python"], indirect=True)
def test_an_old_python_is_said_in_one_line(clone: Clone) -> None:
    (clone.bin / "python3").write_text('#!/bin/sh\n[ "$1" = --version ] || exit 1\necho Python 3.8.18\n')
    assert clone.run() == (
        2,
        "",
        (
            "sapper: needs Python 3.11 or newer, python3 is Python 3.8.18 "
            "(install one, or name it: SAPPER_PYTHON=/path/to/python3)\n"
        ),
    )


@pytest.mark.parametrize("maker", ["python"], indirect=True)
def test_no_python_is_said_in_one_line(clone: Clone) -> None:
    (clone.bin / "python3").unlink()
    code, out, err = clone.run()
    assert (code, out) == (2, "")
    assert err.startswith("sapper: needs Python 3.11 or newer, and there is no python3 on PATH (")


@pytest.mark.parametrize(
    ("value", "line"),
    [
        ("python9", "SAPPER_PYTHON: there is no python9"),
        ("sh", "SAPPER_PYTHON: sh does not run as Python 3.11 or newer"),
    ],
)
def test_a_python_that_will_not_do_is_said(value: str, line: str, clone: Clone) -> None:
    assert clone.run(SAPPER_PYTHON=value) == (2, "", f"sapper: {line}\n")
    assert clone.calls() == []
