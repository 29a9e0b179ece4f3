"""What run.sh and test.sh say before they make their environment; that they make it is seen wherever they run."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = ("bash", "cat", "chmod", "cut", "dirname", "grep", "head", "mkdir", "readlink", "rm", "sha256sum", "touch")


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The scripts, where nothing is made yet, and a PATH without Python and uv in its folder `bin`."""
    for name in ("run.sh", "test.sh", "scripts/environment.sh", "requirements.lock", "requirements-run.lock"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / "bin").mkdir()
    for tool in TOOLS:
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or "/nonexistent")
    return tmp_path


def _run(clone: Path, *words: str, **environment: str) -> tuple[int, str, str]:
    own = {"PATH": str(clone / "bin")} | environment
    script, *rest = words
    done = subprocess.run(["bash", clone / script, *rest], env=own, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


def test_help_of_the_tests_makes_nothing(clone: Path) -> None:
    code, out, err = _run(clone, "test.sh", "--help")
    assert (code, err) == (0, "")
    assert out.startswith("Usage: ./test.sh [PATH...] [OPTIONS OF PYTEST]\n")
    assert not (clone / ".venv").exists()


def test_no_python_that_will_do_is_said_in_one_line(clone: Path) -> None:
    assert _run(clone, "run.sh", SAPPER_PYTHON="python9") == (2, "", "sapper: SAPPER_PYTHON: there is no python9\n")
    assert _run(clone, "run.sh")[2].startswith("sapper: needs Python 3.11 or newer, and there is no python3 on PATH (")
    old = clone / "bin/python3"
    old.write_text('#!/bin/bash\n[ "$1" = --version ] || exit 1\necho Python 3.8.18\n', encoding="utf-8")
    old.chmod(0o755)
    assert "needs Python 3.11 or newer, python3 is Python 3.8.18 (" in _run(clone, "run.sh")[2]


def test_each_thing_that_takes_long_is_said_before_it_and_nothing_later(clone: Path) -> None:
    native = "src/sapper/_kernels/native"
    for name in (
        "pyproject.toml",
        "scripts/native.py",
        "src/sapper/_kernels/library_file.py",
        f"{native}/a.c",
        f"{native}/a.h",
    ):
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        (clone / name).touch()
    programs = {  # Python and uv do nothing, but that `uv venv FOLDER` makes the folder, with a `sapper` in it
        "python3": "#!/bin/bash",
        "sapper": "#!/bin/bash\necho a game",
        "uv": """#!/bin/bash
[ "$1" = venv ] || exit 0
for folder; do :; done
mkdir -p "$folder/bin"
cat "${0%uv}python3" >"$folder/bin/python"
cat "${0%uv}sapper" >"$folder/bin/sapper"
chmod +x "$folder/bin/python" "$folder/bin/sapper"
""",
    }
    for name, text in programs.items():
        (clone / "bin" / name).write_text(text, encoding="utf-8")
        (clone / "bin" / name).chmod(0o755)
    code, out, err = _run(clone, "run.sh")
    assert (code, out) == (0, "a game\n")
    said = (
        r"sapper: installing \d+ Python packages \(about 120 MB to download, 410 MB in \.venv\) \.\.\.",
        r"sapper: compiling the packages' Python files \.\.\.",
        r"sapper: building the native library \.\.\.",
    )
    assert re.fullmatch("".join(f"{line}\n" for line in said), err), err
    assert _run(clone, "run.sh") == (0, "a game\n", "")
