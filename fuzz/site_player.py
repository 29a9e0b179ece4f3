"""A player of a site: comes back when the connection is lost, and checks everything that it is told against the game that it plays.

It knows the seed of its games, so it mirrors each with the library: what an update or a state says must be what the mirror says, with
what was asked for and not answered done or not done. So two histories of one game, a move that was told and is gone, and a state that
goes back are all seen at once. What was asked for on a connection that was lost may be done until the next move is told, and not after:
each request says which update was the last.
"""

import asyncio
import contextlib
import json
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1] / "bench"))

from web_channel import Channel

from fuzz.told import ENDED, Told
from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import IllegalMoveError
from sapper.session.game_request import coded_game
from sapper.web.games.messages import rows_data, runs_data

PRESET: Final = "beginner"
WAIT: Final = 3.0
"""Seconds that an answer may take before the connection is given up, as a page does it."""


@dataclass(slots=True)
class Seen:
    """What all players of a rig saw."""

    wrong: list[str] = field(default_factory=list)
    """Contradictions."""
    moves: list[tuple[float, float, bool]] = field(default_factory=list)
    """When each move was asked for, how long it took to be told, and whether the connection was lost meanwhile."""
    gaps: list[tuple[float, float]] = field(default_factory=list)
    """When a connection was lost, and how long it took until the next move was told."""
    refused: int = 0
    """Answers other than what was asked for: errors, sockets that were closed at once."""


class SitePlayer:
    """One player, from an address of its own."""

    def __init__(self, number: int, port: Callable[[], int], seen: Seen, *, pace: float = 1.0) -> None:
        self.games: list[Told] = []
        self.cookie = ""
        self._random = random.Random(number)
        self._home = (f"127.2.{number // 250}.{1 + number % 250}", 0)
        self._port = port
        self._seen = seen
        self._pace = pace
        self._channel: Channel | None = None
        self._heard: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._referee: Any = None
        self._asked: list[Move] = []
        """What was asked for since the last update was told, and may have been done, or still be."""
        self._number = 0
        """Of the last update or state."""
        self._lost: float | None = None
        self._path = ""

    async def play(self) -> None:
        """Play one game after the other."""
        try:
            await asyncio.sleep(self._random.random() * self._pace)
            while True:
                await self._begin()
                while not self._referee.status.ended:
                    await self._move()
                    await asyncio.sleep(self._random.uniform(0.5, 1.5) * self._pace)
        finally:
            if self._channel is not None:
                self._channel.transport.close()

    async def ask(self, method: str, path: str, body: Any = None, *, port: int | None = None) -> tuple[int, Any]:
        """Status and answer, as text where it is no JSON; `OSError` where there is none."""
        async with asyncio.timeout(WAIT):
            reader, writer = await asyncio.open_connection("127.0.0.1", port or self._port(), local_addr=self._home)
            content = b"" if body is None else json.dumps(body).encode()
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(content)}\r\n"
            head += f"Cookie: {self.cookie}\r\n" if self.cookie else ""
            try:
                writer.write(head.encode() + b"\r\n" + content)
                answer = await reader.read()
            finally:
                writer.close()
        top, _, rest = answer.partition(b"\r\n\r\n")
        if not top:
            raise ConnectionError("no answer")
        for line in top.decode().split("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "content-length" and len(rest) < int(value):
                raise ConnectionError("the answer is cut off")
            if name.lower() == "set-cookie" and not self.cookie:
                self.cookie = value.partition(";")[0]
        status = int(top.split(b" ")[1])
        try:
            return status, json.loads(rest)
        except ValueError:
            return status, rest.decode(errors="replace")

    async def _begin(self) -> None:
        """A new game."""
        while True:
            seed = self._random.getrandbits(60)
            with contextlib.suppress(OSError, TimeoutError):
                status, made = await self.ask("POST", "/api/games", {"preset": PRESET, "seed": seed})
                if status == 201:
                    break
            self._seen.refused += 1
            await asyncio.sleep(0.2 + self._random.random() * 0.3)
        self._referee = coded_game(PRESET, seed=seed).referee()
        self._asked = []
        self.games.append(Told(self.cookie, made["game"], time.monotonic()))
        self._path = made["socket"]
        await self._connect()

    async def _connect(self) -> None:
        """A socket, until there is one, and the state of the game."""
        while True:
            if self._channel is not None:
                self._channel.transport.close()
                self._channel = None
            self._heard = asyncio.Queue()
            head = f"GET {self._path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            head += f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\nCookie: {self.cookie}\r\n\r\n"
            heard = self._heard
            try:
                async with asyncio.timeout(WAIT):
                    _, self._channel = await asyncio.get_running_loop().create_connection(
                        lambda: Channel(head.encode(), lambda content: heard.put_nowait(json.loads(content))),  # noqa: B023  # called at once
                        "127.0.0.1", self._port(), local_addr=self._home,
                    )  # fmt: skip
                    await self._channel.opened
                    self._take_state(await self._state())
                    return
            except (OSError, TimeoutError):
                self._seen.refused += 1
            await asyncio.sleep(0.1 + self._random.random() * 0.2)

    async def _state(self) -> dict[str, Any]:
        """The state of the game, which is gone on with if it was paused because its player was away for long."""
        while (message := await self._next())["type"] != "state" or message["paused"]:
            if message["type"] == "state":
                assert self._channel is not None
                for verb in ("go_on", "state"):
                    self._channel.say({"do": verb})
        return message

    async def _next(self) -> dict[str, Any]:
        """The next message; `ConnectionError` where the connection is lost first."""
        assert self._channel is not None
        hearing = asyncio.ensure_future(self._heard.get())
        try:
            await asyncio.wait((hearing, self._channel.closed), return_when=asyncio.FIRST_COMPLETED)
            if hearing.done():
                return hearing.result()
            raise ConnectionError(self._channel.closed.result())
        finally:
            hearing.cancel()

    def _take_state(self, message: dict[str, Any]) -> None:
        """The game as it is said to be, which must be the mirror, or that with some of what was asked for."""
        if message["type"] != "state":
            return
        before = self._referee.snapshot()
        for count in range(len(self._asked) + 1):
            for done in combinations(self._asked, count):
                with contextlib.suppress(IllegalMoveError):
                    for move in done:
                        self._referee.play(move)
                board = self._referee.board
                if (rows_data(board), board.status.value) == (message["board"], message["status"]):
                    self._asked = [move for move in self._asked if move not in done]
                    self._note(message)
                    return
                self._referee.restore(before)
        told = rows_data(self._referee.board)
        self._seen.wrong.append(
            f"{self.games[-1].game}: told {told}, asked for {self._asked}, now {message['status']} {message['board']}"
        )
        raise ConnectionError("another game")

    def _note(self, message: dict[str, Any]) -> None:
        told, now = self.games[-1], time.monotonic()
        told.status, told.asked = message["status"], ""
        self._number = message["number"]
        told.updates.append((now, message["number"]))
        if told.started is None and told.status != "ready":
            told.started = now
        if told.status in ENDED and told.ended is None:
            told.ended = now

    async def _move(self) -> None:
        """Ask for a move, again until it is told."""
        began, told = time.monotonic(), self.games[-1]
        while not self._referee.status.ended:
            move = self._choose()
            self._asked.append(move)
            width = self._referee.grid.width
            where = {} if move.action is Action.TERMINATE else {"cell": [move.cell % width, move.cell // width]}
            told.asked = "start" if told.started is None else "end"
            try:
                assert self._channel is not None
                self._channel.say({"do": move.action.name.lower(), "id": 1, "after": self._number, **where})
                async with asyncio.timeout(WAIT):
                    if await self._is_told(move):
                        break
                    continue
            except (OSError, TimeoutError):
                self._lost = self._lost or time.monotonic()
            await self._connect()
        now = time.monotonic()
        self._seen.moves.append((began, now - began, self._lost is not None))
        if self._lost is not None:
            self._seen.gaps.append((self._lost, now - self._lost))
            self._lost = None

    async def _is_told(self, move: Move) -> bool:
        """Whether a move was answered with its update; else the state has come, and another may be made."""
        while True:
            message = await self._next()
            if message.get("paused"):
                raise ConnectionError("paused")
            if message["type"] == "state":
                self._take_state(message)
                return False
            if message.get("id") != 1:
                continue
            if message["type"] == "error":
                self._seen.refused += 1
                if message["code"] not in ("went-on", "busy", "failed"):
                    self._seen.wrong.append(f"{self.games[-1].game}: {message}")
                raise ConnectionError(message["message"])
            update = self._referee.play(move)
            self._asked = []
            if message["type"] == "update" and message["runs"] != [list(run) for run in runs_data(update)]:
                self._seen.wrong.append(f"{self.games[-1].game}: {message} instead of {update}")
            self._note(message)
            return True

    def _choose(self) -> Move:
        """Mostly a safe cell, now and then a flag or a mine."""
        tiles, dice = self._referee.board.tiles, self._random
        layout = self._referee.layout
        mines = frozenset() if layout is None else frozenset(layout.mines)
        covered = [cell for cell, tile in enumerate(tiles) if tile == Tile.COVERED]
        safe = [cell for cell in covered if cell not in mines]
        if dice.random() < 0.02 and self._referee.status is Status.PLAYING:
            return Move.terminate()
        if dice.random() < 0.02 and len(safe) < len(covered):
            return Move(Action.REVEAL, Cell(dice.choice([cell for cell in covered if cell in mines])))
        if dice.random() < 0.2 and self._referee.status is Status.PLAYING:
            return Move(Action.FLAG, Cell(dice.choice(covered)))
        if not safe:
            return Move.terminate()
        return Move(Action.REVEAL, Cell(dice.choice(safe)))
