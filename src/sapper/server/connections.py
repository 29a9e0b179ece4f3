"""Connections of an asyncio server: their number, their addresses, and time limits."""

import asyncio
import ipaddress
import itertools
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from sapper.server.logging import log
from sapper.server.rate_limits import ConnectionLimiter


def network_of(address: str) -> str:
    """The network that an address is counted as: an IPv6 /64 is one, since a client controls all of it.

    >>> network_of("2001:db8::1:2"), network_of("::ffff:192.0.2.1"), network_of("192.0.2.1")
    ('2001:db8::/64', '192.0.2.1', '192.0.2.1')
    """
    if ":" not in address:
        return address
    try:
        found = ipaddress.IPv6Address(address.partition("%")[0])
    except ValueError:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return f"{ipaddress.IPv6Network((int(found) >> 64 << 64, 64))}"


def is_loopback(host: str) -> bool:
    """True if an address to serve on can be reached from this machine only."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


SWEEP: Final = 1.0
"""Seconds between looks at all connections."""


class ConnectionTracker:
    """All connections of a server, with the time limit of each.

    `connections` at once, `per_address` of them from one address (0 is no limit). Where `is_proxy` says that a connection comes from a
    proxy, it counts for no address: the proxy counts those of its clients.
    Each has `patience` seconds for what is expected of it.
    """

    def __init__(
        self,
        *,
        connections: int,
        per_address: int,
        patience: float,
        is_proxy: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._gate = ConnectionLimiter(connections=connections, per_address=per_address)
        self._is_proxy = is_proxy
        self._patience = patience
        self.clock = clock
        self._entered: dict[asyncio.Transport, str] = {}
        self._due: dict[asyncio.Transport, float] = {}
        self._numbers = itertools.count()
        self.accepted = 0
        """Connections that were let in since the start."""
        self.refused: Counter[str] = Counter()
        """Those that were not, by why."""

    @property
    def count(self) -> int:
        return self._gate.count

    def enter(self, transport: asyncio.Transport) -> bool:
        """Let a new connection in; it must say something soon.

        False for one that may not come in: the caller closes it, and it must be gone soon too.
        """
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        name = f"proxied {next(self._numbers)}" if self._is_proxy(address) else network_of(address)
        self.expect(transport)
        reason = self._gate.enter(name)
        if reason is None:
            self.accepted += 1
            self._entered[transport] = name
            return True
        self.refused[reason.value] += 1
        refused = self.refused.total()
        if refused & (refused - 1) == 0:  # 1, 2, 4, 8 …: a flood fills no log
            log(logging.WARNING, "not let in", peer=address, reason=reason.value, refused=refused)
        return False

    def leave(self, transport: asyncio.Transport) -> None:
        self._due.pop(transport, None)
        if (name := self._entered.pop(transport, None)) is not None:
            self._gate.leave(name)

    def expect(self, transport: asyncio.Transport) -> None:
        """Start the time limit of a connection, for the head of a request."""
        self._due.setdefault(transport, self.clock() + self._patience)

    def received(self, transport: asyncio.Transport) -> None:
        self._due.pop(transport, None)

    def sweep(self) -> None:
        """End those that are late, and those that were closed and do not go: their peer reads nothing."""
        for transport in self._entered:
            if transport.is_closing():
                self.expect(transport)
        now = self.clock()
        for transport in [one for one, due in self._due.items() if due < now]:
            del self._due[transport]
            transport.abort()

    async def keep_sweeping(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep()
