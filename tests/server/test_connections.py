"""Who is let in, and who is late (tests/web/http/test_transport.py has the same on real sockets)."""

import asyncio
from typing import Any

from sapper.server.connections import ConnectionTracker
from sapper.server.rate_limits import RateLimit


def _tracker(**options: Any) -> ConnectionTracker:
    return ConnectionTracker(
        connections=100, per_address=2, patience=10.0, parsing=RateLimit(per_second=1, burst=1), **options
    )


def test_a_proxy_that_opens_and_closes_for_ever_is_let_in_for_ever() -> None:
    transports = [asyncio.Transport({"peername": ("127.0.0.1", port)}) for port in range(20)]
    connections = _tracker(is_proxy="127.0.0.1".__eq__)
    assert all(connections.enter(transport, 0.0) for transport in transports[:10])
    for old, new in zip(transports, transports[10:], strict=False):
        connections.leave(old)
        assert connections.enter(new, 0.0)


def test_a_proxy_s_connection_counts_for_whom_it_is_used() -> None:
    connections = ConnectionTracker(
        connections=4,
        per_address=2,
        patience=10.0,
        parsing=RateLimit(per_second=1, burst=1),
        is_proxy="127.0.0.1".__eq__,
    )
    lines = [asyncio.Transport({"peername": ("127.0.0.1", port)}) for port in range(5)]
    assert [connections.enter(line, 0.0) for line in lines] == [True] * 4 + [False]
    greedy, other = "192.0.2.1", "192.0.2.2"
    assert [connections.claim(line, greedy) for line in lines[:3]] == [True, True, False]
    assert connections.claim(lines[0], greedy)  # once more on the same connection
    connections.leave(lines[2])
    # The proxy uses a connection of the one for the other, and there is room for the one again.
    assert connections.claim(lines[0], other)
    assert connections.claim(lines[3], greedy)
    assert connections.count == 3
    for line in (lines[0], lines[1], lines[3]):
        connections.leave(line)
    assert connections.count == 0
    assert connections.refused == {"the server is full": 1, "too many connections from this address": 1}


def test_a_network_of_ipv6_is_one_address() -> None:
    connections = _tracker()
    hosts = ("2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::1")
    assert [connections.enter(asyncio.Transport({"peername": (host, 5, 0, 0)}), 0.0) for host in hosts] == [
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
    connections = _tracker()
    late, heard, closed = lines = [_Line({"peername": (f"192.0.2.{number}", 5)}) for number in range(3)]
    assert all(connections.enter(line, 0.0) for line in lines)
    for line in (heard, closed):
        connections.received(line)
    connections.sweep(10.0)
    assert [line.is_aborted for line in lines] == [False, False, False]
    closed.is_closed = True
    connections.sweep(10.5)
    assert [line.is_aborted for line in lines] == [True, False, False]
    connections.leave(late)
    connections.sweep(20.6)
    assert [line.is_aborted for line in lines] == [True, False, True]
    assert (connections.count, connections.accepted) == (2, 3)
