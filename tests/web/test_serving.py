"""A real server, real sockets: games over the wire, who is refused, how it ends, and that it goes on where it was."""

import asyncio
import contextlib
import errno
import json
import logging
import re
import sqlite3
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import ClassVar, cast

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.frames import Close

from sapper.store.devices import read_open
from sapper.store.locks import StoreLock
from sapper.store.repository import open_store
from sapper.web import serving
from sapper.web.http.identity import PlayerCookies
from sapper.web.http.limits import WebLimits
from tests.postgres import Cluster, needed_binaries, running
from tests.registries import until
from tests.web_players import Player, hear, say
from tests.web_process import PATIENCE, WebProcess, web_process


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    with web_process(tmp_path_factory.mktemp("web")) as process:
        yield process
    assert "Traceback" not in process.log
    assert "level=error" not in process.log  # what strangers try is no mistake of the server's


def _run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(5 * PATIENCE):
            await test()

    asyncio.run(bounded())


def _saved_inputs(server: WebProcess, name: str) -> int:
    """How many inputs of a game the store has; 0 if it has not got it."""
    with open_store(server.database) as store:
        saved = store.find_session(name)
    return 0 if saved is None else sum(len(json.loads(line)["inputs"]) for line in saved.text.splitlines())


def _rename(path: Path, table: str, to: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None, timeout=PATIENCE)) as database:
        database.execute(f"ALTER TABLE {table} RENAME TO {to}")


def _results(server: WebProcess) -> list[str]:
    with open_store(server.database) as store:
        return sorted(game.result.value for game in store.games())


async def test_a_game_is_played_to_its_end_in_two_tabs(server: WebProcess) -> None:
    ann = Player.new(server)
    path = ann.game(preset="beginner", seed=5)
    async with ann.socket(path) as one, ann.socket(path) as two:
        state = await hear(one, "state")
        assert state == await hear(two, "state")
        assert (await say(one, "left", cell=[4, 4], id=1))["id"] == 1
        seen = await hear(two, "update")
        assert "id" not in seen
        assert seen["number"] == state["number"] + 1
        assert (await say(two, "terminate"))["status"] == "terminated"
        end = await hear(one, "end")
        assert end["code"] is not None
    assert ann.ask("GET", path.removesuffix("/socket")).json()["end"]["status"] == "terminated"


async def test_sockets_that_are_refused(server: WebProcess) -> None:
    ann = Player.new(server)
    path = ann.game()
    forged = (
        PlayerCookies("another secret of the tests")
        .cookie("web-" + "0" * 32, "0" * 16, is_secure=False)
        .partition(";")[0]
    )
    for cookie, code in (("", 1008), (forged, 1008), (Player.new(server).cookie, 4404)):
        async with Player(server.port, cookie).socket(path) as one:
            with pytest.raises(ConnectionClosed) as caught:
                await one.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == code
    own = f"http://127.0.0.1:{server.port}"
    async with ann.socket(path, origin=own) as one:
        await hear(one, "state")
    for headers in ({"origin": "https://evil.example"}, {"origin": f"{own}0"}, {"origin": "null"}):
        with pytest.raises(InvalidStatus) as refused:
            async with ann.socket(path, **headers):
                pass
        assert refused.value.response.status_code == 403
        assert b"a page of another server" in (refused.value.response.body or b"")


def test_behind_a_proxy_one_address_has_no_more_sockets_than_its_places(tmp_path: Path) -> None:
    """Its connections come from the proxy: sockets are counted for the address that the proxy names."""

    async def test(server: WebProcess) -> None:
        ann = Player.new(server)
        path = ann.game()
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(5):
                await stack.enter_async_context(ann.socket(path, **{"x-forwarded-for": "192.0.2.1"}))
            with pytest.raises(InvalidStatus) as refused:
                await stack.enter_async_context(ann.socket(path, **{"x-forwarded-for": "192.0.2.1"}))
            assert refused.value.response.status_code == 503
            async with ann.socket(path, **{"x-forwarded-for": "192.0.2.2"}) as other:
                assert (await hear(other, "state"))["status"] == "ready"
        async with ann.socket(path, **{"x-forwarded-for": "192.0.2.1"}) as again:
            assert (await hear(again, "state"))["status"] == "ready"

    with web_process(tmp_path, "web.proxies=127.0.0.1", "web.max_per_address=5") as server:
        _run(lambda: test(server))
        assert "ASGI callable" not in server.log


async def test_a_message_that_is_too_long_ends_the_socket_and_not_the_game(server: WebProcess) -> None:
    ann = Player.new(server)
    path = ann.game()
    async with ann.socket(path) as one:
        with pytest.raises(ConnectionClosed) as caught:
            await say(one, "left", cell=[0] * 3000)
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009
    async with ann.socket(path) as one:
        assert (await hear(one, "state"))["status"] == "ready"


async def test_a_flood_is_cut_off_and_nobody_else_notices(server: WebProcess) -> None:
    ann, flooding = Player.new(server), Player.new(server)
    path = ann.game(preset="expert", start="any", mine_count=1)
    async with ann.socket(path) as quiet, flooding.socket(flooding.game()) as flood:
        await hear(flood, "state")
        answers: Counter[str] = Counter()

        async def pour() -> None:
            # One at a time: bytes that are still on their way to a socket that is closed turn the farewell into a reset.
            while True:
                await flood.send('{"do":"ping"}')
                answers[json.loads(await flood.recv())["type"]] += 1

        pouring = asyncio.create_task(pour())
        for x in range(10):
            await say(quiet, "flag", cell=[x, 0])
        with pytest.raises(ConnectionClosed) as caught:
            await pouring
        assert caught.value.rcvd == Close(1008, "too many messages")
        limits = WebLimits()
        assert answers["pong"] >= limits.messages.burst
        assert answers["error"] == limits.dropped


def test_answers_without_a_player_s_page(server: WebProcess) -> None:
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as client:
        page = client.get("/")
        assert page.headers["content-security-policy"].startswith("default-src 'none'")
        assert "server" not in page.headers
        assert client.get("/static/any/main.js").headers["content-encoding"] == "gzip"
        assert client.post("/api/games", content=b"x" * 70_000).status_code == 413
        assert client.post("/api/games", content=b"{}", headers={"origin": "https://evil.example"}).status_code == 403
        assert client.get("/", headers={"host": "evil.example"}).status_code == 403
        # A proxy or a container that checks it knows its address only.
        assert client.get("/health", headers={"host": "10.0.0.7:8080"}).status_code == 200


async def test_the_server_ends_in_order_and_goes_on_where_it_was(tmp_path: Path) -> None:
    with web_process(tmp_path) as server:
        ann = Player.new(server)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            before = await say(one, "state", "state")
            stopping = asyncio.create_task(asyncio.to_thread(server.stop))
            await hear(one, "closing")
            with pytest.raises(ConnectionClosed) as caught:
                await one.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1012
            assert await stopping == 0
        server.start()
        async with ann.socket(path) as one:
            after = await hear(one, "state")
            assert (after["board"], after["status"]) == (before["board"], "playing")
            assert after["time"] >= before["time"]
            assert (await say(one, "terminate"))["status"] == "terminated"
            assert (await hear(one, "end"))["seed"] == "9"
    assert "Traceback" not in server.log


async def test_a_store_that_gives_trouble_stops_no_game(tmp_path: Path) -> None:
    with web_process(tmp_path) as server:
        ann = Player.new(server)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            # Somebody drops what the server writes to, and it finds that out.
            await asyncio.to_thread(_rename, tmp_path / "web.db", "sessions", "hidden")
            for x in range(5):
                assert (await say(one, "right", cell=[x, 15]))["type"] == "update"
            await until(lambda: "level=warning" in server.log)
            await until(lambda: ann.ask("GET", "/health").status_code == 503, gap=0.1)
            assert (await say(one, "right", cell=[5, 15]))["type"] == "update"
            await asyncio.to_thread(_rename, tmp_path / "web.db", "hidden", "sessions")
            board = (await say(one, "state", "state"))["board"]
            await until(lambda: ann.ask("GET", "/health").status_code == 200, gap=0.1)
        assert server.stop() == 0
        server.start()
        async with ann.socket(path) as one:
            assert (await hear(one, "state"))["board"] == board


def test_a_database_that_is_away_for_a_while_costs_no_move(tmp_path: Path) -> None:
    """Where servers share it nobody is told of a move that it has not got: the answers come when it is back."""

    async def test(database: Cluster, server: WebProcess) -> None:
        ann = Player.new(server)
        path, other = ann.game(preset="expert", seed=9), ann.game(preset="beginner", seed=1)
        name = path.split("/")[-2]
        async with ann.socket(path) as one, ann.socket(other) as two:
            await say(one, "left", cell=[3, 3])
            await say(two, "left", cell=[4, 4])
            assert _saved_inputs(server, name) == 1
            database.stop()
            await one.send('{"do": "right", "cell": [0, 15]}')
            await two.send('{"do": "terminate"}')
            for tab in (one, two):
                told = json.loads(await tab.recv())
                assert (told["type"], told["saved"]) == ("saving", False)
            await until(lambda: "the store gives trouble; games go on" in server.log)
            for method, path_asked in (("POST", "/api/games"), ("GET", "/api/statistics"), ("GET", "/health")):
                assert ann.ask(method, path_asked, json={}).status_code == 503
            database.start()
            assert (await hear(one, "update"))["flags"] == 1
            assert (await hear(two, "update"))["status"] == "terminated"
            await hear(two, "end")
            assert await hear(one, "saving") == {"type": "saving", "saved": True}
            assert _saved_inputs(server, name) == 2
            assert _results(server) == ["playing", "terminated"]
            board = (await say(one, "state", "state"))["board"]
        await until(lambda: ann.ask("POST", "/api/games", json={}).status_code == 201, gap=0.1)
        server.kill()
        server.start()
        async with ann.socket(path) as one:
            assert (await hear(one, "state"))["board"] == board

    with (
        running(needed_binaries()) as database,
        web_process(tmp_path, database=database.address.format(name="postgres")) as server,
    ):
        _run(lambda: test(database, server))
        assert "Traceback" not in server.log


def test_a_player_ends_other_sessions_and_plays_on(tmp_path: Path) -> None:
    async def test(server: WebProcess) -> None:
        ann = Player.new(server)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            answer = ann.ask("DELETE", "/api/player/sessions")
            assert answer.status_code == 204
            again = Player(server.port, f"sapper_player={answer.cookies['sapper_player']}")
            game = path.removesuffix("/socket")
            assert again.ask("GET", game).status_code == 200
            await one.wait_closed()
            assert (one.close_code, one.close_reason) == (1012, "sessions were ended")
        server.kill()
        server.start()
        assert [one.ask("GET", game).status_code for one in (ann, again)] == [404, 200]
        async with ann.socket(path) as one:
            with pytest.raises(ConnectionClosed) as caught:
                await one.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1008
        async with again.socket(path) as one:
            assert (await hear(one, "state"))["status"] == "playing"
        assert again.ask("DELETE", "/api/player").status_code == 204

    with web_process(tmp_path) as server:
        _run(lambda: test(server))
        with open_store(server.database) as store:
            assert read_open(store) == {}


def test_over_tls_the_cookie_is_this_host_s_alone(tmp_path: Path) -> None:
    """TLS is the proxy's, which says so."""
    with (
        web_process(tmp_path, "web.proxies=127.0.0.1") as server,
        httpx.Client(base_url=server.url, headers={"x-forwarded-proto": "https"}, timeout=PATIENCE) as client,
    ):
        cookie = client.get("/api/player").headers["set-cookie"]
        assert re.fullmatch(r"__Host-sapper_player=[^;]+; Path=/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure", cookie)
        header = {"cookie": cookie.partition(";")[0]}
        game = client.post("/api/games", json={}, headers=header).headers["location"]
        assert client.get(game, headers=header).status_code == 200
        assert client.get(game, headers={"cookie": header["cookie"].removeprefix("__Host-")}).status_code == 404
        gone = client.request("DELETE", "/api/player", headers=header).headers["set-cookie"]
        assert gone.startswith('__Host-sapper_player="";')
        assert "Secure" in gone


def test_who_is_forgotten_stands_nowhere_in_the_database(tmp_path: Path) -> None:
    """Neither in it nor in its write-ahead log, however little is written from then on."""

    def files() -> bytes:
        return b"".join(path.read_bytes() for path in tmp_path.glob("web.db*") if path.is_file())

    async def test(server: WebProcess) -> None:
        ann = Player.new(server)
        name = ann.cookie.partition("=")[2][:36].encode()
        async with ann.socket(ann.game(preset="beginner", seed=5)) as one:
            await say(one, "left", cell=[4, 4])
            await say(one, "terminate")
            await hear(one, "end")
        await until(lambda: ann.ask("GET", "/api/played").json()["games"] != [], gap=0.1)
        await until(lambda: name in files())
        assert ann.ask("DELETE", "/api/player").status_code == 204
        assert name not in files()

    with web_process(tmp_path) as server:
        _run(lambda: test(server))


def test_a_server_whose_store_is_moved_away_ends_and_says_so(tmp_path: Path) -> None:
    async def play(server: WebProcess) -> None:
        ann = Player.new(server)
        path = ann.game(preset="expert", seed=9)
        async with ann.socket(path) as one:
            await say(one, "left", cell=[3, 3])
            for name in ("web.db", "web.db-wal", "web.db-shm"):
                (tmp_path / name).rename(tmp_path / f"moved.{name}")
            await hear(one, "closing")

    with web_process(tmp_path) as server:
        asyncio.run(play(server))
        assert server.process is not None
        assert server.process.wait(PATIENCE) == 1
    assert "sapper: another server has this store now, or it was moved away" in server.log
    assert "Traceback" not in server.log
    assert not (tmp_path / "web.db").exists()


def test_an_operator_sees_health_and_counts(tmp_path: Path) -> None:
    async def play(server: WebProcess) -> None:
        ann = Player.new(server)
        async with ann.socket(ann.game(preset="beginner", seed=5)) as one:
            await say(one, "left", cell=[4, 4])
            await say(one, "fly", "error")
            await say(one, "terminate")
            assert ann.ask("GET", "/health").json() == {"status": "ok", "games": 1, "sockets": 1}

    with web_process(tmp_path, "web.metrics=127.0.0.1:0") as server:
        asyncio.run(play(server))
        found = re.search(r"serving metrics.*address=(\S+)", server.log)
        assert found is not None
        with httpx.Client() as client:
            lines = client.get(found[1].rstrip("/") + "/metrics").text.splitlines()
        assert server.stop() == 0
    for line in (
        "sapper_games_started_total 1.0", 'sapper_games_finished_total{result="terminated"} 1.0', "sapper_games_in_memory 1.0",
        'sapper_messages_total{verb="left"} 1.0', 'sapper_errors_total{kind="message"} 1.0', "sapper_answer_seconds_count 3.0",
    ):  # fmt: skip
        assert line in lines


def test_a_disk_that_gives_no_answer_is_no_lost_store(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server goes on and asks again, until the lock says that the store is another's."""

    class Lock:
        answers: ClassVar = [OSError(errno.EIO, "Input/output error"), True, False]

        @property
        def is_held(self) -> bool:
            answer = self.answers.pop(0)
            if isinstance(answer, OSError):
                raise answer
            return bool(answer)

    monkeypatch.setattr(serving, "RENEW", 0.01)
    stop = asyncio.Event()
    with caplog.at_level(logging.WARNING, logger="sapper.server"):
        asyncio.run(serving._keep_lock(cast(StoreLock, Lock()), stop))
    assert stop.is_set()
    assert Lock.answers == []
    assert [record.levelname for record in caplog.records] == ["WARNING", "ERROR"]
