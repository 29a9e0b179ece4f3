"""`sapper stats`: its words, its JSON and CSV, its plots."""

import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.cli.stats import kind_words
from sapper.core.preset import PRESETS, find_preset
from sapper.net.seat import level_preset
from sapper.store.models import GameKind, Result, StoredGuess, StoredSimulation
from sapper.store.repository import open_store
from tests.stored import BEGIN, stored

Sapper = Callable[..., str]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "games.db"
    expert = GameKind.of(find_preset("expert"))
    with open_store(path) as store:
        store.record_many(
            [
                stored("a", player="ann", time_ms=9000, solved_bbbv=18, clicks=20),
                stored("b", player="ann", time_ms=4000),
                stored("c", result=Result.LOST, time_ms=10, guesses=(StoredGuess(0.5, True, True),)),
                stored("d", kind=expert, result=Result.TERMINATED),
                stored("e", hints=1),
                stored("f", debugged=True),
                stored("g", strategy="least-risk", kind=expert),
            ]
        )
        run = StoredSimulation(
            key="r", kind=expert, strategy="least-risk", games=1000, won=400, lost=600, seconds=2, seed=1, at=BEGIN
        )  # fmt: skip
        store.record_simulation(run)
        store.record_simulation(replace(run, key="again", games=10, won=1, lost=9))
        store.record_simulation(replace(run, key="s", strategy="single", won=100, lost=900, seed=2))
        store.record_simulation(replace(run, key="t", kind=None, boards="list.txt"))
    return path


@pytest.fixture
def sapper(path: Path, capsys: pytest.CaptureFixture[str]) -> Sapper:
    def run(*words: str, code: ExitCode = ExitCode.DONE) -> str:
        assert main(["stats", "--database", str(path), *words]) == code
        out, err = capsys.readouterr()
        return out if code is ExitCode.DONE else err

    return run


def test_words(sapper: Sapper) -> None:
    lines = sapper().splitlines()
    assert lines[:3] == [
        "games played (all players of this store): 4",
        "games won: 2, 50.0 % of 4 that have ended (95 %: 15.0 to 85.0 %)",
        "lost 1, given up 1, not finished 0; streak 0, longest 2",
    ]
    assert " ".join(lines[5].split()) == "beginner 9x9/10, start open 3 2 66.7 % 4.000 s 6.500 s 2.00 90 %"
    others = "1 with help (--table assisted); 1 by programs (--table bots); 1 with the mines shown, which count nowhere"
    assert lines[-1] == f"not in this table: {others}"


def test_a_game_that_has_not_ended_is_in_no_rate(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "first.db")
    with open_store(path) as store:
        store.record(stored("first", result=Result.PLAYING))
    assert main(["stats", "--database", path]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == ["games played (all players of this store): 1", "games won: 0"]
    assert "%" not in lines[5]
    assert main(["stats", "--database", path, "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)
    assert (found["played"], found["rate"], found["kinds"][0]["rate"]) == (1, None, None)


def test_a_list_without_games_names_the_table_that_has_some(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "bots.db")
    assert main(["bot", "--record", "--quiet", "--seed", "1", "--database", path]) == ExitCode.DONE
    capsys.readouterr()
    assert main(["stats", "games", "--database", path]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[-3:] == ["not in this table: 1 by programs (--table bots)", "", "no such game has ended in this table"]


def test_json(sapper: Sapper) -> None:
    found = json.loads(sapper("--json", "--player", "ann"))
    assert (found["played"], found["won"], found["best_ms"], found["median_ms"]) == (2, 2, 4000, 6500)
    assert found["kinds"][0]["preset"] == "beginner"
    assert json.loads(sapper("--json", "--since", "2026-01-02"))["played"] == 0
    assert json.loads(sapper("--json", "--preset", "30x16/99"))["played"] == 1
    bots = json.loads(sapper("--json", "--table", "bots", "--strategy", "least-risk"))
    assert (bots["played"], bots["others"]["plain"]["played"]) == (1, 0)


def test_an_unknown_preset_is_a_mistake(sapper: Sapper, path: Path) -> None:
    known = ", ".join(PRESETS)
    for words in ([], ["--json"], ["strategies"]):
        said = sapper("--preset", "expret", *words, code=ExitCode.USAGE)
        assert said == f"sapper: unknown preset 'expret'; known are: {known}\n"
    assert sapper("--preset", "kata").splitlines()[0] == "games played (all players of this store): 0"
    with open_store(path) as store:
        store.record(stored("s", kind=replace(GameKind.of(find_preset("beginner")), preset="school 8x8")))
    assert sapper("--preset", "school 8x8").splitlines()[0] == "games played (all players of this store): 1"
    said = sapper("--preset", "expret", code=ExitCode.USAGE)
    assert said == f"sapper: unknown preset 'expret'; known are: {known}, school 8x8\n"


def test_a_player_without_games_is_told_from_one_whose_games_are_others(sapper: Sapper) -> None:
    assert sapper("--player", "nobody").splitlines() == [
        "games played (player nobody): 0", "games won: 0", "no game of player 'nobody' was recorded",
    ]  # fmt: skip
    assert sapper("--player", "ann", "--preset", "expert").splitlines() == [
        "games played (player ann): 0", "games won: 0",
    ]  # fmt: skip
    assert sapper("--player", "nobody", "--preset", "expert").splitlines()[-1:] == [
        "no game of player 'nobody' was recorded"
    ]
    bots = sapper("--table", "bots", "--strategy", "exakt").splitlines()
    assert bots[0] == "games played by programs (strategy exakt): 0"
    assert sapper("--table", "bots").splitlines()[0] == "games played by programs (all programs of this store): 1"
    assert bots[-1] == "no game of strategy 'exakt' was recorded"
    assert sapper("--table", "bots", "--strategy", "least-risk", "--preset", "kata").splitlines()[-1] == "games won: 0"
    assert json.loads(sapper("--player", "nobody", "--json"))["played"] == 0


def test_csv(sapper: Sapper) -> None:
    rows = list(csv.DictReader(io.StringIO(sapper("--csv"))))
    assert [(row["preset"], row["played"], row["won"]) for row in rows] == [
        ("beginner", "3", "2"),
        ("expert", "1", "0"),
    ]
    assert sapper("--csv", "--player", "nobody") == ""


def test_calibration(sapper: Sapper) -> None:
    row, words = sapper("calibration").splitlines()[-2:]
    assert row.split() == ["50", "to", "55", "%", "50.0", "%", "1", "100.0", "%", "20.7", "to", "100.0", "%", "0"]
    assert words == "needless: there was a cell that was certain to be safe"
    assert "no move with a claimed risk" in sapper("calibration", "--player", "ann")


def test_finished_games(sapper: Sapper, path: Path) -> None:
    with open_store(path) as store:
        store.record_many(
            [stored(f"n{n}", ended=BEGIN + timedelta(days=3, seconds=n), player="cy", solved_bbbv=18) for n in range(3)]
        )
    lines = sapper("games", "--count", "2", "--player", "cy").splitlines()
    assert lines[-4].split() == ["game", "ended", "(UTC)", "result", "time", "3BV/s", "player", "key"]
    assert [line.split()[-8:] for line in lines[-3:-1]] == [
        ["won", "9.000", "s", "2.00", "cy", f"n{n}", "(no", "moves)"] for n in (2, 1)
    ]
    assert lines[-1] == f"earlier ones: --until {BEGIN + timedelta(days=3, seconds=2):%Y-%m-%dT%H:%M:%S}"
    found = json.loads(sapper("games", "--player", "cy", "--until", lines[-1].split()[-1], "--json"))["games"]
    assert [(one["key"], one["result"], one["recorded"]) for one in found] == [
        ("n1", "won", False),
        ("n0", "won", False),
    ]
    assert "no such game has ended" in sapper("games", "--player", "cy", "--since", "2100-01-01")


def test_luck(sapper: Sapper) -> None:
    *rows, together, words = sapper("luck").splitlines()[-4:]
    assert together.split() == ["together", "1", "1", "0", "0", "0.50", "-0.50"]
    assert rows[-1].split()[2:] == together.split()[1:]
    assert words.startswith("games: those with a guess")
    luck = json.loads(sapper("luck", "--json"))["luck"]
    assert len(luck["periods"]) == 1
    total = luck["total"]
    assert (total["forced"], total["needless"], total["survived"], total["luck"]) == (1, 0, 0, -0.5)
    assert "no guess was recorded" in sapper("luck", "--player", "ann")


def test_strategies(sapper: Sapper) -> None:
    lines = sapper("strategies").splitlines()
    assert [line.split()[:5] for line in lines[1:3]] == [
        ["expert", "30x16/99", "start", "open", "least-risk"],
        ["expert", "30x16/99", "start", "open", "single"],
    ]
    # The same seed twice is the same games.
    assert "1,000  40.00 %" in lines[1]
    assert lines[3].startswith("list.txt")
    found = json.loads(sapper("strategies", "--json", "--preset", "expert"))["strategies"]
    assert [(one["strategy"], one["rate"]) for one in found] == [("least-risk", 0.4), ("single", 0.1)]
    assert len(sapper("strategies", "--csv").splitlines()) == 4
    assert "no simulation was recorded" in sapper("strategies", "--preset", "kata")


@pytest.mark.parametrize("words", [[], ["strategies"]])
def test_plots(sapper: Sapper, tmp_path: Path, words: list[str]) -> None:
    picture = tmp_path / "plot.svg"
    sapper(*words, "--plot", str(picture))
    assert picture.read_text(encoding="utf-8").startswith("<?xml")
    sapper("--player", "nobody", "--plot", str(picture), code=ExitCode.USAGE)


def test_wrong_usage(sapper: Sapper, tmp_path: Path) -> None:
    assert "--json or --csv" in sapper("--json", "--csv", code=ExitCode.USAGE)
    assert "a plot is one of svg, png, pdf: a.txt" in sapper("--plot", str(tmp_path / "a.txt"), code=ExitCode.USAGE)
    assert "Invalid value for '--since'" in sapper("--since", "soon", code=ExitCode.USAGE)
    said = sapper("--since", "2026-05-01", "--until", "2026-05-01", code=ExitCode.USAGE)
    assert "--since must be before --until" in said
    assert "nowhere/a.svg: No such file or directory" in sapper("--plot", "nowhere/a.svg", code=ExitCode.USAGE)


def test_nothing_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["stats", "--database", str(tmp_path / "new.db")]) == ExitCode.USAGE
    assert "new.db: no store" in capsys.readouterr().err
    monkeypatch.setenv("SAPPER_DATABASE", str(tmp_path / "new.db"))
    assert main(["stats"]) == ExitCode.DONE
    assert capsys.readouterr().out == "games played (all players of this store): 0\ngames won: 0\n"


def test_a_level_of_the_server_is_found_in_every_size_or_one(sapper: Sapper, path: Path) -> None:
    """The size is part of the preset's name."""
    kinds = [GameKind.of(level_preset(columns, 10, 1)) for columns in (20, 30)]
    with open_store(path) as store:
        store.record_many([stored(f"j{kind.width}", kind=kind) for kind in kinds])
        store.record_simulation(
            StoredSimulation(key="j", kind=kinds[0], strategy="least-risk", games=5, won=2, lost=3, seconds=2, seed=1, at=BEGIN)
        )  # fmt: skip
    for name, played in (("jminesweeper-1", 2), ("jminesweeper-1 20x10", 1)):
        assert sapper("--preset", name).splitlines()[0] == f"games played (all players of this store): {played}"
        assert len(json.loads(sapper("strategies", "--json", "--preset", name))["strategies"]) == 1
    assert sapper("--preset", "jminesweeper-2").splitlines()[0] == "games played (all players of this store): 0"
    for name in ("jminesweeper", "jminesweeper-1 20x1"):
        said = sapper("--preset", name, code=ExitCode.USAGE)
        assert said == f"sapper: unknown preset '{name}'; known are: {', '.join(PRESETS)}\n"


def test_a_size_is_said_once() -> None:
    kind = GameKind.of(level_preset(20, 10, 1), 10)
    assert kind_words(kind) == "jminesweeper-1 20x10/10, start any"
    assert kind_words(GameKind.of(find_preset("beginner"), 10)) == "beginner 9x9/10, start open"


def test_best_times(sapper: Sapper, path: Path) -> None:
    with open_store(path) as store:
        store.record_many([stored(f"n{n}", time_ms=5000 + n, player="bob") for n in range(12)])
    lines = sapper("best").splitlines()
    begin = lines.index("best times of beginner 9x9/10, start open")
    assert lines[begin + 1].split() == ["time", "3BV/s", "ended", "(UTC)", "player", "game"]
    assert lines[begin + 2].split()[:3] == ["1.", "4.000", "s"]
    assert lines[begin + 2].endswith("ann   b (no moves)")
    assert lines[begin + 11].split()[:3] == ["10.", "5.008", "s"]
    assert len(lines) == begin + 12 or not lines[begin + 12].startswith("11.")
    found = json.loads(sapper("best", "--json"))["best"]
    assert [one["time_ms"] for one in found[0]["times"]] == [4000, *range(5000, 5009)]
    assert found[0]["times"][0]["key"] == "b"
    assert "no game that was won has a time" in sapper("best", "--player", "nobody")
