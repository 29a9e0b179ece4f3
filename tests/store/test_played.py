"""A player's games that have ended, a page at a time; and guesses over time: the same on both databases."""

import math

from sapper.store.filters import Filter
from sapper.store.luck import luck_over_time
from sapper.store.models import Category, Result, StoredGame, to_ms
from sapper.store.played import PlayedFilter, finished_games
from sapper.store.repository import Store
from tests.stored import many

GAMES = many(250, 12)


def _is_listed(game: StoredGame, wanted: PlayedFilter) -> bool:
    return (
        game.player == wanted.player
        and game.result is not Result.PLAYING
        and game.category in (Category.PLAIN, Category.ASSISTED)
        and wanted.preset in (None, game.kind.preset or "")
        and wanted.result in (None, game.result)
        and wanted.face in (None, game.face)
    )


def test_pages_follow_each_other_and_leave_nothing_out(store: Store) -> None:
    store.record_many(GAMES)
    preset = next(game.kind.preset for game in GAMES if game.player == "ann" and game.kind.preset)
    for wanted in (
        PlayedFilter(player="ann"), PlayedFilter(player="ann", result=Result.WON), PlayedFilter(player="ann", preset=preset),
        PlayedFilter(player="ann", face="nowhere"), PlayedFilter(player="nobody"),
    ):  # fmt: skip
        found, after = [], None
        while page := finished_games(store, wanted, after=after, most=7):
            assert len(page) <= 7
            found += page
            after = page[-1].key
        expected = sorted(
            (game for game in GAMES if _is_listed(game, wanted)), key=lambda game: to_ms(game.ended), reverse=True
        )
        assert [one.ended for one in found] == [to_ms(game.ended) for game in expected]
        assert {one.key for one in found} == {game.key for game in expected}
        by_key = {game.key: game for game in expected}
        for one in found:
            game = by_key[one.key]
            assert (one.kind, one.result, one.time_ms) == (game.kind, game.result, game.time_ms)
            assert one.has_record == (game.record is not None)
    # A game of somebody else's is no place to go on from.
    other = next(game.key for game in GAMES if game.player not in (None, "ann"))
    assert finished_games(store, PlayedFilter(player="ann"), after=other) == []


def test_guesses_are_added_up_period_by_period(store: Store) -> None:
    store.record_many(GAMES)
    for category in (Category.PLAIN, Category.BOT):
        guesses = [guess for game in GAMES if game.category is category for guess in game.guesses]
        periods = luck_over_time(store, Filter(category=category), parts=5)
        assert len(periods) <= 5
        assert sum(one.guesses for one in periods) == len(guesses)
        assert sum(one.survived for one in periods) == sum(not guess.exploded for guess in guesses)
        assert sum(one.needless for one in periods) == sum(not guess.forced for guess in guesses)
        expected = sum(1 - guess.risk for guess in guesses)
        assert math.isclose(sum(one.expected for one in periods), expected, abs_tol=1e-6)
    assert luck_over_time(store, Filter(player="nobody")) == []
