"""What a player does at the same moment is done one after the other; and nothing is remembered of who has left."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import RequestError
from sapper.store.store import open_store
from sapper.web.table import Table
from sapper.web.tables import Tables
from tests.halls import Hall, wanted
from tests.tables import Client


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    with open_store(tmp_path / "store.db") as store:
        yield Hall(store, refuses=True)


async def _made(tables: Tables, count: int, **values: Any) -> list[Table | BaseException]:
    return await asyncio.gather(*(tables.create("ann", wanted(**values)) for _ in range(count)), return_exceptions=True)


def test_games_that_are_asked_for_at_once_are_counted(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        found = await _made(tables, 5, preset="formal")
        assert [type(one) for one in found] == [Table, *4 * [RequestError]]
        await _made(tables, 5)
        assert len(await tables.open_games("ann")) == 3

    Hall(hall.store, refuses=True, most_open=3).run(act)


def test_a_game_that_is_begun_while_another_is_made_is_not_put_away(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        first, second = [await tables.create("ann", wanted()) for _ in range(2)]
        client = Client(first)
        making = asyncio.create_task(tables.create("ann", wanted()))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        client.do("left", (4, 4))
        await making
        assert (first.is_gone, second.is_gone) == (False, True)

    Hall(hall.store, refuses=True, most_open=2).run(act)


def test_no_game_comes_back_while_its_player_is_forgotten(hall: Hall) -> None:
    async def play(tables: Tables) -> None:
        await tables.create("ann", wanted())

    async def act(tables: Tables) -> None:
        found, _, again = await asyncio.gather(
            tables.find("ann", "game0"), tables.forget("ann"), tables.find("ann", "game0")
        )
        assert found is not None
        assert found.is_gone
        assert again is None

    hall.run(play)
    hall.run(act)
    assert hall.kept.players() == []


def test_who_only_asks_is_not_remembered(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        for number in range(20):
            assert await tables.counts(f"player {number}") == (0, 0)
            assert await tables.find(f"player {number}", "game\0") is None
        assert (len(tables._standings), len(tables._locks)) == (0, 0)

    hall.run(act)


def test_best_times_are_remembered_of_the_games_that_are_there(hall: Hall) -> None:
    async def act(tables: Tables) -> None:
        table = await tables.create("ann", wanted())
        Client(table).do("left", (4, 4))
        for mines in range(5, 15):
            await tables.create("ann", wanted(width=9, height=9, mines=mines))
        assert len(table._standing.bests) == 2

    Hall(hall.store, refuses=True, most_open=2).run(act)


def test_a_game_that_was_begun_and_undone_counts_once(hall: Hall) -> None:
    async def begin(tables: Tables) -> None:
        client = Client(await tables.create("ann", wanted()))
        client.do("left", (4, 4))
        client.do("undo")

    async def go_on(tables: Tables) -> None:
        table = await tables.find("ann", "game0")
        assert table is not None
        Client(table).do("left", (4, 4))
        assert await tables.counts("ann") == (1, 0)

    hall.run(begin)
    hall.run(go_on)
