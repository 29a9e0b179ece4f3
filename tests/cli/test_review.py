"""`sapper review`: its words and its JSON."""

import json
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.replay.rawvf import write_rawvf
from sapper.review.values import MoveVerdict
from tests.recordings import some_game

Captured = pytest.CaptureFixture[str]


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game.rawvf"
    path.write_text(write_rawvf(some_game()))
    return path


def test_words(game: Path, capsys: Captured) -> None:
    assert main(["review", str(game)]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert lines[0].startswith("   4     2.300 s  reveal f1: certain mine, lost; risk 100.0 %, least 0.0 %; to win ")
    assert lines[1].endswith("; what was revealed was certain to be a mine.")
    assert lines[3] == "lost: 4 moves, 1 guess, 1 mistake"
    assert lines[-2] == "accuracy 0.0 %"
    assert lines[-1].startswith("turning point: move 4, from ")
    assert main(["review", str(game), "--all"]) == 0
    assert capsys.readouterr().out.splitlines()[0] == "   1     0.000 s  reveal c3: first"


def test_json(game: Path, capsys: Captured) -> None:
    assert main(["review", str(game), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["verdicts"]) == {verdict.value for verdict in MoveVerdict}
    assert sum(found["verdicts"].values()) == len(found["moves"]) == 4
    assert found["win_last"] == pytest.approx(found["win_first"] - found["cost"] + found["luck"]) == 0
    last = found["moves"][-1]
    assert (last["x"], last["y"], last["verdict"], found["turning_point"]) == (5, 0, "certain mine", 4)
    assert last["missed"]
    assert last["best"] in last["missed"]


def test_bad_input_and_limits(game: Path, capsys: Captured) -> None:
    assert main(["review", "missing.avf"]) == ExitCode.USAGE
    assert capsys.readouterr().err == "sapper: missing.avf: No such file or directory\n"
    assert main(["review", str(game), "--cap", "1"]) in (ExitCode.DONE, ExitCode.LIMIT)
