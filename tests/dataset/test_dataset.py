"""Positions in files: true, the same from one seed, readable as the card says."""

import hashlib
import json
import os
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sapper
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.core.board import Board
from sapper.core.first_cell import first_cell
from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.dataset.card import readers
from sapper.dataset.drawing import DrawingOrder, Positions, draw
from sapper.dataset.tables import FORMATS
from sapper.errors import LayoutError, RulesError

BEGINNER = find_preset("beginner")


def _drawn(order: DrawingOrder, count: int, *, compiled: bool = True) -> dict[str, Any]:
    pieces = list(draw(order, count, compiled=compiled))
    return {name: np.concatenate([getattr(one, name) for one in pieces]) for name in Positions.__slots__}


@pytest.mark.parametrize("guesses_only", [False, True])
def test_each_position_is_one_of_its_game_with_its_exact_chances(guesses_only: bool) -> None:
    order = DrawingOrder(preset=BEGINNER, seed=3, guesses_only=guesses_only, with_win=guesses_only)
    found = _drawn(order, 300)
    assert len(found["seed"]) == 300
    for at in range(0, 300, 25):
        tiles = found["tiles"][at]
        board = Board(grid=BEGINNER.grid, rules=BEGINNER.rules, mines=10, tiles=tiles.tobytes(), status=Status.PLAYING)
        analysis = sapper.analyse(board)
        for cell in range(81):
            said = found["chances"][at, cell]
            assert said == (-1 if tiles[cell] != 9 else pytest.approx(analysis.risk(cell), abs=1e-12))
        assert found["safe"][at] == len(analysis.safe)
        assert not (guesses_only and analysis.safe)
        assert found["revealed"][at] == np.count_nonzero(tiles != 9) > 0
        assert found["least_risk"][at] == found["chances"][at, found["best"][at]]
        game = sapper.new_game("beginner", seed=int(found["seed"][at]))
        game.reveal(first_cell(BEGINNER.grid, BEGINNER.rules.start))
        for cell in np.flatnonzero(tiles != 9).tolist():
            if game.board.tiles[cell] == 9:
                game.reveal(cell)
        assert game.board.tiles == tiles.tobytes()
    if guesses_only:
        assert (found["win_low"] <= found["win"]).all()
        assert (found["win"] <= found["win_high"]).all()
        assert (found["win"] <= 1 - found["least_risk"] + 1e-9).all()
    else:
        assert np.isnan(found["win"]).all()
        assert 0 < np.count_nonzero(found["safe"] == 0) < 300
    assert len(set(found["seed"].tolist())) > 250 // (9 if not guesses_only else 3)


def test_python_draws_the_same() -> None:
    order = DrawingOrder(preset=BEGINNER, seed=8)
    ours, theirs = _drawn(order, 700), _drawn(order, 700, compiled=False)
    for name in ("seed", "tiles", "revealed", "safe", "best"):
        assert (ours[name] == theirs[name]).all()
    assert np.abs(ours["chances"] - theirs["chances"]).max() < 1e-12


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(RulesError, match="won by flags"):
        DrawingOrder(preset=find_preset("jminesweeper-1"), seed=1)
    with pytest.raises(LayoutError, match="give one number"):
        DrawingOrder(preset=find_preset("kata"), seed=1)
    with pytest.raises(LayoutError, match="from 0 to 1"):
        DrawingOrder(preset=BEGINNER, seed=1, random_guesses=2)


def test_every_format_is_read_as_its_card_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrays = {}
    for kind in FORMATS:
        folder = tmp_path / kind
        words = ["dataset", str(folder), "--preset", "beginner", "--positions", "90", "--seed", "4", "--format", kind]
        assert main([*words, "--shards", "3"]) == ExitCode.DONE
        assert "90 positions in 3 files" in capsys.readouterr().out
        card = (folder / "README.md").read_text()
        codes = readers(kind, folder=str(folder), width=9, height=9)
        assert all(code.replace(str(folder), ".") in card and code.count("\n") == 2 for code in codes.values())
        script = tmp_path / f"{kind}.py"
        script.write_text(codes.get("NumPy", codes.get("NumPy (with pyarrow)", "")))
        arrays[kind] = runpy.run_path(str(script))["chances"]
        for path in folder.glob("*.sha256"):
            digest, name = path.read_text().split()
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert all(array.shape == (90, 9, 9) and (array == arrays["npz"]).all() for array in arrays.values())


def test_parts_fill_one_folder_and_what_is_there_stays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--preset", "beginner", "--positions", "40", "--seed", "4", "--format", "csv", "--win"]
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    assert main(["dataset", str(whole), *words, "--shards", "2", "--json"]) == ExitCode.DONE
    said = json.loads(capsys.readouterr().out)
    for number in (2, 1):
        assert main(["dataset", str(parts), *words, "--shard", f"{number}/2"]) == ExitCode.DONE
    for name in said["files"]:
        assert (whole / name).read_bytes() == (parts / name).read_bytes()
    assert len({(whole / name).read_bytes() for name in said["files"]}) == 2
    kept = parts / said["files"][0]
    kept.write_text("mine")
    kept.with_name(f"{kept.name}.sha256").write_text(f"{hashlib.sha256(b'mine').hexdigest()}  {kept.name}\n")
    (parts / said["files"][1]).unlink()
    assert main(["dataset", str(parts), *words, "--shards", "2"]) == ExitCode.DONE
    assert kept.read_text() == "mine"
    assert (whole / said["files"][1]).read_bytes() == (parts / said["files"][1]).read_bytes()
    capsys.readouterr()
    kept.write_text("not mine")
    assert main(["dataset", str(parts), *words, "--shards", "2"]) == ExitCode.DONE
    assert f"{kept} is damaged: " in capsys.readouterr().err
    assert kept.read_bytes() == (whole / kept.name).read_bytes()
    capsys.readouterr()
    assert main(["dataset", str(parts), *words, "--shards", "4"]) == ExitCode.USAGE
    assert "has other positions: shards 2, not 4" in capsys.readouterr().err
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    assert main(["dataset", str(tmp_path / "other"), *words]) == ExitCode.USAGE
    assert "is not empty" in capsys.readouterr().err
    assert main(["dataset", str(tmp_path / "new"), *words, "--shards", "41"]) == ExitCode.USAGE
    assert "each has one at least" in capsys.readouterr().err


def test_a_game_without_positions_is_said_and_not_drawn_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.dataset.drawing.MOST_WITHOUT", 1_000)
    always_won = DrawingOrder(preset=replace(BEGINNER, width=2, height=1, mine_counts=(1,)), seed=1)
    with pytest.raises(LayoutError, match="1,024 games of 1 mine on 2x1 cells had no position: take more mines"):
        list(draw(always_won, 5, compiled=False))


@pytest.mark.parametrize("damaged", ["", "[]", "{"])
def test_a_damaged_folder_is_told(tmp_path: Path, damaged: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dataset.json").write_text(damaged)
    arguments = ["dataset", str(tmp_path), "--preset", "beginner", "--positions", "5", "--seed", "1"]
    assert main(arguments) == ExitCode.USAGE
    assert "dataset.json is damaged: " in capsys.readouterr().err


def test_the_card_has_the_command_to_the_last_digit(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"d\xff")
    arguments = ["--preset", "beginner", "--positions", "5", "--seed", "1", "--format", "csv", "--backend", "python"]
    assert main(["dataset", str(folder), *arguments, "--random-guesses", "0.1234567"]) == ExitCode.DONE
    assert "--random-guesses 0.1234567" in (folder / "README.md").read_text()
    assert "sapper dataset 'd\N{REPLACEMENT CHARACTER}' --preset" in (folder / "README.md").read_text()
    assert not [one.name for one in folder.iterdir() if one.name.startswith(".")]
    other = tmp_path / os.fsdecode(b"p\xff")  # pyarrow opens files its own way
    assert main(["dataset", str(other), *(word.replace("csv", "parquet") for word in arguments)]) == ExitCode.DONE
