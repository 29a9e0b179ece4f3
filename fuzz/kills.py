"""Kills servers and terminal games in the middle of play, and compares what players were told with what is there afterwards.

    .venv/bin/python fuzz/kills.py                                  # 20 kills of each face, on SQLite
    .venv/bin/python fuzz/kills.py --kills 150 --seed 7 --face web  # 150 of `sapper web`
    .venv/bin/python fuzz/kills.py --database postgresql
    .venv/bin/python fuzz/kills.py --database postgresql --machines 2   # killed on one machine, started on another

Half of the kills come at any moment, half within milliseconds after an end was told: while its transaction is on its way. What must
hold, always: an end that was told is there, with the same result; a game whose first change was answered is counted, once; a game that
was answered with 201 is there; a saved game is at most a second behind. Ends of which the player was told that they are not saved
yet are no losses. The store is read as soon as the process has gone, before another one is there; then the next one, which is killed in
turn, is asked for the web's games, and goes on with one of `sapper play`. A machine is a home of its own: with two of them nothing but
the database goes from one process to the next.
"""

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.told import ENDED, LinesPlayer, Told, WebPlayer, WirePlayer
from sapper.store.models import StoredGame
from sapper.store.repository import open_store

PLAYERS: Final = 16
LOCAL_PLAYERS: Final = 3
"""Of `sapper play`: each is a process."""
UNLIMITED: Final = {"SAPPER_WEB_MAX_ADDRESS_RATE": "100000", "SAPPER_WEB_MAX_OPEN_GAMES": "100000"}
"""Beyond its open games a player loses the oldest untouched one, which is no fault."""
BEHIND: Final = 1.0
"""Seconds that a saved game may be behind what its player saw."""


@dataclass(slots=True)
class Found:
    """What a rig counted."""

    kills: int = 0
    ends: int = 0
    started: int = 0
    created: int = 0
    ends_lost: int = 0
    ends_changed: int = 0
    uncounted: int = 0
    twice: int = 0
    gone: int = 0
    """Games that were answered with 201 and are not there."""
    behind: int = 0
    """Saved games that lack something told more than `bound` seconds before the kill."""
    bound: float = BEHIND
    notes: list[str] = field(default_factory=list)

    @property
    def losses(self) -> int:
        """Everything that must not be."""
        return self.ends_lost + self.ends_changed + self.uncounted + self.twice + self.gone + self.behind

    def note(self, what: str, told: Told, there: object, killed: float) -> None:
        """Remember a loss, for who looks for its reason."""
        ended = "" if told.ended is None else f", told {killed - told.ended:.3f} s before"
        self.notes.append(f"{what}: {told.game} told {told.status}{ended}, there {there}")

    def text(self, face: str) -> str:
        """One line."""
        return (
            f"{face}: {self.kills} kills; told: {self.created} created, {self.started} started, {self.ends} ends; "
            f"ends lost {self.ends_lost}, changed {self.ends_changed}; started and uncounted {self.uncounted}; "
            f"counted twice {self.twice}; answered with 201 and gone {self.gone}; more than {self.bound:g} s behind {self.behind}"
        )


class Server:
    """`sapper web` or `sapper serve` as an operator starts it, on a store of its own."""

    def __init__(
        self, face: str, database: str, log: Path, *options: str, environment: dict[str, str] | None = None
    ) -> None:
        self.log = log
        with log.open("a", encoding="utf-8") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "sapper", face, "--port", "0", "--database", database, *options],
                stdout=subprocess.PIPE, stderr=stream, text=True, start_new_session=True,
                env=os.environ | {"SAPPER_CONFIG": os.devnull} | UNLIMITED | (environment or {}),
            )  # fmt: skip
        assert self.process.stdout is not None
        ready = re.search(r":(\d+)", self.process.stdout.readline())
        if ready is None:
            self.process.wait(60)
            raise RuntimeError(f"the server did not start: {log.read_text(encoding='utf-8')[-2000:]}")
        self.port = int(ready[1])

    def kill(self) -> None:
        """As a power cut ends it, its children too."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def end(self, number: int = signal.SIGTERM, within: float = 60) -> int:
        """In order; its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(within)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


def exported(database: str) -> list[dict[str, Any]]:
    """All games of a store, as an operator gets them."""
    text = subprocess.run(
        [sys.executable, "-m", "sapper", "store", "--database", database, "export"],
        check=True, capture_output=True, text=True, timeout=120, env=os.environ | {"SAPPER_CONFIG": os.devnull},
    ).stdout  # fmt: skip
    return [value["game"] for line in text.splitlines() if "game" in (value := json.loads(line))]


def read(database: str) -> list[StoredGame]:
    """All games of a store, in the order in which they began."""
    with open_store(database) as store:
        return sorted(store.games(), key=lambda game: game.started)


@dataclass(slots=True, kw_only=True)
class Rig:
    """What every round is given."""

    found: Found
    database: str
    folder: Path
    dice: random.Random
    machines: int = 1
    is_aimed: bool = False
    """Whether the kill comes right after an end was told."""
    server: Server | None = None
    """That was started last."""
    _machine: int = 0

    @property
    def log(self) -> Path:
        """What the processes write."""
        return self.folder / "log"

    @property
    def environment(self) -> dict[str, str]:
        """Of a process on this machine."""
        if self.machines == 1:
            return os.environ | {"SAPPER_CONFIG": os.devnull}
        home = self.folder / f"machine-{self._machine}"
        home.mkdir(exist_ok=True)
        folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("DATA", "STATE", "CACHE", "CONFIG")}
        return os.environ | {"SAPPER_CONFIG": os.devnull, "HOME": str(home), "SAPPER_WEB_SECRET": "a" * 64} | folders

    def move(self) -> None:
        """To the next machine."""
        self._machine = (self._machine + 1) % self.machines

    def start(self, face: str, *options: str) -> Server:
        """A server on the next machine."""
        self.move()
        self.server = Server(face, self.database, self.log, *options, environment=self.environment)
        return self.server

    def close(self) -> None:
        """End what still runs."""
        if self.server is not None and self.server.process.poll() is None and (code := self.server.end()) != 0:
            self.found.notes.append(f"the last server ended with {code}")


async def play_and_kill(server: Any, players: list[Any], dice: random.Random, *, aimed: bool) -> float:
    """Let them play, and kill the server; when that was."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    if aimed:
        done, wanted, heard = asyncio.Event(), dice.randrange(1, 12), 0

        def hear() -> None:
            nonlocal heard
            heard += 1
            if heard == wanted:
                done.set()

        for player in players:
            player.on_end = hear
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(60):
                await done.wait()
        await asyncio.sleep(dice.choice((0, 0.001, 0.003, 0.01)) * dice.random())
    else:
        await asyncio.sleep(0.3 + dice.random() * 1.5)
    killed = time.monotonic()
    server.kill()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return killed


# --- the web game -----------------------------------------------------------------------------------------------


def kill_web(rig: Rig) -> None:
    """One round: play, kill, start again, compare."""
    server = rig.server or rig.start("web")
    players = [WebPlayer(server.port, rig.dice.getrandbits(60)) for _ in range(PLAYERS)]
    killed = asyncio.run(play_and_kill(server, players, rig.dice, aimed=rig.is_aimed))
    rig.found.kills += 1
    games = read(rig.database)
    ask_web(rig.found, games, rig.start("web"), players, killed)


def check_web(
    found: Found,
    database: str,
    log: Path,
    players: list[WebPlayer],
    killed: float,
    *,
    environment: dict[str, str] | None = None,
    is_lossy: bool = False,
) -> None:
    """Compare what the players of a server that has gone were told with what a new one, and the store, say.

    Where a server has said at its end that something is lost (`is_lossy`), a game whose player had left may be behind: nobody could be told.
    """
    games = read(database)
    server = Server("web", database, log, environment=environment)
    try:
        ask_web(found, games, server, players, killed, is_lossy=is_lossy)
    finally:
        if (code := server.end()) != 0:
            found.notes.append(f"the server that came afterwards ended with {code}")


def ask_web(
    found: Found,
    games: list[StoredGame],
    server: Server,
    players: list[WebPlayer],
    killed: float,
    *,
    is_lossy: bool = False,
) -> None:
    """Ask a server that came afterwards for the games of the players; `games` are those that the store had before it."""
    stored = Counter(game.key.partition(".")[0] for game in games)
    results = {game.key: game.result.value for game in games}
    for player in players:
        player.port = server.port
        for told in player.games:
            status, state = asyncio.run(player.ask("GET", f"/api/games/{told.game}"))
            was_left = is_lossy and told.left is not None
            compare(found, told, state if status == 200 else None, results, stored, 0.0 if was_left else killed)


def compare(
    found: Found, told: Told, state: dict[str, Any] | None, results: dict[str, str], stored: Counter[str], killed: float
) -> None:
    """One game: what was told, and what is there."""
    found.created += 1
    result = results.get(f"{told.game}.0")
    there = None if state is None else state["status"]
    found.twice += stored[told.game] > 1
    if told.ended is not None:
        found.ends += 1
        if told.unsaved:
            return
        if there is None or result is None:
            found.ends_lost += 1
            found.note("an end is lost", told, f"{there}, recorded {result}", killed)
        elif there != told.status or result != told.status:
            found.ends_changed += 1
            found.note("an end is another", told, f"{there}, recorded {result}", killed)
        return
    if state is None:
        found.gone += 1
        found.note("a game is gone", told, result, killed)
        return
    if told.started is not None:
        found.started += 1
        if result is None and not told.unsaved:
            found.uncounted += 1
            found.note("a started game is not counted", told, there, killed)
    elif result is not None and told.asked != "start":
        found.twice += 1
        found.note("an untouched game is counted", told, result, killed)
    seen = max((number for when, number in told.updates if when < killed - found.bound), default=0)
    if state["number"] < seen and not told.unsaved:
        found.behind += 1
        found.note("a saved game is behind", told, f"{state['number']} of {seen}", killed)


# --- the binary protocol ----------------------------------------------------------------------------------------


def kill_serve(rig: Rig) -> None:
    """One round: play, kill, compare the counts with those of before."""
    before = Counter(game.result.value for game in read(rig.database)) if rig.found.kills else Counter[str]()
    server = rig.start("serve")
    players = [WirePlayer(server.port, rig.dice.getrandbits(60)) for _ in range(PLAYERS)]
    asyncio.run(play_and_kill(server, players, rig.dice, aimed=rig.is_aimed))
    rig.found.kills += 1
    check_serve(rig.found, rig.database, players, before)


def check_serve(found: Found, database: str, players: list[WirePlayer], before: Counter[str]) -> None:
    """Compare what the players of a server that has gone were told with what the store has more than `before`."""
    now = Counter(game.result.value for game in read(database))
    now.subtract(before)
    started, lost, won = (sum(getattr(one, name) for one in players) for name in ("started", "lost", "won"))
    unsaved, may = (sum(getattr(one, name) for one in players) for name in ("unsaved", "may"))
    begun = sum(one.unsaved_starts for one in players)
    found.started += started
    found.ends += lost + won
    missing = max(0, lost - now["lost"]) + max(0, won - now["won"])
    found.ends_lost += max(0, missing - unsaved)
    found.uncounted += max(0, started - now.total() - unsaved - begun)
    found.twice += max(0, now.total() - started - may) + max(0, now["lost"] - lost - may)
    if missing > unsaved or started > now.total() + unsaved + begun or now.total() > started + may:
        found.notes.append(f"told {started} started, {lost} lost, {won} won, {may} open; there {dict(now)}")


# --- the terminal game --------------------------------------------------------------------------------------------


class _Local:
    """The processes of `sapper play`, to be killed as a server is."""

    def __init__(self, players: list[LinesPlayer]) -> None:
        self._players = players

    def kill(self) -> None:
        """All of them."""
        for player in self._players:
            player.kill()


def kill_play(rig: Rig) -> None:
    """One round: play, kill, compare; and one of the players goes on, on the next machine."""
    players = [
        LinesPlayer(f"{rig.found.kills}-{number}", rig.database, rig.log, rig.dice.getrandbits(60), rig.environment)
        for number in range(LOCAL_PLAYERS)
    ]

    async def play() -> None:
        await asyncio.gather(*(player.begin() for player in players))
        await play_and_kill(_Local(players), players, rig.dice, aimed=rig.is_aimed)
        await asyncio.gather(*(player.process.wait() for player in players))

    asyncio.run(play())
    rig.found.kills += 1
    games = read(rig.database)
    for player in players:
        compare_lines(rig.found, player, [game.result.value for game in games if game.player == player.name])
    rig.move()
    running = [player for player in players if player.games and player.games[-1].status == "playing"]
    if running:
        asyncio.run(go_on(rig, running[0]))


async def go_on(rig: Rig, player: LinesPlayer) -> None:
    """Go on with the game that was killed, and give it up."""
    told = player.games[-1]
    again = LinesPlayer(player.name, rig.database, rig.log, 0, rig.environment)
    await again.start()
    said = " ".join(await again.ask("resume 1"))
    if "no unfinished game" in said:
        if not (told.unsaved or told.asked):
            rig.found.gone += 1
            rig.found.notes.append(f"there is no game to go on with: {player.name} told {told}")
    else:
        said = " ".join(await again.ask("giveup"))
        rig.found.notes += [] if "given up" in said or told.asked else [f"gone on with and given up: {said}"]
    again.kill()
    await again.process.wait()


def compare_lines(found: Found, player: LinesPlayer, there: list[str]) -> None:
    """The games of one player, in the order in which they began: what was told, and what is there."""
    told = [one for one in player.games if one.status != "ready" or one.asked]
    found.created += len(told)
    found.started += sum(one.status == "playing" and not one.unsaved for one in told)
    found.ends += sum(one.status in ENDED and not one.unsaved for one in told)
    if len(there) < len(told) and told[-1].fits(None):
        told.pop()
    if len(there) > len(told):
        found.twice += len(there) - len(told)
    elif len(there) < len(told):
        found.uncounted += len(told) - len(there)
    for one, result in zip(told, there, strict=False):
        if not one.fits(result):
            found.ends_lost += one.status in ENDED and result == "playing"
            found.ends_changed += one.status not in ENDED or result != "playing"
    if len(told) != len(there) or not all(one.fits(result) for one, result in zip(told, there, strict=True)):
        found.notes.append(
            f"{player.name} was told {[(one.status, one.asked, one.unsaved) for one in told]}, there {there}"
        )


KILLERS: Final = {"web": kill_web, "serve": kill_serve, "play": kill_play}


@contextlib.contextmanager
def databases(kind: str) -> Iterator[tuple[str, Path]]:
    """The address of an empty store, and a folder for the log."""
    with tempfile.TemporaryDirectory(prefix="sapper-kills-") as name, contextlib.ExitStack() as stack:
        folder = Path(name)
        if kind == "sqlite":
            yield str(folder / "games.db"), folder
            return
        from tests.postgres import find_binaries, running  # only where it is asked for

        binaries = find_binaries()
        if binaries is None:
            raise SystemExit("PostgreSQL is not installed")
        cluster = stack.enter_context(running(binaries))
        yield cluster.address.format(name="postgres"), folder


def run(
    face: str, kind: str, kills: int, seed: int, *, machines: int = 1, bound: float = BEHIND, say: bool = True
) -> Found:
    """So many kills of one face."""
    found, dice = Found(bound=bound), random.Random(f"{seed} {face}")
    with databases(kind) as (database, folder):
        rig = Rig(found=found, database=database, folder=folder, dice=dice, machines=machines)
        try:
            for number in range(kills):
                rig.is_aimed = number % 2 == 1
                KILLERS[face](rig)
                if say and (number + 1) % 10 == 0:
                    print(f"  {found.text(face)}", file=sys.stderr, flush=True)
        finally:
            rig.close()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20, help="of each face")
    parser.add_argument("--face", choices=(*KILLERS, "all"), default="all")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), default="sqlite")
    parser.add_argument("--machines", type=int, default=1, help="a process is started on the next one after each kill")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument(
        "--behind", type=float, default=BEHIND,
        help="seconds that a saved game may be behind what was told (a server that gets no processor can be no better)",
    )  # fmt: skip
    parser.add_argument("--notes", type=int, default=10, help="losses that are told one by one")
    options = parser.parse_args()
    if options.machines > 1 and options.database == "sqlite":
        parser.error("several machines share a PostgreSQL: add --database postgresql")
    losses = 0
    print(f"seed {options.seed}, {options.database}, {options.machines} machine{'s' * (options.machines > 1)}")
    for face in KILLERS if options.face == "all" else (options.face,):
        found = run(
            face, options.database, options.kills, options.seed, machines=options.machines, bound=options.behind
        )
        print(found.text(face))
        for note in found.notes[: options.notes]:
            print(f"  {note}")
        losses += found.losses
    raise SystemExit(1 if losses else 0)


if __name__ == "__main__":
    main()
