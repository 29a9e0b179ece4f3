"""Games that were won, in the order in which they ended, on both databases."""

from sapper.store.filters import Filter
from sapper.store.models import Category, Result, to_ms
from sapper.store.repository import Store
from sapper.store.wins import win_times
from tests.stored import many

GAMES = many(250, 12)


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
