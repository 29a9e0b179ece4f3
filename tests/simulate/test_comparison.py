"""Two strategies on the same games."""

import math
import random
import runpy
from pathlib import Path

import pytest

from sapper.metrics.interval import paired_difference
from sapper.simulate.comparison import (
    LOWER,
    UPPER,
    Accepted,
    OutcomeLog,
    Pairing,
    SequentialTest,
    StrategyRun,
    _best_log_likelihood,
    pairings,
)
from sapper.simulate.results import GameOutcome, RunSummary


def _run(name: str, results: str) -> StrategyRun:
    log = OutcomeLog()
    kinds = {"w": GameOutcome.WON, "l": GameOutcome.LOST, "f": GameOutcome.FAULT}
    for game, letter in enumerate(results):
        if letter != "-":
            log.add(kinds[letter], game=game)
    return StrategyRun(strategy=name, summary=RunSummary(requested=len(results), backend="native"), outcomes=log)


def test_what_two_runs_have_in_common() -> None:
    pair = Pairing.of(_run("a", "wwlflww"), _run("b", "wlwwl"))
    assert (pair.games, pair.both, pair.only_first, pair.only_second, pair.neither) == (5, 1, 1, 2, 1)
    assert (pair.first_games, pair.second_games) == ((1,), (2, 3))
    assert pair.difference == -0.2
    assert pair.interval == paired_difference(1, 1, 2, 1)
    assert (Pairing.of(_run("a", ""), _run("b", "w")).games, Pairing.of(_run("a", ""), _run("b", "w")).difference) == (
        0,
        0,
    )


def test_games_that_were_not_played_are_in_no_pair() -> None:
    # Two workers were interrupted, each in the middle of games of its own: 2, 3 and 6 are missing.
    whole, partial = _run("a", "wlwlwwlwl"), _run("b", "ww--lw-l")
    pair = Pairing.of(whole, partial)
    assert (pair.games, pair.both, pair.only_first, pair.only_second, pair.neither) == (5, 2, 2, 1, 0)
    assert (pair.first_games, pair.second_games) == ((4, 7), (1,))
    turned = Pairing.of(partial, whole)
    assert (turned.first_games, turned.second_games) == ((1,), (4, 7))
    log = partial.outcomes
    assert (len(log), log.end) == (5, 8)
    assert [game for game in range(-1, 9) if game in log] == [0, 1, 4, 5, 7]
    with pytest.raises(KeyError):
        log.has_won(2)
    with pytest.raises(ValueError, match="game 7 comes after game 7"):
        log.add(GameOutcome.WON, game=7)


def test_every_two_are_paired() -> None:
    runs = [_run(name, "wl") for name in "abc"]
    assert [(pair.first, pair.second) for pair in pairings(runs)] == [("a", "b"), ("a", "c"), ("b", "c")]
    assert [runs[0].outcomes[0], runs[0].outcomes[1]] == [GameOutcome.WON, GameOutcome.LOST]


pairs_of = runpy.run_path(str(Path(__file__).parents[2] / "bench" / "sequential_test.py"))["pairs_of"]


def _by_search(wins: int, draws: int, losses: int, difference: float) -> float:
    """The same as the formula, from many chances."""
    low, high = max(0.0, -difference), (1 - difference) / 2
    best = -math.inf
    for step in range(20_001):
        loss = low + (high - low) * step / 20_000
        chances = (loss + difference, 1 - 2 * loss - difference, loss)
        pairs = [(count, chance) for count, chance in zip((wins, draws, losses), chances, strict=True) if count]
        if all(chance > 0 for _, chance in pairs):
            best = max(best, sum(count * math.log(chance) for count, chance in pairs))
    return best


@pytest.mark.parametrize("difference", [-0.3, -0.01, 0.0, 0.003, 0.02, 0.5])
@pytest.mark.parametrize("counts", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (3, 5, 0), (0, 5, 3), (2, 0, 1), (50, 900, 60)])
def test_no_chances_with_that_difference_fit_better(counts: tuple[int, int, int], difference: float) -> None:
    assert _best_log_likelihood(*counts, difference) == pytest.approx(
        _by_search(*counts, difference), rel=1e-4, abs=1e-4
    )


def test_the_ratio_is_that_of_the_normal_distribution_where_there_are_many_pairs() -> None:
    test = SequentialTest(low=0.0, high=0.003)
    test.both, test.neither, test.only_first, test.only_second = 50_000, 39_000, 5_600, 5_400
    mean = 200 / test.pairs
    variance = 11_000 / test.pairs - mean**2
    assert test.ratio == pytest.approx(test.pairs * 0.003 * (mean - 0.0015) / variance, rel=0.02)


def test_errors_and_lengths_in_a_small_simulation() -> None:
    """`bench/sequential_test.py` does the same with more runs and a smaller difference."""
    accepted = {}
    for true in (0.0, 0.03):
        dice = random.Random(1)
        lengths, verdicts = [], []
        for _ in range(300):
            test = SequentialTest(low=0.0, high=0.03)
            lengths.append(pairs_of(test, 0.11, true, dice))
            verdicts.append(test.accepted)
        accepted[true] = verdicts.count(Accepted.HIGH) / len(verdicts)
        # Wald's approximation: 0.9 * 2.94 * 2 * 0.11 / 0.03**2.
        assert 450 < sum(lengths) / len(lengths) < 900
    # 5 % are meant, and 300 runs have a standard error of 1.3 %.
    assert accepted[0.0] <= 0.08
    assert accepted[0.03] >= 0.92


def test_nothing_is_added_after_it_is_decided() -> None:
    test = SequentialTest(low=0.0, high=0.1)
    while test.add(first=True, second=False) is None:
        pass
    assert (test.accepted, test.only_second) == (Accepted.HIGH, 0)
    assert test.ratio >= UPPER
    before = test.pairs
    assert test.add(first=False, second=True) is Accepted.HIGH
    assert test.pairs == before
    test = SequentialTest(low=0.0, high=0.1)
    while test.add(first=False, second=False) is None:
        pass
    assert (test.accepted, test.only_first) == (Accepted.LOW, 0)
    assert test.ratio <= LOWER


@pytest.mark.parametrize(("low", "high"), [(0.0, 0.0), (0.1, 0.0), (-1.0, 0.0), (0.0, 1.0)])
def test_a_test_is_between_two_differences(low: float, high: float) -> None:
    with pytest.raises(ValueError, match="the lower first"):
        SequentialTest(low=low, high=high)
