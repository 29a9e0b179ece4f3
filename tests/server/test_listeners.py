"""Ports that can be had and ports that cannot."""

import asyncio
import errno
import os
import socket

import pytest

from sapper.errors import UnavailableError
from sapper.server.listeners import listen, place


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

    async def option(listener: socket.socket) -> int:
        loop = asyncio.get_running_loop()
        accepted: asyncio.Future[asyncio.BaseTransport] = loop.create_future()

        class Accepted(asyncio.Protocol):
            def connection_made(self, transport: asyncio.BaseTransport) -> None:
                accepted.set_result(transport)

        with socket.create_connection(listener.getsockname()):
            async with await loop.create_server(Accepted, sock=listener):
                found: int = (
                    (await accepted).get_extra_info("socket").getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                )
                return found

    (listener,) = listen(["127.0.0.1"], 0)
    assert asyncio.run(option(listener))


def test_a_port_that_is_taken() -> None:
    (first,) = listen(["127.0.0.1"], 0)
    assert first.getsockname()[1] > 0
    with pytest.raises(
        UnavailableError, match=r"the port is taken \(another server is running; --metrics chooses another\)"
    ):
        listen(["127.0.0.1"], first.getsockname()[1], option="--metrics")
    with first, pytest.raises(UnavailableError, match=r"cannot serve on 127\.0\.0\.1:\d+: the port is taken"):
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
    with pytest.raises(UnavailableError) as caught:
        listen(["127.0.0.1"], 80)
    assert str(caught.value).startswith(line)


def test_a_host_that_is_none() -> None:
    with pytest.raises(UnavailableError, match="cannot serve on 'no such host'"):
        listen(["no such host"], 0)


def test_places_are_written_as_people_do() -> None:
    assert (place(("1.2.3.4", 5)), place(("::1", 5, 0, 0))) == ("1.2.3.4:5", "[::1]:5")
