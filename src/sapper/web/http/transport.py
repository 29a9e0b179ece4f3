"""Connections: how many there are, how long the head of a request may take, how much of one is parsed at a time.

uvicorn's settings limit sizes, idle connections and pings (`web.serving`), and not these three. The two protocols are uvicorn's,
with what asyncio promises every protocol.
"""

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from sapper.server.connections import ConnectionTracker
from sapper.server.rate_limits import RateLimit, TokenBucket

CONNECTION: Final = "connection"
"""In a scope's `state`: the protocol that a request came by (`request`)."""
SLICE: Final = 1024
"""Bytes of a connection that are parsed before others have a turn."""
TRAFFIC: Final = RateLimit(per_second=4 * 1024, burst=8 * 1024)
"""Bytes of a WebSocket without a pause: 80 short messages a second. It is for pings and empty frames; messages are counted by the application."""

_FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"

_BUFFER: Final = memoryview(bytearray(SLICE))
"""What one reading brought, on any connection; it is copied before the next."""


class _Sliced(asyncio.BufferedProtocol):
    """Mixed into a protocol: asyncio reads no more than a slice at a time for it."""

    def get_buffer(self, sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_BUFFER[:nbytes]))

    def data_received(self, data: bytes) -> None:
        raise NotImplementedError


def protocols(tracker: ConnectionTracker) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """What uvicorn is to speak HTTP and WebSockets with: its own protocols, counted and timed by `tracker`."""

    class CountedHTTP(H11Protocol, _Sliced):
        def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
            super().__init__(config, server_state, app_state | {CONNECTION: self}, _loop)
            self.requests = 0

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
            is_in = tracker.enter(transport)
            super().connection_made(transport)
            if not is_in:
                transport.write(_FULL)
                transport.close()

        def data_received(self, data: bytes) -> None:
            if not self.requests:
                tracker.expect(self.transport)
            super().data_received(data)

        def connection_lost(self, exc: Exception | None) -> None:
            tracker.leave(self.transport)
            super().connection_lost(exc)

        @contextlib.contextmanager
        def request(self) -> Iterator[None]:
            """The head is here; its answer may take as long as it needs."""
            tracker.received(self.transport)
            self.requests += 1
            try:
                yield
            finally:
                self.requests -= 1

    class CountedWebSocket(WebSocketsSansIOProtocol, _Sliced):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._traffic = TokenBucket(TRAFFIC, tracker.clock())
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            self._traffic.spend(tracker.clock(), len(data))
            if wait := self._traffic.wait(tracker.clock(), 0.0):
                self.transport.pause_reading()
                self.loop.call_later(wait, self.transport.resume_reading)

        def connection_lost(self, exc: Exception | None) -> None:
            tracker.leave(self.transport)
            super().connection_lost(exc)

    return CountedHTTP, CountedWebSocket
