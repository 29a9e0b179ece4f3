"""Positions in files: true, the same from one seed, readable as the card says."""

import errno
import hashlib
import json
import os
import runpy
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pyarrow import parquet

import sapper
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.core.board import Board, first_cell
from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.dataset import tables as dataset_tables
from sapper.dataset.card import readers
from sapper.dataset.drawing import DrawingOrder, Positions, by_one_clue, draw
from sapper.dataset.tables import FORMATS
from sapper.errors import InvalidValueError, LayoutError
from sapper.generator.new_game import new_source
from sapper.solver.deduce.explain import hardest, next_step
from sapper.solver.deduce.step import Technique
from tests.halves import by_reference

BEGINNER = find_preset("beginner")


def _drawn(order: DrawingOrder, count: int) -> dict[str, Any]:
    pieces = list(draw(order, count))
    return {name: np.concatenate([getattr(one, name) for one in pieces]) for name in Positions.__slots__}


@pytest.mark.parametrize("guesses_only", [False, True])
def test_each_position_is_one_of_its_game_with_its_exact_chances(guesses_only: bool) -> None:
    order = DrawingOrder(preset=BEGINNER, seed=3, guesses_only=guesses_only, with_win=guesses_only)
    found = _drawn(order, 300)
    assert len(found["seed"]) == 300
    for at in range(0, 300, 25):
        tiles = found["tiles"][at]
        board = Board(
            grid=BEGINNER.grid, rules=BEGINNER.rules, mine_count=10, tiles=tiles.tobytes(), status=Status.PLAYING
        )
        analysis = sapper.analyse(board)
        for cell in range(81):
            said = found["chances"][at, cell]
            assert said == (-1 if tiles[cell] != 9 else pytest.approx(analysis.risk(cell), abs=1e-12))
        assert found["safe"][at] == len(analysis.safe)
        assert not (guesses_only and analysis.safe)
        assert found["revealed"][at] == np.count_nonzero(tiles != 9) > 0
        assert found["least_risk"][at] == found["chances"][at, found["best"][at]]
        game = sapper.new_game("beginner", seed=int(found["seed"][at]))
        first = first_cell(BEGINNER.grid, BEGINNER.rules.start)
        game.reveal(first)
        for cell in np.flatnonzero(tiles != 9).tolist():
            if game.board.tiles[cell] == 9:
                game.reveal(cell)
        assert game.board.tiles == tiles.tobytes()
        truth = new_source(BEGINNER, int(found["seed"][at])).generate(sapper.new_game("beginner", seed=0).board, first)
        assert found["mines"][at].tolist() == [cell in truth.mines for cell in range(81)]
        wanted = hardest(next_step(board))
        assert found["technique"][at] == wanted == (Technique.GUESS if not analysis.safe else wanted)
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
    ours = _drawn(order, 700)
    with by_reference():
        theirs = _drawn(order, 700)
    for name in ("seed", "tiles", "revealed", "safe", "best", "technique", "mines"):
        assert (ours[name] == theirs[name]).all()
    assert np.abs(ours["chances"] - theirs["chances"]).max() < 1e-12


def test_what_cannot_be_drawn_is_said() -> None:
    with pytest.raises(InvalidValueError, match="won by flags"):
        DrawingOrder(preset=find_preset("jminesweeper-1"), seed=1)
    with pytest.raises(LayoutError, match="give one number"):
        DrawingOrder(preset=find_preset("kata"), seed=1)
    with pytest.raises(LayoutError, match="from 0 to 1"):
        DrawingOrder(preset=BEGINNER, seed=1, random_guesses=2)


def test_every_format_is_read_as_its_card_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arrays, techniques = {}, {}
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
        read = runpy.run_path(str(script))
        arrays[kind] = read["chances"]
        lines = (folder / "SHA256SUMS").read_text().splitlines()
        assert [line.split()[1] for line in lines] == [f"data/positions-000{n}-of-0003.{kind}" for n in (1, 2, 3)]
        for digest, name in map(str.split, lines):
            assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
        assert {path.name for path in folder.iterdir()} == {"README.md", "dataset.json", "SHA256SUMS", "data"}
        assert len(list((folder / "data").iterdir())) == 3
        techniques[kind] = _techniques(kind, read)
    assert all(found == techniques["npz"] for found in techniques.values())
    assert {"one clue", "guess"} <= set(techniques["npz"])
    assert all(array.shape == (90, 9, 9) and (array == arrays["npz"]).all() for array in arrays.values())


def _techniques(kind: str, read: dict[str, Any]) -> list[str]:
    """The column of what was read."""
    if kind == "parquet":
        found: list[str] = read["table"]["technique"].to_pylist()
        return found
    if kind == "npz":
        return [str(word) for file in read["files"] for word in file["technique"]]
    return [row["technique"] for row in read["rows"]]


def test_a_parquet_file_says_what_it_is_of(tmp_path: Path) -> None:
    words = ["--preset", "6x5/4", "--positions", "20", "--seed", "4"]
    assert main(["dataset", str(tmp_path), *words]) == ExitCode.DONE
    schema = parquet.read_schema(tmp_path / "data/positions-0001-of-0001.parquet")
    about = {name.decode(): value.decode() for name, value in schema.metadata.items()}
    assert about == {name: str(value) for name, value in json.loads((tmp_path / "dataset.json").read_text()).items()}
    assert (about["width"], about["height"], about["mine_count"], about["sapper"]) == (
        "6",
        "5",
        "4",
        sapper.__version__,
    )
    # A folder of files is one table, as pandas and polars read it too.
    table = parquet.read_table(tmp_path / "data")
    assert table.num_rows == 20
    assert all(sum(row) == 4 for row in table["mines"].to_pylist())
    card = (tmp_path / "README.md").read_text()
    head = card.split("---\n")[1]
    assert "license: cc0-1.0" in head
    assert "path: data/*.parquet" in head


def test_a_full_disk_names_the_file_and_what_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["dataset", str(tmp_path), "--preset", "beginner", "--positions", "20", "--seed", "4", "--shards", "2"]
    with monkeypatch.context() as patch:
        true = dataset_tables._Parquet.close

        def close(self: Any) -> None:
            if "0002-of" in str(self._file.name):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            true(self)

        patch.setattr(dataset_tables._Parquet, "close", close)
        assert main(words) == ExitCode.FULL
    told = f"data/positions-0002-of-0002.parquet: {os.strerror(errno.ENOSPC)}; 1 of 2 files are whole: free some space, then"
    assert told in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "data").iterdir()] == ["positions-0001-of-0002.parquet"]
    assert main(words) == ExitCode.DONE
    assert parquet.read_table(tmp_path / "data").num_rows == 20


def test_single_clues_are_enough_where_hints_say_so() -> None:
    order = DrawingOrder(preset=find_preset("intermediate"), seed=5)
    tiles = np.concatenate([some.tiles for some in draw(order, 400)])
    board = Board(
        grid=order.preset.grid, rules=order.preset.rules, mine_count=40, tiles=bytes(256), status=Status.PLAYING
    )
    enough = by_one_clue(order.preset.grid, tiles)
    for row, is_enough in zip(tiles, enough, strict=True):
        way = next_step(replace(board, tiles=row.tobytes()))
        assert is_enough == (hardest(way) is Technique.ONE_CLUE)
    assert 300 < enough.sum() < 400


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
    sums = parts / "SHA256SUMS"
    sums.write_text(f"{hashlib.sha256(b'mine').hexdigest()}  {said['files'][0]}\n")
    (parts / said["files"][1]).unlink()
    assert main(["dataset", str(parts), *words, "--shards", "2"]) == ExitCode.DONE
    assert kept.read_text() == "mine"
    assert sums.read_text().splitlines()[1] == (whole / "SHA256SUMS").read_text().splitlines()[1]
    assert (whole / said["files"][1]).read_bytes() == (parts / said["files"][1]).read_bytes()
    capsys.readouterr()
    kept.write_text("not mine")
    assert main(["dataset", str(parts), *words, "--shards", "2"]) == ExitCode.DONE
    assert f"{kept} is damaged: " in capsys.readouterr().err
    assert kept.read_bytes() == (whole / said["files"][0]).read_bytes()
    capsys.readouterr()
    assert main(["dataset", str(parts), *words, "--shards", "4"]) == ExitCode.USAGE
    assert "contains other positions: shards 2, not 4" in capsys.readouterr().err
    seed = words[words.index("--seed") + 1]
    unseeded = [word for at, word in enumerate(words) if "--seed" not in (word, words[at - 1])]
    assert main(["dataset", str(parts), *unseeded, "--shards", "2"]) == ExitCode.USAGE
    assert f"contains positions already; to continue them, name their seed: --seed {seed}\n" in capsys.readouterr().err
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
        list(draw(always_won, 5))


@pytest.mark.parametrize("damaged", ["", "[]", "{"])
def test_a_damaged_folder_is_told(tmp_path: Path, damaged: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dataset.json").write_text(damaged)
    arguments = ["dataset", str(tmp_path), "--preset", "beginner", "--positions", "5", "--seed", "1"]
    assert main(arguments) == ExitCode.USAGE
    assert "dataset.json is damaged: " in capsys.readouterr().err


def test_the_card_has_the_command(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"d\xff")
    arguments = ["--preset", "beginner", "--positions", "5", "--seed", "1", "--format", "csv"]
    assert main(["dataset", str(folder), *arguments, "--guesses-only"]) == ExitCode.DONE
    assert "--shards 1 --format csv --guesses-only" in (folder / "README.md").read_text()
    assert "sapper dataset 'd\N{REPLACEMENT CHARACTER}' --preset" in (folder / "README.md").read_text()
    assert not [one.name for one in folder.iterdir() if one.name.startswith(".")]
    other = tmp_path / os.fsdecode(b"p\xff")  # pyarrow opens files its own way
    assert main(["dataset", str(other), *(word.replace("csv", "parquet") for word in arguments)]) == ExitCode.DONE
