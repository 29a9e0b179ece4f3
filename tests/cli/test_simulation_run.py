"""A disk that is full ends a run with one line, and what was played by then is gone on with."""

import csv
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from sapper.cli import simulation_run
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.simulation_run import TABLE_COLUMNS, open_game_file
from sapper.simulate.results import GameOutcome, SimulatedGame

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
    assert full.returncode == ExitCode.FULL
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
    assert full.returncode == ExitCode.FULL
    assert _said(full).startswith("sapper: games.run: File too large; ")
    assert (tmp_path / "games.run").read_bytes().endswith(b"\n")
    done = _sapper(tmp_path, "--resume", "games.run")
    assert _counts(done) == _counts(_sapper(tmp_path))


@pytest.mark.parametrize("name", ["games.csv", "games.parquet", "games.txt"])
def test_a_table_that_does_not_fit_is_named(tmp_path: Path, name: str) -> None:
    full = _sapper(tmp_path, "--per-game", name, most=8_000)
    assert full.returncode == ExitCode.FULL
    assert _said(full) == (
        f"sapper: {name}: File too large; no game was counted: free some space; --resume FILE saves games while they are played"
    )


PER_GAME_RUN = "simulate --preset kata --games 5 --seed 1 --backend reference --strategy single --strategy random --per-game".split()


def _lines(path: Path) -> list[dict[str, Any]]:
    """The games of a file of lines, as a table has them."""
    rows: list[dict[str, Any]] = []
    strategy = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("# strategy "):
            strategy = line.removeprefix("# strategy ")
        elif not line.startswith("#"):
            values, again = line.split(" # ")
            game, seed, result, *counts, fault = values.split(" ", 7)
            numbers = [None if one == "-" else int(one) for one in counts]
            row = (strategy, int(game), int(seed), result, *numbers, None if fault == "-" else fault, again)
            rows.append(dict(zip(("strategy", *TABLE_COLUMNS), row, strict=True)))
    return rows


def test_tables_have_the_games_of_the_lines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation_run, "_ROWS", 3)  # several row groups, and a rest
    names = ("games.txt", "games.csv", "games.parquet")
    for name in names:
        assert main([*PER_GAME_RUN, str(tmp_path / name)]) == ExitCode.DONE
    lines = _lines(tmp_path / "games.txt")
    assert len(lines) == 10
    assert {row["strategy"] for row in lines} == {"single", "random"}
    table = parquet.read_table(tmp_path / "games.parquet")
    assert table.to_pylist() == lines
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        read = list(csv.DictReader(file))
    assert read == [{name: "" if value is None else str(value) for name, value in row.items()} for row in lines]


def test_the_types_of_parquet_are_those_of_the_document(tmp_path: Path) -> None:
    path = tmp_path / "games.PARQUET"
    fault = SimulatedGame(3, 2**64 - 1, GameOutcome.FAULT, 2, 1, 30, None, "slow: it took\n2 s")
    with open_game_file(str(path), label="strategy", several=False) as file:
        file.section("mine.py")
        file.add(fault, "sapper bot")
    table = parquet.read_table(path)
    text, count = pa.string(), pa.int32()
    assert table.schema.types == [text, pa.int64(), pa.uint64(), text, count, count, count, count, text, text]
    assert table.to_pylist() == [
        {
            "strategy": "mine.py",
            "game": 3,
            "seed": 2**64 - 1,
            "result": "fault",
            "moves": 2,
            "guesses": 1,
            "revealed": 30,
            "bbbv": None,
            "fault": "slow: it took 2 s",
            "again": "sapper bot",
        }
    ]


def test_a_folder_that_is_none_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*PER_GAME_RUN, str(tmp_path / "none" / "games.parquet")]) == ExitCode.USAGE
    assert "No such file or directory" in capsys.readouterr().err
