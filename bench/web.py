"""The web game under load: many players at once, each on a WebSocket of its own, moving about once a second.

    .venv/bin/python bench/web.py                              # 1,000 players for 30 seconds
    .venv/bin/python bench/web.py --players 200 --seconds 10
    .venv/bin/python bench/web.py --hostile                    # and once more with a flood beside them
    .venv/bin/python bench/web.py --attacker                   # and once more with one who has large positions analysed, again and again
    .venv/bin/python bench/web.py --behind                     # the server is killed at the end: what of all that was told is on the disk?

The server is a process of its own with a store of its own and its usual limits, and so is the flood; this process is the players. Where
the usual limits have no place for so many players, the server gets more places, which is said.
Each has an address of its own (of 127.0.0.0/8), plays games whose seed it knows, mirrors them with the library, and checks every
update against its mirror. A move's time is from the sending of a message to having its update, the players' own waiting for the
processor included (`late` says how much that is). A player who has begun a game moves once more at once: a later message of a connection
that comes soon after an answer must not wait for the system (`later`). An end is timed to the message that tells it, behind its update.

With `--attacker` one more address asks for the analysis of a 100×100 position, one request at a time, as often as it is answered, and
some players ask for hints and for games that have ended, once a second.

With `--behind` the metrics endpoint is asked all the time how old the oldest change is that is on no disk. At the end the server gets
SIGKILL in the middle of play; a new one on the same store is asked for the game of each player, and what is missing there of what that
player was told says how far behind the saved game was: the seconds from the first update that is missing to the kill.
"""

import argparse
import asyncio
import contextlib
import gc
import http.client
import json
import os
import platform
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from web_channel import Channel

from sapper.config.settings import SETTINGS
from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.notation import write_tiles
from sapper.core.tile import Tile
from sapper.session.game_request import coded_game

FLOOD = Path(__file__).with_name("web_flood.py")
THINKERS = 10
"""Players who ask for hints and ended games beside an attacker."""
PATIENCE = 30.0
"""Seconds that an answer may take."""
RUSH = 3
"""Seconds in which all players make their first reveal, which draws a layout: told apart, since no thousand people begin at once."""


@dataclass(frozen=True, slots=True)
class Stats:
    """What all players measured."""

    times: list[tuple[float, float, str]] = field(default_factory=list)
    """When a move was sent, how long its answer took, and whether it was a game's start, a later message at once after one, its end, or
    none of these."""
    thought: dict[str, list[float]] = field(default_factory=lambda: {"hint": [], "game that has ended": []})
    """How long these took."""
    games: list[int] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def show_wrong(self) -> None:
        """What went wrong, if anything did."""
        if self.wrong:
            print(f"  WRONG: {len(self.wrong)}, the first: {self.wrong[0]:.300}")


class Player:
    """One player: plays its games to their end, and then the next."""

    def __init__(self, number: int, port: int, preset: str, stats: Stats) -> None:
        self._random = random.Random(number)
        self._home = (f"127.1.{number // 250}.{1 + number % 250}", 0)
        self._port = port
        self._preset = preset
        self._stats = stats
        self._cookie = ""
        self._answer: asyncio.Future[dict[str, Any]] | None = None
        self._end: asyncio.Future[None] | None = None
        self._channel: Channel | None = None
        self._referee: Any = None
        self._mines: frozenset[int] | None = None
        self._is_started = False
        self._move_next: Any = None
        self._expected: Any = None
        self.game = ""
        self.told: list[tuple[float, int]] = []
        """When which update of the game was heard."""

    async def arrive(self) -> None:
        """A new game, and its socket."""
        seed = self._random.getrandbits(60)
        self._referee = coded_game(self._preset, seed=seed).referee()
        self._mines = None
        self._is_started = False
        made = await self._post("/api/games", {"preset": self._preset, "seed": seed})
        self.game, self.told = made["game"], []
        head = f"GET {made['socket']} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        head += f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\nCookie: {self._cookie}\r\n\r\n"
        if self._channel is not None:
            self._channel.transport.close()
        loop = asyncio.get_running_loop()
        _, self._channel = await loop.create_connection(
            lambda: Channel(head.encode(), self._hear), "127.0.0.1", self._port, local_addr=self._home
        )
        await self._channel.opened
        self._think()
        self._stats.games.append(1)

    async def play(self, until: float, pace: float) -> None:
        """Move now and then until a time."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(self._random.random() * pace)
        while loop.time() < until:
            kind = await self._move(loop)
            if kind == "start" and not self._referee.status.ended:
                self._think()
                await self._move(loop, "later")
            if self._referee.status.ended:
                await self.arrive()
            else:
                self._think()
            await asyncio.sleep(self._random.uniform(0.5, 1.5) * pace)

    def leave(self) -> None:
        """Close the socket."""
        if self._channel is not None:
            self._channel.transport.close()

    def _think(self) -> None:
        """Choose the next move, and see in the mirror what it will change: before it is sent, as people do."""
        self._move_next = self._choose()
        self._expected = self._referee.play(self._move_next)

    async def ask_for_thought(self, until: float) -> None:
        """Ask for hints in one game and for another that has ended, now and then until a time."""
        loop = asyncio.get_running_loop()
        await self.arrive()
        await self._move(loop)
        if not self._referee.status.ended:  # else that is the move it has chosen
            self._move_next = Move.terminate()
            self._expected = self._referee.play(self._move_next)
        await self._move(loop)
        ended = self.game
        await self.arrive()
        await self._move(loop)
        asked = {
            "hint": ("POST", f"/api/games/{self.game}/hint"),
            "game that has ended": ("GET", f"/api/played/{ended}.0"),
        }
        while loop.time() < until:
            for what, (method, path) in asked.items():
                began = time.perf_counter()
                answer = await self._ask(method, path, {})
                self._stats.thought[what].append(time.perf_counter() - began)
                if "error" in answer:
                    self._stats.wrong.append(f"{what}: {answer}")
            await asyncio.sleep(self._random.uniform(0.5, 1.5))

    async def attack(self, board: str, until: float) -> int:
        """Have large positions analysed, one after the other; how many were."""
        loop, count = asyncio.get_running_loop(), 0
        while loop.time() < until:
            for path, body in (("/api/positions", {"text": board}), ("/api/analysis", {"board": board})):
                answer = await self._post(path, {**body, "mine_count": 2000})
                count += "error" not in answer
                if "error" in answer:
                    await asyncio.sleep(1.0)
        return count

    async def _move(self, loop: asyncio.AbstractEventLoop, kind: str = "move") -> str:
        move, expected = self._move_next, self._expected
        kind = "end" if self._referee.status.ended else kind if self._is_started else "start"
        self._is_started = True
        width = self._referee.grid.width
        self._answer, self._end = loop.create_future(), loop.create_future()
        began = time.perf_counter()
        assert self._channel is not None
        where = {} if move.action is Action.TERMINATE else {"cell": [move.cell % width, move.cell // width]}
        self._channel.say({"do": move.action.name.lower(), "id": 1, **where})
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._answer
                if kind == "end":
                    await self._end
        except TimeoutError:
            self._stats.wrong.append(f"no answer: {self._channel.closed}")
            return kind
        self._stats.times.append((began, time.perf_counter() - began, kind))
        runs = [[start, write_tiles(tiles)] for start, tiles in expected.runs]
        if answer.get("runs") != runs:
            self._stats.wrong.append(f"{answer} instead of {runs}")
        return kind

    def _choose(self) -> Move:
        """Mostly a safe cell, seldom a mine, now and then a flag: games are as long as people's."""
        tiles, rng = self._referee.board.tiles, self._random
        if self._mines is None and self._referee.layout is not None:
            self._mines = frozenset(self._referee.layout.mines)
        mines = self._mines or frozenset()
        if flagged := rng.random() < 0.2:
            mines = frozenset()
        elif rng.random() < 0.01:
            mines = frozenset(range(len(tiles))) - mines
        for _ in range(20 * len(tiles)):
            cell = Cell(rng.randrange(len(tiles)))
            if tiles[cell] == Tile.FLAGGED and flagged:
                return Move(Action.UNFLAG, cell)
            if tiles[cell] == Tile.COVERED and cell not in mines:
                return Move(Action.FLAG if flagged else Action.REVEAL, cell)
        return Move.terminate()

    def _hear(self, content: bytes) -> None:
        message = json.loads(content)
        if message.get("type") == "update":
            self.told.append((time.perf_counter(), message["number"]))
        if message.get("id") == 1 and self._answer is not None and not self._answer.done():
            self._answer.set_result(message)
        if message.get("type") == "end" and self._end is not None and not self._end.done():
            self._end.set_result(None)

    async def behind(self, port: int, killed: float) -> float | None:
        """Seconds that the saved game is behind what was told before the server was killed; None if it is gone."""
        self._port = port
        state = await self._ask("GET", f"/api/games/{self.game}", {})
        if "number" not in state:
            return None
        missing = [when for when, number in self.told if number > state["number"] and when < killed]
        return killed - missing[0] if missing else 0.0

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        return await self._ask("POST", path, body)

    async def _ask(self, method: str, path: str, body: dict[str, Any]) -> dict[str, Any]:
        content = json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: {self._cookie}\r\nContent-Length: {len(content)}\r\n\r\n"
        async with asyncio.timeout(PATIENCE):
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port, local_addr=self._home)
            writer.write(head.encode() + content)
            answer = await reader.read()
            writer.close()
        head_text, _, rest = answer.partition(b"\r\n\r\n")
        cookie = re.search(rb"sapper_player=[^;]+", head_text)
        if not self._cookie and cookie is None:  # the server does not know this player
            status = head_text.decode().partition("\r\n")[0]
            raise ConnectionError(f"{status or 'no answer'}: {rest.decode():.200}")
        self._cookie = self._cookie or (cookie[0].decode() if cookie else "")
        made: dict[str, Any] = json.loads(rest)
        return made


class Server:
    """The server as its operator starts it: its limits are the usual ones."""

    def __init__(self, folder: str, **settings: str) -> None:
        self.folder = folder
        environment = os.environ | {"SAPPER_DATABASE": f"{folder}/web.db", "SAPPER_CONFIG": os.devnull}
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.metrics_port = free.getsockname()[1]
        environment |= {
            "SAPPER_LOG_LEVEL": "warning",
            "SAPPER_WEB_METRICS": f"127.0.0.1:{self.metrics_port}",
        } | settings
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sapper", "web", "--port", "0"], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert self.process.stdout is not None
        self.port = int(re.search(r":(\d+)/", self.process.stdout.readline())[1])  # type: ignore[index]  # it is there

    @property
    def memory(self) -> int:
        """Bytes."""
        text = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", text)[1]) * 1024  # type: ignore[index]  # it is there

    @property
    def seconds(self) -> float:
        """Of the processor."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """As a power cut ends it."""
        self.process.kill()
        self.process.wait(30)

    def metrics(self) -> dict[str, float]:
        """What the metrics endpoint says, by the first word of each line."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics") as answer:
            lines = [line.rpartition(" ") for line in answer.read().decode().splitlines() if not line.startswith("#")]
        return {name: float(value) for name, _, value in lines}

    def stop(self) -> None:
        """End it in order."""
        self.process.terminate()
        code = self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()
        if code:
            print(f"the server ended with {code}")


async def measure_behind(server: Server, players: list[Player], folder: str) -> None:
    """Kill the server, start another one on its store, and compare."""
    killed = time.perf_counter()
    server.kill()
    after = Server(folder, SAPPER_WEB_MAX_ADDRESS_RATE="100000")
    try:
        found: list[float] = []
        gone = 0
        for at in range(0, len(players), 25):
            some = await asyncio.gather(*(player.behind(after.port, killed) for player in players[at : at + 25]))
            gone += some.count(None)
            found += [one for one in some if one is not None]
    finally:
        after.stop()
    late = [one for one in found if one]
    print(
        f"  killed: {len(found)} games are there, {gone} gone; behind what was told: {len(late)}, by at most {max(found, default=0) * 1000:.0f} ms"
    )


def show_saving(ages: list[float], metrics: dict[str, float]) -> None:
    """What the metrics endpoint said of changes on their way to the disk."""
    name = "sapper_save_seconds"
    count = metrics[f"{name}_count"]
    below = {
        float(re.search(r'le="([^"]+)"', line)[1]): value  # type: ignore[index]  # it is there
        for line, value in metrics.items()
        if line.startswith(f"{name}_bucket")
    }
    bound = {part: min(at for at, value in below.items() if value >= part * count) for part in (0.5, 0.99, 1)}
    print(
        f"  from a change to its being on the disk: {count:.0f} changes, mean {metrics[f'{name}_sum'] / count * 1000:.0f} ms, half below {bound[0.5]:g} s, 99 % below {bound[0.99]:g} s, all below {bound[1]:g} s"
    )
    print(
        f"  oldest change on no disk, asked {len(ages)} times: p50 {share(ages, 0.5):.0f} ms, max {share(ages, 1):.0f} ms"
    )


@contextmanager
def served(**settings: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(folder, **settings)
        try:
            yield server
        finally:
            if server.process.poll() is None:
                server.stop()


def first_page(port: int) -> tuple[int, int, float]:
    """Files, bytes and seconds of the page and all that it names, one after the other."""
    began, waiting, seen, size = time.perf_counter(), ["/"], set(), 0
    while waiting:
        path = waiting.pop()
        if path in seen or path.endswith(
            ("/types.js", "/messages.js")
        ):  # comments name these, no browser asks for them
            continue
        seen.add(path)
        request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Accept-Encoding": "gzip"})
        with urllib.request.urlopen(request) as answer:
            content = answer.read()
            size += len(content) + len(str(answer.headers))
            if answer.headers.get("Content-Encoding") == "gzip":
                import gzip

                content = gzip.decompress(content)
        text = content.decode(errors="replace")
        waiting += [f"/static/{name}" for name in re.findall(r'(?:href|src)="/static/([^"]+)"', text)]
        folder = path.rpartition("/")[0]
        waiting += [f"{folder}/{name}" for name in re.findall(r'(?:from|import) ?\(?"\./([^"]+)"', text)]
    return len(seen), size, time.perf_counter() - began


def later_requests(port: int, count: int = 100) -> list[float]:
    """Seconds of all requests but the first on one connection, each sent when the one before was answered."""
    times = []
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port)) as connection:
        for _ in range(1 + count):
            began = time.perf_counter()
            connection.request("GET", "/api/presets")
            connection.getresponse().read()
            times.append(time.perf_counter() - began)
            time.sleep(0.025)  # under the rate of requests of an address
    return times[1:]


def share(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] * 1000 if times else float("nan")


async def ask_ages(server: Server, ages: list[float]) -> None:
    """Ask again and again how old the oldest change is that is on no disk."""
    while True:
        await asyncio.sleep(0.25)
        ages.append((await asyncio.to_thread(server.metrics))["sapper_unsaved_seconds"])


def show_times(times: list[tuple[float, float, str]], began: float) -> None:
    """How long moves took that were sent since `began`, by when and by kind."""
    for name, some in (
        (f"the first {RUSH} s", [taken for sent, taken, _ in times if sent < began + RUSH]),
        ("then", [taken for sent, taken, _ in times if sent >= began + RUSH]),
        ("all", [taken for _, taken, _ in times]),
        ("starts", [taken for _, taken, kind in times if kind == "start"]),
        ("later", [taken for _, taken, kind in times if kind == "later"]),
        ("ends", [taken for _, taken, kind in times if kind == "end"]),
    ):
        print(
            f"    {name} ({len(some)}): p50 {share(some, 0.5):.1f} ms, p99 {share(some, 0.99):.1f} ms, max {share(some, 1):.1f} ms"
        )


def show_thought(thought: dict[str, list[float]], positions: Any) -> None:
    """How long hints and ended games took beside an attacker, and how many positions that one had."""
    for what, some in thought.items():
        print(
            f"    {what} ({len(some)}): p50 {share(some, 0.5):.0f} ms, p99 {share(some, 0.99):.0f} ms, max {share(some, 1):.0f} ms"
        )
    print(f"  the attacker's positions: {positions}")


def large_position() -> str:
    """100×100 cells, 2,000 mines, 35 % of the others shown."""
    rng, size = random.Random(1), 100
    mines = set(rng.sample(range(size * size), 2000))
    text = ""
    for cell in range(size * size):
        x, y = cell % size, cell // size
        near = {
            (y + down) * size + x + right
            for down in (-1, 0, 1)
            for right in (-1, 0, 1)
            if 0 <= x + right < size and 0 <= y + down < size
        }
        text += "#" if cell in mines or rng.random() > 0.35 else str(len(near & mines)).replace("0", ".")
        text += "\n" if x == size - 1 else ""
    return text


async def watch(late: list[float]) -> None:
    """How much later than asked for this process goes on after a sleep."""
    loop = asyncio.get_running_loop()
    while True:
        expected = loop.time() + 0.05
        await asyncio.sleep(0.05)
        late.append(loop.time() - expected)


async def load(server: Server, options: argparse.Namespace, *, beside: str) -> None:
    stats, loop, board = Stats(), asyncio.get_running_loop(), large_position()
    empty = server.memory
    players = [Player(number, server.port, options.preset, stats) for number in range(options.players)]
    began = time.perf_counter()
    for at in range(0, len(players), 25):
        await asyncio.gather(*(player.arrive() for player in players[at : at + 25]))
    arrived = time.perf_counter() - began
    flood = None
    if beside == "a flood":
        words = (sys.executable, str(FLOOD), str(server.port), str(options.seconds + 2))
        flood = await asyncio.create_subprocess_exec(*words)
        await asyncio.sleep(1)
    late: list[float] = []
    watching = asyncio.create_task(watch(late))
    ages: list[float] = []
    asking = asyncio.create_task(ask_ages(server, ages)) if options.behind else None
    cpu, own, began = server.seconds, time.process_time(), time.perf_counter()
    until = loop.time() + options.seconds
    thinking: list[Any] = []
    if beside == "an attacker":
        numbers = range(options.players, options.players + 1 + THINKERS)
        others = [Player(number, server.port, options.preset, stats) for number in numbers]
        thinking = [others[0].attack(board, until), *(one.ask_for_thought(until) for one in others[1:])]
    playing = asyncio.gather(
        *thinking, *(player.play(until, options.pace) for player in players), return_exceptions=True
    )
    if asking is not None:
        await asyncio.sleep(options.seconds)
        asking.cancel()
        metrics = await asyncio.to_thread(server.metrics)
        await measure_behind(server, players, server.folder)
        playing.cancel()
        show_saving(ages, metrics)
        return
    failed = await playing
    wall = time.perf_counter() - began
    watching.cancel()
    used, own = server.seconds - cpu, time.process_time() - own
    for error in [one for one in failed if isinstance(one, BaseException)]:
        stats.wrong.append(repr(error))
    times = [taken for _, taken, _ in stats.times]
    print(
        f"{f'with {beside}' if beside else 'players alone'}: {options.players} players arrived in {arrived:.1f} s, {len(stats.games)} games"
    )
    print(f"  moves: {len(times)}, {len(times) / wall:.0f} a second")
    show_times(stats.times, began)
    if thinking:
        show_thought(stats.thought, failed[0])
    print(
        f"  server: {100 * used / wall:.0f} % of a processor, {1e6 * used / max(1, len(times)):.0f} µs a move, {(server.memory - empty) / options.players / 1024:.0f} KB a player ({server.memory / 1e6:.0f} MB in all)"
    )
    print(
        f"  players' own process: {100 * own / wall:.0f} % of a processor; late p50 {share(late, 0.5):.1f} ms, p99 {share(late, 0.99):.1f} ms"
    )
    stats.show_wrong()
    for player in players:
        player.leave()
    if flood is not None:
        await flood.wait()


def places_for(players: int) -> dict[str, str]:
    """Settings of a server for so many players: nothing where its usual limits will do. Of ten players one begins a game, and has two connections."""
    default = SETTINGS["web.max_connections"].default
    assert isinstance(default, int)
    needed = players + players // 10
    return {"SAPPER_WEB_MAX_CONNECTIONS": str(needed)} if needed > default else {}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between the moves of a player")
    parser.add_argument("--preset", default="expert")
    parser.add_argument("--behind", action="store_true", help="how far a saved game is behind, and nothing else")
    parser.add_argument(
        "--attacker", action="store_true", help="the same again with one who has large positions analysed"
    )
    parser.add_argument("--hostile", action="store_true", help="the same again with a flood beside the players")
    options = parser.parse_args()
    gc.set_threshold(5_000, 10, 1_000)  # a look at all that a thousand players mirror would be measured with the moves
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}")
    places = places_for(options.players)
    if places:
        print(f"the server's usual limits are too low for so many players; it has {places}")
    for beside in ("", *["a flood"] * options.hostile, *["an attacker"] * options.attacker):
        with served(**places) as server:
            files, size, seconds = first_page(server.port)
            if not beside:
                print(
                    f"first page: {files} files, {size / 1000:.0f} KB with their heads, {1000 * seconds:.0f} ms one after the other"
                )
                later = later_requests(server.port)
                print(
                    f"later requests on a connection ({len(later)}): p50 {share(later, 0.5):.1f} ms, p99 {share(later, 0.99):.1f} ms"
                )
            asyncio.run(load(server, options, beside=beside))


if __name__ == "__main__":
    main()
