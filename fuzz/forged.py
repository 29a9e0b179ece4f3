"""Submits games that must not enter a ranking, over real sockets, and looks whether one does.

    .venv/bin/python fuzz/forged.py                 # 1,000 submissions, the server killed twenty times in between
    .venv/bin/python fuzz/forged.py --count 60 --kills 3 --seed 7

There is no request that submits a result: a cheat can only play, and say what is not so while playing. Ways:

- `times`: messages with times of their own, at a machine's pace; `replay`: the moves of a won game, sent again to a new one
- `seed`, `code`: a board whose mines are known; `restart`: one that was lost before; `undo`, `hint`, `chances`, `pause`: help and stopped clocks
- `foreign`: moves in another player's game, which another player wins with a hint; `two`: two sockets on one game, of which one has help
- `record`: an edited record is sent to every path that takes a file; `machine`: an honest solver at a machine's pace
- `daily`: today's board restarted after it was lost, or won with help

In `times`, `record`, `machine` and the first game of `code` the lie was refused, or never asked for: what is played is straight. Such a
game may enter, if the server's record of it is true and within the limits of `store.fair_play`: a program at a hand's pace cannot be told
from a hand, and on a busy machine every program is that slow. True means: each time in the record agrees with when the rig sent and was
answered, for every pair of moves. Every other game that enters is forged. What waits for an operator is counted by its reason.

Every player has a name, so that a row would be shown. At the end players with a hand's pauses (100 ms and more, so within the limits
whatever the machine does) earn ranks, or the rig would prove nothing: what they were told must be told again after a kill.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from sqlalchemy import select
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.told import ENDED, PATIENCE, WebPlayer
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_tiles
from sapper.core.record import Record
from sapper.core.rules import find_rules
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.generator.game_code import game_of_code
from sapper.solver.analysis import analyse
from sapper.store import schema, social_schema
from sapper.store.fair_play import human_doubt
from sapper.store.held_games import held_games
from sapper.store.models import StoredGame
from sapper.store.names import GAMES_BEFORE
from sapper.store.rankings import MEASURES
from sapper.store.reading import read_games
from sapper.store.repository import Store, open_store
from sapper.store.writing import insert_new
from tests.web_process import WebProcess, web_process

HELP: Final[dict[str, dict[str, Any]]] = {
    "undo": {"do": "undo"}, "hint": {"do": "hint"}, "chances": {"do": "overlay", "on": True}, "pause": {"do": "pause"},
}  # fmt: skip
WAYS: Final = ("times", "replay", "seed", "code", "restart", *HELP, "foreign", "two", "record", "machine", "daily")
TOLERANCE: Final = 3.0
"""Milliseconds between two clocks that are read one after the other, and rounded."""
HAND: Final = 0.25
"""Seconds from move to move of an honest player: from 0.4 to 1.8 times that."""
HONEST: Final = 2
"""Honest players."""

Moves = list[tuple[float, float]]


class Seat:
    """A socket of a game, and the board as it is told."""

    def __init__(self, socket: ClientConnection, state: dict[str, Any], game: str) -> None:
        self.socket, self.game = socket, game
        self.rng = random.Random(1)
        self.moves: Moves = []
        """When each move that was made was sent, and when it was answered."""
        self.mines: CellSet | None = None
        self.code: str | None = None
        self.status = ""
        self._take_state(state)

    def _take_state(self, state: dict[str, Any]) -> None:
        grid = Grid(state["width"], state["height"])
        board = Board.new(grid, find_rules(state["rules"]["name"]), state["mine_count"])
        tiles = read_tiles("".join(state["board"]))
        self.status = state["status"]
        status = Status.PLAYING if self.status == "ready" else Status(self.status)
        self.board = board.apply(Update(((Cell(0), tiles),), status))

    async def do(self, request: dict[str, Any]) -> dict[str, Any]:
        """Ask, and hear until it is answered."""
        await self.socket.send(json.dumps({**request, "id": 1}))
        while True:
            async with asyncio.timeout(PATIENCE):
                message = json.loads(await self.socket.recv())
            self._hear(message)
            is_answer = message.get("id") == 1 and message.get("what") not in ("working", "hinted")
            if message["type"] == "error" or is_answer:
                return dict(message)

    def _hear(self, message: dict[str, Any]) -> None:
        if message["type"] == "state":
            self._take_state(message)
        elif message["type"] == "update":
            self.status = message["status"]
            runs = tuple((Cell(start), read_tiles(text)) for start, text in message["runs"])
            status = Status.PLAYING if self.status == "ready" else Status(self.status)
            with contextlib.suppress(ValueError):
                self.board = self.board.apply(Update(runs, status))

    async def ask_end(self) -> None:
        """How the game ended: its mines and its code."""
        end = (await self.do({"do": "state"}))["end"]
        mined = {start + at for start, text in end["runs"] for at, tile in enumerate(text) if tile == "*"}
        self.mines = CellSet.of(
            map(Cell, mined | {at for at, tile in enumerate(self.board.tiles) if tile == Tile.EXPLODED})
        )
        self.code = end["code"]

    async def play(self, *, pace: float = 0.0, known: CellSet | None = None, **lies: Any) -> list[dict[str, Any]]:
        """Play to the end: by known mines, else by logic and the least risk; the moves that were sent."""
        sent: list[dict[str, Any]] = []
        grid = self.board.grid
        while self.status not in ENDED and len(sent) < 400:
            covered = [cell for cell in map(Cell, range(grid.size)) if not self.board.tile(cell).is_clue]
            if known is not None:
                safe = [cell for cell in covered if cell not in known]
            elif len(covered) == grid.size:
                safe = [grid.cell(grid.width // 2, grid.height // 2)]
            else:
                found = analyse(self.board)
                safe = list(found.safe) or [min(covered, key=found.risk)]
            if not safe:
                return sent
            cell = self.rng.choice(safe)
            if pace:
                await asyncio.sleep(pace * self.rng.uniform(0.4, 1.8))
            move = {"do": "reveal", "cell": list(grid.xy(cell)), **lies}
            sent.append(move)
            begun = time.monotonic()
            answer = await self.do(move)
            if answer["type"] != "error":
                self.moves.append((begun, time.monotonic()))
            elif lies:  # a field that no message has: without it, then
                lies = {}
        if self.status in ENDED:
            await self.ask_end()
        return sent

    async def lose(self) -> None:
        """Open the cell that is a mine most likely."""
        covered = [cell for cell in map(Cell, range(self.board.grid.size)) if not self.board.tile(cell).is_clue]
        cell = max(covered, key=analyse(self.board).risk)
        await self.do({"do": "reveal", "cell": list(self.board.grid.xy(cell))})


@contextlib.asynccontextmanager
async def seat(player: WebPlayer, game: str) -> "AsyncIterator[Seat]":
    """A socket of a game."""
    uri = f"ws://localhost:{player.port}/api/games/{game}/socket"
    async with connect(uri, additional_headers={"Cookie": player.cookie}, compression=None) as socket:
        async with asyncio.timeout(PATIENCE):
            while (state := json.loads(await socket.recv()))["type"] != "state":
                pass  # that a start is not saved yet
        yield Seat(socket, state, game)


class Cheat(WebPlayer):
    """A player who wants a rank and has not earned one."""

    def __init__(self, port: int, seed: int) -> None:
        super().__init__(port, seed)
        self.rng = random.Random(seed)
        self.wins: Counter[str] = Counter()
        self.straight: dict[str, Moves] = {}
        """The games that were played straight through, and when each move was sent and answered."""

    async def new(self, **body: Any) -> str:
        """A new game."""
        status, made = await self.ask(
            "POST", "/api/games", {"preset": "beginner", "no_guess": self.rng.random() < 0.5} | body
        )
        if status != 201:
            raise ConnectionError(str(made))
        return str(made["game"])

    async def submit(self, way: str) -> None:
        """Try it that way, to a win if that can be had."""
        status = await getattr(self, f"_{'help' if way in HELP else way}")(*([way] if way in HELP else []))
        self.wins[f"{way} {status}"] += 1

    def _straight(self, one: Seat) -> str:
        self.straight[f"{one.game}.0"] = one.moves
        return str(one.status)

    async def _times(self) -> str:
        async with seat(self, await self.new()) as one:
            await one.play(time=1, at=0, elapsed=1, number=1)
            return self._straight(one)

    async def _replay(self) -> str:
        async with seat(self, await self.new(seed=self.rng.getrandbits(60), no_guess=False)) as one:
            sent = await one.play()
        async with seat(self, await self.new()) as other:
            for move in sent:
                await other.do(move)
            return str(other.status)

    async def _seed(self) -> str:
        async with seat(self, await self.new(seed=self.rng.getrandbits(60), no_guess=False)) as one:
            await one.play()
            code = one.code
        if code is None or one.status == "won":
            return str(one.status)
        return await self._of_code(code)

    async def _of_code(self, code: str) -> str:
        status, made = await self.ask("POST", "/api/games", {"code": code})
        if status != 201:
            raise ConnectionError(str(made))
        layout = game_of_code(code).generate()
        assert layout is not None
        async with seat(self, str(made["game"])) as one:
            await one.play(known=layout.mines, pace=0.02)
            return str(one.status)

    async def _code(self) -> str:
        async with seat(self, await self.new()) as one:
            await one.play()
            self._straight(one)
            assert one.code is not None
        return await self._of_code(one.code)

    async def _restart(self, game: str | None = None) -> str:
        async with seat(self, game or await self.new()) as one:
            await one.do({"do": "reveal", "cell": [4, 4]})
            await one.do({"do": "terminate"})
            await one.ask_end()
            known = one.mines
            await one.do({"do": "restart"})
            await one.play(known=known, pace=0.01)
            return str(one.status)

    async def _help(self, way: str) -> str:
        async with seat(self, await self.new()) as one:
            await one.do({"do": "reveal", "cell": [4, 4]})
            await one.do(HELP[way])
            if way == "pause":
                await one.do({"do": "go_on"})
            await one.play()
            return str(one.status)

    async def _two(self) -> str:
        game = await self.new()
        async with seat(self, game) as one, seat(self, game) as other:
            await one.do({"do": "reveal", "cell": [4, 4]})
            await other.do({"do": "hint"})
            await one.play()
            return str(one.status)

    async def _foreign(self) -> str:
        """Another player's game cannot be seen; one that is handed over by its cookie is that player's."""
        other = Cheat(self.port, self.rng.getrandbits(32))
        async with seat(other, await other.new()) as one:
            await one.do({"do": "reveal", "cell": [4, 4]})
            with contextlib.suppress(WebSocketException, OSError):
                async with seat(self, one.game) as stolen:
                    await stolen.play()
                    raise AssertionError("another player's game was played")
            await one.do({"do": "hint"})
            await one.play()
            return str(one.status)

    async def _record(self) -> str:
        async with seat(self, await self.new()) as one:
            await one.play()
        game = f"{one.game}.0"
        for method, path in (
            ("POST", "/api/recordings"),
            ("POST", f"/api/played/{game}"),
            ("PUT", f"/api/played/{game}"),
            ("POST", "/api/rankings"),
        ):
            await self.ask(method, path, {"format": "sapper-record", "version": 2, "time": 1, "played": []})
        return self._straight(one)

    async def _machine(self) -> str:
        async with seat(self, await self.new()) as one:
            await one.play(pace=self.rng.choice((0.0, 0.005)))
            return self._straight(one)

    async def _daily(self) -> str:
        status, made = await self.ask("POST", "/api/daily", {})
        if status not in (200, 201):
            raise ConnectionError(str(made))
        if self.rng.random() < 0.5:
            return await self._restart(str(made["game"]))
        async with seat(self, str(made["game"])) as one:
            await one.do({"do": "undo"})
            await one.do({"do": "hint"})
            await one.play()
            return str(one.status)


def _name_all(store: Store) -> None:
    """Give every player a name and a place, which takes ten games by the server's own paths."""

    def write(connection: Any, _: object) -> None:
        numbers = connection.execute(select(schema.players.c.id)).scalars().all()
        rows = [{"player_id": one, "name": f"c{one}", "skeleton": f"c{one}", "seen": 0} for one in numbers]
        if rows:
            insert_new(connection, social_schema.player_names, rows)

    store.change(write)


def untruth(game: StoredGame, moves: Moves) -> str | None:
    """What is not so in the server's record of a game, by when its moves were sent and answered; None if all of it may be."""
    assert game.record is not None
    times = [one.at for one in Record.from_json(game.record).played]
    if len(times) != len(moves):
        return f"{len(times)} moves in the record, {len(moves)} were made"
    if game.time_ms != times[-1]:
        return f"a time of {game.time_ms} ms, and the last move at {times[-1]} ms"
    # Each move gives a least and a most value of the server's clock at zero; all of them hold at once.
    earliest = max(1000 * sent - at for at, (sent, _) in zip(times, moves, strict=True))
    latest = min(1000 * answered - at for at, (_, answered) in zip(times, moves, strict=True))
    if earliest > latest + TOLERANCE:
        return f"times that are {earliest - latest:.0f} ms from when the moves were made"
    return None


@dataclass(slots=True)
class Entered:
    """What came of submissions."""

    forged: list[str] = field(default_factory=list)
    """Games in rankings that must not be there, and why."""
    straight: int = 0
    """Games in rankings that were played straight, within the limits."""
    daily: int = 0
    """Attempts at today's board that count as won."""
    held: Counter[str] = field(default_factory=Counter)
    """Games that wait for an operator, by reason without its numbers."""


def look(store: Store, straight: dict[str, Moves]) -> Entered:
    """See which games are in rankings, and whether they may be."""
    _name_all(store)
    found, attempts = Entered(), social_schema.daily_attempts.c
    with store.reading() as connection:
        for key in connection.execute(select(social_schema.rankings.c.game).distinct()).scalars().all():
            game = next(iter(read_games(connection, key=key)))
            fault = untruth(game, straight[key]) if key in straight else "it was not played straight"
            if fault := fault or human_doubt(game):
                found.forged.append(f"{key}, {game.time_ms} ms: {fault}")
            else:
                found.straight += 1
        won = select(attempts.game).where(attempts.won, attempts.state == "counted")
        found.daily = len(connection.execute(won).all())
    found.held.update(re.sub(r"[\d.]+", "N", one.reason) for one in held_games(store))
    return found


# --- honest players -----------------------------------------------------------------------------------------------


class Honest(Cheat):
    """A player with a name, who plays with a hand's pauses and is told of ranks."""

    BOARD: Final = "beginner-no-guess"

    async def _begin(self) -> str:
        while True:
            with contextlib.suppress(ConnectionError):  # a busy machine
                return await self.new(no_guess=True)
            await asyncio.sleep(1)

    async def take_name(self, name: str) -> None:
        """Have a name, after the games that it needs."""
        for _ in range(GAMES_BEFORE):
            async with seat(self, await self._begin()) as one:
                while one.status not in ENDED:
                    await one.lose()
        status, answer = await self.ask("PUT", "/api/player/name", {"name": name})
        assert status == 200, answer

    async def win(self) -> str:
        """Win a game; its key."""
        while True:
            async with seat(self, await self._begin()) as one:
                await one.play(pace=HAND)
                if one.status == "won":
                    self._straight(one)
                    return next(reversed(self.straight))

    async def ranks(self) -> dict[str, dict[str, Any] | None]:
        """The own row of each measure, as it is told."""
        rows: dict[str, dict[str, Any] | None] = {}
        for measure in MEASURES:
            path = f"/api/rankings?board={self.BOARD}&period=ever&measure={measure}"
            status, answer = await self.ask("GET", path)
            while status == 429:
                await asyncio.sleep(1)
                status, answer = await self.ask("GET", path)
            assert status == 200, answer
            rows[measure] = answer["own"]
        return rows


async def earn(port: int, count: int) -> list[tuple[Honest, str, dict[str, dict[str, Any] | None]]]:
    """Players who each win a game: its key, and the rows that they are told. One player's better win would take the place of the other."""
    wins = []
    for number in range(count):
        player = Honest(port, 99 + number)
        await player.take_name(f"Honest{number}")
        wins.append((player, await player.win()))
    # When all have won: a later win may change an earlier one's place.
    return [(player, key, await player.ranks()) for player, key in wins]


async def told_again(earned: list[tuple[Honest, str, dict[str, dict[str, Any] | None]]]) -> int:
    """How many are told the same as before."""
    return sum([await player.ranks() == rows for player, _, rows in earned])


async def _round(
    server: WebProcess, seeds: list[int], ways: list[str], wins: Counter[str], straight: dict[str, Moves]
) -> None:
    async def one(seed: int, way: str) -> None:
        cheat = Cheat(server.port, seed)
        try:
            await cheat.submit(way)
        except (OSError, EOFError, WebSocketException, TimeoutError) as error:
            wins[f"{way} broken off ({type(error).__name__})"] += 1
        wins.update(cheat.wins)
        straight.update(cheat.straight)

    for start in range(0, len(seeds), 10):
        await asyncio.gather(
            *(one(seed, way) for seed, way in zip(seeds[start : start + 10], ways[start : start + 10], strict=True))
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=1_000, help="submissions")
    parser.add_argument("--kills", type=int, default=20, help="how often the server is killed (kill -9) in between")
    parser.add_argument("--seed", type=int, default=1, help="seed of the cheats")
    options = parser.parse_args()
    rng, wins, straight = random.Random(options.seed), Counter[str](), dict[str, Moves]()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SAPPER_WEB_MAX_ADDRESS_RATE": "100000", "SAPPER_CONFIG": os.devnull}
        with web_process(Path(folder), real=True) as server:
            each = max(1, options.count // (options.kills + 1))
            for begin in range(0, options.count, each):
                count = min(each, options.count - begin)
                ways = [WAYS[(begin + at) % len(WAYS)] for at in range(count)]
                asyncio.run(_round(server, [rng.getrandbits(32) for _ in range(count)], ways, wins, straight))
                server.kill()
                server.start()
            with open_store(Path(folder) / "web.db") as store:
                found = look(store, straight)
            print(
                f"{options.count} submissions: {len(found.forged)} forged ones in rankings, {found.daily} in today's tables"
            )
            print(
                f"  straight play at a hand's pace, in rankings: {found.straight}; held for the operator: {found.held.total()}"
            )
            for line in (*found.forged, *(f"held: {count} × {reason}" for reason, count in found.held.most_common())):
                print(f"  {line}")
            for way, count in sorted(wins.items()):
                print(f"  {way}: {count}")
            earned = asyncio.run(earn(server.port, HONEST))
            server.kill()
            server.start()
            again = asyncio.run(told_again(earned))
        with open_store(Path(folder) / "web.db") as store:
            held = {one.game for one in held_games(store)}
    ranked = sum(all(row is not None and row["game"] == key for row in rows.values()) for _, key, rows in earned)
    print(
        f"honest: {HONEST} won, {ranked} told a rank, {len(held & {key for _, key, _ in earned})} held; {again} told the same after a kill"
    )
    return int(bool(found.forged) or found.daily > 0 or not ranked == again == HONEST)


if __name__ == "__main__":
    sys.exit(main())
