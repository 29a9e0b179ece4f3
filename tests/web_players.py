"""Programs that play the web game over real sockets."""

import json
from dataclasses import dataclass
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

from tests.web_process import PATIENCE, WebProcess


@dataclass(frozen=True, slots=True)
class Player:
    """A program that plays."""

    port: int
    cookie: str

    @classmethod
    def new(cls, server: WebProcess) -> "Player":
        answer = httpx.get(f"{server.url}api/player", timeout=PATIENCE)
        return cls(server.port, f"sapper_player={answer.cookies['sapper_player']}")

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        headers = {"cookie": self.cookie, **options.pop("headers", {})}
        address = f"http://127.0.0.1:{self.port}{path}"
        return httpx.request(method, address, headers=headers, timeout=PATIENCE, **options)

    def game(self, **request: Any) -> str:
        answer = self.ask("POST", "/api/games", json=request)
        assert answer.status_code == 201
        path: str = answer.json()["socket"]
        return path

    def socket(self, path: str, **headers: str) -> connect:
        """A socket at that path. It takes what nobody reads, however much: else the end of the connection would wait behind it."""
        found = {"cookie": self.cookie, **headers}
        return connect(
            f"ws://127.0.0.1:{self.port}{path}", additional_headers=found, compression=None, origin=None,
            open_timeout=PATIENCE, close_timeout=PATIENCE, ping_interval=None, max_queue=None,
        )  # fmt: skip


async def hear(one: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of that type; of any if it is empty."""
    while True:
        message: dict[str, Any] = json.loads(await one.recv())
        if kind in ("", message["type"]):
            return message


async def say(one: ClientConnection, verb: str, kind: str = "update", **others: Any) -> dict[str, Any]:
    await one.send(json.dumps({"do": verb, **others}))
    return await hear(one, kind)
