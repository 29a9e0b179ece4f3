"""Two strategies on the same games."""

import pytest

from sapper.metrics.interval import paired_difference
from sapper.simulate.comparison import OutcomeLog, Pairing, StrategyRun, pairings
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
