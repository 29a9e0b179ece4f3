"""Several web servers on one PostgreSQL, as real processes: who is first is the database's to say, and nobody is told anything else."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from sapper.play.game_parts import saved_parts
from sapper.store.models import Result
from sapper.store.repository import open_store
from tests.postgres import Cluster, needed_binaries, running
from tests.web_players import Player, hear, say
from tests.web_process import PATIENCE, WebProcess, web_process


@pytest.fixture(scope="module")
def database() -> Iterator[Cluster]:
    with running(needed_binaries()) as cluster:
        yield cluster


@pytest.fixture(scope="module")
def servers(database: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[WebProcess, ...]]:
    address = database.address.format(name="postgres")
    with ExitStack() as stack:
        made = tuple(
            stack.enter_context(web_process(tmp_path_factory.mktemp("web"), database=address)) for _ in range(2)
        )
        yield made
    for one in made:
        assert "Traceback" not in one.log
        assert "level=error" not in one.log


def _run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(5 * PATIENCE):
            await test()

    asyncio.run(bounded())


def _at(player: Player, server: WebProcess) -> Player:
    """The same player, at another server."""
    return Player(server.port, player.cookie)


async def _until(is_so: Callable[[], bool]) -> None:
    def look() -> None:
        until = time.monotonic() + PATIENCE
        while not is_so():
            assert time.monotonic() < until
            time.sleep(0.05)

    await asyncio.to_thread(look)


def test_a_player_goes_on_at_another_server(servers: tuple[WebProcess, ...]) -> None:
    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            board = (await say(one, "state", "state"))["board"]
        async with _at(ann, second).socket(path) as two:
            assert (await hear(two, "state"))["board"] == board
            await say(two, "right", cell=[20, 15])
            board = (await say(two, "state", "state"))["board"]
        # The first has it in memory still, as it was.
        async with ann.socket(path) as one:
            assert (await hear(one, "state"))["board"] == board
        assert ann.ask("GET", "/api/player").json() == {"played": 1, "won": 0}

    _run(test)


def test_of_two_tabs_at_two_servers_one_is_first_and_the_other_sees_the_game_as_it_is(
    servers: tuple[WebProcess, ...],
) -> None:
    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one, _at(ann, second).socket(path) as two:
            await hear(one, "state")
            await hear(two, "state")
            await one.send('{"do": "left", "cell": [3, 3], "id": 1}')
            await two.send('{"do": "left", "cell": [20, 10], "id": 2}')
            answers = [await _answer(one), await _answer(two)]
            kinds = sorted(answer["type"] for answer in answers)
            assert kinds in (["error", "update"], ["update", "update"])
            await _until(lambda: _boards(ann, servers, path) == 1)
            board = (await say(one, "state", "state"))["board"]
            assert (await say(two, "state", "state"))["board"] == board

    _run(test)


def test_two_tabs_at_two_servers_hear_of_each_other(servers: tuple[WebProcess, ...]) -> None:
    """A message a move: each server says which games have gone on, and the other asks the database."""

    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one, _at(ann, second).socket(path) as two:
            await hear(one, "state")
            await hear(two, "state")
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

    _run(test)


def test_two_tabs_that_play_at_once_make_one_game(database: Cluster, servers: tuple[WebProcess, ...]) -> None:
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

    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one, _at(ann, second).socket(path) as two:
            await say(one, "left", cell=[3, 3])
            await hear(two, "state")
            cells = [[x, y] for y in (12, 13, 14, 15) for x in range(10)]
            answers = await asyncio.gather(play(one, cells), play(two, [[x + 15, y] for x, y in cells]))
            assert {how for found in answers for how in found.values()} <= {"update", "busy", "illegal-move"}
            done = sum(how == "update" for found in answers for how in found.values())
            assert done
            await _until(lambda: _boards(ann, servers, path) == 1)
            # While the tabs are open: a game that nobody has in view is paused after some seconds, which is an input too.
            with open_store(database.address.format(name="postgres")) as store:
                saved = store.find_session(path.split("/")[-2])
        assert saved is not None
        session = saved_parts(saved.text).session
        assert (session.input_count, saved.state.flags) == (done + 1, session.board.flag_count)

    _run(test)


def test_a_session_that_is_ended_at_one_server_is_ended_at_all(servers: tuple[WebProcess, ...]) -> None:
    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with _at(ann, second).socket(path) as two:
            await hear(two, "state")
            answer = ann.ask("DELETE", "/api/player/sessions")
            assert answer.status_code == 204
            with pytest.raises(ConnectionClosed) as caught:
                await two.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1012
        again = Player(second.port, f"sapper_player={answer.cookies['sapper_player']}")
        game = path.removesuffix("/socket")
        assert [one.ask("GET", game).status_code for one in (_at(ann, second), again)] == [404, 200]

    _run(test)


async def _answer(socket: Any) -> dict[str, Any]:
    while True:
        message = await hear(socket, "")
        if "id" in message:
            return message


def _boards(player: Player, servers: tuple[WebProcess, ...], path: str) -> int:
    """How many different boards the servers show."""
    boards = [_at(player, one).ask("GET", path.removesuffix("/socket")).json()["board"] for one in servers]
    return len({tuple(board) for board in boards})


def test_a_server_that_stood_still_tells_nothing_of_a_game_that_went_on(servers: tuple[WebProcess, ...]) -> None:
    """It has the game as it was, and a move that its player made there long ago."""

    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            assert first.process is not None
            os.kill(first.process.pid, signal.SIGSTOP)
            try:
                await one.send('{"do": "left", "cell": [29, 15], "id": 7}')
                async with _at(ann, second).socket(path) as two:
                    await hear(two, "state")
                    await say(two, "right", cell=[29, 15])
                    board = (await say(two, "state", "state"))["board"]
            finally:
                os.kill(first.process.pid, signal.SIGCONT)
            assert (await _answer(one))["code"] == "busy"
            assert (await hear(one, "state"))["board"] == board

    _run(test)


def test_a_game_that_is_played_on_is_hidden_at_every_server(servers: tuple[WebProcess, ...]) -> None:
    """Its end is stored, and its mines are known to whoever asks for it; until it is undone, wherever that is."""

    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        name = path.split("/")[-2]
        async with ann.socket(path) as one, _at(ann, second).socket(path) as two:
            await say(one, "left", cell=[3, 3])
            await say(one, "terminate")
            await hear(one, "end")
            assert [_hidden(_at(ann, server), name) for server in servers] == [False, False]
            # The second has not heard of it yet, or has: it tells the end, as the first does.
            await _until(lambda: _boards(ann, servers, path) == 1)
            await say(two, "restart")
            assert [_hidden(_at(ann, server), name) for server in servers] == [True, True]
            assert "end" not in _at(ann, first).ask("GET", path.removesuffix("/socket")).json()

    _run(test)


def _hidden(player: Player, name: str) -> bool:
    found = player.ask("GET", f"/api/played/{name}.0").json()
    assert found["hidden"] == (found["code"] is None)
    hidden: bool = found["hidden"]
    return hidden


def test_told_is_kept_when_a_server_is_killed(database: Cluster, tmp_path: Path) -> None:
    address = database.address.format(name="postgres")

    async def test(servers: list[WebProcess]) -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            for cell in ([3, 3], [29, 15], [0, 15]):
                board = await say(one, "right", cell=cell)
            board = (await say(one, "state", "state"))["board"]
            first.kill()
            with pytest.raises(ConnectionClosed):
                await one.recv()
        async with _at(ann, second).socket(path) as two:
            assert (await hear(two, "state"))["board"] == board
            await say(two, "left", cell=[15, 8])
            await say(two, "terminate")
            await hear(two, "end")
        with open_store(address) as store:
            game = store.find_game(path.split("/")[-2] + ".0")
        assert game is not None
        assert game.result is Result.TERMINATED

    with ExitStack() as stack:
        made = []
        for number in range(2):
            folder = tmp_path / str(number)
            folder.mkdir()
            made.append(stack.enter_context(web_process(folder, database=address)))
        _run(lambda: test(made))


def test_a_forgotten_player_stays_forgotten(database: Cluster, servers: tuple[WebProcess, ...]) -> None:
    """Whatever another server has in memory of their games."""

    async def test() -> None:
        first, second = servers
        ann = Player.new(first)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            assert _at(ann, second).ask("DELETE", "/api/player").status_code == 204
            await one.send('{"do": "terminate", "id": 3}')
            assert (await _answer(one))["type"] == "error"
        assert ann.ask("GET", path.removesuffix("/socket")).status_code == 404
        with open_store(database.address.format(name="postgres")) as store:
            assert ann.cookie.partition("=")[2].split(".")[0] not in store.players()

    _run(test)
