"""Guesses and luck over time, against counting by hand."""

import pytest

from sapper.store.filters import Filter
from sapper.store.luck import luck_over_time, luck_together
from sapper.store.models import Category, to_ms
from sapper.store.repository import Store
from tests.stored import many


@pytest.mark.parametrize(
    "wanted", [Filter(), Filter(category=Category.BOT, strategy="least-risk"), Filter(player="ann")]
)
def test_spans_are_the_sums_of_their_games(store: Store, wanted: Filter) -> None:
    games = many(150, 3)
    store.record_many(games)
    chosen = [
        game
        for game in games
        if game.category is wanted.category
        and wanted.player in (None, game.player)
        and wanted.strategy in (None, game.strategy)
    ]
    spans = luck_over_time(store, wanted, parts=7)
    assert 1 < len(spans) <= 7
    for span in spans:
        within = [game for game in chosen if span.begin <= to_ms(game.ended) < span.end and game.guesses]
        guesses = [guess for game in within for guess in game.guesses]
        assert (span.games, span.guesses) == (len(within), len(guesses))
        assert span.forced == sum(guess.forced for guess in guesses)
        assert span.survived == sum(not guess.exploded for guess in guesses)
        assert span.luck == pytest.approx(sum(guess.risk - guess.exploded for guess in guesses))
    total = luck_together(spans)
    assert total is not None
    assert total.guesses == sum(len(game.guesses) for game in chosen)
    assert total.needless == sum(not guess.forced for game in chosen for guess in game.guesses)


def test_without_games_there_is_no_luck(store: Store) -> None:
    assert luck_over_time(store, Filter()) == []
    assert luck_together([]) is None
