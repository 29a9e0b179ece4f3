"""`sapper simulate`: the contract's JSON, one line for every error, Ctrl-C."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sapper
from sapper import _kernels
from sapper._kernels import batch
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.core.board import first_cell
from sapper.core.record_binary import read_record, record_pieces
from sapper.core.status import Status
from sapper.generator.board_file import read_board_list
from sapper.generator.new_game import new_game
from sapper.metrics.interval import wilson
from sapper.metrics.layout import bbbv_of
from sapper.simulate import runner
from sapper.simulate.plan import Plan
from sapper.simulate.results import RunSummary, SimulatedGame
from tests.halves import REASON, by_reference
from tests.recorded import check_record

COMPILING = "sapper: compiling, once a machine, a minute or so\n"
"""What the first on a machine is told."""

CONTRACT = {"games", "won", "rate", "low", "high", "seconds", "games_per_second", "strategy", "backend"}


def _json(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["simulate", *words, "--json"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    assert err in ("", COMPILING)
    found: dict[str, Any] = json.loads(out)
    return found


def test_json_has_what_the_contract_says(capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(
        capsys, "--preset", "beginner", "--start", "open", "--strategy", "single", "--games", "400", "--seed", "3"
    )
    assert found.keys() >= CONTRACT
    assert (found["games"], found["requested"], found["interrupted"]) == (400, 400, False)
    assert (found["strategy"], found["backend"], found["start"]) == ("single", "native", "open")
    assert found["won"] + found["lost"] == 400
    assert 250 < found["won"] < 390
    assert found["rate"] == found["won"] / 400
    assert (found["low"], found["high"]) == wilson(found["won"], 400)
    assert found["games_per_second"] == found["games"] / found["seconds"]


@pytest.mark.parametrize(
    ("words", "first"),
    [
        (["--preset", "expert", "--start", "open"], [3, 3]),
        (["--preset", "intermediate"], [2, 2]),
        (["--preset", "beginner", "--start", "safe"], [0, 0]),
        (["--preset", "expert", "--rules", "classic"], [0, 0]),
        (["--preset", "kata", "--start", "any"], [0, 0]),
        (["--preset", "expert", "--first", "4, 7"], [4, 7]),
        (["--preset", "expert", "--first", "E8"], [4, 7]),
        (["--preset", "expert", "--size", "5x4", "--mines", "3"], [2, 2]),
    ],
)
def test_the_first_cell(words: list[str], first: list[int], capsys: pytest.CaptureFixture[str]) -> None:
    found = _json(capsys, *words, "--strategy", "random", "--games", "5", "--seed", "1")
    assert found["first"] == first


def test_a_seed_is_drawn_and_said(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--preset", "kata", "--strategy", "random", "--games", "50")
    found = _json(capsys, *words)
    again = _json(capsys, *words, "--seed", str(found["seed"]), "--workers", "2")
    for key in ("won", "moves", "guesses", "mine_count"):
        assert found[key] == again[key]
    assert found["mine_count"] == [1, 3]


def test_per_game_lines_are_the_same_from_both_backends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    texts = []
    won = 0
    for backend in ("auto", "reference"):
        path = tmp_path / f"{backend}.txt"
        words = ["--preset", "beginner", "--strategy", "subset", "--games", "30", "--seed", "9"]
        found = _json(capsys, *words, "--per-game", str(path), "--backend", backend)
        assert found["backend"] == {"auto": "native", "reference": "reference"}[backend]
        won = found["won"]
        texts.append(path.read_text(encoding="utf-8"))
    assert texts[0] == texts[1]
    header, *lines = texts[0].splitlines()
    assert header == "# game seed result moves guesses revealed bbbv fault # the command that shows the game"
    for line in lines:
        values, _, shown = line.partition(" # ")
        _, seed, *_, bbbv, fault = values.split()
        assert shown == f"sapper bot --preset beginner --first c3 --strategy subset --seed {seed}"
        game = new_game("beginner", seed=int(seed))
        game.reveal(first_cell(game.grid, game.rules.start))
        game.terminate()
        assert (int(bbbv), fault) == (bbbv_of(game.layout), "-")
    assert [line.split()[0] for line in lines] == [str(number) for number in range(30)]
    assert sum(line.split()[2] == "won" for line in lines) == won


def test_pairs_of_a_run_with_missing_games_are_those_of_the_per_game_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(plan: Plan, strategy: str, *, on_played: Callable[[SimulatedGame], None], **how: Any) -> RunSummary:
        """The second strategy's run as two workers leave it that were stopped in their first games."""

        def note(played: SimulatedGame) -> None:
            if strategy == "single" or played.number in {*range(10), *range(50, 60)}:
                on_played(played)

        return runner.simulate(plan, strategy, on_played=note, **how)

    monkeypatch.setattr("sapper.cli.simulation_run.simulate", interrupted)
    path = tmp_path / "games.txt"
    words = ["--preset", "beginner", "--games", "100", "--seed", "1", "--strategy", "single", "--strategy", "subset"]
    (pair,) = _json(capsys, *words, "--per-game", str(path))["pairs"]
    won: list[dict[int, bool]] = []
    for part in path.read_text(encoding="utf-8").split("# strategy ")[1:]:
        lines = [line.split() for line in part.splitlines()[1:] if line[0].isdigit()]
        won.append({int(number): result == "won" for number, _, result, *_ in lines})
    first, second = won
    assert sorted(second) == [*range(10), *range(50, 60)]
    assert pair["games"] == 20
    assert pair["only_first_games"] == [game for game in second if first[game] and not second[game]]
    assert pair["only_second_games"] == [game for game in second if second[game] and not first[game]] != []
    assert pair["both"] == sum(first[game] and second[game] for game in second)


def test_boards_of_a_list(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("# two small ones and a lost one\n3 1 1 2 0\n4 1 1 3 0\n4 1 1 0 0\n", encoding="utf-8")
    assert len(list(read_board_list(path.read_text().splitlines()))) == 3
    found = _json(capsys, "--boards", str(path), "--strategy", "least-risk")
    assert (found["games"], found["won"], found["backend"]) == (3, 2, "native")
    assert (found["boards"], found["preset"], found["first"]) == (str(path), None, None)
    assert _json(capsys, "--boards", str(path), "--games", "2")["won"] == 2
    assert main(["simulate", "--boards", str(path)]) == ExitCode.DONE
    assert f"least-risk on {path}\nwon 2 of 3 games: 66.67 %" in capsys.readouterr().out


def test_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--preset", "kata", "--strategy", "random", "--games", "40", "--seed", "1"]
    assert main(["simulate", *words]) == ExitCode.DONE
    first, second, third = capsys.readouterr().out.splitlines()
    assert first == "random on kata, 3x3, 1 or 3 mines, start any at a1, seed 1"
    assert second.startswith("won ")
    assert "(95 %: " in second
    assert third.endswith("games a second (native)")


def test_per_game_lines_on_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--preset", "kata", "--strategy", "single", "--games", "3", "--seed", "1", "--per-game", "-"]
    assert main([*words, "--backend", "reference"]) == ExitCode.DONE
    out, err = capsys.readouterr()
    head, *games = out.splitlines()
    assert head.startswith("# game seed result")
    assert [line.split()[0] for line in games] == ["0", "1", "2"]
    assert "of 3 games: " in err
    assert main([*words, "--json"]) == ExitCode.USAGE
    assert "standard output is for one of them" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--preset", "beginner", "--strategy", "least-risk", "--strategy", "least-risk"], "least-risk is given twice"),
        (["--preset", "exprt"], "unknown preset 'exprt'"),
        (["--preset", "expert", "--strategy", "exakt"], "unknown strategy 'exakt'"),
        (
            ["--preset", "expert", "--strategy", "nowhere:Player"],
            "'nowhere:Player' could not be loaded: ModuleNotFound",
        ),
        (["--preset", "expert", "--strategy", "sys:Player"], "'sys:Player' could not be loaded: AttributeError"),
        (["--preset", "expert", "--first", "30,0"], "sapper: ae1 is off the board: cells are a1 to ad16"),
        (
            ["--preset", "expert", "--first", "3;3"],
            "a cell is a letter and a number, as c4, or column,row from 0, as 2,3; not '3;3'",
        ),
        (["--preset", "expert", "--games", "0"], "0 is not in the range"),
        (["--preset", "expert", "--seed", "-1"], "a seed is an integer from 0 to 2**64 - 1"),
        (["--boards", "none.txt"], "none.txt"),
        (["--boards", os.devnull], "no boards in it"),
        (["--boards", os.devnull, "--mines", "3"], "--mines and --boards: the boards have their own"),
        (["--boards", os.devnull, "--preset", "beginner"], "--preset and --boards: the boards are played by --rules"),
        (["--boards", os.devnull, "--start", "safe"], "--start and --boards: the boards are played by --rules"),
        (["--preset", "kata", "--per-game", "no/such/folder/x"], "No such file or directory"),
    ],
)
def test_wrong_usage(words: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", *words]) == ExitCode.USAGE
    out, err = capsys.readouterr()
    assert out == ""
    assert line in err
    assert err.count("\n") == 1


def test_a_list_that_cannot_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "boards.txt"
    path.write_text("3 1 1 2 0\n3 1 2 2 0\n", encoding="utf-8")
    assert main(["simulate", "--boards", str(path)]) == ExitCode.USAGE
    assert f"{path}:2:5: MINES says 2, but 1 is listed" in capsys.readouterr().err
    path.write_bytes(b"3 1 1 2 0\n\x00\xff\n")
    assert main(["simulate", "--boards", str(path)]) == ExitCode.USAGE
    assert capsys.readouterr().err == f"sapper: {path}:2:2: not a text: byte 0xff\n"


def test_without_a_library_the_reference_plays(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "--preset", "kata", "--strategy", "single", "--games", "5", "--seed", "1", "--json"]
    with by_reference():
        assert main(words) == ExitCode.DONE
        out, err = capsys.readouterr()
        assert json.loads(out)["backend"] == "reference"
        assert err == f"sapper: running in Python, many times slower, without playouts: {REASON} (see sapper doctor)\n"
        assert main([*words, "--backend", "reference"]) == ExitCode.DONE
    assert capsys.readouterr().err == ""


def test_a_strangers_faults_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "faulty.py").write_text(
        "class Faulty:\n    def __init__(self, rng): pass\n    def choose(self, board): raise ValueError('no')\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    words = ["--preset", "kata", "--start", "safe", "--strategy", "faulty:Faulty", "--games", "3", "--seed", "1"]
    assert main(["simulate", *words, "--json"]) == ExitCode.NO
    found = json.loads(capsys.readouterr().out)
    assert (found["backend"], found["faults"]["raised"] + found["won"]) == ("process", 3)
    assert found["won"] + found["lost"] + found["terminated"] + found["faulted"] == found["games"] == 3
    assert re.fullmatch(r"game \d: raised: ValueError: no \(.*faulty.py, line 3\)", found["fault_example"])
    assert main(["simulate", *words]) == ExitCode.NO
    told = capsys.readouterr().out
    assert f"the others: 0 lost, 0 given up, {found['faulted']} ended by a fault of the strategy\n" in told
    assert f"faults: {found['faulted']} raised; the first: " in told
    assert main(["simulate", "--preset", "kata", "--strategy", "faulty:Nobody"]) == ExitCode.USAGE
    assert "could not be loaded" in capsys.readouterr().err


def test_strategies_are_compared_on_the_same_layouts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "games.txt"
    words = "--preset beginner --games 120 --seed 4 --strategy single --strategy least-risk".split()
    found = _json(capsys, *words, "--per-game", str(path))
    single, least_risk = found["strategies"]
    assert single.keys() >= CONTRACT
    assert {name: value for name, value in least_risk.items() if "second" not in name} == {
        name: value
        for name, value in _json(capsys, *words[:6], "--strategy", "least-risk").items()
        if "second" not in name
    }
    won: dict[str, list[bool]] = {}
    games: list[bool] = []
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith("# strategy "):
            won[line.removeprefix("# strategy ")] = games = []
        else:
            games.append(line.split()[2] == "won")
    (pair,) = found["pairs"]
    both = list(zip(won["single"], won["least-risk"], strict=True))
    assert pair["only_second_games"] == [number for number, one in enumerate(both) if one == (False, True)] != []
    assert (pair["both"], pair["neither"]) == (both.count((True, True)), both.count((False, False)))
    assert pair["difference"] == pytest.approx(single["rate"] - least_risk["rate"])
    assert pair["low"] < pair["difference"] < pair["high"] < 0
    assert main(["simulate", *words]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert f"single and least-risk: {pair['both']} won by both, {pair['neither']} by neither\n" in out
    assert f"  only least-risk won {pair['only_second']} games: {pair['only_second_games'][0]}, " in out
    command = re.search(r"game \d+: sapper (bot .* --strategy single .*)", out)
    assert command is not None
    assert main([*command[1].split(), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["won"] == 0  # the game that only the other wins


def test_losses_are_shown_with_what_could_be_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--preset", "beginner", "--games", "200", "--seed", "4", "--strategy", "least-risk"]
    found = _json(capsys, *words, "--losses", "2")
    assert [one["game"] for one in found["losses"]] == sorted(one["game"] for one in found["losses"])
    for loss in found["losses"]:
        assert 0 < loss["risk"] < 1
        assert loss["risk"] == pytest.approx(loss["least_risk"])  # the strategy takes the least there is
        assert loss["safe"] == []
        board = sapper.read_board("\n".join(loss["board"]), mine_count=10)
        assert loss["risk"] == sapper.analyse(board).risk(board.grid.cell(*loss["cell"]))
        assert main([*loss["again"].split()[1:], "--json"]) == ExitCode.DONE
        game = json.loads(capsys.readouterr().out)["played"][0]
        assert (game["result"], game["move_count"]) == ("lost", loss["move"])
    (tmp_path / "boards.txt").write_text("5 1 2 1,4 0\n3 1 1 0 2\n4 1 2 0,3 1\n", encoding="utf-8")
    code = "import sapper\nclass Last:\n def __init__(self, rng): pass\n def choose(self, board):\n"
    code += "  return sapper.Choice(sapper.Move.reveal(max(board.covered)), 'the last')\n"
    (tmp_path / "last.py").write_text(code, encoding="utf-8")
    words = ["--boards", "boards.txt", "--strategy", "last.py", "--seed", "1", "--losses"]
    assert main(["simulate", *words]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    at = lines.index("games that last.py lost:")
    codes = {0: "modern+start=any:5x1x2.YQ.f0-0.ac4q", 2: lines[-1].split()[3]}
    assert lines[at + 1 :] == [
        "game 0: move 2, reveal e1, hit a mine: its chance was 33.3 %, and no cell risked less",
        "  last.py: the last",
        f"  sapper bot --code {codes[0]} --strategy last.py --seed {_kernels.child_seed(1, 0)}",
        "game 2: move 2, reveal d1, was certain to hit a mine; the least risk was 50.0 % at a1",
        "  last.py: the last",
        f"  sapper bot --code {codes[2]} --strategy last.py --seed {_kernels.child_seed(1, 2)}",
    ]
    assert main(lines[-1].split()[1:]) == ExitCode.DONE
    assert "the game: lost in 2 moves" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("backend", "workers", "number"),
    [
        ("auto", "1", signal.SIGINT),
        ("auto", "2", signal.SIGTERM),
        ("reference", "1", signal.SIGTERM),
        ("reference", "2", signal.SIGINT),
        ("reference", "2", signal.SIGTERM),
    ],
)
def test_a_signal_gives_what_was_done_so_far(
    backend: str, workers: str, number: signal.Signals, tmp_path: Path
) -> None:
    path = tmp_path / "games.txt"
    words = ["--preset", "beginner", "--strategy", "single", "--games", "100000000", "--seed", "1", "--json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "sapper", "simulate", *words, "--backend", backend, "--workers", workers,
         "--per-game", str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        # The file is written through a buffer: its first block is there once some games were played.
        while process.poll() is None and not (path.exists() and path.stat().st_size > 4000):
            time.sleep(0.05)
        os.killpg(process.pid, number)  # as a terminal and a service manager do: to its workers too
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
    found = json.loads(out)
    assert (process.returncode, err.removeprefix(COMPILING)) == (ExitCode.NO, "")
    assert found["interrupted"] is True
    assert 50 < found["games"] < 100000000
    assert found["rate"] == found["won"] / found["games"]
    assert len(path.read_text(encoding="utf-8").splitlines()) == found["games"] + 1


def test_ctrl_c_before_the_first_game(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    before = signal.getsignal(signal.SIGINT)
    made = batch.make_player

    def make_player(strategy: str, series: batch.Series) -> "batch.NativePlayer":
        os.kill(os.getpid(), signal.SIGINT)
        return made(strategy, series)

    with monkeypatch.context() as patch:
        patch.setattr(batch, "make_player", make_player)
        words = ["simulate", "--preset", "kata", "--strategy", "random", "--json"]
        assert main(words) == ExitCode.NO
        found = json.loads(capsys.readouterr().out)
        assert (found["games"], found["rate"], found["low"], found["high"]) == (0, None, 0.0, 1.0)
        assert found["interrupted"] is True
        assert main(words[:-1]) == ExitCode.NO
        assert capsys.readouterr().out == "interrupted after 0 of 1,000 games\nno game was played\n"
    assert signal.getsignal(signal.SIGINT) is before


def test_a_start_that_cannot_be_kept_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate --preset beginner --size 3x3 --mines 8 --games 2 --backend reference".split()
    assert main([*words, "--strategy", "random", "--seed", "1", "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 2
    assert "note: with 8 mines on 3x3 cells start 'open' cannot be kept at c3; start 'safe' is" in said.err


def test_records_are_the_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--preset", "beginner", "--strategy", "least-risk", "--games", "6", "--seed", "3"]
    lines, binary = tmp_path / "games.jsonl", tmp_path / "games.sapr"
    plain = _json(capsys, *words)
    found = _json(capsys, *words, "--records", str(lines), "--workers", "2")
    assert (found["won"], found["backend"], plain["won"]) == (plain["won"], "reference", found["won"])
    assert main(["simulate", *words, "--records", str(binary)]) == 0
    games = [[read_record(piece) for piece in record_pieces(path.read_bytes())] for path in (lines, binary)]
    assert games[0] == games[1]
    assert len(games[0]) == 6
    for record in games[0]:
        check_record(record)
        assert record.player == "least-risk"
    assert sum(record.status is Status.WON for record in games[0]) == found["won"]
    capsys.readouterr()
    assert main(["replay", str(binary), "--game", "6", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["name"], document["moves"]) == ("least-risk", len(games[0][5].played))
    assert main(["replay", str(binary), "--game", "7"]) == 2
    assert "the file has 6 records, and game 7 was asked for" in capsys.readouterr().err
