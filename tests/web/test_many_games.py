"""What a player does at the same moment is done one after the other; and nothing is remembered of who has left."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import RequestError
from sapper.store.repository import open_store
from sapper.web.games.live_game import LiveGame
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.registry import GameRegistry
from tests.live_games import Client
from tests.registries import RegistryRuns, wanted


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[RegistryRuns]:
    with open_store(tmp_path / "store.db") as store:
        yield RegistryRuns(store, refuses=True)


async def _made(registry: GameRegistry, count: int, **values: Any) -> list[LiveGame | BaseException]:
    return await asyncio.gather(
        *(registry.create("ann", wanted(**values)) for _ in range(count)), return_exceptions=True
    )


async def test_games_that_are_asked_for_at_once_are_counted(runs: RegistryRuns) -> None:
    async with RegistryRuns(runs.store, refuses=True, policy=PlayPolicy(open_games=3)).opened() as registry:
        found = await _made(registry, 5, preset="formal")
        assert [type(one) for one in found] == [LiveGame, *4 * [RequestError]]
        await _made(registry, 5)
        assert len(await registry.open_games("ann")) == 3


async def test_a_game_that_is_begun_while_another_is_made_is_not_put_away(runs: RegistryRuns) -> None:
    async with RegistryRuns(runs.store, refuses=True, policy=PlayPolicy(open_games=2)).opened() as registry:
        first, second = [await registry.create("ann", wanted()) for _ in range(2)]
        client = Client(first)
        making = asyncio.create_task(registry.create("ann", wanted()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        client.do("left", (4, 4))
        await making
        assert (first.game.is_gone, second.game.is_gone) == (False, True)


async def test_no_game_comes_back_while_its_player_is_forgotten(runs: RegistryRuns) -> None:

    async with runs.opened() as registry:
        await registry.create("ann", wanted())
    async with runs.opened() as registry:
        found, _, again = await asyncio.gather(
            registry.find("ann", "game0"), registry.forget("ann"), registry.find("ann", "game0")
        )
        assert found is not None
        assert found.game.is_gone
        assert again is None
    assert runs.kept.players() == []


async def test_who_only_asks_is_not_remembered(runs: RegistryRuns) -> None:
    async with runs.opened() as registry:
        for number in range(20):
            assert await registry.counts(f"player {number}") == (0, 0)
            assert await registry.find(f"player {number}", "game\0") is None
        assert (len(registry._totals_cache), len(registry._locks)) == (0, 0)


async def test_best_times_are_remembered_of_the_games_that_are_there(runs: RegistryRuns) -> None:
    async with RegistryRuns(runs.store, refuses=True, policy=PlayPolicy(open_games=2)).opened() as registry:
        live = await registry.create("ann", wanted())
        Client(live).do("left", (4, 4))
        for mines in range(5, 15):
            await registry.create("ann", wanted(width=9, height=9, mine_count=mines))
        assert len(live.game.totals.bests) == 3  # the game that was begun, and two that were not


async def test_a_game_that_was_begun_and_undone_counts_once(runs: RegistryRuns) -> None:

    async with runs.opened() as registry:
        client = Client(await registry.create("ann", wanted()))
        client.do("left", (4, 4))
        client.do("undo")
    async with runs.opened() as registry:
        live = await registry.find("ann", "game0")
        assert live is not None
        Client(live).do("left", (4, 4))
        assert await registry.counts("ann") == (1, 0)
