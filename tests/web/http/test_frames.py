"""Frames of a WebSocket: whatever the pieces in which they come, what is heard of them, and with which code a wrong one ends it."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState
from websockets.frames import Frame, Opcode

from sapper.server.connections import ConnectionTracker
from sapper.web.http.transport import LINE, protocols
from tests.wire import Wire

REQUEST = (
    b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
MOST = 4096


class _Line:
    """A socket whose application listens to its line."""

    def __init__(self) -> None:
        self.heard: list[str | bytes] = []
        self.wire = Wire()
        self.line: Any = None
        self._ready = asyncio.Event()

    async def _app(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        self.line = scope["state"][LINE]
        self.line.listen(self.heard.append, lambda: None)
        self._ready.set()
        await receive()

    async def opened(self) -> None:
        tracker = ConnectionTracker(connections=10, per_address=0, patience=60.0)
        _, kind = protocols(tracker)
        config = uvicorn.Config(
            self._app,
            interface="asgi3",
            log_config=None,
            lifespan="off",
            ws_max_size=MOST,
            ws_per_message_deflate=False,
        )
        config.load()
        self._protocol: Any = kind(config=config, server_state=ServerState(), app_state={})  # type: ignore[call-arg]
        self._protocol.connection_made(self.wire)
        self._protocol.data_received(REQUEST)
        await asyncio.wait_for(self._ready.wait(), 30)
        self.wire.written.clear()

    def bring(self, pieces: Sequence[bytes]) -> None:
        for piece in pieces:
            self._protocol.data_received(piece)


def _frame(content: bytes, opcode: Opcode = Opcode.TEXT, *, fin: bool = True) -> bytes:
    return Frame(opcode, content, fin).serialize(mask=True)


def _cuts(data: bytes) -> list[list[bytes]]:
    rng = random.Random(data)
    places = sorted(rng.sample(range(1, len(data)), min(7, len(data) - 1)))
    pieces = [data[start:end] for start, end in zip([0, *places], [*places, len(data)], strict=True)]
    return [[data], [bytes([one]) for one in data], pieces]


def _outcome(data: bytes) -> tuple[list[str | bytes], bytes]:
    """What was heard and written, the same however the bytes are cut."""

    async def tried() -> list[tuple[list[str | bytes], bytes]]:
        found = []
        for pieces in _cuts(data):
            line = _Line()
            await line.opened()
            line.bring(pieces)
            found.append((line.heard, bytes(line.wire.written)))
        return found

    first, *others = asyncio.run(tried())
    assert all(other == first for other in others)
    return first


def test_messages_are_heard_in_order_whatever_frames_they_come_in() -> None:
    texts = ["", "a", "é" * 62, "x" * 125, "x" * 126, "y" * MOST]
    data = b"".join(_frame(text.encode()) for text in texts)
    data += _frame(b"one ", fin=False) + _frame(b"?", Opcode.PING) + _frame(b"message", Opcode.CONT) + _frame(b"last")
    data += _frame(b"\x00\xff", Opcode.BINARY)
    heard, written = _outcome(data)
    assert heard == [*texts, "one message", "last", b"\x00\xff"]
    assert written == b"\x8a\x01?"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (_frame(b"\xff"), 1007),
        (Frame(Opcode.TEXT, b"no mask").serialize(mask=False), 1002),
        (_frame(b"x" * (MOST + 1)), 1009),
        (b"\x81\xff" + (1 << 62).to_bytes(8) + bytes(4), 1009),
        (_frame(b"begun", fin=False) + _frame(b"and another"), 1002),
        (b"\xc1" + _frame(b"a reserved bit")[1:], 1002),
        (_frame(b"", Opcode.CONT), 1002),
        (_frame((1000).to_bytes(2), Opcode.CLOSE), 1000),
    ],
    ids=["no-utf-8", "no-mask", "too-long", "far-too-long", "text-in-a-text", "reserved-bit", "nothing-to-continue", "close"],
)  # fmt: skip
def test_after_a_wrong_frame_nothing_is_heard(wrong: bytes, code: int) -> None:
    heard, written = _outcome(_frame(b"before") + wrong + _frame(b"after"))
    assert heard == ["before"]
    assert written[0] == 0x88
    assert int.from_bytes(written[2:4]) == code


@pytest.mark.parametrize("size", [0, 125, 126, 65_535, 65_536])
def test_a_text_is_written_as_the_library_writes_it(size: int) -> None:
    async def written() -> bytes:
        line = _Line()
        await line.opened()
        line.line.write([b"x" * size, b"y"])
        return bytes(line.wire.written)

    expected = [Frame(Opcode.TEXT, content).serialize(mask=False) for content in (b"x" * size, b"y")]
    assert asyncio.run(written()) == b"".join(expected)
