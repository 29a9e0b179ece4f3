"""Players who write down what they were told: shared by the rigs that kill servers, fill disks and stop databases.

A web player plays games whose mines it knows, on a socket, to a win, a loss or an End; a binary player plays `sapper serve` by its
protocol. What the server said of each game is kept with the moment when it was said. What was asked for and not answered yet when a
server was killed may or may not have happened: it is counted apart. A third plays `sapper play --lines`, in a process that is killed.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from sapper.session.game_request import coded_game

BOARD: Final = {"preset": "beginner", "rules": "engine", "width": 4, "height": 4, "mine_count": 3}
ENDED: Final = frozenset({"won", "lost", "terminated"})
PATIENCE: Final = 30.0


@dataclass(slots=True)
class Told:
    """What a player was told of one game."""

    player: str
    """The cookie."""
    game: str
    created: float
    """When it was answered with 201; times are of `time.monotonic`."""
    started: float | None = None
    """When the first change of a cell was answered."""
    status: str = "ready"
    ended: float | None = None
    unsaved: bool = False
    """Whether it was said that the end is not saved yet."""
    asked: str = ""
    """What was asked for last and not answered: `start`, `end` or nothing."""
    left: float | None = None
    """When the player closed the socket."""
    updates: list[tuple[float, int]] = field(default_factory=list)
    """When each change was told, and how many there had been."""


class WebPlayer:
    """A player with a cookie, who plays one game after the other until the server has gone."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.cookie = ""
        self.games: list[Told] = []
        self.refused = 0
        self.on_end: Callable[[], None] = lambda: None
        """Called as soon as an end was told."""
        self._dice = random.Random(seed)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        """Status and answer."""
        status, _, content = await self.ask_all(method, path, body)
        return status, content

    async def ask_all(self, method: str, path: str, body: Any = None) -> tuple[int, str, Any]:
        """Status, head and answer."""
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
            content = b"" if body is None else json.dumps(body).encode()
            head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(content)}\r\n"
            head += f"Cookie: {self.cookie}\r\n" if self.cookie else ""
            writer.write(head.encode() + b"\r\n" + content)
            answer = await reader.read()
            writer.close()
        top, _, rest = answer.partition(b"\r\n\r\n")
        if not top:
            raise ConnectionError("no answer")
        text = top.decode()
        for line in text.split("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "set-cookie" and not self.cookie:
                self.cookie = value.partition(";")[0]
        return int(text.split(" ")[1]), text, json.loads(rest) if rest else None

    async def play(self) -> None:
        """Play until the server has gone."""
        with contextlib.suppress(OSError, EOFError, WebSocketException, TimeoutError, ValueError):
            while True:
                await self._play_one()
                await asyncio.sleep(self._dice.random() * 0.05)

    async def _play_one(self) -> None:
        seed = self._dice.getrandbits(60)
        status, made = await self.ask("POST", "/api/games", {**BOARD, "seed": seed})
        if status != 201:
            self.refused += 1
            await asyncio.sleep(0.05)
            return
        told = Told(self.cookie, made["game"], time.monotonic())
        self.games.append(told)
        if self._dice.random() < 0.1:
            return  # an untouched game: it is to be there, and counts nowhere
        layout = coded_game_of(seed)
        safe = [cell for cell in range(16) if cell not in layout]
        self._dice.shuffle(safe)
        uri = f"ws://localhost:{self.port}{made['socket']}"
        try:
            async with connect(uri, additional_headers={"Cookie": self.cookie}, compression=None) as socket:
                await socket.recv()  # the state
                way = self._dice.choice(("win", "lose", "end", "leave"))
                count = len(safe) if way == "win" else self._dice.randrange(1, 4)
                for cell in safe[:count]:
                    if told.status in ENDED:
                        break
                    await self._do(socket, told, {"do": "left", "cell": [cell % 4, cell // 4]})
                    await asyncio.sleep(self._dice.random() * 0.01)
                if told.status == "playing" and way == "lose":
                    mine = min(layout)
                    await self._do(socket, told, {"do": "left", "cell": [mine % 4, mine // 4]})
                elif told.status == "playing" and way == "end":
                    await self._do(socket, told, {"do": "terminate"})
        finally:
            told.left = time.monotonic()

    async def _do(self, socket: ClientConnection, told: Told, request: dict[str, Any]) -> None:
        told.asked = "start" if told.started is None else "end"
        await socket.send(json.dumps({**request, "id": 1}))
        while True:
            async with asyncio.timeout(PATIENCE):
                message = json.loads(await socket.recv())
            self._hear(told, message)
            if message["type"] == "error" or (message["type"] == "update" and message.get("id") == 1):
                break
        told.asked = ""
        if told.status in ENDED:
            # The end follows; what it says is one telling with the update.
            async with asyncio.timeout(PATIENCE):
                while (message := json.loads(await socket.recv()))["type"] != "end":
                    self._hear(told, message)

    def _hear(self, told: Told, message: dict[str, Any]) -> None:
        if message["type"] == "saving":
            told.unsaved = not message["saved"]
        if message["type"] != "update":
            return
        now = time.monotonic()
        told.status = message["status"]
        told.updates.append((now, message["number"]))
        if told.started is None and told.status != "ready":
            told.started = now
        if told.status in ENDED and told.ended is None:
            told.ended = now
            self.on_end()


def coded_game_of(seed: int) -> frozenset[int]:
    """Where the mines of a game of `BOARD` with this seed are."""
    from sapper.web.games.new_game import read_new_game  # only where games are known

    wanted = read_new_game(json.dumps({**BOARD, "seed": seed}).encode(), most_cells=10_000)
    layout = coded_game(wanted.preset, seed=seed).referee().layout
    assert layout is not None
    return frozenset(layout.mines)


class WirePlayer:
    """A player of the binary protocol: counts what it was told, and what it asked for without an answer."""

    def __init__(self, port: int, seed: int) -> None:
        self.port = port
        self.started = self.lost = self.won = self.given_up = 0
        """Of games whose screens said so; `given_up` are those whose successor's screen was sent."""
        self.unsaved = 0
        """Ends of which the screen said that they are not saved yet."""
        self.unsaved_starts = 0
        self.may = 0
        """Games that may have begun, or ended, without an answer."""
        self.on_end: Callable[[], None] = lambda: None
        self._dice = random.Random(seed)
        self._running = False

    async def play(self) -> None:
        """Play until the server has gone."""
        with contextlib.suppress(OSError, EOFError, TimeoutError):
            while True:
                reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
                try:
                    await self._play(reader, writer)
                finally:
                    writer.close()

    async def _play(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        for _ in range(self._dice.randrange(1, 5)):
            self.may += self._running
            await self._ask(reader, writer, bytes([7, 0, 0, 0, 3, 6, 4, 3]))
            if self._running:
                self.may -= 1
                self.given_up += 1
            self._running = False
            if self._dice.random() < 0.2:
                continue  # an untouched game, which counts nowhere
            self.may += 1
            text = await self._ask(reader, writer, bytes([6]))  # a mark: the game has begun
            self.unsaved_starts += "not saved" in text
            self.may -= 1
            self.started += 1
            self._running = True
            for _ in range(self._dice.randrange(1, 12)):
                packet = self._dice.choice((1, 2, 3, 4, 2, 4, 5, 5))
                self.may += 1
                text = await self._ask(reader, writer, bytes([packet]))
                self.may -= 1
                if "YOU LOST" in text or "YOU WON" in text:
                    self.unsaved += "not saved" in text
                    self.lost += "YOU LOST" in text
                    self.won += "YOU WON" in text
                    self._running = False
                    self.on_end()
                    break
        # Gone without a word: the server may count the end of a running game, or not yet.
        self._running = False

    async def _ask(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, packet: bytes) -> str:
        async with asyncio.timeout(PATIENCE):
            writer.write(packet)
            head = await reader.readexactly(5)
            content = await reader.readexactly(int.from_bytes(head[1:]))
        await asyncio.sleep(self._dice.random() * 0.005)
        text = content.decode(errors="replace")
        if "Goodbye" in text:
            raise EOFError("the server says goodbye: that is no answer to the packet")
        return text


@dataclass(slots=True)
class ToldLocally:
    """What a player of `sapper play` was told of one game."""

    status: str = "ready"
    unsaved: bool = False
    """Whether it was said that this is not saved yet."""
    asked: bool = True
    """Whether something was asked for and not answered."""

    def fits(self, result: str | None) -> bool:
        """Whether the store may say this of the game; None if it has none."""
        if self.unsaved or (self.asked and self.status == "ready"):
            return True
        return result == self.status or (self.asked and self.status == "playing" and result is not None)


class LinesPlayer:
    """A player of `sapper play --lines`, in a process of its own: plays one game after the other until that is killed."""

    STATES: Final = {"not begun": "ready", "playing": "playing", "won": "won", "lost": "lost", "given up": "terminated"}

    def __init__(self, name: str, database: str, log: Path, seed: int, environment: dict[str, str]) -> None:
        self.name = name
        self.games: list[ToldLocally] = []
        """Those that have begun, or may have, one after the other."""
        self.on_end: Callable[[], None] = lambda: None
        self._database = database
        self._log = log
        self._environment = environment
        self._dice = random.Random(seed)

    async def start(self, *options: str) -> list[str]:
        """Start the program; its greeting."""
        words = ["play", "--lines", "--player", self.name, "--database", self._database, *options]
        with self._log.open("a", encoding="utf-8") as stream:
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "sapper", *words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                stderr=stream, start_new_session=True, env=self._environment,
            )  # fmt: skip
        return await self._hear()

    async def begin(self) -> None:
        """Start it with a small game."""
        await self.start("--preset", "4x4/3", "--rules", "engine")

    async def play(self) -> None:
        """Play until the process has gone."""
        with contextlib.suppress(OSError, EOFError):
            while True:
                await self._play_one()
                await asyncio.sleep(self._dice.random() * 0.02)

    async def _play_one(self) -> None:
        told = ToldLocally()
        self.games.append(told)
        cells = [f"{column}{row}" for column in "abcd" for row in range(1, 5)]
        self._dice.shuffle(cells)
        for cell in cells[: self._dice.randrange(1, 12)]:
            await self._do(
                told, "giveup" if told.status == "playing" and self._dice.random() < 0.1 else f"reveal {cell}"
            )
            if told.status in ENDED:
                break
            await asyncio.sleep(self._dice.random() * 0.01)
        if self._dice.random() < 0.5:
            await self.ask("new")  # a running game is put away
            return
        told.asked = told.status == "playing"
        await self.ask("restart")
        if told.asked:
            told.status, told.asked = "terminated", False

    async def _do(self, told: ToldLocally, line: str) -> None:
        told.asked = True
        said = " ".join(await self.ask(line))
        told.unsaved = "not saved" in said
        for words, status in (
            ("You have won", "won"),
            ("You have lost", "lost"),
            ("The game is given up", "terminated"),
        ):
            if words in said:
                told.status = status
                self.on_end()
        if told.status == "ready":
            told.status = "playing"
        told.asked = False

    async def ask(self, line: str) -> list[str]:
        """Say a command; the lines of its answer."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        return await self._hear()

    async def _hear(self) -> list[str]:
        assert self.process.stdout is not None
        lines: list[str] = []
        async with asyncio.timeout(PATIENCE):
            while line := (await self.process.stdout.readline()).decode():
                if line == "\n":
                    return lines
                lines.append(line.rstrip("\n"))
        raise EOFError("the process has gone")

    def kill(self) -> None:
        """As a power cut ends it."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
