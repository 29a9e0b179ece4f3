"""`sapper simulate --sprt`: what decides, what it says, and that workers and interruptions change nothing."""

import json
from pathlib import Path
from typing import Any

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.simulate.comparison import LOWER, UPPER, Accepted, SequentialTest

GAME = ["--preset", "beginner", "--seed", "1", "--strategy", "least-risk"]
TEST = [*GAME, "--strategy", "random", "--sprt", "0,20"]


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, dict[str, Any]]:
    code = main(["simulate", *words, "--json"])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, {key: value for key, value in found.items() if key not in ("seconds", "players")}


def _won(path: Path) -> list[bool]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split(",")[3] == "won" for line in lines[1:]]


def test_the_pairs_are_those_of_the_boards_in_their_order(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, found = _json(capsys, *TEST)
    assert (code, found["accepted"], found["strategy"], found["against"]) == (ExitCode.DONE, 20, "least-risk", "random")
    games = tmp_path / "games.csv"
    assert (
        main(["simulate", *GAME, "--strategy", "random", "--games", "500", "--per-game", str(games)]) == ExitCode.DONE
    )
    capsys.readouterr()
    won = _won(games)
    test = SequentialTest(low=0.0, high=0.2)
    for first, second in zip(won[:500], won[500:], strict=True):
        test.add(first=first, second=second)
    assert test.accepted is Accepted.HIGH
    assert found["pairs"] == test.pairs < 500
    assert (found["both"], found["only_first"]) == (test.both, test.only_first)
    assert (found["only_second"], found["neither"]) == (test.only_second, test.neither)
    assert found["ratio"] == test.ratio >= UPPER == found["ratio_high"]


def test_the_other_way_round_the_answer_is_no(capsys: pytest.CaptureFixture[str]) -> None:
    words = [
        "--preset",
        "beginner",
        "--seed",
        "1",
        "--strategy",
        "random",
        "--strategy",
        "least-risk",
        "--sprt",
        "0,20",
    ]
    assert main(["simulate", *words]) == ExitCode.NO
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "random against least-risk on beginner, 9x9, 10 mines, start open at c3, seed 1"
    assert "accepted: a difference of 0 percentage points (random less least-risk), rather than 20" in lines
    assert any("no measure" in line for line in lines)
    assert f"the test ends at {LOWER:.2f} and {UPPER:.2f}" in lines[2]


def test_what_the_limit_leaves_open_is_gone_on_with(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [*GAME, "--strategy", "best-reply", "--sprt", "-1,1"]
    whole_code, whole = _json(capsys, *words, "--workers", "2")
    assert whole["pairs"] > 300
    kept = ["--resume", str(tmp_path / "test.run")]
    code, part = _json(capsys, *words, "--games", "200", *kept)
    assert (code, part["accepted"], part["pairs"]) == (ExitCode.LIMIT, None, 200)
    assert main(["simulate", *words, "--games", "250", *kept]) == ExitCode.LIMIT
    assert "not decided: --games 500 would allow more" in capsys.readouterr().out
    assert _json(capsys, *words, *kept) == (whole_code, whole)
    again_code, again = _json(capsys, *words, *kept)
    assert (again_code, again) == (whole_code, whole)
    other = [*GAME, "--strategy", "best-reply", "--sprt", "-1,2"]
    assert main(["simulate", *other, *kept]) == ExitCode.USAGE
    assert "its sprt is [-1.0, 1.0]" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--sprt", "0,1"], "--sprt compares two strategies: give --strategy twice"),
        (["--strategy", "random", "--sprt", "1,0"], "the lower first, for instance 0,0.3, not '1,0'"),
        (["--strategy", "random", "--sprt", "x"], "not 'x'"),
        (["--strategy", "random", "--sprt", "0,100"], "not '0,100'"),
        (["--strategy", "least-risk", "--sprt", "0,1"], "least-risk is given twice"),
        (["--strategy", "nobody", "--sprt", "0,1"], "nobody"),
        (["--strategy", "single", "--strategy", "random", "--sprt", "0,1"], "compares two strategies"),
        (["--strategy", "random", "--sprt", "0,1", "--shard", "1/2"], "--sprt and --shard"),
        (["--strategy", "random", "--sprt", "0,1", "--losses"], "--sprt and --losses"),
        (["--strategy", "random", "--sprt", "0,1", "--per-game", "-"], "--sprt and --per-game"),
    ],
)
def test_what_cannot_be_asked_for(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *GAME, *words]) == ExitCode.USAGE
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""
