"""The metrics endpoint: just enough HTTP for `GET /metrics`, on a port of its own."""

import asyncio
import contextlib
import socket
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

AT_ONCE: Final = 16
"""Requests served at once; Prometheus needs one."""
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"
"""Prometheus' exposition format."""
PATIENCE: Final = 5.0
"""Seconds that a request may take."""

_STATUS: Final = {200: "OK", 404: "Not Found", 405: "Method Not Allowed", 503: "Service Unavailable"}


class Scrape:
    """Serves the result of `collect` on listening sockets."""

    def __init__(self, listeners: Sequence[socket.socket], collect: Callable[[], Awaitable[str]]) -> None:
        self._listeners = listeners
        self._collect = collect
        self._servers: list[asyncio.Server] = []
        self._running = 0

    async def open(self) -> None:
        if self._listeners:
            await self._collect()  # a package that is missing is named now, not when somebody asks
        for listener in self._listeners:
            # A request is a few lines: what has no line in 4 KiB is none.
            self._servers.append(await asyncio.start_server(self._handle, sock=listener, limit=4096))

    def close(self) -> None:
        for server in self._servers:
            server.close()

    async def _handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._running += 1
        try:
            async with asyncio.timeout(PATIENCE):
                writer.write(await self._answer(reader))
                await writer.drain()
        except (OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # whoever asked did not ask properly, or has gone
        finally:
            self._running -= 1
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    async def _answer(self, reader: asyncio.StreamReader) -> bytes:
        if self._running > AT_ONCE:
            return _response(503, "Too many requests at once.\n")
        method, _, rest = (await reader.readuntil(b"\n")).decode("latin-1").partition(" ")
        while (await reader.readuntil(b"\n")).strip():
            pass
        if rest.split(" ")[0].partition("?")[0] != "/metrics":
            return _response(404, "The metrics are at /metrics.\n")
        if method not in {"GET", "HEAD"}:
            return _response(405, "GET it.\n")
        response = _response(200, await self._collect())
        return response if method == "GET" else response.partition(b"\r\n\r\n")[0] + b"\r\n\r\n"


def _response(status: int, text: str) -> bytes:
    body = text.encode()
    kind = CONTENT_TYPE if status == 200 else "text/plain; charset=utf-8"
    head = (
        f"HTTP/1.1 {status} {_STATUS[status]}\r\nContent-Type: {kind}\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return head.encode() + body
