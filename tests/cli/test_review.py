"""`sapper review`: its words and its JSON."""

import json
from dataclasses import replace
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
    assert lines[0].endswith(
        "reveal f1: certain mine, lost; risk 100.0 %, least 0.0 %; to win about 85 % > 0.0 % > 0.0 %"
    )
    assert lines[1].endswith("; what was revealed was certain to be a mine.")
    assert lines[3] == "lost: 4 moves, 1 guess, 1 mistake"
    assert lines[-3].startswith("to win: about ")
    assert lines[-2] == "accuracy 0.0 %"
    assert lines[-1] == "turning point: move 4, from about 85 % to 0.0 %"
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


def test_a_folder_is_one_report(tmp_path: Path, capsys: Captured) -> None:
    """Two games, one of them twice as recordings of two months, and one that cannot be trusted."""
    example = tmp_path / "a.rawvf"
    assert main(["replay", "example", "--save", str(example)]) == 0
    text = example.read_text()
    (tmp_path / "b.rawvf").write_text(text.replace("2026-11-29", "2026-10-01"))
    (tmp_path / "c.rawvf").write_text(write_rawvf(replace(some_game(), started="")))
    (tmp_path / "d.rawvf").write_text(text.replace("Status: Won", "Status: Lost"))
    assert main(["review", str(tmp_path), "--json"]) == ExitCode.NO
    out, err = capsys.readouterr()
    found = json.loads(out)
    assert err.endswith(f"sapper: {tmp_path / 'd.rawvf'}: the file says lost; the replay shows won\n")
    single = [json.loads(_json_of(str(tmp_path / name), capsys)) for name in ("a.rawvf", "b.rawvf", "c.rawvf")]
    mistakes = [one for game in single for one in game["moves"] if one["verdict"] in ("needless guess", "certain mine")]
    assert (found["files"], found["games"], found["won"]) == (4, 3, 2)
    assert found["guesses"] == sum(game["guesses"] for game in single)
    assert found["needless"]["count"] == len(mistakes)
    assert found["needless"]["cost"] == pytest.approx(sum(one["cost"] for one in mistakes))
    assert sum(one["count"] for one in found["techniques"]) == len(mistakes)
    assert [(one["name"], one["games"]) for one in found["months"]] == [("2026-10", 1), ("2026-11", 1), ("", 1)]
    assert {one["name"] for one in found["kinds"]} <= {
        "order of guesses",
        "unproved chord",
        "certain mine",
        "worse guess",
    }
    costs = [one["cost"] for one in found["worst"]]
    assert costs == sorted(costs, reverse=True)
    assert main(["review", str(tmp_path)]) == ExitCode.NO
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "3 games, 2 won; 1 left out, named on standard error"
    assert lines[1] == f"guesses: {found['guesses'] / 3:.2f} a game, {len(mistakes) / 3:.2f} of them needless"
    assert (
        f"{-100 * costs[0]:>6.1f} %  {found['worst'][0]['source']}, move {found['worst'][0]['number']}, "
        in "\n".join(lines)
    )


def _json_of(name: str, capsys: Captured) -> str:
    assert main(["review", name, "--json"]) == 0
    return capsys.readouterr().out


def test_a_folder_without_games_and_options_of_one_game(tmp_path: Path, capsys: Captured) -> None:
    for words, said in (
        ([], "has no recordings and no records"),
        (["--deep"], "need one game"),
        (["--game", "2"], "need one game"),
    ):
        assert main(["review", str(tmp_path), *words]) == ExitCode.USAGE
        assert said in capsys.readouterr().err


def test_the_recording_that_comes_with_sapper(capsys: Captured) -> None:
    assert main(["review", "example"]) == 0
    assert "needless guess, good luck" in capsys.readouterr().out
    assert main(["replay", "example", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["source"], found["won"], found["differs"]) == ("example", True, "")
