"""Counts and best times."""

import asyncio

from sapper.core.status import Status
from sapper.play.player_totals import PlayerTotals
from sapper.session.events import Assistance, Finished
from sapper.session.kinds import kind_of
from sapper.store.models import GameKind
from sapper.store.standing import StoredTotals
from sapper.web.games.player_totals import PlayerTotalsCache
from tests.registries import wanted
from tests.sessions import Play

KIND = kind_of(wanted().game(1))
HARD = kind_of(wanted(preset="expert").game(1))


def _won(milliseconds: int, assistance: Assistance | None = None) -> Finished:
    play = Play("beginner")
    play.session.left_click(40)
    layout = play.referee.layout
    assert layout is not None
    for cell in range(81):
        if cell not in layout.mines and not play.session.status.ended:
            play.session.left_click(cell)
    record = play.session.record()
    assert record.status is Status.WON
    return Finished(record=record, assistance=assistance or Assistance(), milliseconds=milliseconds)


def test_the_best_time_is_the_least_of_unaided_wins() -> None:
    totals = PlayerTotals(played=5, won=1)
    for milliseconds, assistance, best in (
        (900, None, True),
        (950, None, False),
        (900, None, True),
        (100, Assistance(hints=1), False),
        (100, Assistance(pauses=1), False),
        (800, None, True),
    ):
        totals.start()
        totals.end(KIND, _won(milliseconds, assistance))
        assert totals.is_best(KIND, milliseconds) is best
    assert (totals.played, totals.won, totals.bests[KIND]) == (11, 7, 800)


def test_a_best_of_the_store_counts() -> None:
    totals = PlayerTotals()
    totals.bests[KIND] = 700
    totals.end(KIND, _won(800))
    assert totals.bests == {KIND: 700}


async def test_a_standing_is_looked_up_once_and_forgotten_with_the_last_game() -> None:
    asked = []

    def look_up(player: str, kind: GameKind | None) -> StoredTotals:
        asked.append((player, kind))
        return StoredTotals(5, 2, None if kind is None else 900)

    totals_cache = PlayerTotalsCache(look_up)
    assert await totals_cache.counts("ann") == (5, 2)
    assert len(totals_cache) == 0, "many ask who never play"
    both = await asyncio.gather(totals_cache.of("ann", KIND), totals_cache.of("ann", HARD))
    assert both[0] is both[1] is await totals_cache.of("ann", KIND)
    assert both[0].bests == {KIND: 900, HARD: 900}
    both[0].start()
    assert await totals_cache.counts("ann") == (6, 2)
    assert asked == [("ann", None), ("ann", KIND), ("ann", HARD)]
    totals_cache.forget("ann", KIND, left=[KIND, HARD])
    totals_cache.forget("ann", HARD, left=[KIND])
    assert both[0].bests == {KIND: 900}
    totals_cache.forget("ann", KIND, left=[])
    assert len(totals_cache) == 0


async def test_without_a_store_everybody_starts_from_nothing() -> None:
    totals_cache = PlayerTotalsCache(None)
    assert await totals_cache.counts("ann") == (0, 0)
    assert (await totals_cache.of("ann", KIND)).bests == {KIND: None}
