"""Who is let in, and how others learn why not.

Behind a proxy that the operator named, a connection begins with a header that says whose it is (`server.proxy_protocol`).
"""

import asyncio
import contextlib
import ipaddress
import logging
from collections.abc import Callable, Sequence
from typing import Any, Final

from sapper.net.metrics import Metrics
from sapper.net.packets import encode_screen
from sapper.net.seat import WELCOME
from sapper.render.screen import draw_notice
from sapper.server.connections import network_of
from sapper.server.listeners import place
from sapper.server.logging import log
from sapper.server.proxy_protocol import ProxyHeaderError, read_header
from sapper.server.rate_limits import ConnectionLimiter

LINGER: Final = 2.0
"""Seconds that a refused client has to read the reason."""
LINGERING: Final = 64
"""Refused clients that may read at once; others are closed at once."""
HEADER_TIME: Final = 5.0
"""Seconds that a proxy has to say whose connection it is."""
EXPECTED: Final = 1024
"""How many connections may be waiting for their header at once."""

Proxies = Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]

LetIn = Callable[[asyncio.Transport, str, bytes], None]
"""Takes over a connection: its transport, whose it is, and what has come behind the header."""


class Admission:
    """Asks the limiter, and hands over who may come in, with their address."""

    def __init__(self, *, gate: ConnectionLimiter, metrics: Metrics, let_in: LetIn, proxies: Proxies = ()) -> None:
        self.gate = gate
        self.metrics = metrics
        self.let_in = let_in
        self.waiting: set[Visitor] = set()
        """Those who have to say whose connection it is, and those who read why they are refused."""
        self.lingering = 0
        self._proxies = proxies

    def __call__(self) -> "Visitor":
        return Visitor(self)

    def is_proxy(self, host: str) -> bool:
        """True if connections from this host begin with a PROXY header."""
        if not self._proxies:
            return False
        address = ipaddress.ip_address(host.partition("%")[0])
        mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
        return any((mapped or address) in network for network in self._proxies)

    def close(self) -> None:
        for visitor in list(self.waiting):
            visitor.send_away()


class Visitor(asyncio.Protocol):
    """A connection that is not let in yet."""

    _transport: asyncio.Transport
    _peer: Sequence[Any]

    def __init__(self, admission: Admission) -> None:
        self._admission = admission
        self._data = b""
        self._timer: asyncio.TimerHandle | None = None
        """Runs while it waits for the header, or for the reader of a refusal."""
        self._is_refused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._peer = transport.get_extra_info("peername")
        if not self._admission.is_proxy(self._peer[0]):
            self._enter(self._peer[0], b"")
        elif len(self._admission.waiting) - self._admission.lingering >= EXPECTED:
            log(logging.WARNING, "connection refused", peer=place(self._peer), reason="too many without a PROXY header")
            transport.abort()
        else:
            self._wait(HEADER_TIME, self._be_late)

    def data_received(self, data: bytes) -> None:
        """What a proxy says; what comes after a refusal is not looked at."""
        if self._is_refused or self._transport.is_closing():
            return
        self._data += data
        try:
            found = read_header(self._data)
        except ProxyHeaderError as error:
            self._fail(str(error))
            return
        if found is not None:
            self._leave()
            self._enter(found[0] or self._peer[0], self._data[found[1] :])

    def eof_received(self) -> None:
        if not self._is_refused:
            self._fail("the connection ended within the PROXY header")

    def connection_lost(self, _: Exception | None) -> None:
        self._leave()

    def send_away(self) -> None:
        self._transport.abort()

    def _wait(self, seconds: float, then: Callable[[], None]) -> None:
        self._admission.waiting.add(self)
        self._timer = asyncio.get_running_loop().call_later(seconds, then)

    def _leave(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
            self._admission.waiting.discard(self)
            self._admission.lingering -= self._is_refused

    def _be_late(self) -> None:
        self._fail(f"no PROXY header within {HEADER_TIME:g} seconds")

    def _fail(self, fault: str) -> None:
        self._admission.metrics.errors["protocol"] += 1
        log(logging.WARNING, "proxy fault", peer=place(self._peer), fault=fault)
        self._transport.abort()

    def _enter(self, host: str, data: bytes) -> None:
        address = network_of(host)
        refusal = self._admission.gate.enter(address)
        if refusal is None:
            self._admission.let_in(self._transport, address, data)
            return
        self._admission.metrics.refused[refusal.value] += 1
        log(logging.WARNING, "connection refused", peer=place(self._peer), address=address, reason=refusal.value)
        self._is_refused = True
        self._transport.write(
            encode_screen(draw_notice([WELCOME[0], "", f"Sorry: {self._admission.gate.explain(refusal)}."]))
        )
        if self._admission.lingering >= LINGERING:
            self._transport.close()
            return
        # Closed with something unread, the connection would be reset and the screen lost on its way.
        with contextlib.suppress(OSError):  # it has gone
            self._transport.write_eof()
        self._admission.lingering += 1
        self._wait(LINGER, self.send_away)


def proxies_of(names: Sequence[str]) -> Proxies:
    """Addresses and networks as an operator writes them; `ValueError` for any other text."""
    return [ipaddress.ip_network(name, strict=False) for name in names]
