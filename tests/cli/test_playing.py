"""A disk that is full ends a run with one line, and what was played by then is gone on with."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.exits import ExitCode

RUN = "--preset beginner --strategy single --games 1200 --seed 1 --backend reference --json".split()


def _sapper(folder: Path, *words: str, most: int | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a folder whose files may have so many bytes."""

    def limit() -> None:
        if most is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    return subprocess.run(
        [sys.executable, "-m", "sapper", "simulate", *RUN, *words],
        cwd=folder,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
        timeout=300,
    )


def _said(done: subprocess.CompletedProcess[str]) -> str:
    """Its last line: before it a slow machine shows how far the run is."""
    return done.stderr.splitlines()[-1]


def _counts(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    return {key: value for key, value in json.loads(done.stdout).items() if "second" not in key}


def test_a_run_that_a_full_disk_ended_goes_on(tmp_path: Path) -> None:
    words = ("--resume", "games.run", "--per-game", "games.csv")
    full = _sapper(tmp_path, *words, most=48_000)
    assert full.returncode == ExitCode.LIMIT
    assert _said(full).startswith("sapper: games.csv: File too large; ")
    assert _said(full).endswith(
        " of 1,200 games stay in games.run: free some space, then run the same command to continue"
    )
    kept = int(_said(full).split("; ")[1].split(" of ")[0].replace(",", ""))
    assert 0 < kept < 1200
    done = _sapper(tmp_path, *words)
    assert done.returncode == ExitCode.DONE, done.stderr
    assert _counts(done) == _counts(_sapper(tmp_path))
    assert (tmp_path / "games.csv").read_text().count("\n") == 1201


@pytest.mark.full
def test_the_file_of_a_run_takes_whole_lines_or_none(tmp_path: Path) -> None:
    assert _sapper(tmp_path, "--resume", "games.run", "--games", "1").returncode == ExitCode.DONE
    size = (tmp_path / "games.run").stat().st_size
    (tmp_path / "games.run").unlink()
    full = _sapper(tmp_path, "--resume", "games.run", most=size + 40)
    assert full.returncode == ExitCode.LIMIT
    assert _said(full).startswith("sapper: games.run: File too large; ")
    assert (tmp_path / "games.run").read_bytes().endswith(b"\n")
    done = _sapper(tmp_path, "--resume", "games.run")
    assert _counts(done) == _counts(_sapper(tmp_path))


@pytest.mark.parametrize("name", ["games.csv", "games.parquet", "games.txt"])
def test_a_table_that_does_not_fit_is_named(tmp_path: Path, name: str) -> None:
    full = _sapper(tmp_path, "--per-game", name, most=8_000)
    assert full.returncode == ExitCode.LIMIT
    assert _said(full) == (
        f"sapper: {name}: File too large; no game was counted: free some space; --resume FILE saves games while they are played"
    )
