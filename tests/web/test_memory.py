"""Games leave memory when there is need for room or nobody has looked for long, and come back as they were."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.errors import RequestError, StoreError
from sapper.store.store import Store, open_store
from sapper.web import memory as module
from sapper.web.memory import share_of
from sapper.web.table import Table, most_inputs
from sapper.web.tables import Tables
from tests.halls import Hall, state_of, until, wanted
from tests.tables import Client


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Saving takes as long as it takes: the machine may be busy."""
    monkeypatch.setattr(module, "SAVE_TIME", 60.0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


async def _begun(tables: Tables, count: int) -> list[Table]:
    """Games that have been begun, and that nobody watches."""
    made = [await tables.create("ann", wanted()) for _ in range(count)]
    for table in made:
        client = Client(table)
        client.do("left", (4, 4))
        table.leave(client)
    return made


def test_room_is_made_by_games_that_nobody_watches(store: Store) -> None:
    async def play(tables: Tables) -> None:
        first, second = await _begun(tables, 2)
        watcher = Client(second)
        await tables.create("bob", wanted())
        assert first.id not in tables._memory, "it was saved first, whatever it took"
        assert await tables.find("ann", second.id) is second, "it is watched"
        second.leave(watcher)
        (other,) = tables._memory.of("bob").values()
        other.join(watcher)
        again = await tables.find("ann", first.id)
        assert again is not None
        assert state_of(again) == state_of(first)
        second_watcher = Client(again)
        with pytest.raises(RequestError, match="too many games") as caught:
            await tables.create("cid", wanted())
        assert caught.value.code == "busy", "all are watched"
        again.leave(second_watcher)

    Hall(store, most_tables=2).run(play)


def test_a_clock_that_runs_is_saved_when_room_is_needed(store: Store) -> None:
    hall = Hall(store, most_tables=2)

    async def play(tables: Tables) -> None:
        table, other = await _begun(tables, 2)
        await until(lambda: hall.saved == ["game0", "game1"])  # with their clocks at 0
        hall.clock.now += 90_000
        await tables.create("bob", wanted())
        assert {table.id, other.id} - {one.id for one in tables._memory}
        hall.clock.now += 5_000
        left = table if table.id not in tables._memory else other
        again = await tables.find("ann", left.id)
        assert again is not None
        assert again is not left
        assert again.session.elapsed == 90_000

    hall.run(play)


def test_what_cannot_be_saved_does_not_leave(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SAVE_TIME", 0.5)

    async def play(tables: Tables) -> None:
        def fail(_: Any) -> None:
            raise StoreError("the disk is full")

        monkeypatch.setattr(store, "save_sessions", fail)
        made = await _begun(tables, 2)
        with pytest.raises(RequestError, match="too many games"):
            await tables.create("bob", wanted())
        assert [table.is_leaving for table in made] == [False, False]
        assert len(tables._memory) == 2
        monkeypatch.undo()

    Hall(store, most_tables=2).run(play)


def test_one_who_comes_back_while_room_is_made_keeps_the_game(store: Store) -> None:
    async def play(tables: Tables) -> None:
        first, second = await _begun(tables, 2)
        making = asyncio.create_task(tables.create("bob", wanted()))
        while not first.is_leaving:  # noqa: ASYNC110  # nobody there tells when; it is saved some moments later
            await asyncio.sleep(0)
        client = Client(first)
        await making
        assert first.id in tables._memory
        assert second.id not in tables._memory
        assert client.do("right", (0, 0))[-1]["type"] == "update"

    Hall(store, most_tables=2).run(play)


def test_idle_games_leave_memory_and_ended_ones_the_store(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    hall = Hall(store)

    async def play(tables: Tables) -> None:
        table, ended = [await tables.create("ann", wanted(preset="engine")) for _ in range(2)]
        for one in (table, ended):
            client = Client(one)
            client.do("right", (0, 0))
            one.leave(client)
        Client(ended).do("terminate")
        ended.watchers.clear()
        await until(lambda: hall.saved == ["game0", "game1"])
        hall.clock.now += 3_600_000
        await until(lambda: hall.saved == ["game0"] and not len(tables._memory))
        again = await tables.find("ann", "game0")
        assert again is not table
        assert await tables.find("ann", "game1") is None

    hall.run(play)


def test_a_clock_that_nobody_watches_is_kept_as_it_was_when_the_game_left(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    hall = Hall(store)

    async def play(tables: Tables) -> None:
        (table,) = await _begun(tables, 1)
        await until(lambda: hall.saved == [table.id])
        hall.clock.now += 700_000
        await until(lambda: table.id not in tables._memory)
        hall.clock.now += 100_000
        again = await tables.find("ann", table.id)
        assert again is not None
        assert again is not table
        assert again.session.elapsed == 700_000

    hall.run(play)


def _flag(client: Client, count: int) -> list[str]:
    """So many inputs; the errors that they led to."""
    heard = [client.do("right", (0, number % 9))[-1] for number in range(count)]
    return [str(message["code"]) for message in heard if message["type"] == "error"]


def test_where_inputs_are_too_many_the_address_with_most_is_held_to_its_share(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FREE", 30)

    async def play(tables: Tables) -> None:
        memory = tables._memory
        flood = [Client(await tables.create(f"cookie {number}", wanted(), address="flood")) for number in range(3)]
        home = Client(await tables.create("ann", wanted(), address="home"))
        for client in flood:
            _flag(client, 40)
        _flag(home, 50)
        memory.share_out()
        assert all(table.most_inputs == most_inputs(table.grid) for table in memory), "there is room for these"
        assert [_flag(client, 20) for client in flood] == [[]] * 3
        memory.share_out()
        assert _flag(flood[0], 2) == ["too-long"] * 2
        assert flood[0].do("terminate")[-1]["type"] == "end"
        assert _flag(home, 40) == [], "90 of 200 inputs are no more than a fair part"
        short = Client(await tables.create("cookie 4", wanted(), address="flood"))
        memory.share_out()
        assert _flag(short, 31) == ["too-long"], "so many any game may have"
        memory.leave(flood[1].table)
        memory.leave(flood[2].table)
        memory.share_out()
        assert _flag(short, 1) == [], "there is room again"

    Hall(store, refuses=True, most_inputs=200).run(play)


def test_long_games_come_back_where_there_is_room_for_them(store: Store) -> None:
    hall = Hall(store, refuses=True, most_inputs=200)

    async def play(tables: Tables) -> None:
        for number in range(4):
            _flag(Client(await tables.create(f"cookie {number}", wanted(), address="flood")), 90)
        _flag(Client(await tables.create("ann", wanted(), address="home")), 90)

    async def come_back(tables: Tables) -> None:
        first = await tables.find("cookie 0", "game0", address="flood")
        second = await tables.find("cookie 1", "game1", address="flood")
        assert first is not None
        assert second is not None
        watchers = [Client(first), Client(second)]
        with pytest.raises(RequestError, match="too much is played") as caught:
            await tables.find("cookie 2", "game2", address="flood")
        assert caught.value.code == "busy"
        assert await tables.find("ann", "game4", address="home") is not None
        first.leave(watchers[0])
        assert await tables.find("cookie 2", "game2", address="flood") is not None
        assert first.id not in tables._memory, "it made room"

    hall.run(play, come_back)


@given(st.lists(st.integers(0, 50)), st.integers(0, 300))
def test_a_share_is_as_much_as_can_be_had_by_all(counts: list[int], most: int) -> None:
    share = share_of(counts, most)
    if sum(counts) <= most:
        assert share > max(counts, default=0)
    else:
        assert sum(min(count, share) for count in counts) <= most
        assert sum(min(count, share + 1) for count in counts) > most


def test_without_a_store_only_idle_games_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)
    hall = Hall(None, most_tables=1)

    async def play(tables: Tables) -> None:
        (table,) = await _begun(tables, 1)
        with pytest.raises(RequestError, match="too many games"):
            await tables.create("bob", wanted())
        hall.clock.now += 600_000
        await until(lambda: table.id not in tables._memory)
        await tables.create("bob", wanted())

    hall.run(play)
