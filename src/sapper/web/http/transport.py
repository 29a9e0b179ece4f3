"""Below requests and messages: connections, how many and how patient, and bytes, how fast.

uvicorn waits for ever for the head of a request and for a peer that has gone, and parses whatever has arrived before anybody
else has a turn, whatever that takes. So its two protocols are told here when to stop.

Knows: transports and timers of uvicorn's protocols.
Does not know: requests, games, players.
"""

import asyncio
import itertools
import logging
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sapper.server.addresses import network_of
from sapper.server.logging import log
from sapper.server.rate_limits import ConnectionLimiter, KeyedRateLimiter, RateLimit, TokenBucket
from sapper.web.http.limits import WebLimits

SWEEP: Final = 1.0
"""Seconds between looks at all connections."""
SLICE: Final = 512
"""Bytes that are parsed before others have a turn."""
FRAME: Final = 64
"""What a frame costs besides its bytes: an empty one is as much work as one of this length."""
TRAFFIC: Final = RateLimit(per_second=10 * 1024, burst=32 * 1024)
"""Bytes of a socket, frames counted as above: 100 short messages a second. What comes faster waits in the network."""

_FULL = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"


class ConnectionTracker:
    """All connections of a server: who is in, and since when they should have said something."""

    def __init__(
        self,
        limits: WebLimits,
        *,
        is_proxy: Callable[[str], bool] = lambda _: False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._parsing = KeyedRateLimiter(limits.parsing, clock)
        self._gate = ConnectionLimiter(connections=limits.connections, per_address=limits.per_address)
        self._is_proxy = is_proxy
        self._entered: dict[asyncio.Transport, str] = {}
        self._head_time = limits.head_time
        self._due: dict[asyncio.Transport, float] = {}
        self._closing: dict[asyncio.Transport, float] = {}
        self.accepted = 0
        """Connections that were let in since the start."""
        self.refused: Counter[str] = Counter()
        """Those that were not, by why."""
        self._numbers = itertools.count()

    @property
    def count(self) -> int:
        """Connections now."""
        return len(self._entered)

    def enter(self, transport: asyncio.Transport, now: float) -> bool:
        """Let a new connection in; it must send the head of a request soon. One that may not come in is told so."""
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else ""
        # All players of a proxy have its address here; theirs are looked at later.
        name = f"proxied {next(self._numbers)}" if self._is_proxy(address) else network_of(address)
        reason = self._gate.enter(name)
        if reason is not None:
            self.refused[reason.value] += 1
            refused = self.refused.total()
            if refused & (refused - 1) == 0:  # 1, 2, 4, 8 …: a flood fills no log
                log(logging.WARNING, "not let in", peer=address, reason=reason.value, refused=refused)
            transport.write(_FULL)
            transport.close()
            self._closing[transport] = now
            return False
        self.accepted += 1
        self._entered[transport] = name
        self._due[transport] = now + self._head_time
        return True

    def wait(self, transport: asyncio.Transport) -> float:
        """Seconds until something more may be parsed for whoever this is."""
        return self._parsing.wait(self._entered.get(transport, ""), 0.0)

    def charge(self, transport: asyncio.Transport, seconds: float) -> None:
        """Parsing for whoever this is took so long."""
        self._parsing.spend(self._entered.get(transport, ""), seconds)

    def leave(self, transport: asyncio.Transport) -> None:
        """One is gone."""
        self._due.pop(transport, None)
        self._closing.pop(transport, None)
        name = self._entered.pop(transport, None)
        if name is not None:
            self._gate.leave(name)

    def expect(self, transport: asyncio.Transport, now: float) -> None:
        """The head of a request is due."""
        self._due.setdefault(transport, now + self._head_time)

    def received(self, transport: asyncio.Transport) -> None:
        """It has come."""
        self._due.pop(transport, None)

    def sweep(self, now: float) -> None:
        """End those that are late, and those that were closed and do not go."""
        for transport in [one for one, due in self._due.items() if due < now]:
            transport.abort()
            self._due.pop(transport, None)
        for transport in self._entered:
            if transport.is_closing():
                self._closing.setdefault(transport, now)
        for transport in [one for one, since in self._closing.items() if since + self._head_time < now]:
            transport.abort()

    async def keep_sweeping(self) -> None:
        """Sweep now and then, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(SWEEP)
            self.sweep(loop.time())


class TransportConfig(uvicorn.Config):
    """uvicorn's configuration, with the connections that its protocols go through."""

    def __init__(self, app: Any, *, connections: ConnectionTracker, **options: Any) -> None:
        self.connections = connections
        super().__init__(app, http=TimedHTTP, ws=FairWebSocket, **options)


def _connections_of(config: uvicorn.Config) -> ConnectionTracker:
    assert isinstance(config, TransportConfig)
    return config.connections


class _Line:
    """Bytes of a connection that wait to be parsed, a slice at a time, and when the next has its turn."""

    __slots__ = ("_bytes", "_loop", "_timer", "_turn")

    def __init__(self, loop: asyncio.AbstractEventLoop, turn: Callable[[], None]) -> None:
        """`turn` is called when the next slice may be parsed."""
        self._bytes = bytearray()
        self._loop = loop
        self._timer: asyncio.Handle | None = None
        self._turn = turn

    def __len__(self) -> int:
        return len(self._bytes)

    @property
    def has_turn(self) -> bool:
        """Whether the next turn is fixed."""
        return self._timer is not None

    def add(self, data: bytes) -> None:
        """More bytes, behind the others."""
        self._bytes += data

    def take(self, size: int = SLICE) -> bytes:
        """The foremost bytes, out of the line."""
        piece = bytes(self._bytes[:size])
        del self._bytes[:size]
        return piece

    def turn_in(self, seconds: float) -> None:
        """The next turn is then; without seconds it comes after everybody else's."""
        self._timer = self._loop.call_later(seconds, self._run) if seconds else self._loop.call_soon(self._run)

    def _run(self) -> None:
        self._timer = None
        self._turn()

    def end(self) -> None:
        """Nobody waits any more."""
        self._bytes.clear()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class TimedHTTP(H11Protocol):
    """HTTP that does not wait for ever, and whose bytes are parsed in slices, for as long as an address may have."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connections = _connections_of(self.config)
        self._is_in = False
        self._line = _Line(self.loop, self._next)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Ask at the door."""
        self._is_in = self._connections.enter(transport, self.loop.time())
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._connections.leave(self.transport)
        self._line.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some of a request: a slice now, and the rest after everybody else's turn."""
        if not self._is_in:
            return
        self._connections.expect(self.transport, self.loop.time())
        self._line.add(data)
        if self._line.has_turn:
            self.transport.pause_reading()
        else:
            self._next()

    def _next(self) -> None:
        """Parse a slice, and see when the next may be."""
        transport = self.transport
        if transport.is_closing():
            self._line.end()
            return
        if wait := self._connections.wait(transport):
            transport.pause_reading()
            self._line.turn_in(wait)
            return
        self._parse(self._line.take())
        if transport.get_protocol() is not self:
            if rest := self._line.take(len(self._line)):
                transport.get_protocol().data_received(rest)  # type: ignore[attr-defined]  # it is a WebSocket's now
        elif self._line:
            transport.pause_reading()
            self._line.turn_in(0)
            return
        if not transport.is_closing() and not self.flow.read_paused:
            transport.resume_reading()

    def _parse(self, piece: bytes) -> None:
        before, begin = self.cycle, time.thread_time()
        super().data_received(piece)
        self._connections.charge(self.transport, time.thread_time() - begin)
        if self.cycle is not before or self.transport.get_protocol() is not self:
            self._connections.received(self.transport)


class FairWebSocket(WebSocketsSansIOProtocol):
    """A WebSocket whose bytes are parsed in slices, and no faster than any player needs."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._connections = _connections_of(self.config)
        self._line = _Line(self.loop, self._next)
        self._traffic = TokenBucket(TRAFFIC, self.loop.time())
        self._is_blocked = False

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._connections.leave(self.transport)
        self._line.end()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Some bytes: all of them now if they are few, else one slice and the rest later."""
        if not self.handshake_initiated or self._is_little(data):
            super().data_received(data)
            return
        self._line.add(data)
        self.transport.pause_reading()
        if not self._line.has_turn and not self._is_blocked:
            self._next()

    def _is_little(self, data: bytes) -> bool:
        return (
            not self._line
            and len(data) <= SLICE
            and self.queue.qsize() < self.config.ws_max_queue
            and self._traffic.take(self.loop.time(), len(data))
        )

    def _next(self) -> None:
        """Parse a slice, and see when the next may be."""
        if self.transport.is_closing():
            self._line.end()
            return
        if self.queue.qsize() >= self.config.ws_max_queue:
            self._is_blocked = True
            return
        now = self.loop.time()
        size = min(SLICE, len(self._line))
        if not self._traffic.take(now, size):
            self._line.turn_in(self._traffic.wait(now, size))
            return
        super().data_received(self._line.take(size))
        if self._line:
            self._line.turn_in(0)
        elif not self.transport.is_closing():
            self.transport.resume_reading()

    def handle_events(self) -> None:
        """Each frame costs something besides its bytes."""
        self._traffic.spend(self.loop.time(), FRAME * len(self.conn.events))
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """A message is whole. uvicorn would stop reading until it has been taken, which is two system calls a message."""
        self.read_paused = True
        super().send_receive_event_to_app()
        self.read_paused = False

    async def send(self, message: Any) -> None:
        """Say something, unless nobody is there any more: asyncio would complain of each attempt."""
        if message["type"] == "websocket.send" and self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal: uvicorn would log an error for each, which anybody can cause

    async def receive(self) -> Any:
        """The next message; the slices that wait come before anything that is new."""
        message = await super().receive()
        if self._is_blocked and self.queue.empty():
            self._is_blocked = False
            self._next()
        return message
