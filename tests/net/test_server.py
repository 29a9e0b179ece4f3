"""The server of one process: players do not meet, mistakes stay where they are, the end is told to everyone."""

import asyncio
import contextlib
import json
import resource
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.site import free_port
from sapper.net import connection
from sapper.net.server import serve
from sapper.net.settings import ServerLimits, ServerSettings
from sapper.store.models import Category, Result
from tests.net.local_server import ONE_SCREEN, LocalClient, local_server
from tests.net.test_metrics import read_exposition
from tests.network import PATIENCE, ServerProcess, Wire, rows_of, served, start
from tests.played_games import ListSink


async def test_two_players_have_games_of_their_own() -> None:
    async with local_server() as server:
        one, other = await server.client(), await server.client()
        before = await one.ask(start(6, 3))
        await other.ask(start(4, 2, 3))
        await other.ask(b"\x06")
        assert (await one.ask(b"\x01"))[:3] == before[:3] == ["??????"] * 3
        assert (await other.ask(b"\x01"))[:2] == ["F???", "????"]


async def test_a_mistake_of_ours_ends_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async with local_server() as server:
        bad, good = await server.client(), await server.client()
        await good.ask(ONE_SCREEN)
        await bad.ask(ONE_SCREEN)
        failing = next(one for one in server.game_server._connections if one.peer == _name(bad))

        class Broken:
            is_playing = False

            def answer(self, packet: object) -> bytes:
                raise ZeroDivisionError

            def leave(self) -> None:
                pass

        failing.seat = Broken()  # type: ignore[assignment]
        bad.writer.write(b"\x01")
        assert await bad.is_closed()
        assert (await good.ask(b"\x06"))[0] == "F????"
        assert server.game_server.metrics.closed == {"error in the server": 1}
        assert server.game_server.metrics.errors == {"server": 1}


def _name(client: LocalClient) -> str:
    host, port = client.writer.get_extra_info("sockname")
    return f"{host}:{port}"


async def test_debugged_games_are_counted_apart() -> None:
    async with local_server() as server:
        client = await server.client()
        await client.ask(ONE_SCREEN)
        assert server.game_server.snapshot().playing == 0
        await client.ask(b"\x06")
        assert server.game_server.snapshot().playing == 1
        await client.ask(b"\x0a")
        await client.ask(ONE_SCREEN)
        assert server.game_server.metrics.finished == {"debugged": 1}
        assert [result.debugged for result in server.results] == [True]


async def test_at_the_end_everyone_is_told_and_the_deaf_are_cut_off() -> None:
    async with local_server(queued=4096) as server:
        playing, new = await server.client(), await server.client()
        deaf = await server.client(SO_SNDBUF=4096, SO_RCVBUF=4096)
        await playing.ask(ONE_SCREEN)
        await playing.ask(b"\x06")
        await new.ask(b"\x01")
        deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
        deaf.writer.write(start(100, 100) + b"\x01" * 1000)
        await server.until(lambda: server.game_server.metrics.packets[1] > 1)
        await server.game_server.shut_down(grace=0.1)
        assert (await playing.read())[5] == "Goodbye: server shutting down."
        assert (await new.read())[2] == "Goodbye: server shutting down."
        assert await playing.is_closed()
        assert await new.is_closed()
        assert server.game_server.metrics.closed == {"server shutting down": 3}
        assert [result.result for result in server.results] == [Result.TERMINATED]
        late = await server.client()
        with contextlib.suppress(ConnectionError):
            assert (await late.read())[2] == "Goodbye: server shutting down."
        assert await late.is_closed()


async def test_the_last_screen_waits_until_the_end_is_durable(monkeypatch: pytest.MonkeyPatch) -> None:
    async with local_server() as server:
        server.sink.holds = True
        durable = server.sink.waiting
        monkeypatch.setattr(connection, "FAREWELL_TIME", 3600.0)
        kept = await server.client()
        await kept.ask(ONE_SCREEN)
        kept.writer.write(b"\x06")
        await server.until(lambda: len(durable) == 1)
        durable.pop(0)()
        assert (await kept.read())[0] == "F????"
        ending = asyncio.create_task(server.game_server.shut_down(grace=3600))
        await server.until(lambda: len(durable) == 1)
        sent = server.game_server.metrics.bytes_sent
        assert [one._reason for one in server.game_server._connections] == [None], "it is neither told nor closed"
        durable.pop(0)()
        assert (await kept.read())[5] == "Goodbye: server shutting down."
        assert await kept.is_closed()
        await ending
        assert server.game_server.metrics.bytes_sent > sent


async def test_the_last_screen_says_what_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    async with local_server() as server:
        server.sink.holds = True
        monkeypatch.setattr(connection, "KEEP_TIME", 0.0)
        monkeypatch.setattr(connection, "FAREWELL_TIME", 0.0)
        client = await server.client()
        await client.ask(ONE_SCREEN)
        assert (await client.ask(b"\x06"))[5].endswith("This is not saved yet.")
        await server.game_server.shut_down(grace=3600)
        assert (await client.read())[5] == "Goodbye: server shutting down. This is not saved yet."
        assert await client.is_closed()


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with served("--seed", "11", "server.metrics=127.0.0.1:0") as process:
        yield process


def _metrics(server: ServerProcess) -> dict[str, float]:
    (match,) = server.wait_for(r'event="serving metrics" address=(\S+)')
    with urllib.request.urlopen(f"http://{match[1]}/metrics") as response:
        return read_exposition(response.read().decode())


def _quiet_metrics(server: ServerProcess) -> dict[str, float]:
    """The same, as soon as the server has seen that all who were there before have left."""
    until = time.monotonic() + PATIENCE
    while (found := _metrics(server))["sapper_connections"] or found["sapper_games_playing"]:
        assert time.monotonic() < until, found
    return found


def test_a_game_over_the_network(server: ServerProcess) -> None:
    with Wire(server.port) as wire:
        assert rows_of(wire.ask(start(9, 3)))[:3] == ["?" * 9] * 3
        assert rows_of(wire.ask(6))[0] == "F????????"
        wire.sock.sendall(b"\x08")
        assert wire.is_closed()


def test_the_metrics_count_what_is_going_on(server: ServerProcess) -> None:
    before = _quiet_metrics(server)
    with Wire(server.port) as wire:
        wire.ask(start(20, 10))  # where there is one mine, its mark would end the game
        wire.ask(6)
        during = _metrics(server)
        assert during["sapper_connections"] - before["sapper_connections"] == 1
        assert during["sapper_games_playing"] - before["sapper_games_playing"] == 1
        assert during["sapper_packets_total{toggle_bomb_mark}"] - before["sapper_packets_total{toggle_bomb_mark}"] == 1
        assert during["sapper_answer_seconds_count"] - before["sapper_answer_seconds_count"] == 2


def test_hostile_peers_are_noticed_by_nobody_else(server: ServerProcess) -> None:
    with Wire(server.port) as good, Wire(server.port) as slow:
        good.ask(start(9, 3, 3))
        slow.ask(start(9, 3))
        slow.sock.sendall(b"\x07\x00\x00")  # half a packet, for as long as it likes
        for garbage in (b"\xff" * 1000, b"\x07\xff\xff\xff\xff", b"\x09", b"\x00", bytes(range(256))):
            with Wire(server.port) as bad:
                bad.sock.sendall(garbage)
                while not bad.is_closed():
                    pass
        for _ in range(1000):
            Wire(server.port).sock.close()
        slow.sock.sendall(b"\x00\x03\x02\x01\x01")
        assert rows_of(slow.read())[0] == "??"
        assert rows_of(good.ask(6))[0] == "F????????"
    server.wait_for('event="protocol fault" peer=127.0.0.1:[0-9]+ fault="packet type 255 is not accepted here', 1)
    server.wait_for('fault="START has 3 bytes of payload, not 4294967295"', 1)


def test_a_signal_tells_players_and_exits_with_0() -> None:
    with served("log.format=json") as server, Wire(server.port) as wire:
        wire.ask(start(9, 3))
        server.process.send_signal(signal.SIGTERM)
        assert rows_of(wire.read())[4] == "Goodbye: server shutting down."
        assert wire.is_closed()
        assert server.stop() == 0  # and a second signal, if it is not gone yet, changes nothing
        events = [json.loads(line)["event"] for line in server.log]
        assert events[-1] == "ended"
        assert "shutting down" in events
        with pytest.raises(ConnectionRefusedError):
            Wire(server.port)


def test_ctrl_c_is_an_end_in_order_too() -> None:
    with served() as server:
        assert server.stop(signal.SIGINT) == 1
        assert server.log[-1] == "sapper: interrupted"


def test_the_limits_of_the_command_line_hold() -> None:
    with served("server.max_connections=3", "server.max_per_address=1") as server, Wire(server.port) as first:
        first.ask(start(2, 2))
        with Wire(server.port) as second:
            assert rows_of(second.read())[2] == (
                "Sorry: this server lets in 1 connection at once from one address, and your address has it already."
            )
        server.wait_for('event="connection refused" peer=127.0.0.1:[0-9]+ address=127.0.0.1 reason="too many')


def _serve_in_process(settings: ServerSettings, visit: object) -> None:
    async def main() -> None:
        stop = asyncio.Event()
        ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(serve(settings, stop=stop, ready=ready.set_result))
        port = int((await ready).rpartition(":")[2])
        await asyncio.to_thread(visit, port)  # type: ignore[arg-type]
        stop.set()
        await task

    asyncio.run(main())


def test_the_result_of_every_finished_game_goes_to_one_place() -> None:
    sink = ListSink()
    settings = ServerSettings(port=0, seed=3, sink=sink, metrics=("127.0.0.1", 0))

    def visit(port: int) -> None:
        with Wire(port) as wire:
            wire.ask(start(1, 1))
            assert "YOU WON" in wire.ask(6)
            wire.ask(start(1, 1))
            assert "YOU LOST" in wire.ask(5)
            wire.ask(start(4, 4))
            wire.ask(6)
            wire.ask(10)
            wire.ask(start(4, 4))
            wire.ask(start(4, 4))
            wire.ask(6)
            wire.sock.sendall(b"\x08")
            assert wire.is_closed()

    _serve_in_process(settings, visit)
    assert [(game.result, game.category) for game in sink.of(ended=True)] == [
        (Result.WON, Category.PLAIN),
        (Result.LOST, Category.PLAIN),
        (Result.TERMINATED, Category.DEBUGGED),
        (Result.TERMINATED, Category.PLAIN),
    ]
    assert "127.0.0.1" not in repr(sink.changes)  # the address of a player is nobody's name


def test_a_metrics_port_that_is_taken_leaves_no_port_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = free_port()
        settings = ServerSettings(
            port=port, metrics=("127.0.0.1", taken.getsockname()[1]), limits=ServerLimits(connections=10)
        )
        with pytest.raises(OSError, match="the port is taken"):
            asyncio.run(serve(settings, stop=asyncio.Event()))
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port))


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="only Linux changes the limits of another process")
def test_without_a_file_left_a_player_waits_until_there_is_one() -> None:
    with served() as server, Wire(server.port) as first:
        first.ask(start(9, 3, 3))
        files = len(list(Path(f"/proc/{server.process.pid}/fd").iterdir()))
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (files, files + 100))
        with Wire(server.port) as second:
            server.wait_for(
                'level=error event="socket.accept\\(\\) out of system resource" reason=.*Too many open files'
            )
            assert rows_of(first.ask(6))[0] == "F????????"
            first.sock.sendall(b"\x08")
            assert first.is_closed()
            assert rows_of(second.ask(start(2, 2)))[0] == "??"
