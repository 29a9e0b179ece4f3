"""Ports that can be had and ports that cannot; who is let in, and how others learn why not."""

import asyncio
import errno
import os
import socket
import sys

import pytest

from sapper.errors import ListenError
from sapper.net.acceptor import LINGERING, Acceptor
from sapper.net.metrics import Metrics
from sapper.server.listeners import listen, place
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
        self.came = asyncio.Event()
        self.acceptor = Acceptor(self.listeners, gate=self.gate, metrics=self.metrics, hand_over=self.let_in)
        self.port = self.listeners[0].getsockname()[1]

    def let_in(self, sock: socket.socket, address: str) -> None:
        assert address == "127.0.0.1"
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

        assert await asyncio.to_thread(visit) == ["sapper: Minesweeper", "", "Sorry: the server is full.", ""]
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


@pytest.mark.skipif(sys.platform == "win32", reason="needs add_reader")
def test_without_files_left_it_waits_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        door = Door()
        loop = asyncio.get_running_loop()
        failures = [errno.EMFILE]
        later: list[object] = []
        accept = socket.socket.accept

        class Listener:
            """The listening socket, which fails once."""

            def accept(self) -> object:
                if failures:
                    raise OSError(failures.pop(), "too many")
                return accept(door.listeners[0])

            def fileno(self) -> int:
                return door.listeners[0].fileno()

            def close(self) -> None:
                door.listeners[0].close()

        listener = Listener()
        door.acceptor._listeners = [listener]  # type: ignore[list-item]
        call_later = loop.call_later

        def at_once(delay: float, call: object, *arguments: object) -> object:
            later.append(delay)
            return call_later(0, call, *arguments)  # type: ignore[arg-type]

        monkeypatch.setattr(loop, "call_later", at_once)
        door.acceptor.open()
        with socket.create_connection(("127.0.0.1", door.port)):
            await door.came.wait()
        assert later == [1.0]
        assert len(door.inside) == 1
        door.close()

    asyncio.run(main())
