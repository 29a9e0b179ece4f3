"""A few kills and the cheap outages, once and briefly; `fuzz/kills.py` and `fuzz/outages.py` go on for as long as one likes.

In processes of their own: players who are cut off in the middle leave sockets that complain when they are collected.
"""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def _run(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, *words, "--seed", "1"], check=False, capture_output=True, text=True, cwd=ROOT, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("face", ["web", "serve", "play"])
def test_what_was_told_is_there_after_a_kill(face: str) -> None:
    # How far a saved game is behind depends on how much processor the server gets; `bench/web.py --behind` measures it.
    said = _run("fuzz/kills.py", "--kills", "2", "--behind", "30", "--face", face)
    ends = re.findall(r"2 kills; told: \d+ created, \d+ started, (\d+) ends; ends lost 0,", said)
    assert len(ends) == 1
    assert int(ends[0]) > 0


@pytest.mark.full
@pytest.mark.parametrize("name", ["tiny disk serve", "restore", "second server"])
def test_what_was_told_is_there_after_an_outage(name: str) -> None:
    said = _run("fuzz/outages.py", "--only", name, "--players", "4", "--seconds", "0.8")
    assert f"{name}: " in said
    assert "faults 0" in said
