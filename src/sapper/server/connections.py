"""Connections of a server on asyncio: how many there are and how patient it is with them.

Knows: asyncio's transports, addresses, counts and deadlines.
Does not know: what is said on a connection, HTTP, WebSockets, games.
"""

import asyncio
import itertools
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Final

from sapper.server.addresses import network_of
from sapper.server.logging import log
from sapper.server.rate_limits import ConnectionLimiter, KeyedRateLimiter, RateLimit, Refusal

SWEEP: Final = 1.0
"""Seconds between looks at all connections."""


class ConnectionTracker:
    """All connections of a server: who is in, and until when they must have said something or be gone.

    `connections` at once, `per_address` of them from one address (0 is no limit). Where `is_proxy` says that a connection comes from a
    proxy, it counts as nobody's until a request on it says whose it is (`claim`).
    Each has `patience` seconds for what is expected of it, and its address `parsing` seconds of the processor; each connection of a proxy
    has those for itself, since the proxy may use it for somebody else next.
    """

    def __init__(
        self,
        *,
        connections: int,
        per_address: int,
        patience: float,
        parsing: RateLimit,
        is_proxy: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._parsing = KeyedRateLimiter(parsing, clock)
        self._gate = ConnectionLimiter(connections=connections, per_address=per_address)
        self._is_proxy = is_proxy
        self._patience = patience
        self._entered: dict[asyncio.Transport, str] = {}
        self._claimed: dict[asyncio.Transport, str] = {}
        """Whose the connections of proxies are, as far as that is known."""
        self._due: dict[asyncio.Transport, float] = {}
        self._numbers = itertools.count()
        self.accepted = 0
        """Connections that were let in since the start."""
        self.refused: Counter[str] = Counter()
        """Those that were not, by why."""

    @property
    def count(self) -> int:
        """Connections now."""
        return self._gate.count

    def enter(self, transport: asyncio.Transport, now: float) -> bool:
        """Let a new connection in; it must say something soon.

        False for one that may not come in: the caller closes it, and it must be gone soon too.
        """
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        name = f"proxied {next(self._numbers)}" if self._is_proxy(address) else network_of(address)
        self._due[transport] = now + self._patience
        reason = self._gate.enter(name)
        if reason is None:
            self.accepted += 1
            self._entered[transport] = name
            return True
        self._refuse(address, reason)
        return False

    def claim(self, transport: asyncio.Transport, address: str) -> bool:
        """A request on a connection comes from this address: the connection counts as that address's until another request says otherwise.

        False if that address has as many as it may have: the caller closes the connection.
        """
        before = self._claimed.get(transport, self._entered.get(transport))
        if before in (None, address):
            return True
        assert before is not None
        self._gate.leave(before)
        reason = self._gate.enter(address)
        if reason is None:
            self._claimed[transport] = address
            return True
        self._gate.enter(before)  # there is room: it has just left
        self._refuse(address, reason)
        return False

    def _refuse(self, address: str, reason: Refusal) -> None:
        self.refused[reason.value] += 1
        refused = self.refused.total()
        if refused & (refused - 1) == 0:  # 1, 2, 4, 8 …: a flood fills no log
            log(logging.WARNING, "not let in", peer=address, reason=reason.value, refused=refused)

    def leave(self, transport: asyncio.Transport) -> None:
        """One is gone."""
        self._due.pop(transport, None)
        name = self._entered.pop(transport, None)
        if name is not None:
            self._gate.leave(self._claimed.pop(transport, name))

    def wait(self, transport: asyncio.Transport) -> float:
        """Seconds until something more may be parsed for whoever this is."""
        return self._parsing.wait(self._entered.get(transport, ""), 0.0)

    def charge(self, transport: asyncio.Transport, seconds: float) -> None:
        """Parsing for whoever this is took so long."""
        self._parsing.spend(self._entered.get(transport, ""), seconds)

    def expect(self, transport: asyncio.Transport, now: float) -> None:
        """Something is due: the head of a request."""
        self._due.setdefault(transport, now + self._patience)

    def received(self, transport: asyncio.Transport) -> None:
        """It has come."""
        self._due.pop(transport, None)

    def sweep(self, now: float) -> None:
        """End those that are late, and those that were closed and do not go: their peer reads nothing."""
        for transport in self._entered:
            if transport.is_closing():
                self.expect(transport, now)
        for transport in [one for one, due in self._due.items() if due < now]:
            del self._due[transport]
            transport.abort()

    async def keep_sweeping(self) -> None:
        """Sweep now and then, forever."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep(loop.time())
