"""The server in this process, over real sockets: limits in time, slow clients, its end. Nobody else notices."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from sapper.core.rng import Rng
from sapper.core.status import Status
from sapper.net.limits import Limits
from sapper.net.results import GameResult
from sapper.net.server import GameServer, seeds_of
from tests.network import PATIENCE, rows_of, start

ONE_SCREEN = start(5, 4)


class Guest:
    """A client of a server in this process."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def ask(self, packet: bytes) -> list[str]:
        self.writer.write(packet)
        return await self.read()

    async def read(self) -> list[str]:
        header = await self.reader.readexactly(5)
        assert header[0] == 9
        return rows_of((await self.reader.readexactly(int.from_bytes(header[1:]))).decode())

    async def is_closed(self) -> bool:
        try:
            return await self.reader.read(1) == b""
        except ConnectionError:
            return True


class House:
    """A game server, and guests who are let in without a door."""

    def __init__(self, limits: Limits) -> None:
        self.results: list[GameResult] = []
        self.left: list[str] = []
        self.news = asyncio.Condition()
        self.server = GameServer(
            limits=limits, draw_seed=Rng(1).next, on_finished=self.results.append, on_left=self.left.append
        )
        self.guests: list[Guest] = []

    async def guest(self, **options: int) -> Guest:
        theirs, ours = _pair()
        for name, value in options.items():
            ours.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
            theirs.setsockopt(socket.SOL_SOCKET, getattr(socket, name), value)
        self.server.admit(theirs, "somewhere")
        reader, writer = await asyncio.open_connection(sock=ours)
        self.guests.append(Guest(reader, writer))
        return self.guests[-1]

    async def close(self) -> None:
        await self.server.shut_down(grace=1.0)
        for guest in self.guests:
            guest.writer.transport.abort()
            with contextlib.suppress(OSError):
                await guest.writer.wait_closed()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for something that the server does on its own, and tells nobody."""
        while not condition():  # noqa: ASYNC110 - there is no event, on purpose
            await asyncio.sleep(0.005)


def _pair() -> tuple[socket.socket, socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    for one in (ours, theirs):
        one.setblocking(False)
    return theirs, ours


@asynccontextmanager
async def _house(**limits: float) -> AsyncIterator[House]:
    house = House(Limits(**limits))  # type: ignore[arg-type]
    try:
        async with asyncio.timeout(PATIENCE):
            yield house
    finally:
        await house.close()


def _run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


def test_two_players_have_games_of_their_own() -> None:
    async def test() -> None:
        async with _house() as house:
            one, other = await house.guest(), await house.guest()
            before = await one.ask(start(6, 3))
            await other.ask(start(4, 2, 3))
            await other.ask(b"\x06")
            assert (await one.ask(b"\x01"))[:3] == before[:3] == ["??????"] * 3
            assert (await other.ask(b"\x01"))[:2] == ["F???", "????"]

    _run(test)


def test_answers_come_in_order_however_packets_are_cut() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            packets = ONE_SCREEN + b"\x02" * 3 + b"\x06"
            for index in range(len(packets)):
                guest.writer.write(packets[index : index + 1])
                await guest.writer.drain()
            answers = [await guest.read() for _ in range(5)]
            assert [lines[0] for lines in answers] == ["?????"] * 4 + ["???F?"]

    _run(test)


def test_a_burst_of_packets_is_answered_whole() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            guest.writer.write(ONE_SCREEN + b"\x06" * 1000)
            answers = [await guest.read() for _ in range(1001)]
            assert [lines[0][0] for lines in answers[:4]] == ["?", "F", "?", "F"]
            assert house.server.metrics.packets[6] == 1000

    _run(test)


def test_quit_closes_at_once_and_ends_the_game() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            await guest.ask(ONE_SCREEN)
            guest.writer.write(b"\x08\x01")
            assert await guest.is_closed()
            await house.until(lambda: house.left)
            assert [result.status for result in house.results] == [Status.TERMINATED]
            assert house.server.metrics.closed == {"quit": 1}

    _run(test)


@pytest.mark.parametrize(
    "garbage", [b"\x00", b"\x09\x00\x00\x00\x00", b"\x07\xff\xff\xff\xff", b"\x0b", b"GET / HTTP/1.1\r\n"]
)
def test_garbage_ends_that_connection_alone(garbage: bytes) -> None:
    async def test() -> None:
        async with _house() as house:
            bad, good = await house.guest(), await house.guest()
            await good.ask(ONE_SCREEN)
            bad.writer.write(garbage)
            assert await bad.is_closed()
            assert (await good.ask(b"\x06"))[0] == "F????"
            assert house.server.metrics.closed == {"broke the protocol": 1}
            assert house.server.metrics.errors == {"protocol": 1}

    _run(test)


def test_answers_before_the_garbage_are_still_sent() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            assert (await guest.ask(ONE_SCREEN + b"\xff"))[0] == "?????"
            assert await guest.is_closed()

    _run(test)


def test_a_lost_connection_ends_its_game() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            await guest.ask(ONE_SCREEN)
            guest.writer.transport.abort()
            await house.until(lambda: house.left)
            assert [result.status for result in house.results] == [Status.TERMINATED]

    _run(test)


def test_a_client_that_ends_its_half_still_gets_its_answers() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            guest.writer.write(ONE_SCREEN + b"\x02" * 100)
            guest.writer.write_eof()
            for _ in range(101):
                await guest.read()
            assert await guest.is_closed()
            await house.until(lambda: house.left)
            assert house.server.metrics.closed == {"client closed it": 1}

    _run(test)


@pytest.mark.parametrize("half", [b"", b"\x07\x00", b"\x07\x00\x00\x00\x03\x05"])
def test_an_idle_connection_is_told_and_closed(half: bytes) -> None:
    async def test() -> None:
        async with _house(idle=1) as house:
            guest = await house.guest()
            await guest.ask(ONE_SCREEN)
            guest.writer.write(half)  # what is no whole packet does not count as one
            assert (await guest.read())[5] == "Goodbye: idle."
            assert await guest.is_closed()
            await house.until(lambda: house.left)
            assert house.server.metrics.closed == {"idle": 1}

    _run(test)


def test_a_client_that_never_reads_is_cut_off_alone() -> None:
    async def test() -> None:
        async with _house(stall=1, queued=4096) as house:
            good = await house.guest()
            bad = await house.guest(SO_SNDBUF=4096, SO_RCVBUF=4096)
            bad.reader._transport.pause_reading()  # type: ignore[attr-defined]
            bad.writer.write(start(100, 100) + b"\x01\x02" * 20_000)
            await good.ask(ONE_SCREEN)
            while not house.left:
                await good.ask(b"\x02")
            assert house.server.metrics.closed == {"left its answers unread": 1}
            # It was not read from either: what it may pile up is a screen above the limit.
            assert house.server.metrics.packets[1] < 1000
            assert (await good.ask(b"\x06"))[0] == "????F"

    _run(test)


def test_a_client_that_reads_late_loses_nothing() -> None:
    async def test() -> None:
        async with _house(queued=4096) as house:
            guest = await house.guest(SO_SNDBUF=4096, SO_RCVBUF=4096)
            guest.reader._transport.pause_reading()  # type: ignore[attr-defined]
            guest.writer.write(start(40, 40) + b"\x06" * 99)
            await house.until(lambda: house.server.metrics.packets[6])
            guest.reader._transport.resume_reading()  # type: ignore[attr-defined]
            for _ in range(99):
                await guest.read()
            assert (await guest.read())[0][0] == "F"

    _run(test)


def test_a_large_board_is_dealt_while_others_play() -> None:
    async def test() -> None:
        async with _house() as house:
            large, small = await house.guest(), await house.guest()
            large.writer.write(start(255, 255, 3) + b"\x02\x06" + start(255, 255, 1))
            await small.ask(ONE_SCREEN)
            first = await large.read()
            assert first[:255] == ["?" * 255] * 255
            assert "Mines 29261," in first[255]
            assert (await large.read())[0] == "?" * 255
            assert (await large.read())[0] == "?F" + "?" * 253
            assert "Mines 3251," in (await large.read())[255]
            assert [result.status for result in house.results] == [Status.TERMINATED]

    _run(test)


def test_who_leaves_while_a_board_is_dealt_is_no_problem() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            guest.writer.write(start(255, 255, 3))
            await house.until(lambda: house.server.metrics.packets[7])
            guest.writer.transport.abort()
            await house.until(lambda: house.left)
            assert (await (await house.guest()).ask(ONE_SCREEN))[0] == "?????"
            # Dealt or not by then, nothing of it is left.
            assert [result.status for result in house.results] in ([], [Status.TERMINATED])
            assert house.server.snapshot().playing == 1

    _run(test)


def test_a_mistake_of_ours_ends_one_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async def test() -> None:
        async with _house() as house:
            bad, good = await house.guest(), await house.guest()
            await good.ask(ONE_SCREEN)
            await bad.ask(ONE_SCREEN)
            failing = next(one for one in house.server._connections if one.peer == _name(bad))

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
            assert house.server.metrics.closed == {"error in the server": 1}
            assert house.server.metrics.errors == {"server": 1}

    _run(test)


def _name(guest: Guest) -> str:
    host, port = guest.writer.get_extra_info("sockname")
    return f"{host}:{port}"


def test_statistics_that_fail_end_no_game() -> None:
    async def test() -> None:
        def fail(result: GameResult) -> None:
            raise ZeroDivisionError

        async with _house() as house:
            house.server._on_finished = fail
            guest = await house.guest()
            await guest.ask(ONE_SCREEN)
            assert (await guest.ask(ONE_SCREEN))[0] == "?????"
            assert house.server.metrics.finished == {"terminated": 1}
            assert house.server.metrics.errors == {"result": 1}

    _run(test)


def test_debugged_games_are_counted_apart() -> None:
    async def test() -> None:
        async with _house() as house:
            guest = await house.guest()
            await guest.ask(ONE_SCREEN)
            assert house.server.snapshot().playing == 1
            await guest.ask(b"\x0a")
            await guest.ask(ONE_SCREEN)
            assert house.server.metrics.finished == {"debugged": 1}
            assert [result.debugged for result in house.results] == [True]

    _run(test)


def test_at_the_end_everyone_is_told_and_the_deaf_are_cut_off() -> None:
    async def test() -> None:
        async with _house(queued=4096) as house:
            playing, new = await house.guest(), await house.guest()
            deaf = await house.guest(SO_SNDBUF=4096, SO_RCVBUF=4096)
            await playing.ask(ONE_SCREEN)
            await new.ask(b"\x01")
            deaf.reader._transport.pause_reading()  # type: ignore[attr-defined]
            deaf.writer.write(start(100, 100) + b"\x01" * 1000)
            await house.until(lambda: house.server.metrics.packets[1] > 1)
            await house.server.shut_down(grace=0.1)
            assert (await playing.read())[5] == "Goodbye: server shutting down."
            assert (await new.read())[2] == "Goodbye: server shutting down."
            assert await playing.is_closed()
            assert await new.is_closed()
            assert house.server.metrics.closed == {"server shutting down": 3}
            assert [result.status for result in house.results] == [Status.TERMINATED] * 2
            late = await house.guest()
            with contextlib.suppress(ConnectionError):
                assert (await late.read())[2] == "Goodbye: server shutting down."
            assert await late.is_closed()

    _run(test)


def test_seeds_come_from_the_system_or_from_one_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbits", lambda bits: 2**bits - 1)
    assert seeds_of(None)() == 2**64 - 1
    draw, rng = seeds_of(7), Rng(7)
    assert [draw(), draw()] == [rng.next(), rng.next()]
