"""The games of a run as CSV and Parquet say what the lines say."""

import csv
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import parquet

from sapper.cli import per_game
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.per_game import TABLE_COLUMNS, open_game_file
from sapper.simulate.results import GameOutcome, SimulatedGame

RUN = "simulate --preset kata --games 5 --seed 1 --backend reference --strategy single --strategy random --per-game".split()


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
    monkeypatch.setattr(per_game, "_ROWS", 3)  # several row groups, and a rest
    names = ("games.txt", "games.csv", "games.parquet")
    for name in names:
        assert main([*RUN, str(tmp_path / name)]) == ExitCode.DONE
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
    assert main([*RUN, str(tmp_path / "none" / "games.parquet")]) == ExitCode.USAGE
    assert "No such file or directory" in capsys.readouterr().err
