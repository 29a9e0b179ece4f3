"""Ports that can be had and ports that cannot; who is let in, and how others learn why not."""

import asyncio
import errno
import os
import select
import socket

import pytest

from sapper.errors import ListenError
from sapper.net.acceptor import LINGERING, Acceptor, proxies_of
from sapper.net.metrics import Metrics
from sapper.server.listeners import listen, place
from sapper.server.proxy_protocol import SIGNATURE
from sapper.server.rate_limits import ConnectionLimiter
from tests.network import Wire, rows_of


def test_a_free_port_is_the_same_on_all_hosts() -> None:
    listeners = listen(["127.0.0.1", "127.0.0.2", "127.0.0.1"], 0)
    try:
        ports = {listener.getsockname()[1] for listener in listeners}
        assert (len(listeners), len(ports)) == (2, 1)
    finally:
        for listener in listeners:
            listener.close()


def test_small_messages_are_not_held_back() -> None:
    """Nagle's algorithm is off on both servers' connections: with it, each message but the first waits 40 ms."""

    async def options(listener: socket.socket) -> list[int]:
        loop = asyncio.get_running_loop()
        accepted: asyncio.Future[asyncio.BaseTransport] = loop.create_future()

        class Accepted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted.set_result(transport)

        address = listener.getsockname()
        with socket.create_connection(address), socket.create_connection(address):
            # The game server accepts by itself, and its workers get a connection by its number.
            visitor, _ = await loop.sock_accept(listener)
            game, _ = await loop.connect_accepted_socket(asyncio.Protocol, socket.socket(fileno=visitor.detach()))
            async with await loop.create_server(Accepted, sock=listener):
                sockets = [one.get_extra_info("socket") for one in (game, await accepted)]
                return [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in sockets]

    (listener,) = listen(["127.0.0.1"], 0)
    assert all(asyncio.run(options(listener)))


def test_a_port_that_is_taken() -> None:
    (first,) = listen(["127.0.0.1"], 0)
    assert first.getsockname()[1] > 0
    with pytest.raises(
        ListenError, match=r"the port is taken \(another server is running; --metrics-port chooses another\)"
    ):
        listen(["127.0.0.1"], first.getsockname()[1], option="--metrics-port")
    with first, pytest.raises(ListenError, match=r"cannot serve on 127\.0\.0\.1:\d+: the port is taken"):
        listen(["127.0.0.2", "127.0.0.1"], first.getsockname()[1])


@pytest.mark.parametrize(
    ("number", "line"),
    [
        (errno.EACCES, "cannot serve on 127.0.0.1:80: not permitted (ports below 1024"),
        (errno.EADDRNOTAVAIL, "cannot serve on 127.0.0.1:80: this machine has no such address"),
        (errno.ENOBUFS, f"cannot serve on 127.0.0.1:80: {os.strerror(errno.ENOBUFS)}"),
    ],
)
def test_a_port_that_cannot_be_had(monkeypatch: pytest.MonkeyPatch, number: int, line: str) -> None:
    def bind(self: socket.socket, address: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr("sapper.server.listeners.socket.socket", type("Socket", (socket.socket,), {"bind": bind}))
    with pytest.raises(ListenError) as caught:
        listen(["127.0.0.1"], 80)
    assert str(caught.value).startswith(line)


def test_a_host_that_is_none() -> None:
    with pytest.raises(ListenError, match="cannot serve on 'no such host'"):
        listen(["no such host"], 0)


def test_places_are_written_as_people_do() -> None:
    assert (place(("1.2.3.4", 5)), place(("::1", 5, 0, 0))) == ("1.2.3.4:5", "[::1]:5")


class Door:
    """An acceptor on a free port, and whom it let in."""

    def __init__(self, **limits: int) -> None:
        self.listeners = listen(["127.0.0.1"], 0)
        self.gate = ConnectionLimiter(**{"connections": 100, "per_address": 0, **limits})
        self.metrics = Metrics()
        self.inside: list[socket.socket] = []
        self.addresses: list[str] = []
        self.came = asyncio.Event()
        self.acceptor = Acceptor(self.listeners, gate=self.gate, metrics=self.metrics, hand_over=self.let_in)
        self.port = self.listeners[0].getsockname()[1]

    def let_in(self, sock: socket.socket, address: str) -> None:
        self.addresses.append(address)
        self.inside.append(sock)
        self.came.set()

    def close(self) -> None:
        self.acceptor.close()
        for sock in self.inside:
            sock.close()


def test_who_is_turned_away_reads_why_even_having_sent_something() -> None:
    async def main() -> None:
        door = Door(connections=1)
        door.acceptor.open()

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


def test_many_who_are_turned_away_do_not_pile_up() -> None:
    async def main() -> None:
        door = Door(connections=1, per_address=1)
        door.acceptor.open()
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

    asyncio.run(main())


def test_without_files_left_it_waits_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        door = Door()
        loop = asyncio.get_running_loop()
        failures = [errno.EMFILE]
        rests: list[float] = []
        accept, sleep = loop.sock_accept, asyncio.sleep

        async def sock_accept(listener: socket.socket) -> object:
            if failures:
                raise OSError(failures.pop(), "too many")
            return await accept(listener)

        async def rest(seconds: float) -> None:
            rests.append(seconds)
            await sleep(0)

        monkeypatch.setattr(loop, "sock_accept", sock_accept)
        monkeypatch.setattr("sapper.net.acceptor.asyncio.sleep", rest)
        door.acceptor.open()
        with socket.create_connection(("127.0.0.1", door.port)):
            await door.came.wait()
        assert rests[0] == 1.0
        assert len(door.inside) == 1
        door.close()

    asyncio.run(main())


def _behind_a_proxy(*sent: bytes) -> tuple[Door, list[list[str]]]:
    """What connections from a proxy that say this are answered; nothing where they are let in."""

    async def main() -> tuple[Door, list[list[str]]]:
        door = Door(per_address=1)
        door.acceptor = Acceptor(
            door.listeners,
            gate=door.gate,
            metrics=door.metrics,
            hand_over=door.let_in,
            proxies=proxies_of(["127.0.0.0/8"]),
        )
        door.acceptor.open()

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
    assert door.addresses == ["192.0.2.1", "2001:db8::/64", "127.0.0.1"]
    assert [answer and answer[2] for answer in answers] == [
        [],
        [],
        "Sorry: this server lets in 1 connection at once from one address, and your address has it already.",
        [],
    ]


def test_a_proxy_that_does_not_say_who_comes_is_not_heard() -> None:
    async def main() -> Door:
        door = Door()
        door.acceptor = Acceptor(
            door.listeners,
            gate=door.gate,
            metrics=door.metrics,
            hand_over=door.let_in,
            proxies=proxies_of(["127.0.0.1"]),
        )
        door.acceptor.open()

        def visit() -> None:
            for header in (b"\x07\x00\x00\x00\x03\x05\x05\x01" * 20, b"PROXY TCP4 nobody\r\n"):
                with Wire(door.port) as wire:
                    wire.sock.sendall(header)
                    assert wire.is_closed()

        await asyncio.wait_for(asyncio.to_thread(visit), 60)
        door.close()
        return door

    door = asyncio.run(main())
    assert not door.inside
    assert door.metrics.errors == {"protocol": 2}
    assert door.gate.count == 0
