"""One connection: answers in order, limits, faults, slow clients. Nobody else notices."""

import pytest

from sapper.net import turns
from sapper.store.models import Result
from tests.net.local_server import ONE_SCREEN, local_server
from tests.network import start


async def test_answers_come_in_order_however_packets_are_cut() -> None:
    async with local_server() as server:
        client = await server.client()
        packets = ONE_SCREEN + b"\x02" * 3 + b"\x06"
        for index in range(len(packets)):
            client.writer.write(packets[index : index + 1])
            await client.writer.drain()
        answers = [await client.read() for _ in range(5)]
        assert [lines[0] for lines in answers] == ["?????"] * 4 + ["???F?"]


async def test_quit_closes_at_once_and_ends_the_game() -> None:
    async with local_server() as server:
        client = await server.client()
        await client.ask(ONE_SCREEN)
        await client.ask(b"\x06")
        client.writer.write(b"\x08\x01")
        assert await client.is_closed()
        await server.until(lambda: server.left)
        assert [result.result for result in server.results] == [Result.TERMINATED]
        assert server.game_server.metrics.closed == {"quit": 1}


@pytest.mark.parametrize(
    "garbage", [b"\x00", b"\x09\x00\x00\x00\x00", b"\x07\xff\xff\xff\xff", b"\x0b", b"GET / HTTP/1.1\r\n"]
)
async def test_garbage_ends_that_connection_alone(garbage: bytes) -> None:
    async with local_server() as server:
        bad, good = await server.client(), await server.client()
        await good.ask(ONE_SCREEN)
        bad.writer.write(garbage)
        assert await bad.is_closed()
        assert (await good.ask(b"\x06"))[0] == "F????"
        assert server.game_server.metrics.closed == {"broke the protocol": 1}
        assert server.game_server.metrics.errors == {"protocol": 1}


async def test_a_lost_connection_ends_its_game() -> None:
    async with local_server() as server:
        client = await server.client()
        await client.ask(ONE_SCREEN)
        await client.ask(b"\x06")
        client.writer.transport.abort()
        await server.until(lambda: server.left)
        assert [result.result for result in server.results] == [Result.TERMINATED]


async def test_a_client_that_ends_its_half_still_gets_its_answers() -> None:
    async with local_server() as server:
        client = await server.client()
        client.writer.write(ONE_SCREEN + b"\x02" * 100)
        client.writer.write_eof()
        for _ in range(101):
            await client.read()
        assert await client.is_closed()
        await server.until(lambda: server.left)
        assert server.game_server.metrics.closed == {"client closed it": 1}


@pytest.mark.parametrize("half", [b"", b"\x07\x00", b"\x07\x00\x00\x00\x03\x05"])
async def test_an_idle_connection_is_told_and_closed(half: bytes) -> None:
    async with local_server(idle=1) as server:
        client = await server.client()
        await client.ask(ONE_SCREEN)
        client.writer.write(half)  # what is no whole packet does not count as one
        assert (await client.read())[5] == "Goodbye: idle."
        assert await client.is_closed()
        await server.until(lambda: server.left)
        assert server.game_server.metrics.closed == {"idle": 1}


async def test_a_client_that_never_reads_is_cut_off_alone() -> None:
    async with local_server(stall=1, queued=4096) as server:
        good = await server.client()
        bad = await server.client(SO_SNDBUF=4096, SO_RCVBUF=4096)
        bad.reader._transport.pause_reading()  # type: ignore[attr-defined]
        bad.writer.write(start(100, 100) + b"\x01\x02" * 20_000)
        await good.ask(ONE_SCREEN)
        while not server.left:
            await good.ask(b"\x02")
        assert server.game_server.metrics.closed == {"left its answers unread": 1}
        # It was not read from either: what it may pile up is a screen above the limit.
        assert server.game_server.metrics.packets[1] < 1000
        assert (await good.ask(b"\x06"))[0] == "????F"


async def test_a_client_that_reads_late_loses_nothing() -> None:
    async with local_server(queued=4096) as server:
        client = await server.client(SO_SNDBUF=4096, SO_RCVBUF=4096)
        client.reader._transport.pause_reading()  # type: ignore[attr-defined]
        client.writer.write(start(40, 40) + b"\x06" * 99)
        await server.until(lambda: server.game_server.metrics.packets[6])
        client.reader._transport.resume_reading()  # type: ignore[attr-defined]
        for _ in range(99):
            await client.read()
        assert (await client.read())[0][0] == "F"


async def test_large_boards_are_answered_in_order_beside_others() -> None:
    async with local_server() as server:
        large, small = await server.client(), await server.client()
        large.writer.write(start(255, 255, 3) + b"\x02\x06" + start(255, 255, 1))
        await small.ask(ONE_SCREEN)
        first = await large.read()
        assert first[:255] == ["?" * 255] * 255
        assert "Mines 29261," in first[255]
        assert (await large.read())[0] == "?" * 255
        assert (await large.read())[0] == "?F" + "?" * 253
        assert "Mines 3251," in (await large.read())[255]
        assert [result.result for result in server.results] == [Result.TERMINATED]


async def test_a_move_waits_for_no_start_and_for_no_reveal_on_a_large_board(monkeypatch: pytest.MonkeyPatch) -> None:
    async with local_server() as server:
        starting, revealing, moving = await server.client(), await server.client(), await server.client()
        await revealing.ask(start(60, 60))
        await moving.ask(start(60, 60))
        budget = turns.TURN
        monkeypatch.setattr("sapper.net.connection.FREE", 60.0)  # a move is quick, however busy this machine is
        monkeypatch.setattr(turns, "TURN", 0.0)  # as if others had it all
        server.game_server.turns.spend(budget)
        starting.writer.write(ONE_SCREEN)
        revealing.writer.write(b"\x02\x05\x02")
        assert (await revealing.read())[0][0] == "?"  # the step before the reveal
        for _ in range(3):
            assert (await moving.ask(b"\x06\x02"))[0][0] in "FM"
            await moving.read()
            await moving.ask(b"\x01")
            await moving.ask(b"\x06")
        counts = server.game_server.metrics.packets
        assert (counts[7], counts[5]) == (2, 0)
        monkeypatch.setattr(turns, "TURN", budget)
        assert (await starting.read())[0] == "?????"
        await revealing.read()
        await revealing.read()
        assert (counts[7], counts[5]) == (3, 1)
