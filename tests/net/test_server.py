"""The server of one process: players do not meet, mistakes stay where they are, the end is told to everyone."""

import asyncio
import contextlib

import pytest

from sapper.net import connection
from sapper.store.models import Result
from tests.net.local_server import ONE_SCREEN, LocalClient, local_server, run
from tests.network import start


def test_two_players_have_games_of_their_own() -> None:
    async def test() -> None:
        async with local_server() as server:
            one, other = await server.client(), await server.client()
            before = await one.ask(start(6, 3))
            await other.ask(start(4, 2, 3))
            await other.ask(b"\x06")
            assert (await one.ask(b"\x01"))[:3] == before[:3] == ["??????"] * 3
            assert (await other.ask(b"\x01"))[:2] == ["F???", "????"]

    run(test)


def test_a_mistake_of_ours_ends_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
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

    run(test)


def _name(client: LocalClient) -> str:
    host, port = client.writer.get_extra_info("sockname")
    return f"{host}:{port}"


def test_debugged_games_are_counted_apart() -> None:
    async def test() -> None:
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

    run(test)


def test_at_the_end_everyone_is_told_and_the_deaf_are_cut_off() -> None:
    async def test() -> None:
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

    run(test)


def test_the_last_screen_waits_until_the_end_is_durable(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
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

    run(test)


def test_the_last_screen_says_what_is_not_saved(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
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

    run(test)
