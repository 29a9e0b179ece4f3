"""Several web servers on one PostgreSQL, as real processes: who is first is the database's to say, and nobody is told anything else."""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple, ParamSpec

import httpx
import psycopg
import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from fuzz.forwarder import Forwarder
from sapper.play.game_parts import saved_parts
from sapper.store.appending import CHANNEL
from sapper.store.models import Result
from sapper.store.repository import open_store
from tests.postgres import Cluster, needed_binaries, running
from tests.registries import until
from tests.web_players import Player, hear, say
from tests.web_process import PATIENCE, WebProcess, web_process

Servers = tuple[WebProcess, WebProcess]
_Given = ParamSpec("_Given")


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    with running(needed_binaries()) as cluster:
        yield cluster


@contextlib.contextmanager
def _two_servers(folder: Path, database: Cluster) -> Iterator[Servers]:
    address = database.address.format(name="postgres")
    for name in ("first", "second"):
        (folder / name).mkdir()
    with (
        web_process(folder / "first", database=address) as first,
        web_process(folder / "second", database=address) as second,
    ):
        yield first, second
    for one in (first, second):
        assert "Traceback" not in one.log
        assert "level=error" not in one.log


@pytest.fixture(scope="module")
def servers(database: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Servers]:
    with _two_servers(tmp_path_factory.mktemp("web"), database) as both:
        yield both


def _in_time(test: Callable[_Given, Awaitable[None]]) -> Callable[_Given, None]:
    """A test as pytest calls it."""

    @wraps(test)
    def run(*given: _Given.args, **named: _Given.kwargs) -> None:
        async def bounded() -> None:
            async with asyncio.timeout(5 * PATIENCE):
                await test(*given, **named)

        asyncio.run(bounded())

    return run


def _at(player: Player, server: WebProcess) -> Player:
    """The same player, at another server."""
    return Player(server.port, player.cookie)


class _Tabs(NamedTuple):
    """A player's new game in two tabs, one at each server."""

    ann: Player
    path: str
    one: ClientConnection
    two: ClientConnection

    @property
    def name(self) -> str:
        """The game's."""
        return self.path.split("/")[-2]


@contextlib.asynccontextmanager
async def two_tabs(servers: Servers, *, port: int | None = None) -> AsyncIterator[_Tabs]:
    """Both have been told the state. `port`: where the first tab finds its server."""
    ann = Player.new(servers[0])
    path = ann.game(preset="expert", seed=9)
    async with Player(port or ann.port, ann.cookie).socket(path) as one, _at(ann, servers[1]).socket(path) as two:
        await hear(one, "state")
        await hear(two, "state")
        yield _Tabs(ann, path, one, two)


async def _board(tab: ClientConnection) -> Any:
    return (await say(tab, "state", "state"))["board"]


async def _answer(tab: ClientConnection) -> dict[str, Any]:
    while True:
        message = await hear(tab, "")
        if "id" in message:
            return message


def _boards(tabs: _Tabs, servers: Servers) -> int:
    """How many different boards the servers show."""
    boards = [_at(tabs.ann, one).ask("GET", tabs.path.removesuffix("/socket")).json()["board"] for one in servers]
    return len({tuple(board) for board in boards})


@_in_time
async def test_a_player_goes_on_at_another_server(servers: Servers) -> None:
    first, second = servers
    ann = Player.new(first)
    path = ann.game(preset="expert", seed=9)
    async with ann.socket(path) as one:
        await say(one, "left", cell=[3, 3])
        board = await _board(one)
    async with _at(ann, second).socket(path) as two:
        assert (await hear(two, "state"))["board"] == board
        await say(two, "right", cell=[20, 15])
        board = await _board(two)
    # The first has it in memory still, as it was.
    async with ann.socket(path) as one:
        assert (await hear(one, "state"))["board"] == board
    assert ann.ask("GET", "/api/player").json() == {"played": 1, "won": 0}


@_in_time
async def test_ends_at_two_servers_at_once_are_told_with_all_games(servers: Servers) -> None:
    ann = Player.new(servers[0])
    async with contextlib.AsyncExitStack() as stack:
        tabs = [
            await stack.enter_async_context(player.socket(player.game(preset="expert")))
            for player in (ann, _at(ann, servers[1]))
        ]
        for tab in tabs:
            await say(tab, "left", cell=[3, 3])
        ends = await asyncio.gather(*(say(tab, "terminate", "end") for tab in tabs))
        assert [(end["played"], end["won"]) for end in ends] == [(2, 0), (2, 0)]
        assert (await say(tabs[0], "state", "state"))["end"]["played"] == 2


@_in_time
async def test_an_end_that_a_server_loads_is_told_with_all_games(servers: Servers) -> None:
    """Whatever it has counted itself: the player has a game there, and a second tab of the one that ended."""
    async with two_tabs(servers) as (ann, _, one, two):
        await say(two, "left", cell=[3, 3])
        await hear(one, "state")
        paths = [ann.game(preset="expert") for _ in range(3)]
        for other in paths:
            async with ann.socket(other) as socket:
                await say(socket, "left", cell=[3, 3])
                await say(socket, "terminate", "end")
        for server in servers:
            found = _at(ann, server).ask("GET", paths[-1].removesuffix("/socket")).json()
            assert (found["end"]["played"], found["end"]["won"]) == (4, 0)
        last = ann.game(preset="expert")
        async with ann.socket(last) as socket:
            await say(socket, "left", cell=[3, 3])
        await say(one, "terminate", "end")
        while "end" not in (told := await hear(two, "state")):
            """It has not heard of it yet."""
        assert told["end"]["played"] == 5


@_in_time
async def test_of_two_tabs_at_two_servers_one_is_first_and_the_other_sees_the_game_as_it_is(servers: Servers) -> None:
    async with two_tabs(servers) as tabs:
        await tabs.one.send('{"do": "left", "cell": [3, 3], "id": 1}')
        await tabs.two.send('{"do": "left", "cell": [20, 10], "id": 2}')
        answers = [await _answer(tabs.one), await _answer(tabs.two)]
        kinds = sorted(answer["type"] for answer in answers)
        assert kinds in (["error", "update"], ["update", "update"])
        await until(lambda: _boards(tabs, servers) == 1, gap=0.1)
        assert await _board(tabs.one) == await _board(tabs.two)


@_in_time
async def test_two_tabs_at_two_servers_hear_of_each_other(servers: Servers) -> None:
    """A message a move: each server says which games have gone on, and the other asks the database."""
    async with two_tabs(servers) as (_, _, one, two):
        await say(one, "left", cell=[3, 3])
        board = (await hear(two, "state"))["board"]
        await say(two, "terminate")
        assert (await hear(two, "end"))["status"] == "terminated"
        told = await hear(one, "state")
        assert told["status"] == "terminated"
        assert told["end"]["runs"]
        await say(one, "restart")
        told = await hear(two, "state")
        assert (told["status"], "end" in told) == ("ready", False)
        assert board != told["board"]


@_in_time
async def test_of_a_game_that_one_server_has_nothing_is_said_until_another_loads_it(
    database: Cluster, servers: Servers
) -> None:
    ann = Player.new(servers[0])
    path = ann.game(preset="expert", seed=9)
    with psycopg.connect(database.address.format(name="postgres"), autocommit=True) as listener:
        listener.execute(f"LISTEN {CHANNEL}")
        async with ann.socket(path) as one:
            await say(one, "right", cell=[3, 3])
            await say(one, "right", cell=[4, 3])
            async with _at(ann, servers[1]).socket(path) as two:
                assert (await hear(two, "state"))["flags"] == 2
                await say(one, "right", cell=[5, 3])
                assert (await hear(two, "state"))["flags"] == 3
        key = path.split("/")[-2]
        said = [one.payload.split(" ")[1:] for one in listener.notifies(timeout=PATIENCE, stop_after=3)]
    words = [words for words in said if any(key in word for word in words)]
    assert words[0] == ["loaded", key]
    assert ["games", f"{key}:1"] not in words
    assert ["games", f"{key}:3"] in words


@_in_time
async def test_two_tabs_that_play_at_once_make_one_game(database: Cluster, servers: Servers) -> None:
    """Each request is answered once: done, or refused because the other was first; and the log is one game that can be played again."""

    async def play(tab: ClientConnection, cells: list[list[int]]) -> dict[int, str]:
        for number, cell in enumerate(cells):
            await tab.send(json.dumps({"do": "right", "cell": cell, "id": number}))
            await asyncio.sleep(0.002)
        answers: dict[int, str] = {}
        while len(answers) < len(cells):
            message = await _answer(tab)
            assert message["id"] not in answers
            answers[message["id"]] = message.get("code", message["type"])
        return answers

    async with two_tabs(servers) as tabs:
        await say(tabs.one, "left", cell=[3, 3])
        await hear(tabs.two, "state")
        cells = [[x, y] for y in (12, 13, 14, 15) for x in range(10)]
        answers = await asyncio.gather(play(tabs.one, cells), play(tabs.two, [[x + 15, y] for x, y in cells]))
        assert {how for found in answers for how in found.values()} <= {"update", "went-on", "illegal-move"}
        done = sum(how == "update" for found in answers for how in found.values())
        assert done
        await until(lambda: _boards(tabs, servers) == 1, gap=0.1)
        # While the tabs are open: a game that nobody has in view is paused after some seconds, which is an input too.
        with open_store(database.address.format(name="postgres")) as store:
            saved = store.find_session(tabs.name)
    assert saved is not None
    session = saved_parts(saved.text).session
    assert (session.input_count, saved.state.flags) == (done + 1, session.board.flag_count)


@_in_time
async def test_a_session_that_is_ended_at_one_server_is_ended_at_all(servers: Servers) -> None:
    async with two_tabs(servers) as (ann, path, _, two):
        answer = ann.ask("DELETE", "/api/player/sessions")
        assert answer.status_code == 204
        again = Player(servers[1].port, f"sapper_player={answer.cookies['sapper_player']}")
        game = path.removesuffix("/socket")
        ended = asyncio.create_task(two.wait_closed())
        # A request that comes before the other server has heard of the new session is no use of it: the next one is.
        while not ended.done():
            assert again.ask("GET", game).status_code == 200
            await asyncio.sleep(0.01)
        assert two.close_code == 1012
    assert [one.ask("GET", game).status_code for one in (_at(ann, servers[1]), again)] == [404, 200]


@_in_time
async def test_a_device_that_is_signed_out_at_one_server_is_signed_out_at_all(servers: Servers) -> None:
    first, second = servers
    made = Player.new(first).ask("POST", "/api/player/phrase")
    ann = _bearer(first, made)
    path = ann.game(preset="expert", seed=9)
    # It begins at one server, and comes to the other at once.
    phone = _bearer(
        second, Player.new(second).ask("POST", "/api/player/recovery", json={"phrase": made.json()["phrase"]})
    )
    game = path.removesuffix("/socket")
    assert _at(phone, first).ask("GET", game).status_code == 200
    async with phone.socket(path) as one, _at(ann, second).socket(path) as two:
        await hear(one, "state")
        await hear(two, "state")
        (session,) = (
            found["session"] for found in ann.ask("GET", "/api/player/sessions").json()["sessions"] if not found["own"]
        )
        assert ann.ask("DELETE", f"/api/player/sessions/{session}").status_code == 204
        with pytest.raises(ConnectionClosed) as caught:
            await one.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1012
        await say(two, "left", cell=[3, 3])
    assert [_at(one, second).ask("GET", game).status_code for one in (phone, ann)] == [404, 200]


def _bearer(server: WebProcess, answer: httpx.Response) -> Player:
    return Player(server.port, f"sapper_player={answer.cookies['sapper_player']}")


@_in_time
async def test_a_server_that_stood_still_tells_nothing_of_a_game_that_went_on(servers: Servers) -> None:
    """It has the game as it was, and a move that its player made there long ago."""
    first, _ = servers
    async with two_tabs(servers) as (_, _, one, two):
        await say(one, "left", cell=[3, 3])
        await hear(two, "state")
        assert first.process is not None
        os.kill(first.process.pid, signal.SIGSTOP)
        try:
            await one.send('{"do": "left", "cell": [29, 15], "id": 7}')
            await say(two, "right", cell=[29, 15])
            board = await _board(two)
        finally:
            os.kill(first.process.pid, signal.SIGCONT)
        assert (await _answer(one))["code"] == "went-on"
        assert (await hear(one, "state"))["board"] == board


@_in_time
async def test_a_move_that_a_cut_line_held_up_is_not_made_when_its_player_has_played_on(servers: Servers) -> None:
    first, _ = servers
    wire = Forwarder(first.port)
    try:
        async with two_tabs(servers, port=wire.port) as tabs:
            seen = (await say(tabs.one, "left", cell=[3, 3]))["number"]
            await hear(tabs.two, "state")
            wire.cut()
            await tabs.one.send(json.dumps({"do": "right", "cell": [29, 15], "id": 7, "after": seen}))
            await say(tabs.two, "right", cell=[20, 15])
            await until(lambda: _boards(tabs, servers) == 1, gap=0.1)  # the first server has heard of it
            board = await _board(tabs.two)
            wire.mend()
            assert (await _answer(tabs.one))["code"] == "went-on"
            assert await _board(tabs.one) == board
    finally:
        wire.close()


@pytest.mark.full
@_in_time
async def test_a_game_is_paused_when_nobody_has_it_in_view_at_any_server(servers: Servers) -> None:
    async with two_tabs(servers) as (_, _, one, two):
        await say(one, "left", cell=[3, 3])
        await hear(two, "state")
        await two.send('{"do": "page", "hidden": true}')
        while (told := await say(one, "state", "state"))["time"] < 7_000:
            assert not told["paused"]
            await asyncio.sleep(0.2)
        await one.send('{"do": "page", "hidden": true}')
        while not (told := await hear(one, "")).get("paused"):
            pass
        assert told["assistance"]["auto_pauses"] == 1


@_in_time
async def test_a_game_that_is_played_on_is_hidden_at_every_server(servers: Servers) -> None:
    """Its end is stored, and its mines are known to whoever asks for it; until it is undone, wherever that is."""
    async with two_tabs(servers) as tabs:
        await say(tabs.one, "left", cell=[3, 3])
        await say(tabs.one, "terminate")
        await hear(tabs.one, "end")
        assert [_hidden(_at(tabs.ann, server), tabs.name) for server in servers] == [False, False]
        # Until the second has heard of it, what is done there is refused.
        while (await hear(tabs.two, "state"))["status"] != "terminated":
            pass
        await say(tabs.two, "restart")
        assert [_hidden(_at(tabs.ann, server), tabs.name) for server in servers] == [True, True]
        assert "end" not in tabs.ann.ask("GET", tabs.path.removesuffix("/socket")).json()


def _hidden(player: Player, name: str) -> bool:
    found = player.ask("GET", f"/api/played/{name}.0").json()
    assert found["hidden"] == (found["code"] is None)
    hidden: bool = found["hidden"]
    return hidden


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@_in_time
async def test_told_is_kept_when_a_server_ends(database: Cluster, tmp_path: Path, how: signal.Signals) -> None:
    with _two_servers(tmp_path, database) as servers:
        async with two_tabs(servers) as tabs:
            for cell in ([3, 3], [29, 15], [0, 15]):
                await say(tabs.one, "right", cell=cell)
            board = await _board(tabs.one)
            code = await asyncio.to_thread(servers[0].stop, how)
            with pytest.raises(ConnectionClosed) as caught:
                await hear(tabs.one, "no message")
            if how is signal.SIGTERM:
                assert caught.value.rcvd is not None
                assert (code, caught.value.rcvd.code) == (0, 1012)
            async with _at(tabs.ann, servers[1]).socket(tabs.path) as again:
                assert (await hear(again, "state"))["board"] == board
                await say(again, "left", cell=[15, 8])
                await say(again, "terminate")
                await hear(again, "end")
        with open_store(database.address.format(name="postgres")) as store:
            game = store.find_game(f"{tabs.name}.0")
    assert game is not None
    assert game.result is Result.TERMINATED


@_in_time
async def test_a_forgotten_player_stays_forgotten(database: Cluster, servers: Servers) -> None:
    """Whatever another server has in memory of their games."""
    async with two_tabs(servers) as (ann, path, one, _):
        await say(one, "left", cell=[3, 3])
        assert _at(ann, servers[1]).ask("DELETE", "/api/player").status_code == 204
        await one.send('{"do": "terminate", "id": 3}')
        assert (await _answer(one))["type"] == "error"
    assert ann.ask("GET", path.removesuffix("/socket")).status_code == 404
    with open_store(database.address.format(name="postgres")) as store:
        assert ann.cookie.partition("=")[2][:36] not in store.players()
