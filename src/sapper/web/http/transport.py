"""Below requests and messages: who is let in, and how fast bytes are read.

uvicorn waits forever for the head of a request and for a peer that has gone, and parses whatever one reading brought (up to
256 KiB) before anybody else has a turn. So its two protocols read at most `SLICE` bytes at a time here, and stop reading while
the rate of the connection is used up; what is not read stays in the network.

Knows: transports and timers of uvicorn's protocols.
Does not know: requests, games, players.
"""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from typing import Any, Final, cast

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.protocols.utils import ClientDisconnected
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sapper.server.connections import ConnectionTracker
from sapper.server.rate_limits import RateLimit, TokenBucket

SLICE: Final = 512
"""Bytes that are read and parsed before others have a turn."""
FRAME: Final = 64
"""What a frame costs besides its bytes: an empty one is as much work as one of this length."""
TRAFFIC: Final = RateLimit(per_second=10 * 1024, burst=32 * 1024)
"""Bytes of a WebSocket, frames counted as above: 100 short messages a second."""
CLAIM: Final = "claim"
"""In a scope's `state`: told the address that a request comes from; False if that has too many connections (`ConnectionTracker.claim`)."""
LINGER: Final = 2.0
"""Seconds that a client has to read why its WebSocket ends; what it still sends meanwhile is read and dropped."""

_FULL = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"
_BUFFER: Final = memoryview(bytearray(SLICE))
"""What one reading brought, on any connection; it is copied before the next."""


class TransportConfig(uvicorn.Config):
    """uvicorn's configuration, with the connections that its protocols go through."""

    def __init__(self, app: Any, *, connections: ConnectionTracker, **options: Any) -> None:
        self.connections = connections
        super().__init__(app, http=TimedHTTP, ws=FairWebSocket, **options)


class _Slices:
    """Mixed into a protocol of uvicorn: bytes come in slices, and each is parsed when the rate allows it.

    A subclass says how long the next slice `_waits` and whether uvicorn itself `_has_paused` reading. One slice is held while its
    time has not come; another joins it where uvicorn began to read again meanwhile.
    """

    config: uvicorn.Config
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport
    data_received: Callable[[bytes], None]

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assert isinstance(self.config, TransportConfig)
        self._tracker = self.config.connections
        self._held = bytearray()
        self._timer: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Leave."""
        self._tracker.leave(self.transport)
        if self._timer is not None:
            self._timer.cancel()
        super().connection_lost(exc)  # type: ignore[misc]  # uvicorn's

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where asyncio puts what it reads; its size is what makes the slices."""
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        """A slice has come."""
        self._held += _BUFFER[:nbytes]
        if self._timer is None:
            self._go_on()
        else:
            self.transport.pause_reading()

    def _go_on(self) -> None:
        """Parse what is held, or wait until that is allowed."""
        self._timer = None
        if self.transport.is_closing():
            return
        if wait := self._wait():
            self.transport.pause_reading()
            self._timer = self.loop.call_later(wait, self._go_on)
            return
        piece = bytes(self._held)
        self._held.clear()
        self.data_received(piece)
        if not self._has_paused():
            self.transport.resume_reading()

    def _wait(self) -> float:
        raise NotImplementedError

    def _has_paused(self) -> bool:
        raise NotImplementedError


class TimedHTTP(_Slices, H11Protocol, asyncio.BufferedProtocol):
    """HTTP that does not wait forever, and that is parsed for as long as an address may have."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Ask whether there is room; one for whom there is none is told so."""
        is_in = self._tracker.enter(transport, self.loop.time())
        # In the scope of each request, and of the WebSocket that this may become: only the middleware knows whom a proxy speaks for.
        self.app_state = {CLAIM: partial(self._tracker.claim, transport)}
        super().connection_made(transport)
        if not is_in:
            transport.write(_FULL)
            transport.close()

    def data_received(self, data: bytes) -> None:
        """Parse a slice, and count the time that it takes."""
        self._tracker.expect(self.transport, self.loop.time())
        before, begin = self.cycle, time.thread_time()
        super().data_received(data)
        self._tracker.charge(self.transport, time.thread_time() - begin)
        if self.cycle is not before or self.transport.get_protocol() is not self or self._is_answering:
            self._tracker.received(self.transport)

    @property
    def _is_answering(self) -> bool:
        """Whether a request has come in whole and its answer is on the way: that may take as long as it needs.

        After the answer the same cycle stays until the next head is whole, and that head is waited for.
        """
        cycle = cast("RequestResponseCycle | None", self.cycle)  # there is none before the first head
        return cycle is not None and not (cycle.more_body or cycle.response_complete)

    def _wait(self) -> float:
        return self._tracker.wait(self.transport)

    def _has_paused(self) -> bool:
        return self.flow.read_paused


class FairWebSocket(_Slices, WebSocketsSansIOProtocol, asyncio.BufferedProtocol):
    """A WebSocket that is read no faster than any player needs."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._traffic = TokenBucket(TRAFFIC, self.loop.time())
        self._has_failed = False

    def data_received(self, data: bytes) -> None:
        """Parse a slice; its bytes count."""
        self._traffic.spend(self.loop.time(), len(data))
        if not self._has_failed:
            super().data_received(data)

    def handle_parser_exception(self) -> None:
        """Say what is wrong with a frame, and read on until the client has gone.

        uvicorn closes at once. Where bytes have come that nobody read, the kernel then sends a reset, and a client that gets it
        before it has read the closing frame never learns why it was cut off.
        """
        self._has_failed = True
        sent = self.conn.close_sent
        assert sent is not None
        self.queue.put_nowait({"type": "websocket.disconnect", "code": sent.code, "reason": sent.reason})
        self.transport.write(b"".join(self.conn.data_to_send()))
        self.close_sent = True
        self.close_timer = self.loop.call_later(LINGER, self.transport.close)
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def handle_events(self) -> None:
        """Each frame costs something besides its bytes."""
        self._traffic.spend(self.loop.time(), FRAME * len(self.conn.events))
        super().handle_events()

    def send_receive_event_to_app(self) -> None:
        """A message is whole. uvicorn stops reading until it was taken, two system calls a message; here, if many wait."""
        before = self.read_paused
        is_little = self.queue.qsize() < self.config.ws_max_queue
        self.read_paused = before or is_little
        super().send_receive_event_to_app()
        if is_little:
            self.read_paused = before

    async def send(self, message: Any) -> None:
        """Say something, unless nobody is there any more: asyncio would complain of each attempt."""
        if message["type"] == "websocket.send" and self.transport.is_closing():
            raise ClientDisconnected
        await super().send(message)
        if message["type"] == "websocket.http.response.body":
            self.handshake_complete = True  # by a refusal: uvicorn would log an error for each, which anybody can cause

    def _wait(self) -> float:
        return self._traffic.wait(self.loop.time(), 0.0)

    def _has_paused(self) -> bool:
        return self.read_paused
