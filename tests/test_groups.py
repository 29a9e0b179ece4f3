"""Tests that compute and tests that wait run side by side, each of them once, and what pytest says is so."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests import groups

ROOT = Path(__file__).parents[1]

CONFTEST = """
import os
from pathlib import Path
import pytest
from tests import groups

def pytest_configure(config):
    groups.set_up(config)

@pytest.fixture(autouse=True)
def note(request):
    place = Path(request.config.rootpath, "ran")
    with place.open("a") as ran:
        ran.write(f"{request.node.nodeid} {os.environ['PYTEST_XDIST_WORKER']}\\n")
"""
TESTS = """
import os
import pytest

@pytest.mark.parametrize("number", range(25), ids="case{}".format)
def test_one(number):
    assert number != 7

def test_crash():
    os._exit(1)
"""
COMPUTING, WAITING = "tests/core/test_one.py", "tests/web/browser/test_one.py"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a test that fails and one that crashes its worker in each group."""
    (tmp_path / "conftest.py").write_text(CONFTEST)
    for name in (COMPUTING, WAITING):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(TESTS)
    return tmp_path


def _run(project: Path, *options: str) -> tuple[int, str, dict[str, str]]:
    """Its exit code, the last line that it prints, and the worker of each test."""
    (project / "ran").write_text("")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "4", "--dist", "worksteal", "--import-mode=importlib", "-c", os.devnull,
         "--rootdir", project, "-p", "no:cacheprovider", *options],
        cwd=project, env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    ran = [line.split() for line in (project / "ran").read_text().splitlines()]
    assert max(Counter(test for test, _ in ran).values(), default=1) == 1
    return done.returncode, done.stdout.splitlines()[-1], dict(ran)


def test_each_test_runs_once_in_a_worker_of_its_group(project: Path) -> None:
    code, last, ran = _run(project, str(project))
    assert code == 1
    assert last.startswith("4 failed, 48 passed")
    assert len(ran) == 52
    computing = {worker for test, worker in ran.items() if test.startswith(COMPUTING)}
    waiting = {worker for test, worker in ran.items() if test.startswith(WAITING)}
    assert computing | waiting <= {f"gw{number}" for number in range(6)}  # four, and two in the place of crashed ones
    assert not computing & waiting


def test_a_group_may_have_no_test(project: Path) -> None:
    for place in (COMPUTING, WAITING):
        code, last, ran = _run(project, "-k", "case1 or case2", place)
        assert (code, len(ran)) == (0, 17)
        assert last.startswith("17 passed")
    assert _run(project, "-k", "nothing")[0] == pytest.ExitCode.NO_TESTS_COLLECTED


def test_what_is_said_to_wait_is_there() -> None:
    for place in groups.WAITING:
        assert (ROOT / place).exists(), place


def test_a_worker_looks_into_the_files_of_its_group() -> None:
    for path in (ROOT / "tests").rglob("test_*.py"):
        name = path.relative_to(ROOT).as_posix()
        for group in (groups.COMPUTES, groups.WAITS):
            is_seen = not any(groups.is_left_out(place, ROOT, group) for place in (path, *path.parents))
            assert is_seen == (groups.waits(name) == (group == groups.WAITS)), (name, group)
