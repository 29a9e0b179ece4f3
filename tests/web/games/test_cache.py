"""Games leave memory when there is need for room or nobody has looked for long, and come back as they were."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sapper.errors import RequestError, StoreError
from sapper.play.game_parts import most_inputs
from sapper.store.repository import Store, open_store
from sapper.web.games import cache as module
from sapper.web.games.cache import share_of
from sapper.web.games.live_game import LiveGame
from sapper.web.games.registry import GameRegistry
from tests.live_games import Client
from tests.registries import RegistryRuns, state_of, until, wanted


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving takes as long as it takes: the machine may be busy."""
    monkeypatch.setattr(module, "SAVE_TIME", 60.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


async def _begun(registry: GameRegistry, count: int) -> list[LiveGame]:
    """Games that have been begun, and that nobody watches."""
    made = [await registry.create("ann", wanted()) for _ in range(count)]
    for live in made:
        client = Client(live)
        client.do("left", (4, 4))
        live.leave(client)
    return made


async def test_room_is_made_by_games_that_nobody_watches(store: Store) -> None:
    async with RegistryRuns(store, most_games=2).opened() as registry:
        first, second = await _begun(registry, 2)
        subscriber = Client(second)
        await registry.create("bob", wanted())
        assert first.id not in registry._memory, "it was saved first, whatever it took"
        assert await registry.find("ann", second.id) is second, "it is watched"
        second.leave(subscriber)
        (other,) = registry._memory.of("bob").values()
        other.join(subscriber)
        again = await registry.find("ann", first.id)
        assert again is not None
        assert state_of(again) == state_of(first)
        second_watcher = Client(again)
        with pytest.raises(RequestError, match="too many games") as caught:
            await registry.create("cid", wanted())
        assert caught.value.code == "busy", "all are watched"
        again.leave(second_watcher)


async def test_a_clock_that_runs_is_saved_when_room_is_needed(store: Store) -> None:
    runs = RegistryRuns(store, most_games=2)
    async with runs.opened() as registry:
        live, other = await _begun(registry, 2)
        await until(lambda: runs.saved == ["game0", "game1"])  # with their clocks at 0
        runs.clock.now += 90_000
        await registry.create("bob", wanted())
        assert {live.id, other.id} - {one.id for one in registry._memory}
        runs.clock.now += 5_000
        left = live if live.id not in registry._memory else other
        again = await registry.find("ann", left.id)
        assert again is not None
        assert again is not left
        assert again.session.elapsed == 90_000


async def test_what_cannot_be_saved_does_not_leave(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAVE_TIME", 0.5)
    async with RegistryRuns(store, most_games=2).opened() as registry:

        def fail(*_: Any, **__: Any) -> None:
            raise StoreError("the disk is full")

        made = [await registry.create("ann", wanted()) for _ in range(2)]
        monkeypatch.setattr(store, "apply", fail)
        for live in made:
            client = Client(live)
            client.do("left", (4, 4))
            live.leave(client)
        with pytest.raises(RequestError, match="too many games"):
            await registry.create("bob", wanted())
        assert [live.is_leaving for live in made] == [False, False]
        assert len(registry._memory) == 2
        monkeypatch.undo()


async def test_one_who_comes_back_while_room_is_made_keeps_the_game(store: Store) -> None:
    async with RegistryRuns(store, most_games=2).opened() as registry:
        first, second = await _begun(registry, 2)
        making = asyncio.create_task(registry.create("bob", wanted()))
        while not first.is_leaving:  # noqa: ASYNC110  # nobody there tells when; it is saved some moments later
            await asyncio.sleep(0)
        client = Client(first)
        await making
        assert first.id in registry._memory
        assert second.id not in registry._memory
        assert client.do("right", (0, 0))[-1]["type"] == "update"


async def test_idle_games_leave_memory_and_ended_ones_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    runs = RegistryRuns(store)
    async with runs.opened() as registry:
        live, ended = [await registry.create("ann", wanted(preset="engine")) for _ in range(2)]
        for one in (live, ended):
            client = Client(one)
            client.do("right", (0, 0))
            one.leave(client)
        Client(ended).do("terminate")
        ended.subscribers.clear()
        await until(lambda: runs.saved == ["game0", "game1"])
        runs.clock.now += 3_600_000
        await until(lambda: runs.saved == ["game0"] and not len(registry._memory))
        again = await registry.find("ann", "game0")
        assert again is not live
        assert await registry.find("ann", "game1") is None


async def test_a_clock_that_nobody_watches_is_kept_as_it_was_when_the_game_left(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    runs = RegistryRuns(store)
    async with runs.opened() as registry:
        (live,) = await _begun(registry, 1)
        await until(lambda: runs.saved == [live.id])
        runs.clock.now += 700_000
        await until(lambda: live.id not in registry._memory)
        runs.clock.now += 100_000
        again = await registry.find("ann", live.id)
        assert again is not None
        assert again is not live
        assert again.session.elapsed == 700_000


def _flag(client: Client, count: int) -> list[str]:
    """So many inputs; the errors that they led to."""
    heard = [client.do("right", (0, number % 9))[-1] for number in range(count)]
    return [str(message["code"]) for message in heard if message["type"] == "error"]


async def test_where_inputs_are_too_many_the_address_with_most_is_held_to_its_share(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FREE", 30)
    async with RegistryRuns(store, refuses=True, most_inputs=200).opened() as registry:
        memory = registry._memory
        flood = [Client(await registry.create(f"cookie {number}", wanted(), address="flood")) for number in range(3)]
        home = Client(await registry.create("ann", wanted(), address="home"))
        for client in flood:
            _flag(client, 40)
        _flag(home, 50)
        memory.share_out()
        assert all(live.game.most_inputs == most_inputs(live.grid) for live in memory), "there is room for these"
        assert [_flag(client, 20) for client in flood] == [[]] * 3
        memory.share_out()
        assert _flag(flood[0], 2) == ["too-long"] * 2
        assert flood[0].do("terminate")[-1]["type"] == "end"
        assert _flag(home, 40) == [], "90 of 200 inputs are no more than a fair part"
        short = Client(await registry.create("cookie 4", wanted(), address="flood"))
        memory.share_out()
        assert _flag(short, 31) == ["too-long"], "so many any game may have"
        memory.leave(flood[1].live)
        memory.leave(flood[2].live)
        memory.share_out()
        assert _flag(short, 1) == [], "there is room again"


async def test_long_games_come_back_where_there_is_room_for_them(store: Store) -> None:
    runs = RegistryRuns(store, refuses=True, most_inputs=200)
    async with runs.opened() as registry:
        for number in range(4):
            _flag(Client(await registry.create(f"cookie {number}", wanted(), address="flood")), 90)
        _flag(Client(await registry.create("ann", wanted(), address="home")), 90)
    async with runs.opened() as registry:
        first = await registry.find("cookie 0", "game0", address="flood")
        second = await registry.find("cookie 1", "game1", address="flood")
        assert first is not None
        assert second is not None
        subscribers = [Client(first), Client(second)]
        with pytest.raises(RequestError, match="too much is played") as caught:
            await registry.find("cookie 2", "game2", address="flood")
        assert caught.value.code == "busy"
        assert await registry.find("ann", "game4", address="home") is not None
        first.leave(subscribers[0])
        assert await registry.find("cookie 2", "game2", address="flood") is not None
        assert first.id not in registry._memory, "it made room"


@given(st.lists(st.integers(0, 50)), st.integers(0, 300))
def test_a_share_is_as_much_as_can_be_had_by_all(counts: list[int], most: int) -> None:
    share = share_of(counts, most)
    if sum(counts) <= most:
        assert share > max(counts, default=0)
    else:
        assert sum(min(count, share) for count in counts) <= most
        assert sum(min(count, share + 1) for count in counts) > most


async def test_without_a_store_only_idle_games_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    runs = RegistryRuns(None, most_games=1)
    async with runs.opened() as registry:
        (live,) = await _begun(registry, 1)
        with pytest.raises(RequestError, match="too many games"):
            await registry.create("bob", wanted())
        runs.clock.now += 600_000
        await until(lambda: live.id not in registry._memory)
        await registry.create("bob", wanted())
