"""Asking an ASGI application without a network: requests and sockets as values."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message

Headers = Iterable[tuple[str, str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What came back."""

    status: int
    headers: dict[str, str]
    cookies: list[str]
    body: bytes = field(repr=False)

    @property
    def json(self) -> Any:
        """The body as a value."""
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of an error."""
        return str(self.json["error"]["code"])


def scope_of(
    kind: str, path: str, headers: Headers, *, address: str, query: str = "", method: str = "GET"
) -> dict[str, Any]:
    """What uvicorn would say of a request."""
    return {
        "type": kind, "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "path": path,
        "raw_path": path.encode(), "root_path": "", "query_string": query.encode(), "client": (address, 5),
        "server": ("127.0.0.1", 80), "scheme": "http" if kind == "http" else "ws", "subprotocols": [],
        "headers": [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers],
    }  # fmt: skip


async def ask(
    app: ASGIApp,
    path: str,
    *,
    method: str = "GET",
    headers: Headers = (("host", "localhost"),),
    parts: Iterable[bytes] = (b"",),
    address: str = "10.0.0.1",
    query: str = "",
) -> Answered:
    """One request and its answer; the body comes in parts."""
    waiting = list(parts)
    sent: list[Message] = []

    async def receive() -> Message:
        if not waiting:
            await asyncio.Event().wait()
        return {"type": "http.request", "body": waiting.pop(0), "more_body": bool(waiting)}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(scope_of("http", path, headers, address=address, query=query, method=method), receive, send)
    start = sent[0]
    pairs = [(name.decode("latin-1"), value.decode("latin-1")) for name, value in start["headers"]]
    return Answered(
        status=start["status"],
        headers=dict(pairs),
        cookies=[value for name, value in pairs if name == "set-cookie"],
        body=b"".join(message.get("body", b"") for message in sent[1:]),
    )


class Line:
    """The two ends of a socket: what a client says, and what it was sent. It is a `TextLine`, too."""

    def __init__(self) -> None:
        self.says: asyncio.Queue[Message] = asyncio.Queue()
        self.says.put_nowait({"type": "websocket.connect"})
        self.sent: list[Message] = []
        self.is_ready = True
        self.is_held = False
        """True if nothing more is to be read."""
        self._free = asyncio.Event()
        self._free.set()
        self._kept: list[str | bytes] = []
        self._hear: Callable[[str | bytes], None] | None = None
        self._go_on: Callable[[], None] = lambda: None

    def say(self, text: str | bytes) -> None:
        """One message of the client's."""
        if self.is_held:
            self._kept.append(text)
        elif self._hear is not None:
            self._hear(text)
        else:
            key = "text" if isinstance(text, str) else "bytes"
            self.says.put_nowait({"type": "websocket.receive", key: text})

    def stick(self) -> None:
        """The client reads nothing."""
        self.is_ready = False
        self._free.clear()

    def unstick(self) -> None:
        """It reads again."""
        self.is_ready = True
        self._free.set()
        self._go_on()

    def leave(self) -> None:
        """The client goes."""
        self.says.put_nowait({"type": "websocket.disconnect", "code": 1001})

    async def receive(self) -> Message:
        """For the server: the next thing that the client says."""
        return await self.says.get()

    async def send(self, message: Message) -> None:
        """For the server: something for the client."""
        await self._free.wait()
        self.sent.append(message)

    def listen(self, hear: Callable[[str | bytes], None], go_on: Callable[[], None]) -> None:
        """For the server: who hears from now on."""
        self._hear, self._go_on = hear, go_on

    def hush(self) -> None:
        """Nobody does."""
        self._hear, self._go_on = None, lambda: None

    def write(self, texts: Sequence[bytes]) -> None:
        """For the server: messages for the client."""
        self.sent += [{"type": "websocket.send", "text": text.decode()} for text in texts]

    def hold(self) -> None:
        """Read no more."""
        self.is_held = True

    def release(self) -> None:
        """Read on."""
        self.is_held = False
        while self._kept and not self.is_held:
            self.say(self._kept.pop(0))

    @property
    def texts(self) -> list[Any]:
        """The messages that arrived."""
        return [json.loads(message["text"]) for message in self.sent if message["type"] == "websocket.send"]

    @property
    def closed(self) -> tuple[int, str] | None:
        """Code and reason, if the server closed it."""
        for message in self.sent:
            if message["type"] == "websocket.close":
                return message["code"], message["reason"]
        return None
