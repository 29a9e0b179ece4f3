"""Connections and bytes, on real sockets: who is let in, who is late, and what a flood of bytes does to others."""

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
import uvicorn
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from sapper.server.connections import ConnectionTracker
from sapper.server.listeners import listen
from sapper.server.rate_limits import RateLimit
from sapper.web.http import transport as module
from sapper.web.http.limits import WebLimits
from sapper.web.http.transport import CONNECTION, SLICE, protocols
from tests.registries import until

LIMITS = WebLimits(head_time=60.0)
IMPATIENT = replace(LIMITS, head_time=1.0)  # for who is to be late; on a busy machine everybody may be


class Echo:
    """An application that says what it hears, and how much that was."""

    def __init__(self) -> None:
        self.heard = 0
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with scope["state"][CONNECTION].request():
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            while scope["path"] == "/slow" and (await receive()).get("more_body"):
                pass
            if scope["path"] == "/slow":
                self.heard += 1
                await self.gate.wait()
            await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
            await send({"type": "http.response.body", "body": b"ok"})
            return
        await receive()
        await send({"type": "websocket.accept"})
        while True:
            await self.gate.wait()
            message = await receive()
            if message["type"] == "websocket.disconnect":
                return
            self.heard += 1
            with contextlib.suppress(OSError):
                await send({"type": "websocket.send", "text": message.get("text") or "bytes"})


class Served:
    """A server on a port of its own."""

    def __init__(self, port: int, connections: ConnectionTracker, app: Echo) -> None:
        self.port = port
        self.connections = connections
        self.app = app

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self.port)

    def socket(self) -> "connect":
        return connect(f"ws://127.0.0.1:{self.port}/", compression=None, ping_interval=None)


@asynccontextmanager
async def served(limits: WebLimits = LIMITS, **options: Any) -> AsyncIterator[Served]:
    listeners = listen(["127.0.0.1"], 0)
    app = Echo()
    connections = ConnectionTracker(
        connections=limits.connections, per_address=limits.per_address, patience=limits.head_time, **options,
    )  # fmt: skip
    http, websockets = protocols(connections)
    config = uvicorn.Config(
        app, http=http, ws=websockets, lifespan="off", log_config=None, access_log=False, ws_max_size=limits.message, ws_max_queue=4,
        ws_per_message_deflate=False, timeout_graceful_shutdown=1,
        timeout_keep_alive=int(limits.head_time),
    )  # fmt: skip
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server._serve(listeners))
    sweeping = asyncio.create_task(connections.keep_sweeping())
    try:
        async with asyncio.timeout(60):
            while not server.started:  # noqa: ASYNC110  # uvicorn does not tell
                await asyncio.sleep(0.01)
        yield Served(listeners[0].getsockname()[1], connections, app)
    finally:
        server.should_exit = True
        await serving
        sweeping.cancel()
        for listener in listeners:
            listener.close()


def _run(test: Callable[[], Awaitable[None]]) -> None:
    async def bounded() -> None:
        async with asyncio.timeout(120):
            await test()

    asyncio.run(bounded())


async def test_everybody_is_counted_in_and_out() -> None:
    async with served() as context:
        async with context.socket() as one:
            await one.send("hello")
            assert await one.recv() == "hello"
            reader, writer = await context.open()
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
            assert context.connections.count == 2
            writer.close()
        await until(lambda: context.connections.count == 0)


@pytest.mark.parametrize("limits", [replace(LIMITS, per_address=2), replace(LIMITS, connections=2)])
async def test_who_is_one_too_many_is_told_so(limits: WebLimits) -> None:
    async with served(limits) as context:
        async with context.socket(), context.socket():
            reader, writer = await context.open()
            assert (await reader.read()).startswith(b"HTTP/1.1 503")
            writer.close()
            assert context.connections.count == 2
        await until(lambda: context.connections.count == 0)
        async with context.socket() as one:
            await (await one.ping())


async def test_all_players_of_a_proxy_may_come() -> None:
    limits = replace(LIMITS, per_address=1)
    async with served(limits, is_proxy="127.0.0.1".__eq__) as context, context.socket(), context.socket() as two:
        await two.send("in")
        assert await two.recv() == "in"


@pytest.mark.parametrize("said", [b"", b"GET / HTTP/1.1\r\nHost:", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP"])
async def test_who_says_nothing_or_half_of_it_goes(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.server.connections.SWEEP", 0.1)
    async with served(IMPATIENT) as context:
        reader, writer = await context.open()
        writer.write(said)
        with contextlib.suppress(ConnectionResetError):
            await reader.read()
        await until(lambda: context.connections.count == 0)
        writer.close()


async def test_whoever_has_asked_waits_for_the_answer_and_has_to_go_on_only_after_it() -> None:
    """Half a head is waited for so long; an answer that takes longer is no fault of who asked. (A body has a limit of its own.)"""
    now = 0.0
    async with served(clock=lambda: now) as context:
        tracker, app = context.connections, context.app
        app.gate.clear()
        reader, writer = await context.open()
        writer.write(b"POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345")
        await until(lambda: tracker.count == 1 and not tracker._due)
        writer.write(b"67890")
        await until(lambda: app.heard == 1)
        now += 1_000
        tracker.sweep()
        app.gate.set()
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(b"GET / HTTP")
        await until(lambda: len(tracker._due) == 1)
        now += 1_000
        tracker.sweep()
        await until(lambda: tracker.count == 0)
        writer.close()


@pytest.mark.parametrize(
    "said", [b"\xff" * 20_000, b"GET / HTTP/9\r\n\r\n", b"\r\n" * 40_000, b"GET /" + b"a" * 100_000]
)
async def test_nonsense_is_refused(said: bytes) -> None:
    async with served() as context:
        reader, writer = await context.open()
        writer.write(said)
        with contextlib.suppress(ConnectionResetError):
            assert (await reader.read()).startswith(b"HTTP/1.1 400")
        writer.close()
        await until(lambda: context.connections.count == 0)


@pytest.mark.parametrize("frame", [b"\xff" * 200, b"\x81\x05hello", b"\x81\xfe\xff\xff\0\0\0\0", b"\x8f\x80\0\0\0\0", b"\x81\x82\0\0\0\0\xff\xff"])  # fmt: skip
async def test_frames_that_are_none_end_a_socket(frame: bytes) -> None:
    async with served() as context, context.socket() as one:
        one.transport.write(frame)
        with pytest.raises(ConnectionClosed):
            await one.recv()


async def test_messages_arrive_whole_and_in_order_however_they_come() -> None:
    async with served() as context, context.socket() as one:
        texts = [f"{number} " + "x" * (number * 37 % 3000) for number in range(12)]
        for text in texts:
            await one.send(text)
        await one.send(iter(["in ", "three ", "parts"]))
        assert [await one.recv() for _ in range(13)] == [*texts, "in three parts"]


async def _pour(one: ClientConnection, frame: bytes, count: int) -> None:
    with contextlib.suppress(ConnectionError):
        for _ in range(count):
            one.transport.write(frame * 50)
            await asyncio.sleep(0)


@pytest.mark.parametrize("frame", [b"\x89\x80\0\0\0\0", b"\x8a\x80\0\0\0\0"])
async def test_a_flood_of_pings_waits_in_the_network(frame: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """The application never hears of them; messages it counts itself."""
    monkeypatch.setattr(module, "TRAFFIC", RateLimit(per_second=10, burst=1_000))
    async with served() as context, context.socket() as flood, context.socket() as other:
        await _pour(flood, frame * 1_000, 200)
        for number in range(20):
            await other.send(str(number))
            assert await other.recv() == str(number)
        assert flood.transport.get_write_buffer_size() > 0
        flood.transport.abort()


@pytest.mark.parametrize("size", [1, 7, SLICE - 1, SLICE, SLICE + 1])
async def test_a_request_is_the_same_however_it_comes(size: int) -> None:
    async with served() as context:
        reader, writer = await context.open()
        said = b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * 1_400 + b"\r\n\r\n"
        for at in range(0, len(said), size):
            writer.write(said[at : at + size])
            await asyncio.sleep(0)
        assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.write(said * 3)
        for _ in range(3):
            assert (await reader.readuntil(b"ok")).startswith(b"HTTP/1.1 200")
        writer.close()


async def test_a_socket_is_asked_for_with_a_long_head() -> None:
    async with served() as context:
        reader, writer = await context.open()
        head = "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\nA: {'a' * 400}\r\n\r\n"
        writer.write(head.encode())
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"\x81\x82\0\0\0\0hi")
        assert await reader.readexactly(4) == b"\x81\x02hi"
        writer.close()


async def test_an_application_that_is_slow_is_not_fed_faster_than_it_eats() -> None:
    async with served() as context, context.socket() as one:
        context.app.gate.clear()
        await _pour(one, b"\x81\x82\0\0\0\0hi", 4)
        await asyncio.sleep(0.1)
        assert context.app.heard <= 1
        context.app.gate.set()
        for _ in range(200):
            assert await one.recv() == "hi"


async def test_who_does_not_answer_the_close_is_gone_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.server.connections.SWEEP", 0.1)
    async with served(replace(IMPATIENT, per_address=1)) as context:
        held = socket.create_connection(("127.0.0.1", context.port))
        await until(lambda: context.connections.count == 1)
        turned_away = socket.create_connection(("127.0.0.1", context.port))
        await until(lambda: context.connections.count == 0)
        held.close()
        turned_away.close()
