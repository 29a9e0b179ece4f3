"""Faults of a site's processes, once each and with few players; `fuzz/machines.py` goes on for as long as one likes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.site import HOW, find_haproxy
from tests.postgres import needed_binaries

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "fault", ["kill", *(pytest.param(one, marks=pytest.mark.full) for one in ("database", "watch", "tabs"))]
)
def test_what_was_told_holds_on_all_processes(fault: str) -> None:
    needed_binaries()
    if find_haproxy() is None:
        if os.environ.get("CI"):
            pytest.fail(HOW)
        pytest.skip(HOW)
    words = [
        sys.executable,
        "fuzz/machines.py",
        fault,
        "--players",
        "6",
        "--seconds",
        "4",
        "--pace",
        "0.3",
        "--bound",
        "60",
        "--seed",
        "1",
    ]
    done = subprocess.run(words, check=False, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "contradictions 0" in done.stdout
    if fault == "watch":
        for step in ("playing after reveal", "playing after undo", "ready after restart"):
            assert f"asked when {step}" in done.stdout
