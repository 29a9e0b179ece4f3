"""Hostile clients of a web server, from an address of their own: what bench/web.py --hostile runs beside the players.

    .venv/bin/python bench/web_flood.py PORT SECONDS [KIND…]

Several at once, each as fast as the server takes it: messages on a socket, pings, nonsense; connections that say nothing, or
say it slowly; new games, huge boards and analyses by players made up for each; bodies too long; cookies that were forged.
"""

import asyncio
import collections
import contextlib
import json
import re
import sys
import time

ADDRESS = ("127.0.0.2", 0)
"""Not the players': a flood has an address of its own."""

counts: collections.Counter[str] = collections.Counter()


class Flood:
    """The server, and until when."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port = port
        self.until = time.monotonic() + seconds

    @property
    def goes_on(self) -> bool:
        """Whether it does."""
        return time.monotonic() < self.until

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection."""
        return await asyncio.open_connection("127.0.0.1", self.port, local_addr=ADDRESS)

    async def ask(self, method: str, path: str, body: bytes = b"", cookie: str = "") -> bytes:
        """One request, its whole answer."""
        reader, writer = await self.open()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\nCookie: {cookie}\r\n\r\n"
        writer.write(head.encode() + body)
        try:
            answer = await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()
        counts[f"HTTP {answer[9:12].decode()}"] += 1
        return answer

    async def socket(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A game of a new player, and its socket."""
        answer = await self.ask("POST", "/api/games", b"{}")
        cookie = re.search(rb"sapper_player=[^;]+", answer)
        if b" 201 " not in answer[:20] or cookie is None:
            await asyncio.sleep(0.2)
            raise ConnectionError("no game")
        path = json.loads(answer.partition(b"\r\n\r\n")[2])["socket"]
        reader, writer = await self.open()
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        head += f"Sec-WebSocket-Key: {'A' * 22}==\r\nCookie: {cookie[0].decode()}\r\n\r\n"
        writer.write(head.encode())
        await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), 10)
        counts["sockets"] += 1
        return reader, writer

    async def pour(self, what: bytes, *, reads: bool) -> None:
        """The same bytes on a socket, again and again."""
        reader, writer = await self.socket()
        drinking = asyncio.create_task(drink(reader)) if reads else None
        try:
            while self.goes_on and not writer.is_closing():
                writer.write(what)
                await asyncio.wait_for(writer.drain(), 10)
                await asyncio.sleep(0)
                if drinking is not None and drinking.done():
                    break
        finally:
            counts["sockets closed"] += 1
            writer.close()
            if drinking is not None:
                drinking.cancel()

    async def be_slow(self) -> None:
        """A request that never has a head."""
        _, writer = await self.open()
        writer.write(b"GET / HTTP/1.1\r\n")
        while self.goes_on and not writer.is_closing():
            writer.write(b"X-Slow: 1\r\n")
            await writer.drain()
            await asyncio.sleep(1)

    async def send(self, what: bytes) -> None:
        """The same bytes on a connection of its own, once, and what is answered."""
        reader, writer = await self.open()
        drinking = asyncio.create_task(drink(reader))
        try:
            writer.write(what)
            await asyncio.wait_for(writer.drain(), 10)
            await asyncio.wait_for(drinking, 10)
        finally:
            counts["connections closed"] += 1
            drinking.cancel()
            writer.close()

    async def keep_doing(self, what: str) -> None:
        """One of the many things, until the end."""
        frame = bytes([0x81, 0x80 | 24]) + b"\0\0\0\0" + b'{"do":"left","cell":[1]}'
        doings = {
            "messages": lambda: self.pour(frame * 500, reads=True),
            "unread": lambda: self.pour((bytes([0x81, 0x80 | 14]) + b"\0\0\0\0" + b'{"do":"state"}') * 200, reads=False),
            "pings": lambda: self.pour(b"\x89\x80\0\0\0\0" * 2000, reads=True),
            "nonsense": lambda: self.pour(b"\xff" * 5000, reads=True),
            "slow": self.be_slow,
            "requests": lambda: self.send(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n" * 500),
            "chunks": lambda: self.send(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 60_000),
            "games": lambda: self.ask("POST", "/api/games", b'{"width":100,"height":100,"mine_count":2000}'),
            "huge": lambda: self.ask("POST", "/api/games", b'{"width":100000,"height":100000,"mine_count":1}'),
            "bodies": lambda: self.ask("POST", "/api/games", b"[" * 60_000),
            "analysis": lambda: self.ask("POST", "/api/analysis", json.dumps({"board": ("#" * 100 + "\n") * 100, "mine_count": 2000}).encode()),
            "forged": lambda: self.ask("GET", "/api/player", cookie=f"sapper_player=web-{'0' * 32}-{'0' * 16}.aaaaaa.{'b' * 43}"),
        }  # fmt: skip
        while self.goes_on:
            with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError):
                await doings[what]()
            await asyncio.sleep(0.001)


async def drink(reader: asyncio.StreamReader) -> None:
    """Read and forget."""
    while await reader.read(65536):
        pass


async def main() -> None:
    flood = Flood(int(sys.argv[1]), float(sys.argv[2]))
    doings = sys.argv[3:] or [
        "messages",
        "unread",
        "pings",
        "nonsense",
        "games",
        "huge",
        "bodies",
        "analysis",
        "forged",
        *["slow"] * 5,
    ]
    await asyncio.gather(*(flood.keep_doing(what) for what in doings * 2))
    print(f"  flood: {', '.join(f'{count} × {what}' for what, count in sorted(counts.items()))}")


if __name__ == "__main__":
    asyncio.run(main())
