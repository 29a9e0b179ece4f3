"""Who is let in, and who is late (tests/web/http/test_transport.py has the same on real sockets)."""

import asyncio
from typing import Any

import pytest

from sapper.server.connections import ConnectionTracker, is_loopback, network_of


def _tracker(**options: Any) -> ConnectionTracker:
    return ConnectionTracker(connections=100, per_address=2, patience=10.0, **options)


def test_a_proxy_that_opens_and_closes_for_ever_is_let_in_for_ever() -> None:
    transports = [asyncio.Transport({"peername": ("127.0.0.1", port)}) for port in range(20)]
    connections = _tracker(is_proxy="127.0.0.1".__eq__)
    assert all(connections.enter(transport) for transport in transports[:10])
    for old, new in zip(transports, transports[10:], strict=False):
        connections.leave(old)
        assert connections.enter(new)


def test_a_network_of_ipv6_is_one_address() -> None:
    connections = _tracker()
    hosts = ("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1")
    assert [connections.enter(asyncio.Transport({"peername": (host, 5, 0, 0)})) for host in hosts] == [
        True,
        True,
        False,
        True,
    ]


class _Line(asyncio.Transport):
    """A connection that is closing for as long as its peer reads nothing."""

    is_aborted = False
    is_closed = False

    def is_closing(self) -> bool:
        return self.is_closed

    def abort(self) -> None:
        self.is_aborted = True


def test_who_is_late_goes_and_so_does_who_was_closed_and_stays() -> None:
    now = 0.0
    connections = _tracker(clock=lambda: now)
    late, heard, closed = lines = [_Line({"peername": (f"192.0.2.{number}", 5)}) for number in range(3)]

    def swept(at: float) -> list[bool]:
        nonlocal now
        now = at
        connections.sweep()
        return [line.is_aborted for line in lines]

    assert all(connections.enter(line) for line in lines)
    for line in (heard, closed):
        connections.received(line)
    assert swept(10.0) == [False, False, False]
    closed.is_closed = True
    assert swept(10.5) == [True, False, False]
    connections.leave(late)
    assert swept(20.6) == [True, False, True]
    assert (connections.count, connections.accepted) == (2, 3)


@pytest.mark.parametrize(
    ("address", "network"),
    [("10.0.0.1", "10.0.0.1"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("::ffff:10.0.0.1", "10.0.0.1"),
     ("fe80::1%eth0", "fe80::/64"), ("a:b", "a:b"), ("", "")],
)  # fmt: skip
def test_an_ipv6_network_is_one(address: str, network: str) -> None:
    assert network_of(address) == network


def test_loopback() -> None:
    assert all(map(is_loopback, ("127.0.0.5", "::1", "localhost", "LOCALHOST")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "example.org")))
