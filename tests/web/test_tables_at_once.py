"""What a player does at the same moment is done one after the other; and nothing is remembered of who has left."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import RequestError
from sapper.store.games import SavedSession
from sapper.store.store import Store, open_store
from sapper.web import tables as module
from sapper.web.new_game import NewGame, read_new_game
from sapper.web.table import Table
from sapper.web.tables import KEPT, Tables
from sapper.web.workshop import Workshop
from tests.sessions import HandClock
from tests.tables import Client

BEGIN = datetime(2026, 11, 28, tzinfo=UTC)
Act = Callable[[Tables], Awaitable[None]]


class Still(Workshop):
    """A workshop where nothing is worked on."""

    async def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        timeout: float = 10.0,  # noqa: ASYNC109
        urgent: bool = True,
        whose: str = "",
    ) -> Any:
        raise RequestError("busy", "no")


class Hall:
    """Tables on a store, and their clock."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.clock = HandClock()
        self._names = map("game{}".format, itertools.count())

    def run(self, act: Act, **limits: Any) -> None:
        """Act on tables that are closed afterwards."""

        async def all_of_it() -> None:
            tables = Tables(
                store=self.store, workshop=Still(), clock=self.clock, new_id=lambda: next(self._names),
                draw_seed=lambda: 7, now=lambda: BEGIN + timedelta(milliseconds=self.clock.now), **limits,
            )  # fmt: skip
            tables.start()
            try:
                await act(tables)
            finally:
                await tables.close()

        asyncio.run(all_of_it())


@pytest.fixture
def hall(tmp_path: Path) -> Any:
    with open_store(tmp_path / "store.db") as store:
        yield Hall(store)


def _wanted(**values: Any) -> NewGame:
    return read_new_game(values, most_cells=10_000)


async def _made(tables: Tables, count: int, **values: Any) -> list[Table | BaseException]:
    return await asyncio.gather(
        *(tables.create("ann", _wanted(**values)) for _ in range(count)), return_exceptions=True
    )


def test_games_that_are_asked_for_at_once_are_counted(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        found = await _made(tables, 5, preset="formal")
        assert [type(one) for one in found] == [Table, *4 * [RequestError]]
        await _made(tables, 5)
        assert len(await tables.open_games("ann")) == 3

    hall.run(act, most_open=3)


def test_a_game_that_is_begun_while_another_is_made_is_not_put_away(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        first, second = [await tables.create("ann", _wanted()) for _ in range(2)]
        client = Client(first)
        making = asyncio.create_task(tables.create("ann", _wanted()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        client.do("left", (4, 4))
        await making
        assert (first.is_gone, second.is_gone) == (False, True)

    hall.run(act, most_open=2)


def test_no_game_comes_back_while_its_player_is_forgotten(hall: Hall) -> None:
    async def play(tables: Tables) -> None:
        await tables.create("ann", _wanted())

    async def act(tables: Tables) -> None:
        found, _, again = await asyncio.gather(
            tables.find("ann", "game0"), tables.forget("ann"), tables.find("ann", "game0")
        )
        assert found is not None
        assert found.is_gone
        assert again is None

    hall.run(play)
    hall.run(act)
    assert hall.store.players() == []


def test_who_only_asks_is_not_remembered(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        for number in range(20):
            assert await tables.counts(f"player {number}") == (0, 0)
            assert await tables.find(f"player {number}", "game\0") is None
        assert (len(tables._standings), len(tables._locks)) == (0, 0)

    hall.run(act)


def test_best_times_are_remembered_of_the_games_that_are_there(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        table = await tables.create("ann", _wanted())
        Client(table).do("left", (4, 4))
        for mines in range(5, 15):
            await tables.create("ann", _wanted(width=9, height=9, mines=mines))
        assert len(table._standing.bests) == 2

    hall.run(act, most_open=2)


def test_a_game_that_was_begun_and_undone_counts_once(hall: Hall) -> None:
    async def begin(tables: Tables) -> None:
        client = Client(await tables.create("ann", _wanted()))
        client.do("left", (4, 4))
        client.do("undo")

    async def go_on(tables: Tables) -> None:
        table = await tables.find("ann", "game0")
        assert table is not None
        Client(table).do("left", (4, 4))
        assert await tables.counts("ann") == (1, 0)

    hall.run(begin)
    hall.run(go_on)


def test_a_clock_that_nobody_watches_is_kept_as_it_was_when_the_game_left(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)

    async def act(tables: Tables) -> None:
        table = await tables.create("ann", _wanted())
        client = Client(table)
        client.do("left", (4, 4))
        table.leave(client)
        await asyncio.sleep(0.3)
        hall.clock.now += 700_000
        async with asyncio.timeout(10):
            while tables._tables:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        again = await tables.find("ann", "game0")
        assert again is not None
        assert again is not table
        assert again.session.elapsed == 700_000

    hall.run(act)


def test_games_that_ended_before_a_server_did_are_not_kept_for_ever(hall: Hall) -> None:
    async def end(tables: Tables) -> None:
        for _ in range(2):
            Client(await tables.create("ann", _wanted())).do("terminate")
        await tables.create("ann", _wanted())

    async def look(tables: Tables) -> None:
        assert [one["game"] for one in await tables.open_games("ann")] == ["game2"]

    hall.run(end)
    hall.run(look)
    assert len(hall.store.sessions()) == 3
    hall.store.save_session(SavedSession(key="odd", version=99, text="{}", saved=BEGIN, player="ann"))
    hall.clock.now += KEPT + 1
    hall.run(look)
    assert sorted(one.key for one in hall.store.sessions()) == ["game2", "odd"]
