"""Who is let in, and how others learn why not."""

import asyncio
import select
import socket
import time

import pytest

from sapper.net.admission import LINGERING, Admission, proxies_of
from sapper.net.metrics import Metrics
from sapper.server.listeners import listen
from sapper.server.proxy_protocol import SIGNATURE
from sapper.server.rate_limits import ConnectionLimiter
from tests.network import Wire, rows_of


class Entrance:
    """A server on a free port, and whom it let in."""

    def __init__(self, *proxies: str, **limits: int) -> None:
        self.gate = ConnectionLimiter(**{"connections": 100, "per_address": 0, **limits})
        self.metrics = Metrics()
        self.inside: list[tuple[str, bytes]] = []
        self.admission = Admission(
            gate=self.gate, metrics=self.metrics, let_in=self.let_in, proxies=proxies_of(proxies)
        )

    async def open(self) -> None:
        (listener,) = listen(["127.0.0.1"], 0)
        self.port = listener.getsockname()[1]
        self.server = await asyncio.get_running_loop().create_server(self.admission, sock=listener)

    def let_in(self, transport: asyncio.Transport, address: str, data: bytes) -> None:
        transport.set_protocol(asyncio.Protocol())
        self.inside.append((address, data))

    def close(self) -> None:
        self.admission.close()
        self.server.close()


def test_who_is_turned_away_reads_why_even_having_sent_something() -> None:
    async def main() -> None:
        door = Entrance(connections=1)
        await door.open()

        def visit() -> list[str]:
            with Wire(door.port) as first:
                first.sock.sendall(b"\x01")
                with Wire(door.port) as second:
                    second.sock.sendall(b"\x01" * 100)
                    lines = rows_of(second.read())
                    second.sock.sendall(b"\x01" * 100)
                    assert second.is_closed()
            return lines

        assert await asyncio.to_thread(visit) == [
            "sapper: Minesweeper",
            "",
            "Sorry: this server is full; it lets in 1 connection at once, from all players together.",
            "",
        ]
        assert door.metrics.refused == {"the server is full": 1}
        door.close()

    asyncio.run(main())


async def test_many_who_are_turned_away_do_not_pile_up() -> None:
    door = Entrance(connections=1, per_address=1)
    await door.open()
    door.gate.enter("127.0.0.1")

    def visit() -> None:
        visitors = [Wire(door.port) for _ in range(LINGERING + 10)]
        for visitor in visitors:
            visitor.read()
        for visitor in visitors[LINGERING:]:
            assert visitor.is_closed()
        for visitor in visitors:
            visitor.sock.close()

    await asyncio.to_thread(visit)
    assert door.metrics.refused.total() == LINGERING + 10
    assert door.gate.count == 1
    door.close()


def _behind_a_proxy(*sent: bytes) -> tuple[Entrance, list[list[str]]]:
    """What connections from a proxy that say this are answered; nothing where they are let in."""

    async def main() -> tuple[Entrance, list[list[str]]]:
        door = Entrance("127.0.0.0/8", per_address=1)
        await door.open()

        def visit(data: bytes) -> list[str]:
            with Wire(door.port) as wire:
                inside = len(door.inside)  # before anything is sent: it may be let in at once
                wire.sock.sendall(data + b"\x01")
                while len(door.inside) == inside:
                    if select.select([wire.sock], [], [], 0.01)[0]:
                        return rows_of(wire.read())
                return []

        answers = [await asyncio.wait_for(asyncio.to_thread(visit, data), 60) for data in sent]
        door.close()
        return door, answers

    return asyncio.run(main())


def test_a_proxy_says_who_comes_and_the_limit_is_theirs() -> None:
    first = b"PROXY TCP4 192.0.2.1 198.51.100.1 50000 9999\r\n"
    other = SIGNATURE + b"\x21\x21\x00\x24" + bytes([32, 1, 13, 184]) + bytes(28) + b"\xc3\x50\x27\x0f"
    door, answers = _behind_a_proxy(first, other, first, SIGNATURE + b"\x20\x00\x00\x00")
    assert door.inside == [("192.0.2.1", b"\x01"), ("2001:db8::/64", b"\x01"), ("127.0.0.1", b"\x01")]
    assert [answer and answer[2] for answer in answers] == [
        [],
        [],
        "Sorry: this server lets in 1 connection at once from one address, and your address has it already.",
        [],
    ]


def test_a_proxy_that_does_not_say_who_comes_is_not_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.net.admission.HEADER_TIME", 0.05)

    async def main() -> Entrance:
        door = Entrance("127.0.0.1")
        await door.open()

        def visit() -> None:
            for header in (b"\x07\x00\x00\x00\x03\x05\x05\x01" * 20, b"PROXY TCP4 nobody\r\n", b"PROXY"):
                with Wire(door.port) as wire:
                    wire.sock.sendall(header)
                    assert wire.is_closed()
            with Wire(door.port) as wire:
                wire.sock.sendall(b"PROXY")
                wire.sock.shutdown(socket.SHUT_WR)
                assert wire.is_closed()

        await asyncio.wait_for(asyncio.to_thread(visit), 60)
        assert not door.admission.waiting
        door.close()
        return door

    door = asyncio.run(main())
    assert not door.inside
    assert door.metrics.errors == {"protocol": 4}
    assert door.gate.count == 0


async def test_connections_without_a_header_do_not_pile_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.net.admission.EXPECTED", 2)
    door = Entrance("127.0.0.1")
    await door.open()

    def visit() -> None:
        with Wire(door.port) as first, Wire(door.port), Wire(door.port) as third:
            assert third.is_closed()
            first.sock.sendall(b"PROXY UNKNOWN\r\n")
            while not door.inside:
                time.sleep(0.01)

    await asyncio.wait_for(asyncio.to_thread(visit), 60)
    assert door.inside == [("127.0.0.1", b"")]
    door.close()
