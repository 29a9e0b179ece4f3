"""Games are found again by their players and by nobody else, after anything that can happen to a server."""

import asyncio
import itertools
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import RequestError
from sapper.store.games import Category, Result
from sapper.store.store import Store, open_store
from sapper.web import tables as module
from sapper.web.new_game import NewGame, read_new_game
from sapper.web.table import Table
from sapper.web.tables import Tables
from sapper.web.workshop import Workshop
from tests.sessions import HandClock
from tests.tables import Client

BEGIN = datetime(2026, 11, 28, tzinfo=UTC)


class Bench(Workshop):
    """A workshop without processes."""

    async def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        timeout: float = 10.0,  # noqa: ASYNC109
        urgent: bool = True,
        whose: str = "",
    ) -> Any:
        await asyncio.sleep(0)
        return function(*args)


@dataclass(slots=True, kw_only=True, frozen=True)
class Server:
    """Tables that can be stopped and started again."""

    store: Store | None
    limits: dict[str, Any] = field(default_factory=dict)
    clock: HandClock = field(default_factory=HandClock)
    names: Any = field(default_factory=lambda: map("game{}".format, itertools.count()))

    def open(self) -> Tables:
        """Tables on the store as it is."""
        tables = Tables(
            store=self.store,
            workshop=Bench(),
            clock=self.clock,
            now=lambda: BEGIN + timedelta(milliseconds=self.clock.now),
            new_id=lambda: next(self.names),
            draw_seed=lambda: 7,
            **self.limits,
        )
        tables.start()
        return tables


def _wanted(**values: Any) -> NewGame:
    return read_new_game(values, most_cells=10_000)


def _run(server: Server, *acts: Callable[[Tables], Awaitable[None]]) -> None:
    """Each act on a server of its own, one after the other, on the same store."""

    async def all_of_it() -> None:
        for act in acts:
            tables = server.open()
            try:
                await act(tables)
            finally:
                await tables.close()

    asyncio.run(all_of_it())


def _state(table: Table) -> dict[str, Any]:
    return table.state() | {"number": 0}


@pytest.fixture
def server(tmp_path: Path) -> Any:
    with open_store(tmp_path / "store.db") as store:
        yield Server(store=store)


def test_a_game_goes_on_after_a_restart_of_the_server(server: Server) -> None:
    states = []

    async def play(tables: Tables) -> None:
        table = await tables.create("ann", _wanted(preset="expert"))
        fresh = await tables.create("ann", _wanted(no_guess=True))
        client = Client(table)
        client.do("left", (15, 8))
        server.clock.now += 1234
        client.do("right", (0, 0))
        client.do("pause")
        states.extend([_state(table), _state(fresh)])

    async def go_on(tables: Tables) -> None:
        assert await tables.find("bob", "game0") is None
        assert await tables.find("ann", "game9") is None
        assert await tables.find("ann", "x" * 100) is None
        listed = await tables.open_games("ann")
        assert [(one["game"], one["title"], one["status"], one["flags"]) for one in listed] == [
            ("game0", "Expert", "playing", 1),
            ("game1", "Beginner, no guess", "ready", 0),
        ]
        both = await asyncio.gather(tables.find("ann", "game0"), tables.find("ann", "game0"))
        assert both[0] is both[1]
        assert both[0] is not None
        fresh = await tables.find("ann", "game1")
        assert fresh is not None
        assert [_state(both[0]), _state(fresh)] == states
        assert await tables.open_games("ann") == listed
        assert await tables.open_games("bob") == []
        client = Client(fresh)
        client.do("left", (4, 4))
        while client.copy["status"] == "ready":  # noqa: ASYNC110
            await asyncio.sleep(0.001)
        assert fresh.referee.layout is not None

    server.clock.now = 5
    _run(server, play, go_on, _found("game1", "playing"))
    assert server.store is not None
    assert [(game.key, game.result) for game in server.store.games()] == [
        ("game0.0", Result.PLAYING),
        ("game1.0", Result.PLAYING),
    ]


def _found(name: str, status: str) -> Callable[[Tables], Awaitable[None]]:
    async def find(tables: Tables) -> None:
        table = await tables.find("ann", name)
        assert table is not None
        assert table.session.status.value == status

    return find


def test_a_game_that_ended_is_recorded_with_its_guesses_and_can_still_be_seen(server: Server) -> None:
    ends = []

    async def play(tables: Tables) -> None:
        table = await tables.create("ann", _wanted(preset="engine"))
        client = Client(table)
        layout = table.referee.layout
        assert layout is not None
        server.clock.now += 500
        client.do("left", table.grid.xy(next(cell for cell in range(480) if cell not in layout.mines)))
        server.clock.now += 500
        client.do("left", table.grid.xy(next(iter(layout.mines))))
        await asyncio.sleep(0.6)  # the saving waits for a moment, and the guesses follow it
        ends.append(_state(table))
        assert await tables.open_games("ann") == []
        assert await tables.counts("ann") == (1, 0)

    async def look(tables: Tables) -> None:
        table = await tables.find("ann", "game0")
        assert table is not None
        await asyncio.sleep(0.01)
        assert _state(table) == ends[0]
        assert set(ends[0]) >= {"end", "review"}
        assert await tables.open_games("ann") == []
        assert await tables.counts("ann") == (1, 0)

    _run(server, play, look, look)
    assert server.store is not None
    (game,) = server.store.games()
    assert (game.key, game.result, game.time_ms, game.face, game.player) == ("game0.0", Result.LOST, 500, "web", "ann")
    assert game.category is Category.PLAIN
    assert [guess.exploded for guess in game.guesses] == [False, True]
    assert game.guesses[0].risk == pytest.approx(99 / 480)


def test_games_without_a_store_are_played_and_counted() -> None:
    async def play(tables: Tables) -> None:
        table = await tables.create("ann", _wanted(preset="engine", seed=1))
        Client(table).do("left", (0, 0))
        assert await tables.find("ann", table.id) is table
        assert (await tables.open_games("ann"))[0]["game"] == table.id
        assert await tables.counts("ann") == (1, 0)
        await tables.forget("ann")
        assert await tables.find("ann", table.id) is None
        assert await tables.counts("ann") == (0, 0)

    _run(Server(store=None), play)


def test_who_is_forgotten_is_gone_from_the_store_too(server: Server) -> None:
    async def play(tables: Tables) -> None:
        table = await tables.create("ann", _wanted())
        other = await tables.create("bob", _wanted())
        for one in (table, other):
            Client(one).do("left", (4, 4))
        await asyncio.sleep(0.3)
        client = Client(table)
        client.do("right", (0, 0))
        await tables.forget("ann")
        assert client.do("left", (0, 1))[0]["code"] == "failed"
        assert await tables.counts("bob") == (1, 0)

    _run(server, play)
    assert server.store is not None
    assert [game.player for game in server.store.games()] == ["bob"]
    assert [saved.player for saved in server.store.sessions()] == ["bob"]
    assert server.store.players() == ["bob"]


def test_a_player_has_a_limit_of_unfinished_games(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        first = await tables.create("ann", _wanted())
        second = await tables.create("ann", _wanted())
        Client(second).do("left", (4, 4))
        third = await tables.create("ann", _wanted())
        assert first.is_gone, "it was never begun"
        Client(third).do("left", (4, 4))
        with pytest.raises(RequestError, match="2 unfinished games") as caught:
            await tables.create("ann", _wanted())
        assert caught.value.code == "conflict"
        Client(third).do("terminate")
        await tables.create("ann", _wanted())
        assert len(await tables.open_games("ann")) == 2

    with open_store(tmp_path / "store.db") as store:
        _run(Server(store=store, limits={"most_open": 2}), play)


def test_rules_with_one_game_at_a_time_are_kept(server: Server) -> None:
    async def play(tables: Tables) -> None:
        await tables.create("ann", _wanted())
        table = await tables.create("ann", _wanted(preset="formal"))
        with pytest.raises(RequestError, match="one unfinished game at a time"):
            await tables.create("ann", _wanted(preset="formal"))
        Client(table).do("terminate")
        await tables.create("ann", _wanted(preset="formal"))

    _run(server, play)


def test_memory_has_a_limit_and_games_come_back_from_the_store(tmp_path: Path) -> None:
    async def play(tables: Tables) -> None:
        tables_made = [await tables.create("ann", _wanted()) for _ in range(2)]
        clients = [Client(table) for table in tables_made]
        for table, one in zip(tables_made, clients, strict=True):
            one.do("left", (4, 4))
            table.leave(one)
        with pytest.raises(RequestError) as caught:
            await tables.create("bob", _wanted())
        assert caught.value.code == "busy", "neither has been saved yet"
        await asyncio.sleep(0.5)
        tables_made[1].join(clients[1])
        await tables.create("bob", _wanted())
        assert await tables.find("ann", "game1") is tables_made[1], "it is watched"
        with pytest.raises(RequestError) as caught:
            await tables.find("ann", "game0")
        assert caught.value.code == "busy", "the other two are in use"
        tables_made[1].leave(clients[1])
        again = await tables.find("ann", "game0")
        assert again is not None
        assert _state(again) == _state(tables_made[0])

    with open_store(tmp_path / "store.db") as store:
        _run(Server(store=store, limits={"most_tables": 2}), play)


def test_idle_games_leave_memory_and_ended_ones_the_store(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ROUND", 0.01)

    async def play(tables: Tables) -> None:
        table, ended = [await tables.create("ann", _wanted(preset="engine")) for _ in range(2)]
        for one in (table, ended):
            client = Client(one)
            client.do("right", (0, 0))
            one.leave(client)
        Client(ended).do("terminate")
        ended.watchers.clear()
        await asyncio.sleep(0.4)
        assert server.store is not None
        assert len(server.store.sessions()) == 2
        server.clock.now += 3_600_000
        await asyncio.sleep(0.5)
        assert [saved.key for saved in server.store.sessions()] == ["game0"]
        again = await tables.find("ann", "game0")
        assert again is not table
        assert await tables.find("ann", "game1") is None

    _run(server, play)


def test_a_saved_game_that_cannot_be_read_is_nobodys_trouble(server: Server) -> None:
    async def play(tables: Tables) -> None:
        table = await tables.create("ann", _wanted())
        Client(table).do("left", (4, 4))

    _run(server, play)
    assert server.store is not None
    (saved,) = server.store.sessions()
    server.store.save_session(type(saved)(key=saved.key, version=2, text="{", saved=saved.saved, player="ann"))

    async def look(tables: Tables) -> None:
        assert await tables.find("ann", "game0") is None
        assert await tables.open_games("ann") == []

    _run(server, look)


KILLED = """
import asyncio, os, sys
from sapper.store.store import open_store
from sapper.web.new_game import read_new_game
from sapper.web.tables import Tables
from sapper.web.workshop import Workshop
from tests.tables import Client

async def play():
    tables = Tables(store=open_store(sys.argv[1]), workshop=Workshop(), new_id=lambda: "game", draw_seed=lambda: 7)
    tables.start()
    table = await tables.create("ann", read_new_game({"preset": "expert"}, most_cells=480))
    client = Client(table)
    client.do("left", (15, 8))
    for number in range(480):
        client.do("right", table.grid.xy(number))
        print(table.session.input_count, flush=True)
        await asyncio.sleep(0.003)

asyncio.run(play())
"""


def test_a_server_that_is_killed_loses_a_moment_at_most(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_store(path).close()
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, "-c", KILLED, str(path)],
        stdout=subprocess.PIPE, text=True, cwd=root, env=os.environ | {"PYTHONPATH": str(root)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        told = 0
        for line in process.stdout:
            told = int(line)
            if told == 300:
                process.kill()
                break
    with open_store(path) as store:
        (game,) = store.games()
        assert game.result is Result.PLAYING

        async def look(tables: Tables) -> None:
            table = await tables.find("ann", "game")
            assert table is not None
            assert 0 < table.session.input_count <= 480
            assert table.session.status.value == "playing"

        _run(Server(store=store), look)
