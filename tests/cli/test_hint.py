"""`sapper hint`: the next step and its reason."""

import json
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from sapper._kernels.batch import SECOND_OPINION, GuessParts
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.solver.advisor import ADVISORS, Advisor
from sapper.solver.deduce.explain import next_step
from tests.census import DATA, positions
from tests.halves import REASON, by_reference

CHAIN = "5x1/2\n#2#1#\n"


def _file(tmp_path: Path, text: str) -> str:
    path = tmp_path / "board.txt"
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("text", "words", "code", "out"),
    [
        (
            "3x2/2\n121\n###\n", [], 0,
            ("a1, b1 and c1 are a 1-2-1 in a line: a2 and c2 are mines, b2 is safe.\n"
            "No need to guess.\n"),
        ),
        (
            CHAIN, [], 0,
            ("b1 says 2 and has only 2 covered neighbours left: a1 and c1 are mines.\n"
            "d1 says 1 and its mine is c1: e1 is safe.\n"
            "No need to guess.\n"),
        ),
        (
            CHAIN, ["--all"], 0,
            ("one clue: b1 says 2 and has only 2 covered neighbours left: a1 and c1 are mines.\n"
            "one clue: d1 says 1 and its mine is c1: e1 is safe.\n"
            "No need to guess.\n"),
        ),
        (
            "F2F1#\n", ["--mines", "2", "--trust-flags"], 0,
            "d1 says 1 and its mine is c1: e1 is safe.\nNo need to guess.\n",
        ),
        (
            "3x1/1\n#1#\n", [], 0,
            ("no safe cell; the least risk is 50.0 % at a1, and you win 1 in 2; "
            "a1 and c1 are a 50/50 that cannot be avoided.\nYou may guess: nothing is certain to be safe.\n"),
        ),
        (
            "4x1/1\n####\n", [], 0,
            ("nothing is revealed that could make a cell safe; the least risk is 25.0 % at a1, and you win 3 in 4.\n"
            "You may guess: nothing is certain to be safe.\n"),
        ),
        ("2x1/1\n1#\n", [], 0, "The game is won: there is nothing to do.\n"),
        ("3x1/1\n1X#\n", [], 0, "The game is lost: there is nothing to do.\n"),
        ("3x1/1\n1#!\n", [], 0, "No covered cell can be safe: there is nothing to reveal.\n"),
    ],
)  # fmt: skip
def test_the_text(
    text: str, words: list[str], code: int, out: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["hint", _file(tmp_path, text), *words]) == code
    assert capsys.readouterr() == (out, "")


@pytest.mark.parametrize("text", ["3x1/2\n#3#\n", "3x1/2\nX3#\n", "3x2/1\nX11\n###\n", "3x1/2\n*3*\n"])
def test_a_board_that_cannot_be_is_one_when_its_game_is_over_too(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = []
    for command in ("hint", "analyse"):
        assert main([command, _file(tmp_path, text)]) == ExitCode.NO
        said.append(capsys.readouterr())
    assert said[0] == said[1]
    assert said[0].err.startswith("sapper: no layout fits the clue")


def test_the_document(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["hint", _file(tmp_path, CHAIN), "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert list(found) == ["width", "height", "mine_count", "may_guess", "steps"]
    assert found["may_guess"] is False
    first, second = found["steps"]
    assert (first["technique"], first["clues"], first["mined"], first["safe"]) == (
        "one clue",
        [[1, 0]],
        [[0, 0], [2, 0]],
        [],
    )
    assert second == {
        "technique": "one clue",
        "pattern": None,
        "why": "d1 says 1 and its mine is c1: e1 is safe",
        "clues": [[3, 0]],
        "safe": [[4, 0]],
        "mined": [],
        "wrong_flags": [],
        "known_safe": [],
        "known_mines": [[2, 0]],
        "mine_count": False,
        "best": None,
        "risk": None,
        "win": None,
        "win_low": None,
        "win_high": None,
        "exact": None,
    }


def test_the_document_of_a_guess(capsys: pytest.CaptureFixture[str]) -> None:
    line = json.loads((DATA / "census" / "expert.jsonl").read_text(encoding="ascii").splitlines()[0])
    done = subprocess.run(
        [sys.executable, "-m", "sapper", "hint", "--mines", "99", "--json"],
        input="\n".join(line["rows"]), capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    assert found["may_guess"] is True
    (step,) = found["steps"]
    assert step["technique"] == "guess"
    assert step["risk"] >= min(line["mine"])
    assert step["win_low"] <= step["win"] <= step["win_high"] <= 1 - step["risk"] + 1e-9
    assert step["exact"] is None


def test_a_guess_is_chosen_for_winning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n"
    assert main(["hint", _file(tmp_path, text)]) == ExitCode.DONE
    assert capsys.readouterr().out == (
        "b6: as risky as f1, but it decides c6 and e6: you win 2 in 3 instead of 1 in 3.\n"
        "You may guess: nothing is certain to be safe.\n"
    )


def test_a_contradiction(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = _file(tmp_path, "3x2/2\n13!\n###\n")
    message = "no layout fits the clues 1 at a1 and 3 at b1 together"
    assert main(["hint", file]) == ExitCode.NO
    assert capsys.readouterr() == ("", f"sapper: {message}\n")
    assert main(["hint", file, "--json"]) == ExitCode.NO
    out, err = capsys.readouterr()
    assert err == f"sapper: {message}\n"
    found = json.loads(out)
    assert (found["may_guess"], found["steps"]) == (None, [])
    assert found["error"] == {"message": message, "clues": [[0, 0], [1, 0]], "mine_count": False}


def test_a_board_too_hard(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    position = next(one for one in positions("expert-stuck") if not one.safe)
    text = "\n".join("".join(".12345678#"[tile] for tile in position.tiles[y * 30 :][:30]) for y in range(16))
    words = ["hint", _file(tmp_path, text), "--mines", "99"]
    monkeypatch.setattr("sapper.cli.hint.next_step", partial(next_step, cap=2))
    assert main(words) == ExitCode.LIMIT
    out, err = capsys.readouterr()
    assert err == ""
    assert out.splitlines()[0].startswith("no safe cell was found within the cap on work; ")
    assert out.splitlines()[1] == "It is unknown whether you have to guess: the board takes too much work to analyse."
    assert main([*words, "--json"]) == ExitCode.LIMIT
    assert json.loads(capsys.readouterr().out)["may_guess"] is None


def test_whose_guess_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Advisor] = []

    def noted(advisor: Advisor) -> GuessParts:
        asked.append(advisor)
        return SECOND_OPINION

    monkeypatch.setattr(Advisor, "parts", property(noted))
    file = _file(tmp_path, "6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n")
    main(["hint", file])
    monkeypatch.setenv("SAPPER_ADVICE_STRATEGY", "playouts")
    main(["hint", file])
    monkeypatch.setenv("SAPPER_ADVICE_TIME", "0.02")
    main(["analyse", file])
    assert asked == [Advisor(), Advisor(strategy="playouts"), Advisor(strategy="playouts", seconds=0.02)]
    capsys.readouterr()
    monkeypatch.setenv("SAPPER_ADVICE_STRATEGY", "random")
    assert main(["hint", file]) == ExitCode.USAGE
    assert f'advice.strategy is one of {", ".join(ADVISORS)}, not "random"' in capsys.readouterr().err


@pytest.mark.parametrize("command", ["hint", "analyse"])
def test_without_the_library_it_is_said_why_a_chance_is_not_known(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "board.txt"
    path.write_text("9x9/10\n" + 2 * "#########\n" + "###1#####\n" + 6 * "#########\n", encoding="utf-8")
    with by_reference():
        assert main([command, str(path)]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert "not known" in out
    assert err == f"sapper: running in Python, many times slower, without playouts: {REASON} (see sapper doctor)\n"
