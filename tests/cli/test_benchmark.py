"""The fixed board sets: the boards are those of the hash, the stored results those of the strategies, a pairing says who is better."""

import csv
import hashlib
import json
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sapper import __version__
from sapper.cli.benchmark import score_in_words
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.metrics.interval import wilson
from sapper.simulate.benchmark_sets import GAMES, SEED, SETS, packed, stored_results
from sapper.simulate.comparison import OutcomeLog
from sapper.simulate.runner import simulate

STORED = ("random", "single", "subset", "least-risk", "best-reply")


@pytest.mark.parametrize("name", ["beginner-safe", "intermediate-open"])
def test_a_set_is_what_its_hash_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "benchmark", "--boards", name]) == ExitCode.DONE
    lines = capsys.readouterr().out
    assert hashlib.sha256(lines.encode()).hexdigest() == SETS[name].sha256
    assert lines.count("\n") == GAMES


@pytest.mark.parametrize(("strategy", "games"), [("single", 600), ("least-risk", 600), ("best-reply", 60)])
def test_stored_results_are_those_of_the_strategies(strategy: str, games: int) -> None:
    for name, one in SETS.items():
        outcomes = OutcomeLog()
        simulate(one.plan(games), strategy, on_played=lambda played, log=outcomes: log.add(played.result))  # type: ignore[misc]
        stored = stored_results(name)
        assert tuple(stored) == STORED
        assert len(stored[strategy]) == GAMES
        for game in range(games):
            assert outcomes.has_won(game) == stored[strategy].has_won(game), (name, game)


def test_another_programs_results_are_paired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    least_risk = stored_results("expert-safe")["least-risk"]
    won = [least_risk.has_won(game) for game in range(1000)]
    file = tmp_path / "theirs.txt"
    # As least-risk, but that it loses three games which least-risk wins, and wins one that it loses.
    flipped = [game for game in range(1000) if won[game]][:3] + [game for game in range(1000) if not won[game]][:1]
    theirs = [one ^ (game in flipped) for game, one in enumerate(won)]
    file.write_text("# theirs\n" + "".join(f"{'won' if one else 'lost'} 3.1 s\n" for one in theirs))
    words = ["simulate", "benchmark", "theirs", "--set", "expert-safe", "--results", str(file)]
    assert main([*words, "--json"]) == ExitCode.DONE
    (score,) = json.loads(capsys.readouterr().out)["sets"]
    assert (score["games"], score["won"], score["rate"]) == (1000, sum(won) - 2, (sum(won) - 2) / 1000)
    assert (score["low"], score["high"]) == wilson(sum(won) - 2, 1000)
    pair = next(one for one in score["pairs"] if one["strategy"] == "least-risk")
    assert (pair["won"], pair["only_first"], pair["only_second"]) == (sum(won), 1, 3)
    assert pair["difference"] == -0.002
    assert pair["low"] < -0.002 < pair["high"]
    assert pair["p"] == 2 * (1 + 4) / 16
    assert main(words) == ExitCode.DONE
    assert "beside least-risk" in capsys.readouterr().out
    for content, why in (("won\nmaybe\n", "won or lost, not 'maybe'"), ("", "0 results")):
        file.write_text(content)
        assert main(words) == ExitCode.USAGE
        assert why in capsys.readouterr().err
    assert main([*words[:2], "--results", str(file)]) == ExitCode.USAGE
    assert main(["simulate", "benchmark", "single", "--set", "huge"]) == ExitCode.USAGE
    assert "expert-open" in capsys.readouterr().err


def test_a_strategy_is_scored_and_the_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["simulate", "benchmark", "subset", "--set", "beginner-open", "--games", "200", "--json"]) == ExitCode.DONE
    )
    (score,) = json.loads(capsys.readouterr().out)["sets"]
    own = next(one for one in score["pairs"] if one["strategy"] == "subset")
    assert (own["only_first"], own["only_second"], own["difference"], own["p"]) == (0, 0, 0.0, 1.0)
    assert main(["simulate", "benchmark"]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert all(one.sha256 in out for one in SETS.values())
    assert main(["simulate", "benchmark", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)["sets"]
    rates = {one["set"]: [one["results"][name]["rate"] for name in STORED] for one in found}
    assert all(found == sorted(found) for found in rates.values()), "each is stronger than the one before"


def test_packing_needs_whole_bytes() -> None:
    with pytest.raises(ValueError, match="do not fill"):
        packed([True] * 7)


RUN = ["simulate", "benchmark", "single", "--set", "beginner-open", "--set", "beginner-safe", "--games", "30"]


def _said(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main([*words, "--json"]) == ExitCode.DONE, capsys.readouterr()
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _without_times(data: dict[str, Any]) -> dict[str, Any]:
    times = ("date", "seconds", "games_per_second")
    sets = [{key: value for key, value in one.items() if key not in times} for one in data["sets"]]
    return {key: value for key, value in data.items() if key not in times} | {"sets": sets}


def test_what_is_needed_to_cite_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = _said(capsys, *RUN)
    assert (own["seed"], own["sapper"], own["player"]["version"]) == (SEED, __version__, __version__)
    assert len(own["player"]["sha256"]) == 64
    assert datetime.fromisoformat(own["date"]).utcoffset() == timedelta(0)
    assert main(RUN) == ExitCode.DONE
    told = capsys.readouterr().out
    assert f"to cite: single {__version__}, SHA-256 {own['player']['sha256']}" in told
    for one in own["sets"]:
        assert f"\n  {one['set']}, {one['games']} games, SHA-256 {one['sha256']}\n" in told
    results = tmp_path / "theirs.txt"
    results.write_text("won\n" * 2000)
    theirs = _said(capsys, "simulate", "benchmark", "theirs", "--set", "expert-safe", "--results", str(results))
    assert theirs["player"] == {"strategy": "theirs", "version": None, "sha256": None}
    assert theirs["results_sha256"] == hashlib.sha256(b"won\n" * 2000).hexdigest()
    random = next(one for one in theirs["sets"][0]["pairs"] if one["strategy"] == "random")
    assert random["p"] == sys.float_info.min > 0
    assert main(["simulate", "benchmark", "theirs", "--set", "expert-safe", "--results", str(results)]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert "p < 0.001" in out
    assert "p = 0.000" not in out
    for option, value in (("--shard", "1/2"), ("--resume", str(tmp_path / "run")), ("--per-game", "games.csv")):
        words = ["simulate", "benchmark", "theirs", "--set", "expert-safe", "--results", str(results), option, value]
        assert main(words) == ExitCode.USAGE
        assert f"leave out {option}" in capsys.readouterr().err
        assert main(["simulate", "benchmark", option, value]) == ExitCode.USAGE
        assert f"{option} is about a strategy" in capsys.readouterr().err


def test_a_benchmark_is_played_in_parts_and_gone_on_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept, table = tmp_path / "run", tmp_path / "games.csv"
    whole = _said(capsys, *RUN, "--resume", str(kept), "--per-game", str(table))
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [(row["set"], int(row["game"])) for row in rows] == [
        (one, game) for one in ("beginner-open", "beginner-safe") for game in range(30)
    ]
    for one in whole["sets"]:
        assert sum(row["result"] == "won" for row in rows if row["set"] == one["set"]) == one["won"]
    # Of a run that was killed: some games of the second set are lost, and played again.
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join(lines[:-1]) + lines[-1][:-5])
    again = _said(capsys, *RUN, "--resume", str(kept), "--per-game", str(table))
    assert _without_times(again) == _without_times(whole)
    assert list(csv.DictReader(table.read_text().splitlines())) == rows
    assert main([*RUN[:-1], "20", "--resume", str(kept), "--per-game", str(table)]) == ExitCode.USAGE
    assert "is of another run: its games is 30, this one's 20" in capsys.readouterr().err
    names = []
    for number in (2, 1, 3):
        names.append(str(tmp_path / f"{number}.json"))
        Path(names[-1]).write_text(json.dumps(_said(capsys, *RUN, "--shard", f"{number}/3")))
    assert _without_times(_said(capsys, "simulate", "merge", *names)) == _without_times(whole)
    assert main(["simulate", "merge", *names]) == ExitCode.DONE
    assert "beginner-safe: single won" in capsys.readouterr().out
    assert main(["simulate", "merge", *names[:2]]) == ExitCode.USAGE
    assert "missing: part 3/3" in capsys.readouterr().err
    other = tmp_path / "other.json"
    other.write_text(
        json.dumps(_said(capsys, "simulate", "--preset", "kata", "--seed", "1", "--games", "3", "--shard", "1/3"))
    )
    assert main(["simulate", "merge", *names, str(other)]) == ExitCode.USAGE
    assert "one is a benchmark" in capsys.readouterr().err


def test_another_version_of_a_strategy_is_another_player(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    mine = tmp_path / "mine.py"
    code = '__version__ = "3.1"\nfrom sapper import Choice, Move\n\nclass Mine:\n    def __init__(self, rng): ...\n    def choose(self, board): return Choice(Move.reveal(board.covered.first), "so")\n'
    mine.write_text(code.replace("board.covered.first", "next(iter(board.covered))"))
    run = ["simulate", "benchmark", str(mine), "--set", "beginner-open", "--games", "4"]
    kept = tmp_path / "run"
    found = _said(capsys, *run, "--shard", "1/2", "--resume", str(kept))
    assert found["player"]["version"] == "3.1"
    assert found["player"]["sha256"] == hashlib.sha256(mine.read_bytes()).hexdigest()
    mine.write_text(mine.read_text() + "\n")
    assert main([*run, "--shard", "1/2", "--resume", str(kept)]) == ExitCode.USAGE
    assert "its player is" in capsys.readouterr().err
    first, second = tmp_path / "1.json", tmp_path / "2.json"
    first.write_text(json.dumps(found))
    second.write_text(json.dumps(_said(capsys, *run, "--shard", "2/2")))
    assert main(["simulate", "merge", str(first), str(second)]) == ExitCode.USAGE
    assert "parts of two runs: player" in capsys.readouterr().err


def test_a_set_that_was_not_begun_has_no_rate() -> None:
    score = {"set": "expert-open", "strategy": "mine", "games": 0, "requested": 1200, "faulted": 0, "pairs": [{}]}
    assert score_in_words(score) == "expert-open: mine was interrupted after 0 of 1,200 games"


def test_what_is_said_of_pairs_stands_in_columns() -> None:
    pairs = [
        {"strategy": name, "difference": difference, "low": difference - 0.01, "high": difference + 0.01, "p": 0.5,
         "only_first": ours, "only_second": theirs}
        for name, difference, ours, theirs in (("single", 0.2961, 12_345, 7), ("least-risk", -0.0021, 1, 340))
    ]  # fmt: skip
    score = {
        "set": "expert-open", "strategy": "mine", "games": 20_000, "requested": 20_000, "won": 8_000, "faulted": 0, "rate": 0.4,
        "low": 0.39, "high": 0.41, "pairs": pairs,
    }  # fmt: skip
    _, one, other = score_in_words(score).splitlines()
    for mark in (" (95 %", " to ", " points;", " and ", ", p"):
        assert one.index(mark) == other.index(mark), mark
