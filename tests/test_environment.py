"""run.sh and test.sh make their environment when they have to, each with what it needs, and only then.

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
    "grep",
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
# Installing the project brings the script that run.sh ends with.
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
echo "$*" >>"$STUB_LOG"
case "$1" in
venv) {_MAKE_VENV} ;;
pip) {_INSTALL} ;;
esac
"""
_PYTHON = f"""#!/bin/sh
for last; do :; done
case "$1 $2" in
"-m venv") echo "$*" >>"$STUB_LOG"; {_MAKE_VENV} ;;
"-m pip")
    [ "$3" = install ] || exit 0
    echo "$*" >>"$STUB_LOG"
    {_INSTALL}
    ;;
"-m pytest") for word; do printf '<%s>' "$word"; done ;;
*) exec "$REAL_PYTHON" "$@" ;;
esac
"""
_NATIVE = 'import os\nwith open(os.environ["STUB_LOG"], "a") as log:\n    print("native.py", file=log)\n'

RUN = ["venv", "requirements-run.lock", "project", "native"]
ALL = ["venv", "requirements.lock", "project", "native"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Clone:
    """A clone of the project as far as the scripts go, and a PATH of stand-ins."""

    root: Path
    bin: Path
    log: Path

    def start(self, script: str = "run.sh", *words: str, **environment: str) -> "subprocess.Popen[str]":
        own = {"PATH": self.bin, "STUB_BIN": self.bin, "STUB_LOG": self.log, "REAL_PYTHON": os.path.realpath(sys.executable)}  # fmt: skip
        return subprocess.Popen(
            [script if "/" in script else self.root / script, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, cwd=self.root.parent, start_new_session=True, env={name: str(one) for name, one in own.items()} | environment,
        )  # fmt: skip

    def run(self, script: str = "run.sh", *words: str, **environment: str) -> tuple[int, str, str]:
        with self.start(script, *words, **environment) as process:
            out, err = process.communicate(timeout=60)
        return process.returncode, out, err

    def calls(self) -> list[str]:
        """What was made since this was asked last."""
        lines = self.log.read_text(encoding="utf-8").splitlines() if self.log.exists() else []
        self.log.unlink(missing_ok=True)
        marks = {
            "requirements-run.lock": "requirements-run.lock", "requirements.lock": "requirements.lock", "--editable": "project",
            "native.py": "native", "venv ": "venv",
        }  # fmt: skip
        return [next(made for mark, made in marks.items() if mark in line) for line in lines]


@pytest.fixture(params=["uv", "python"])
def clone(tmp_path: Path, request: pytest.FixtureRequest) -> Clone:
    root = tmp_path / "a clone’s folder"
    (root / "scripts").mkdir(parents=True)
    for name in ("run.sh", "test.sh", "scripts/environment.sh"):
        shutil.copy(ROOT / name, root / name)
    for name in ("requirements.lock", "requirements-run.lock"):
        (root / name).write_text("click==1\n", encoding="utf-8")
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
        if name != "uv" or request.param == "uv":
            (stand_ins / name).write_text(text, encoding="utf-8")
            (stand_ins / name).chmod(0o755)
    return Clone(root=root, bin=stand_ins, log=tmp_path / "log")


def test_the_first_run_makes_it_says_how_much_that_is_and_the_next_does_not(clone: Clone) -> None:
    code, out, err = clone.run("run.sh", "analyse", "--json", "a file", "")
    assert (code, out) == (0, "<analyse><--json><a file><>")
    assert "sapper: making .venv from requirements-run.lock (once): 1 packages, some 1" in err
    assert clone.calls() == RUN
    link = clone.root.parent / "sapper"
    link.symlink_to(clone.root / "run.sh")
    assert clone.run(str(link), "bot") == (0, "<bot>", "")
    assert clone.calls() == []


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_of_the_tests_makes_nothing(option: str, clone: Clone) -> None:
    code, out, err = clone.run("test.sh", option)
    assert (code, err, clone.calls()) == (0, "", [])
    assert out.startswith("Usage: ./test.sh [PATH...] [OPTIONS OF PYTEST]\n")
    assert not (clone.root / ".venv").exists()


def test_tests_add_their_tools_and_either_may_be_first(clone: Clone) -> None:
    clone.run("run.sh")
    clone.calls()
    code, out, err = clone.run("test.sh", "tests/core", "-k", "a or b")
    assert (code, out) == (0, "<-m><pytest><tests/core><-k><a or b>")
    assert "adding to .venv what it has not of requirements.lock" in err
    assert clone.calls() == ["requirements.lock"]
    shutil.rmtree(clone.root / ".venv")
    clone.run("test.sh", "tests/core")
    assert clone.calls() == ALL
    for script in ("run.sh", "test.sh", "run.sh"):
        assert clone.run(script, "tests/core")[2] == ""
    assert clone.calls() == []


@pytest.mark.parametrize(
    ("changed", "script", "made"),
    [
        ("requirements-run.lock", "run.sh", RUN),
        ("requirements.lock", "test.sh", ALL),
        ("requirements.lock", "run.sh", []),
        ("pyproject.toml", "run.sh", ["project"]),
        ("src/sapper/_kernels/native/one.c", "run.sh", ["native"]),
    ],
)
def test_what_has_changed_is_made_again(changed: str, script: str, made: list[str], clone: Clone) -> None:
    clone.run("test.sh", "tests/core")
    clone.calls()
    (clone.root / changed).write_text("click==2\n", encoding="utf-8")
    assert clone.run(script, "tests/core")[0] == 0
    assert clone.calls() == made


def test_a_folder_that_was_moved_makes_it_anew(clone: Clone) -> None:
    clone.run()
    clone.calls()
    moved = clone.root.rename(clone.root.with_name("elsewhere"))
    assert clone.run(str(moved / "run.sh"), "bot")[:2] == (0, "<bot>")
    assert clone.calls() == RUN


def test_what_fails_or_is_killed_is_done_again(clone: Clone) -> None:
    code, out, err = clone.run(STUB_FAILS="yes")
    assert (code, out) == (2, "")
    assert err.endswith("sapper: could not install requirements-run.lock; what went wrong is said above\n")
    clone.calls()
    with clone.start(STUB_SLEEP="60") as process:
        for _ in range(3000):
            if clone.log.exists() and "require-hashes" in clone.log.read_text(encoding="utf-8"):
                break
            time.sleep(0.01)
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate(timeout=60)
    clone.calls()
    assert clone.run("run.sh", "bot")[:2] == (0, "<bot>")
    assert clone.calls() == RUN


def test_two_at_once_make_it_once(clone: Clone) -> None:
    with clone.start("run.sh", "1", STUB_SLEEP="0.3") as first, clone.start("run.sh", "2", STUB_SLEEP="0.3") as second:
        outputs = [process.communicate(timeout=60)[0] for process in (first, second)]
    assert outputs == ["<1>", "<2>"]
    assert clone.calls() == RUN


@pytest.mark.parametrize("clone", ["python"], indirect=True)
def test_no_python_that_will_do_is_said_in_one_line(clone: Clone) -> None:
    assert clone.run(SAPPER_PYTHON="python9") == (2, "", "sapper: SAPPER_PYTHON: there is no python9\n")
    (clone.bin / "python3").write_text('#!/bin/sh\n[ "$1" = --version ] || exit 1\necho Python 3.8.18\n')
    assert clone.run()[::2] == (
        2,
        "sapper: needs Python 3.11 or newer, python3 is Python 3.8.18 (install one, or name it: SAPPER_PYTHON=/path/to/python3)\n",
    )
    (clone.bin / "python3").unlink()
    assert clone.run()[2].startswith("sapper: needs Python 3.11 or newer, and there is no python3 on PATH (")
