"""What a move of the web game costs the server's processor, part by part, without network, clients or other processes.

    .venv/bin/python bench/web_move.py                     # 1,000 games, 8,000 moves a second for five seconds
    .venv/bin/python bench/web_move.py --profile 40        # and where the time of the event loop's thread goes, with cProfile

The server is the real one, from the bytes of a frame to the bytes of its answer, with a store on the disk; its connections are handed
their bytes here, and what they write is only counted. So no time of a client, of the system's network or of starts and ends is in it.
The processor time is that of the threads: the event loop's, which answers, and the writer's, which saves.
"""

import argparse
import asyncio
import cProfile
import json
import logging
import pstats
import random
import re
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.tile import Tile
from sapper.session.game_request import coded_game
from sapper.store.repository import open_store
from sapper.web import serving
from sapper.web.http.limits import WebLimits
from tests.wire import Wire

MOST_MOVES = 100
"""Of one game: with more of them it might have no safe cell left."""


class Pipe(Wire):
    """A connection whose peer is this program."""

    def bring(self, data: bytes) -> None:
        """Bytes from the peer, as the event loop hands them over."""
        for at in range(0, len(data), 1024):
            some = data[at : at + 1024]
            self.protocol.get_buffer(-1)[: len(some)] = some
            self.protocol.buffer_updated(len(some))

    async def heard(self, end: bytes) -> bytes:
        """All that was written until that."""
        while end not in self.written:  # noqa: ASYNC110  # nobody there tells
            await asyncio.sleep(0.001)
        found = bytes(self.written)
        self.written.clear()
        return found


class Game:
    """A game of a player, and the frames of its next moves."""

    def __init__(self, number: int, make: Any) -> None:
        self._peer = f"127.1.{number // 250}.{1 + number % 250}"
        self._random = random.Random(number)
        self._make = make
        self._referee: Any = None
        self.pipe = Pipe(self._peer)

    async def begin(self) -> None:
        """Its socket, and its first move."""
        seed = self._random.getrandbits(60)
        self._referee = coded_game("expert", seed=seed).referee()
        asking = Pipe(self._peer)
        self._make(asking)
        body = json.dumps({"preset": "expert", "seed": seed}).encode()
        asking.bring(b"POST /api/games HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        found = (await asking.heard(b"}")).decode()
        cookie, path = re.search(r"sapper_player=[^;]+", found)[0], re.search(r'"socket":"([^"]+)', found)[1]  # type: ignore[index]  # they are there
        self._make(self.pipe)
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nCookie: {cookie}\r\n"
        self.pipe.bring(f"{head}Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        await self.pipe.heard(b'"board"')
        self.pipe.bring(self.frame())
        await self.pipe.heard(b'"update"')

    def frame(self) -> bytes:
        """The next move: mostly a safe cell, now and then a flag."""
        referee, rng = self._referee, self._random
        tiles, layout = referee.board.tiles, referee.layout
        flags = rng.random() < 0.2 and layout is not None
        while True:
            cell = Cell(rng.randrange(len(tiles)))
            if flags and tiles[cell] in (Tile.COVERED, Tile.FLAGGED):
                word = "flag" if tiles[cell] == Tile.COVERED else "unflag"
                break
            if not flags and tiles[cell] == Tile.COVERED and (layout is None or cell not in layout.mines):
                word = "reveal"
                break
        referee.play(Move(Action[word.upper()], cell))
        width = referee.grid.width
        said = json.dumps({"do": word, "id": 1, "cell": [cell % width, cell // width]}).encode()
        mask = bytes(rng.randrange(256) for _ in range(4))
        return bytes([0x81, 0x80 | len(said)]) + mask + bytes(one ^ mask[at % 4] for at, one in enumerate(said))


def seconds_of(thread: threading.Thread) -> float:
    """Of the processor."""
    assert thread.ident is not None
    return time.clock_gettime(time.pthread_getcpuclockid(thread.ident))


async def measured(address: str, options: argparse.Namespace) -> None:
    loop = asyncio.get_running_loop()
    limits = WebLimits(
        **{name: getattr(WebLimits(), name).times(1e4) for name in ("messages", "address_messages", "requests")}
    )
    settings = serving.WebSettings(store=open_store(address), secrets=("a secret for this run",), limits=limits)
    context = serving._make_context(settings, time.monotonic)  # noqa: SLF001  # what a server is made of
    server, _ = serving._make_server(settings, context)  # noqa: SLF001
    config = server.config
    config.load()
    context.registry.start()

    def make(pipe: Pipe) -> None:
        make_protocol: Any = config.http_protocol_class
        pipe.protocol = make_protocol(config=config, server_state=server.server_state, app_state={}, _loop=loop)
        pipe.protocol.connection_made(pipe)

    games = [Game(number, make) for number in range(options.games)]
    for at in range(0, len(games), 25):
        await asyncio.gather(*(game.begin() for game in games[at : at + 25]))
    count = options.rate * options.seconds
    frames = [games[number % len(games)].frame() for number in range(count)]
    serving.collect_in_short_looks()
    await asyncio.sleep(1)
    writer = next(one for one in threading.enumerate() if one.name == "sapper-writer")
    profile = cProfile.Profile() if options.profile else None
    bare = 0.0
    before, whole, began = seconds_of(writer), time.thread_time(), time.perf_counter()
    for number, frame in enumerate(frames):
        pipe = games[number % len(games)].pipe
        start = time.thread_time()
        if profile:
            profile.enable()
        pipe.bring(frame)
        if profile:
            profile.disable()
        bare += time.thread_time() - start
        if number % 3 == 2 and (left := began + number / options.rate - time.perf_counter()) > 0:
            await asyncio.sleep(left)
    wall = time.perf_counter() - began
    await asyncio.sleep(0.2)
    saving, whole = seconds_of(writer) - before, time.thread_time() - whole
    if not all(game.pipe.written for game in games):
        raise SystemExit("a game got no answers")
    print(f"{count} moves in {wall:.1f} s")
    print(
        f"µs a move: {1e6 * whole / count:.0f} in the event loop's thread ({1e6 * bare / count:.0f} of them from the frame to its answer, or to waiting for the store), {1e6 * saving / count:.0f} in the writer's"
    )
    if profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(options.profile)
    logging.disable()  # the connections are not closed
    await context.registry.close()
    await context.pool.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--rate", type=int, default=8000, help="moves a second")
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--database", help="the address of a store; else one in a temporary folder")
    parser.add_argument("--profile", type=int, default=0, metavar="LINES")
    options = parser.parse_args()
    if options.rate * options.seconds > MOST_MOVES * options.games:
        parser.error(f"a game has room for {MOST_MOVES} moves: fewer moves, or more --games")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measured(options.database or str(Path(folder) / "web.db"), options))


if __name__ == "__main__":
    main()
