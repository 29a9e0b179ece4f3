"""The WebSocket of a player in `bench/web.py`: the least client there can be, so that little of the processor is its own."""

import asyncio
import json
from typing import Any

MASK = b"\0\0\0\0"
"""A mask that changes nothing: this is no browser, and no proxy is to be fooled."""


class Channel(asyncio.Protocol):
    """The least WebSocket client there can be: no fragments, no checks, text only."""

    def __init__(self, head: bytes, hear: Any) -> None:
        self._head = head
        self._hear = hear
        self._data = bytearray()
        self._is_open = False
        self.opened: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.closed: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        """Ask for the socket."""
        self.transport = transport
        transport.write(self._head)

    def connection_lost(self, exc: Exception | None) -> None:
        """It is gone."""
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the socket was refused"))
            self.opened.exception()  # who waited may have given up: that is no news then
        if not self.closed.done():
            self.closed.set_result(str(exc))

    def data_received(self, data: bytes) -> None:
        """Frames, as they come."""
        self._data += data
        if not self._is_open:
            head, found, rest = bytes(self._data).partition(b"\r\n\r\n")
            if not found:
                return
            if b" 101 " not in head.partition(b"\r\n")[0]:
                raise ConnectionError(head.decode())
            self._data = bytearray(rest)
            self._is_open = True
            if not self.opened.done():  # who waited may have given up
                self.opened.set_result(None)
        while (frame := self._frame()) is not None:
            code, content = frame
            if code == 1:
                self._hear(content)
            elif code == 9:
                self._write(0x8A, content)
            elif code == 8:
                self.closed.set_result(f"{int.from_bytes(content[:2])} {content[2:].decode()}")
                self.transport.close()

    def _frame(self) -> tuple[int, bytes] | None:
        data = self._data
        if len(data) < 2:
            return None
        size, start = data[1], 2
        if size >= 126:
            start = 4 if size == 126 else 10
            if len(data) < start:
                return None
            size = int.from_bytes(data[2:start])
        if len(data) < start + size:
            return None
        code, content = data[0] & 15, bytes(data[start : start + size])
        del data[: start + size]
        return code, content

    def say(self, message: dict[str, Any]) -> None:
        """One message."""
        self._write(0x81, json.dumps(message).encode())

    def _write(self, first: int, content: bytes) -> None:
        size = len(content)
        head = bytes([first, 0x80 | size]) if size < 126 else bytes([first, 0xFE]) + size.to_bytes(2)
        self.transport.write(head + MASK + content)
