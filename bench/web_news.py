"""What it costs several web processes on one PostgreSQL to tell each other which games have gone on (`NOTIFY`).

    .venv/bin/python bench/web_news.py                     # 20 games in each of 150 commits, and nobody or two others who listen
    .venv/bin/python bench/web_news.py --games 5 --others 1 3

One process appends a move of each of some games in each commit, as a web process does: of games that only it has, of which nothing is said,
and of games that others may have. The others only listen. Printed is the processor time of a commit: in the process that commits, in PostgreSQL and in
one that listens.
"""

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from sapper.core.tile import Tile
from sapper.play.game_log import GameLog
from sapper.session.game_request import coded_game
from sapper.session.inputs import Verb
from sapper.session.kinds import kind_of
from sapper.session.session import Session
from sapper.store.changes import Change
from sapper.store.repository import Store, open_store
from tests.postgres import find_binaries, running

GAP = 0.004
"""Seconds between two commits."""
LATE = 0.5
"""Seconds until all have heard everything."""


class Games:
    """Games that are played, and what is to be kept of each."""

    def __init__(self, count: int) -> None:
        self._random = random.Random(1)
        self.keys = [f"game{number}" for number in range(count)]
        self._all = [self._begun(key, number) for number, key in enumerate(self.keys)]

    def _begun(self, key: str, seed: int) -> tuple[Session, GameLog, list[Change]]:
        game = coded_game("expert", seed=seed)
        session = Session(referee := game.referee(), code=game.code)
        log = GameLog(key=key, player=None, title="", kind=kind_of(game), needs_search=False, retention="")
        kept: list[Change] = []
        session.watch(lambda event: kept.append(log.next(session, referee, datetime.now(UTC), event)))
        kept.append(log.next(session, referee, datetime.now(UTC)))
        return session, log, kept

    def kept(self) -> list[Change]:
        """What was not handed out yet."""
        found = [change for _, _, kept in self._all for change in kept]
        for _, _, kept in self._all:
            kept.clear()
        return found

    def move(self) -> list[Change]:
        """A flag is set or taken away in each game; what is to be kept."""
        for session, _, _ in self._all:
            cell = self._random.randrange(session.grid.size)
            session.do(Verb.FLAG if session.board.tiles[cell] == Tile.COVERED else Verb.UNFLAG, cell)
        return self.kept()


def seconds_of(process: int) -> float:
    """Of the processor that a process and those that it started have had."""
    folder = Path(f"/proc/{process}/task")
    tasks = [(one / "schedstat").read_text(encoding="ascii").split()[0] for one in folder.iterdir()]
    children = (folder / str(process) / "children").read_text(encoding="ascii").split()
    return sum(map(int, tasks)) / 1e9 + sum(map(seconds_of, map(int, children)))


def listen(address: str, asked: Any) -> None:
    """A process that listens; each time it is asked it answers how much of the processor it has had, and how often it was told something."""
    heard: list[int] = []
    with open_store(address) as store, closing(store.listen(on_news=lambda _: heard.append(1), on_gap=lambda: None)):
        while asked.recv():
            asked.send((time.process_time(), len(heard)))


def measured(store: Store, games: Games, postmaster: int, others: list[Any], commits: int) -> str:
    """The processor time of a commit, in each part."""

    def used() -> list[float]:
        for one in others:
            one.send(True)
        return [time.process_time(), seconds_of(postmaster), *(one.recv()[0] for one in others)]

    changes = [games.move() for _ in range(commits)]
    before = used()
    for some in changes:
        store.apply(some)
        time.sleep(GAP)
    time.sleep(LATE)
    own, database, *listening = [1e6 * (now - then) / commits for now, then in zip(used(), before, strict=True)]
    each = f", {sum(listening) / len(listening):.0f} in each that listens" if listening else ""
    return f"{own:.0f} in its process, {database:.0f} in PostgreSQL{each}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=20, help="games with a move in each commit")
    parser.add_argument("--commits", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--others", type=int, nargs="+", default=[0, 2], help="processes that listen")
    options = parser.parse_args()
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    context = multiprocessing.get_context("spawn")
    with ExitStack() as stack:
        cluster = stack.enter_context(running(binaries, parent=Path(tempfile.gettempdir()), durable=True))
        address = cluster.address.format(name="postgres")
        store = stack.enter_context(open_store(address))
        stack.enter_context(closing(store.listen(on_news=lambda _: None, on_gap=lambda: None)))
        games = Games(options.games)
        store.apply(games.kept())
        others: list[Any] = []
        for count in sorted(options.others):
            while len(others) < count:
                here, there = context.Pipe()
                process = context.Process(target=listen, args=(address, there), daemon=True)
                process.start()
                others.append(here)
            time.sleep(1)
            for _ in range(options.rounds):
                for only_here in (set(games.keys), set()):
                    store.only_here = only_here
                    what = "nothing is said" if only_here else "all is said"
                    cost = measured(store, games, cluster.process, others, options.commits)
                    print(f"{count} others, {what}: µs a commit of {options.games} games: {cost}", flush=True)
        for one in others:
            one.send(False)


if __name__ == "__main__":
    main()
