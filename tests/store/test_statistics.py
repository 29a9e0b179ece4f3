"""Statistics are what counting by hand gives, on both databases, whatever is asked for."""

import itertools
import statistics as by_python
from datetime import timedelta
from typing import Any

import pytest

from sapper.core.preset import find_preset
from sapper.store import statistics as by_store
from sapper.store.filters import Filter
from sapper.store.models import Category, GameKind, Result, StoredGame, StoredGuess, to_ms
from sapper.store.repository import Store
from sapper.store.statistics import calibration, count_games, over_time, statistics, win_times
from tests.stored import BEGIN, many, stored

GAMES = many(250, 11)

FILTERS = [
    Filter(),
    *(Filter(category=category) for category in (Category.ASSISTED, Category.BOT, Category.DEBUGGED)),
    Filter(preset="expert"),
    Filter(preset="nobody's"),
    Filter(size=(9, 9)),
    Filter(mine_count=15),
    Filter(player="ann"),
    Filter(player="nobody"),
    Filter(category=Category.BOT, strategy="least-risk"),
    Filter(category=Category.BOT, strategy="none"),
    Filter(since=BEGIN + timedelta(minutes=50)),
    Filter(since=BEGIN + timedelta(minutes=20), until=BEGIN + timedelta(minutes=150), player="bob"),
]


@pytest.fixture
def filled(store: Store) -> Store:
    store.record_many(GAMES)
    return store


def _chosen(wanted: Filter) -> list[StoredGame]:
    return [
        game
        for game in GAMES
        if game.category is wanted.category
        and wanted.preset in (None, game.kind.preset)
        and wanted.size in (None, (game.kind.width, game.kind.height))
        and wanted.mine_count in (None, game.kind.mine_count)
        and wanted.player in (None, game.player)
        and wanted.strategy in (None, game.strategy)
        and (wanted.since is None or game.ended >= wanted.since)
        and (wanted.until is None or game.ended < wanted.until)
    ]


def test_everything_asked_for_is_counted(filled: Store) -> None:
    for wanted in FILTERS:
        games = _chosen(wanted)
        found = statistics(filled, wanted)
        results = [game.result for game in games]
        total = found.total
        assert (total.played, total.won, total.lost, total.terminated, total.unfinished) == (
            len(games), *(results.count(one) for one in (Result.WON, Result.LOST, Result.TERMINATED, Result.PLAYING))
        )  # fmt: skip
        assert count_games(filled, wanted) == (total.played, total.won)
        assert found.kind_count == len({game.kind for game in games})
        assert sum(numbers.played for _, numbers in found.kinds) == len(games)
        # By time of the end; of the same time, as they were recorded.
        ended = [game for game in sorted(games, key=lambda game: game.ended) if game.result is not Result.PLAYING]
        runs = [
            len(list(run)) if is_won else 0
            for is_won, run in itertools.groupby(ended, key=lambda game: game.result is Result.WON)
        ]
        assert (found.streak, found.best_streak) == (runs[-1] if runs else 0, max(runs, default=0))


def test_all_is_of_one_moment(filled: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    before = statistics(filled)
    in_order = by_store._in_order

    def late(store: Store, wanted: Filter) -> str:
        # Another process records a game between the two questions that are asked at once.
        return in_order(store, wanted) + "1" * 300

    monkeypatch.setattr(by_store, "_in_order", late)
    assert statistics(filled) == before


def test_times_are_those_of_games_won(filled: Store) -> None:
    for wanted in FILTERS:
        for kind, numbers in statistics(filled, wanted).kinds:
            won = [game for game in _chosen(wanted) if game.kind == kind and game.result is Result.WON]
            times = [game.time_ms for game in won if game.time_ms is not None]
            assert numbers.best_ms == min(times, default=None)
            assert numbers.median_ms == (by_python.median(times) if times else None)
            speeds = [
                game.solved_bbbv / game.time_ms * 1000 for game in won if game.time_ms and game.solved_bbbv is not None
            ]
            assert numbers.bbbv_per_second == (pytest.approx(by_python.fmean(speeds)) if speeds else None)
            known = [(game.solved_bbbv, game.clicks) for game in won if game.clicks and game.solved_bbbv is not None]
            efficiency = sum(solved for solved, _ in known) / sum(clicks for _, clicks in known) if known else None
            assert numbers.efficiency == (None if efficiency is None else pytest.approx(efficiency))


def test_only_games_of_one_kind_have_a_time_together(filled: Store) -> None:
    assert statistics(filled).total.best_ms is None
    expert = statistics(filled, Filter(preset="expert"))
    assert expert.total == expert.kinds[0][1]
    assert expert.total.best_ms is not None


def test_the_kinds_played_most_come_first(filled: Store) -> None:
    found = statistics(filled, most_kinds=2)
    assert found.kind_count == 3
    assert len(found.kinds) == 2
    assert found.kinds[0][1].played >= found.kinds[1][1].played


def test_the_interval_is_wilsons(filled: Store) -> None:
    total = statistics(filled).total
    assert 0 < total.unfinished < total.played
    assert total.rate == total.won / (total.won + total.lost + total.terminated)
    assert total.interval.low < total.rate < total.interval.high


def test_nothing_was_played(store: Store) -> None:
    found = statistics(store)
    assert (found.total.played, found.total.rate, found.streak, found.best_streak, found.kinds) == (0, None, 0, 0, ())
    assert over_time(store, Filter()) == []
    assert calibration(store, Filter()) == []


def test_help_and_debugging_never_set_records(store: Store) -> None:
    marks: tuple[dict[str, Any], ...] = (
        {"hints": 1},
        {"undos": 1},
        {"restarted": True},
        {"overlay": True},
        {"aided": True},
        {"debugged": True},
        {"strategy": "least-risk"},
    )
    store.record_many([stored(str(number), time_ms=1, **mark) for number, mark in enumerate(marks)])
    store.record(stored("lost", result=Result.LOST, time_ms=2))
    store.record(stored("honest", time_ms=5000))
    total = statistics(store).total
    assert (total.played, total.won, total.best_ms, total.median_ms) == (2, 1, 5000, 5000)
    assert statistics(store, Filter(category=Category.ASSISTED)).total.played == 5


def test_games_without_guesses_are_a_kind_of_their_own(store: Store) -> None:
    preset = find_preset("expert")
    store.record(stored("a", kind=GameKind.of(preset)))
    store.record(stored("b", kind=GameKind.of(preset, no_guess=True)))
    assert [kind.no_guess for kind, _ in statistics(store).kinds] == [False, True]


def test_over_time(filled: Store) -> None:
    for wanted in FILTERS[:6]:
        games = [game for game in _chosen(wanted) if game.result is not Result.PLAYING]
        periods = over_time(filled, wanted, parts=7)
        assert len(periods) <= 7
        assert sum(period.played for period in periods) == len(games)
        assert sum(period.won for period in periods) == sum(game.result is Result.WON for game in games)
        assert [period.begin for period in periods] == sorted(period.begin for period in periods)


def test_claimed_risks_are_compared_with_what_happened(store: Store) -> None:
    risks = [(0.0, False), (0.049, False), (0.05, True), (0.5, True), (0.52, False), (0.999, True), (1.0, True)]
    store.record(stored(guesses=tuple(StoredGuess(risk, risk != 0.5, exploded) for risk, exploded in risks)))
    store.record(stored("a bot's", strategy="least-risk", guesses=(StoredGuess(0.3, True, True),)))
    found = calibration(store, Filter())
    assert [(one.low, one.moves, one.exploded, one.needless) for one in found] == [
        (0.0, 2, 0, 0), (0.05, 1, 1, 0), (0.5, 2, 1, 1), (0.95, 2, 2, 0)
    ]  # fmt: skip
    assert found[2].claimed == pytest.approx(0.51)
    assert found[2].interval.low < 0.5 < found[2].interval.high
    assert len(calibration(store, Filter(category=Category.BOT))) == 1


def test_wins_are_those_of_the_filter_in_their_order(store: Store) -> None:
    store.record_many(GAMES)
    for wanted in (Filter(), Filter(player="ann", preset="expert"), Filter(category=Category.BOT)):
        chosen = [
            game
            for game in GAMES
            if game.category is wanted.category
            and game.result is Result.WON
            and game.time_ms is not None
            and wanted.preset in (None, game.kind.preset)
            and wanted.player in (None, game.player)
        ]
        assert chosen
        expected = [(to_ms(game.ended), game.time_ms) for game in sorted(chosen, key=lambda game: game.ended)]
        assert win_times(store, wanted) == expected


def test_nobody_has_won_nothing(store: Store) -> None:
    assert win_times(store, Filter(player="nobody")) == []
