"""The fixed board sets: the boards are those of the hash, the stored results those of the strategies, a pairing says who is better."""

import hashlib
import json
from pathlib import Path

import pytest

from sapper.cli.benchmark import sign_test
from sapper.cli.exits import ExitCode
from sapper.cli.main import main
from sapper.metrics.interval import wilson
from sapper.simulate.benchmark_sets import GAMES, SETS, packed, stored_results
from sapper.simulate.comparison import OutcomeLog
from sapper.simulate.runner import simulate

STORED = ("random", "single", "subset", "exact", "expert")


@pytest.mark.parametrize("name", ["beginner-safe", "intermediate-open"])
def test_a_set_is_what_its_hash_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "--boards", name]) == ExitCode.DONE
    lines = capsys.readouterr().out
    assert hashlib.sha256(lines.encode()).hexdigest() == SETS[name].sha256
    assert lines.count("\n") == GAMES


@pytest.mark.parametrize(("strategy", "games"), [("single", 600), ("exact", 600), ("expert", 60)])
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
    exact = stored_results("expert-safe")["exact"]
    won = [exact.has_won(game) for game in range(1000)]
    file = tmp_path / "theirs.txt"
    # As exact, but that it loses three games which exact wins, and wins one that it loses.
    flipped = [game for game in range(1000) if won[game]][:3] + [game for game in range(1000) if not won[game]][:1]
    theirs = [one ^ (game in flipped) for game, one in enumerate(won)]
    file.write_text("# theirs\n" + "".join(f"{'won' if one else 'lost'} 3.1 s\n" for one in theirs))
    words = ["benchmark", "theirs", "--set", "expert-safe", "--results", str(file)]
    assert main([*words, "--json"]) == ExitCode.DONE
    (score,) = json.loads(capsys.readouterr().out)["sets"]
    assert (score["games"], score["won"], score["rate"]) == (1000, sum(won) - 2, (sum(won) - 2) / 1000)
    assert (score["low"], score["high"]) == wilson(sum(won) - 2, 1000)
    pair = next(one for one in score["pairs"] if one["strategy"] == "exact")
    assert (pair["won"], pair["only_first"], pair["only_second"]) == (sum(won), 1, 3)
    assert pair["difference"] == -0.002
    assert pair["low"] < -0.002 < pair["high"]
    assert pair["p"] == 2 * (1 + 4) / 16
    assert main(words) == ExitCode.DONE
    assert "beside exact" in capsys.readouterr().out
    for content, why in (("won\nmaybe\n", "won or lost, not 'maybe'"), ("", "0 results")):
        file.write_text(content)
        assert main(words) == ExitCode.USAGE
        assert why in capsys.readouterr().err
    assert main([*words[:2], "--results", str(file)]) == ExitCode.USAGE
    assert main(["benchmark", "single", "--set", "huge"]) == ExitCode.USAGE
    assert "expert-open" in capsys.readouterr().err


def test_a_strategy_is_scored_and_the_sets_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["benchmark", "subset", "--set", "beginner-open", "--games", "200", "--json"]) == ExitCode.DONE
    (score,) = json.loads(capsys.readouterr().out)["sets"]
    own = next(one for one in score["pairs"] if one["strategy"] == "subset")
    assert (own["only_first"], own["only_second"], own["difference"], own["p"]) == (0, 0, 0.0, 1.0)
    assert main(["benchmark"]) == ExitCode.DONE
    out = capsys.readouterr().out
    assert all(one.sha256 in out for one in SETS.values())
    assert main(["benchmark", "--json"]) == ExitCode.DONE
    found = json.loads(capsys.readouterr().out)["sets"]
    rates = {one["set"]: [one["results"][name]["rate"] for name in STORED] for one in found}
    assert all(found == sorted(found) for found in rates.values()), "each is stronger than the one before"


def test_the_sign_test_and_the_packing() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(10, 0) == 2 / 1024
    assert sign_test(530, 520) == pytest.approx(0.781, abs=0.01)
    assert sign_test(700, 500) < 1e-7
    with pytest.raises(ValueError, match="do not fill"):
        packed([True] * 7)
