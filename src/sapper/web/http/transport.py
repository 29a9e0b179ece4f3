"""Connections: how many there are, how long the head of a request may take, how much of one is parsed at a time.

uvicorn's settings limit sizes, idle connections and pings (`web.serving`), and not these three. The two protocols are uvicorn's,
with what asyncio promises every protocol.
"""

import asyncio
import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import apply_mask  # type: ignore[attr-defined]  # in C where there is that
from websockets.protocol import State

from sapper.server.connections import ConnectionTracker
from sapper.server.rate_limits import RateLimit, TokenBucket

CONNECTION: Final = "connection"
"""In a scope's `state`: the protocol that a request came by (`request`)."""
LINE: Final = "line"
"""In a socket's `state`: its `TextLine`."""
SLICE: Final = 1024
"""Bytes of a connection that are parsed before others have a turn."""
TRAFFIC: Final = RateLimit(per_second=4 * 1024, burst=8 * 1024)
"""Bytes of a WebSocket without a pause: 80 short messages a second. It is for pings and empty frames; messages are counted by the application."""

_FULL: Final = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 5\r\ncontent-length: 0\r\n\r\n"

_BUFFER: Final = memoryview(bytearray(SLICE))
"""What one reading brought, on any connection; it is copied before the next."""


class TextLine(Protocol):
    """A WebSocket without a task, a queue and a pause of the reading for each message: these cost more than most messages do."""

    @property
    def is_ready(self) -> bool:
        """True while the network takes what is written."""

    def listen(self, hear: Callable[[str | bytes], None], go_on: Callable[[], None]) -> None:
        """Have messages handed to `hear` as they come, no longer to the application's `receive`, which goes on to say when the client
        has gone. `go_on` is called when the network takes more. Neither may fail.
        """

    def hush(self) -> None:
        """Call neither of them any more."""

    def write(self, texts: Sequence[bytes]) -> None:
        """Send some messages at once; nothing where the socket is closed."""

    def hold(self) -> None:
        """Read no more: what is on its way already is still handed over."""

    def release(self) -> None:
        """Read on."""


class _Sliced(asyncio.BufferedProtocol):
    """Mixed into a protocol: asyncio reads no more than a slice at a time for it."""

    def get_buffer(self, sizehint: int) -> memoryview:
        return _BUFFER

    def buffer_updated(self, nbytes: int) -> None:
        self.data_received(bytes(_BUFFER[:nbytes]))

    def data_received(self, data: bytes) -> None:
        raise NotImplementedError


TEXT: Final = 0x81
"""The first byte of a frame that is a whole text."""
MASKED: Final = 0x80
"""In the second byte of each frame of a client."""
TWO_BYTES: Final = 126
"""In place of a frame's size: the size is in the next two bytes. This number and one: it is in the next eight."""


def frame_end(data: bytes, at: int, most: int) -> int | None:
    """Where the client's frame ends that begins there; None if some of it is still to come.

    For a frame that is refused by its head, since it has no mask or too many bytes, the end of all there is.
    """
    if len(data) < at + 2:
        return None
    size, start = data[at + 1] - MASKED, at + 2
    if size >= TWO_BYTES:
        start += 2 if size == TWO_BYTES else 8
        if len(data) < start:
            return None
        size = int.from_bytes(data[at + 2 : start])
    if not 0 <= size <= most:
        return len(data)
    end = start + 4 + size
    return end if end <= len(data) else None


class _LineWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket, which can be a `TextLine`.

    What players send is a short text in one frame, and so are the answers. These are read and written here, in a quarter of the time
    that websockets takes; everything else is read by websockets, a whole frame at a time.
    """

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state | {LINE: self}, _loop)
        self._hear: Callable[[str | bytes], None] | None = None
        self._go_on: Callable[[], None] | None = None
        self._rest: bytes | None = None
        """The beginning of a frame; None until the request is read."""

    def data_received(self, data: bytes) -> None:
        if self._rest is None:
            self._rest = b""
            super().data_received(data)
            return
        data, at = self._rest + data, 0
        while at < len(data) and (end := frame_end(data, at, self.config.ws_max_size)) is not None:
            text = self._text_in(data, at, end)
            if text is None or self._hear is None:
                super().data_received(data[at:end])
            else:
                self._hear(text)
            at = end
        self._rest = data[at:]

    def _text_in(self, data: bytes, at: int, end: int) -> str | None:
        """The text of a frame; None if websockets is to read it, and to say what is wrong with it if anything is."""
        size = end - at - 6
        is_short = data[at] == TEXT and data[at + 1] == MASKED + size < MASKED + TWO_BYTES
        if not is_short or self.close_sent or self.conn.state is not State.OPEN or self.conn.current_size is not None:
            return None
        try:
            return apply_mask(data[at + 6 : end], data[at + 2 : at + 6]).decode()
        except UnicodeDecodeError:
            return None

    @property
    def is_ready(self) -> bool:
        return self.writable.is_set()

    def listen(self, hear: Callable[[str | bytes], None], go_on: Callable[[], None]) -> None:
        self._hear, self._go_on = hear, go_on

    def hush(self) -> None:
        self._hear = self._go_on = None

    def send_receive_event_to_app(self) -> None:
        if self._hear is None or self.close_sent:
            super().send_receive_event_to_app()
            return
        data = b"".join(self.frames)
        self.frames = []
        try:
            said = data.decode() if self.curr_msg_data_type == "text" else data
        except UnicodeDecodeError:
            self.conn.send_close(1007)
            self.handle_parser_exception()
        else:
            self._hear(said)

    def write(self, texts: Sequence[bytes]) -> None:
        if self.disconnected or self.close_sent or self.conn.state is not State.OPEN:
            return
        self.transport.write(b"".join([part for text in texts for part in (_head(len(text)), text)]))

    def hold(self) -> None:
        self.transport.pause_reading()

    def release(self) -> None:
        self.transport.resume_reading()

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._go_on is not None:
            self._go_on()


def _head(size: int) -> bytes:
    """Of a frame with a text of so many bytes, from a server."""
    if size < TWO_BYTES:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, TWO_BYTES)) + size.to_bytes(2)
    return bytes((TEXT, TWO_BYTES + 1)) + size.to_bytes(8)


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

    class CountedWebSocket(_LineWebSocket, _Sliced):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self._traffic = TokenBucket(TRAFFIC, tracker.clock())
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            left = self._traffic.spend(tracker.clock(), len(data))
            if left < 0:
                self.transport.pause_reading()
                self.loop.call_later(-left / TRAFFIC.per_second, self.transport.resume_reading)

        def connection_lost(self, exc: Exception | None) -> None:
            tracker.leave(self.transport)
            super().connection_lost(exc)

    return CountedHTTP, CountedWebSocket
