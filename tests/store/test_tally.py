"""Counts of games that survive a restart, for the formal specification's operations."""

import itertools

from sapper.core.preset import find_preset
from sapper.formal.minesweeper import Minesweeper
from sapper.formal.tally import GamesTally
from sapper.store.models import GameKind, Result
from sapper.store.repository import Store, open_store
from sapper.store.tally import StoreTally
from tests.stored import BEGIN, stored

_KEYS = itertools.count()


def _tally(store: Store, *, player: str = "ann", records: bool = True) -> GamesTally:
    kind = GameKind.of(find_preset("formal"))
    return StoreTally(
        store, kind=kind, player=player, face="web", now=lambda: BEGIN, new_key=lambda: f"key {next(_KEYS)}", records=records
    )  # fmt: skip


def test_counts_go_on_after_a_restart(address: str) -> None:
    with open_store(address) as store:
        minesweeper = Minesweeper(seed=1, tally=_tally(store))
        game = minesweeper.start_game()
        minesweeper.terminate_game(game)
        minesweeper.start_game()
        assert (minesweeper.games_played(), minesweeper.games_won()) == (2, 0)
    # That game was never ended: a crash.
    with open_store(address) as store:
        minesweeper = Minesweeper(seed=1, tally=_tally(store))
        assert (minesweeper.games_played(), minesweeper.games_won()) == (2, 0)
        tally = _tally(store)
        tally.record_start()
        tally.record_victory()
        tally.record_victory()
        assert (minesweeper.games_played(), minesweeper.games_won()) == (3, 1)
        assert [game.result for game in store.games()] == [Result.PLAYING, Result.PLAYING, Result.WON]
        assert _tally(store, player="bob").played == 0


def test_a_face_that_records_its_games_itself(store: Store) -> None:
    tally = _tally(store, records=False)
    tally.record_start()
    tally.record_victory()
    assert tally.played == 0
    store.record_many(
        [stored("a", player="ann"), stored("b", player="ann", hints=1), stored("c", player="ann", debugged=True)]
    )
    assert (tally.played, tally.won) == (2, 2)
