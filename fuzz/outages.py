"""Has disks become full, databases hang and clocks go wrong under servers, and compares what players were told with what is there afterwards.

    .venv/bin/python fuzz/outages.py                                # everything, once
    .venv/bin/python fuzz/outages.py --only disk frozen --rounds 5
    .venv/bin/python fuzz/outages.py --list

Real processes throughout. What must hold, always: what was told is there (see `kills`), but for ends of which the player was told that
they are not saved yet; SIGTERM ends a server within ten seconds, whatever hangs; its exit code is 1 exactly when its log says that
something is lost. A full disk is a small tmpfs where this process may mount one, else a limit of the size of files; a frozen
database is a PostgreSQL of our own, all of whose processes are stopped.
"""

import argparse
import asyncio
import contextlib
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from fuzz.kills import Found, Server, check_serve, check_web, exported
from fuzz.told import WebPlayer, WirePlayer

END_TIME: Final = 10.0
"""Seconds within which SIGTERM ends a server."""
SLACK: Final = 1.5
"""Seconds more that a busy machine may take to notice that."""
DAY: Final = 86_400


@dataclass(slots=True)
class Outcome:
    """What one outage came to."""

    found: Found = field(default_factory=Found)
    wrong: list[str] = field(default_factory=list)
    """Whatever else must not be."""
    said: list[str] = field(default_factory=list)
    """Figures for who reads."""

    @property
    def faults(self) -> int:
        """How much was not as it must be."""
        return self.found.losses + len(self.wrong)

    def expect(self, is_so: bool, what: str) -> None:
        """Remember that something is not so."""
        if not is_so:
            self.wrong.append(what)

    def text(self, name: str) -> str:
        """One line, and one for each fault."""
        lines = [f"{self.found.text(name)}; {', '.join(self.said) or 'no figures'}; faults {self.faults}"]
        return "\n  ".join(lines + [f"WRONG: {what}" for what in self.wrong] + self.found.notes[:10])


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """What every outage is given."""

    folder: Path
    dice: random.Random
    players: int
    seconds: float
    """Of play, before and during the outage each."""

    @property
    def log(self) -> Path:
        """What the servers write."""
        return self.folder / "log"

    def of_web(self, port: int) -> list[WebPlayer]:
        """Players of the web game."""
        return [WebPlayer(port, self.dice.getrandbits(60)) for _ in range(self.players)]

    def of_wire(self, port: int) -> list[WirePlayer]:
        """Players of the binary protocol."""
        return [WirePlayer(port, self.dice.getrandbits(60)) for _ in range(self.players)]


def sapper(*words: str, within: float = 60.0) -> tuple[int, str]:
    """A command as an operator gives it: its exit code and what it said; -1 if it did not end in time."""
    try:
        done = subprocess.run(
            [sys.executable, "-m", "sapper", *words], check=False, capture_output=True, text=True, timeout=within,
            env=os.environ | {"SAPPER_CONFIG": os.devnull},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return -1, f"no end within {within:g} s"
    return done.returncode, (done.stdout + done.stderr).strip()


async def play_through(
    server: Server,
    players: list[Any],
    seconds: float,
    outage: contextlib.AbstractContextManager[object],
    meanwhile: Callable[[], None],
) -> tuple[int | None, float]:
    """Play, have an outage begin, play on, and end the server within it: its exit code (None: it did not end) and how long that took."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    await asyncio.sleep(seconds)
    with outage:
        await asyncio.sleep(seconds)
        await asyncio.to_thread(meanwhile)
        began = time.monotonic()
        try:
            code = await asyncio.to_thread(server.end, within=3 * END_TIME)
        except subprocess.TimeoutExpired:
            code = None
            server.kill()
        took = time.monotonic() - began
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return code, took


def judge_end(outcome: Outcome, log: Path, code: int | None, took: float) -> None:
    """Whether a server ended as it must."""
    outcome.said.append(f"SIGTERM took {took:.1f} s, exit code {code}")
    outcome.expect(took <= END_TIME + SLACK, f"SIGTERM ended the server after {took:.1f} s")
    is_lost = "these are lost" in log.read_text(encoding="utf-8")
    outcome.expect(
        code == (1 if is_lost else 0), f"exit code {code}, and the log says {'' if is_lost else 'nothing '}of losses"
    )


def unsaved_of(players: list[Any]) -> int:
    """Of how many games players were told that something is not saved yet."""
    return sum(
        sum(told.unsaved for told in one.games) if isinstance(one, WebPlayer) else one.unsaved + one.unsaved_starts
        for one in players
    )


def suffer(
    round_: Round, face: str, database: str, outage: contextlib.AbstractContextManager[object], *,
    meanwhile: Callable[[Outcome, Server, list[Any]], None] = lambda *_: None, environment: dict[str, str] | None = None,
) -> Outcome:  # fmt: skip
    """One server through one outage, and what is there afterwards."""
    outcome = Outcome()
    server = Server(face, database, round_.log, environment=environment)
    if face == "web":
        web = round_.of_web(server.port)
        code, took = asyncio.run(
            play_through(server, web, round_.seconds, outage, lambda: meanwhile(outcome, server, web))
        )
        ended = time.monotonic()
        judge_end(outcome, round_.log, code, took)
        outcome.said.append(f"not saved yet, and said so: {unsaved_of(web)}")
        is_lossy = "these are lost" in round_.log.read_text(encoding="utf-8")
        check_web(outcome.found, database, round_.log, web, ended, environment=environment, is_lossy=is_lossy)
    else:
        wire = round_.of_wire(server.port)
        code, took = asyncio.run(
            play_through(server, wire, round_.seconds, outage, lambda: meanwhile(outcome, server, wire))
        )
        judge_end(outcome, round_.log, code, took)
        outcome.said.append(f"not saved yet, and said so: {unsaved_of(wire)}")
        check_serve(outcome.found, database, wire, Counter())
    return outcome


# --- full disks ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def small_disk(folder: Path, megabytes: int) -> Iterator[bool]:
    """A folder that is a small disk; whether it is one: who may not mount gets a plain folder."""
    folder.mkdir()
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "none", str(folder)], check=False, capture_output=True
    )
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


@contextlib.contextmanager
def full(folder: Path, server: Callable[[], int], *, is_disk: bool) -> Iterator[None]:
    """For the length of a block there is no room for one byte more."""
    filler = folder / "filler"
    if not is_disk:
        # No file grows: those that are there are written as before, as on a full disk.
        resource.prlimit(server(), resource.RLIMIT_FSIZE, (64 << 10, resource.RLIM_INFINITY))
        yield
        return
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    try:
        yield
    finally:
        filler.unlink()
        # The operator finds a larger one.
        subprocess.run(["mount", "-o", "remount,size=64m", str(folder)], check=True)


def full_disk(round_: Round, face: str, *, megabytes: int) -> Outcome:
    """A disk that becomes full under play."""
    with small_disk(round_.folder / "disk", megabytes) as is_disk:
        folder = round_.folder / "disk"
        database = str(folder / "games.db")

        def process() -> int:
            return int(subprocess.run(["pgrep", "-nf", database], check=True, capture_output=True, text=True).stdout)

        def read(outcome: Outcome, _server: Server, _players: list[Any]) -> None:
            for words in (("stats",), ("store", "export")):
                code, said = sapper(*words, "--database", database)
                outcome.expect(code == 0, f"on a full disk sapper {' '.join(words)} ends with {code}: {said[-200:]}")

        return suffer(
            round_,
            face,
            database,
            full(folder, process, is_disk=is_disk),
            meanwhile=read if is_disk else lambda *_: None,
        )


# --- a database that hangs ------------------------------------------------------------------------------------------


def frozen(round_: Round, face: str) -> Outcome:
    """A PostgreSQL that stops answering, and does not break connections either."""
    from tests.postgres import find_binaries, running  # only where it is asked for

    binaries = find_binaries()
    if binaries is None:
        return Outcome(said=["left out: PostgreSQL is not installed"])
    with running(binaries) as cluster:
        database = cluster.address.format(name="postgres")

        def ask(outcome: Outcome, _server: Server, players: list[Any]) -> None:
            code, said = sapper("stats", "--database", database, within=30)
            outcome.expect(code not in (-1, 0), f"sapper stats of a frozen database ends with {code}: {said[-200:]}")
            if isinstance(players[0], WebPlayer):
                for path in ("/api/games", "/api/statistics"):
                    began = time.monotonic()
                    status, _ = asyncio.run(players[0].ask("GET", path))
                    took = time.monotonic() - began
                    outcome.said.append(f"GET {path}: {status} after {took:.1f} s")
                    outcome.expect(took < END_TIME, f"GET {path} took {took:.1f} s")

        data = {"XDG_DATA_HOME": str(round_.folder / "data")}
        with in_environment(data):
            return suffer(round_, face, database, cluster.frozen(), meanwhile=ask)


@contextlib.contextmanager
def in_environment(values: dict[str, str]) -> Iterator[None]:
    """For the length of a block these variables are set."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


# --- clocks -----------------------------------------------------------------------------------------------------------


def wrong_clock(round_: Round, seconds: int) -> Outcome:
    """A clock that goes wrong under play, and is so at the next start: nobody becomes another player, nothing is deleted."""
    wrong = round_.folder / "clock"
    wrong.write_text("0", encoding="ascii")
    environment = {"SAPPER_TEST_CLOCK": str(wrong)}

    @contextlib.contextmanager
    def set_it() -> Iterator[None]:
        wrong.write_text(str(seconds), encoding="ascii")
        yield

    def ask(outcome: Outcome, _server: Server, players: list[Any]) -> None:
        for player in players:
            if not player.games:
                continue
            known = {told.game for told in player.games}
            status, head, listed = asyncio.run(player.ask_all("GET", "/api/games"))
            # An old cookie is renewed, for the same player.
            is_same = "set-cookie" not in head.lower() or player.cookie.partition(".")[0] in head
            outcome.expect(status == 200 and is_same, "a player has become another")
            there = {entry["game"] for entry in listed["games"]} if status == 200 else set()
            playing = {told.game for told in player.games[:-1] if told.status == "playing" and not told.asked}
            outcome.expect(playing <= there, f"unfinished games out of reach: {len(playing - there)} of {len(known)}")

    return suffer(round_, "web", str(round_.folder / "games.db"), set_it(), meanwhile=ask, environment=environment)


# --- back-ups, second servers ---------------------------------------------------------------------------------------------


def restored(round_: Round) -> Outcome:
    """A back-up that is put in place beside what a killed server has left: it is the back-up, whole, and nothing else."""
    outcome, database, copy = Outcome(), str(round_.folder / "games.db"), str(round_.folder / "copy.db")
    server = Server("web", database, round_.log)
    players = round_.of_web(server.port)
    told: set[str] = set()
    made = 0.0

    def back_up() -> None:
        nonlocal made
        code, said = sapper("store", "--database", database, "restore", copy)
        outcome.expect(code != 0, f"a restore without a copy ended with {code}: {said}")
        told.update(one.game for player in players for one in player.games if one.ended and not one.unsaved)
        made = time.monotonic()
        code, said = sapper("store", "--database", database, "backup", copy)
        outcome.expect(code == 0, f"backup ended with {code}: {said}")
        code, said = sapper("store", "--database", database, "restore", copy)
        outcome.expect(code == 1 and "process" in said, f"a restore under a running server ended with {code}: {said}")

    async def play() -> None:
        tasks = [asyncio.create_task(player.play()) for player in players]
        await asyncio.sleep(round_.seconds)
        await asyncio.to_thread(back_up)
        await asyncio.sleep(round_.seconds)
        server.kill()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(play())
    outcome.found.kills += 1
    later = {one.game for player in players for one in player.games if one.created > made + 30}
    left = [path.name for path in round_.folder.glob("games.db*")]
    code, said = sapper("store", "--database", database, "restore", copy)
    outcome.expect(code == 0, f"restore ended with {code}: {said}")
    code, said = sapper("store", "--database", database, "check")
    outcome.expect(code == 0, f"check ended with {code}: {said}")
    there = {game["key"].partition(".")[0] for game in exported(database)}
    outcome.expect(told <= there, f"{len(told - there)} ends that were told before the back-up are not in it")
    outcome.expect(not later & there, "what came after the back-up is in the restored store")
    outcome.found.ends += len(told)
    outcome.said.append(f"left by the kill: {', '.join(sorted(left))}; {len(told)} told ends in the back-up")
    server = Server("web", database, round_.log)
    outcome.expect(server.end() == 0, "the server on the restored store did not end with 0")
    return outcome


def second_server(round_: Round) -> Outcome:
    """A second `sapper web` on one store: refused while the first is there, and welcome when that was killed."""
    outcome, database = Outcome(), str(round_.folder / "games.db")
    server = Server("web", database, round_.log)
    players = round_.of_web(server.port)

    async def play() -> float:
        tasks = [asyncio.create_task(player.play()) for player in players]
        await asyncio.sleep(round_.seconds)
        code, said = await asyncio.to_thread(sapper, "web", "--port", "0", "--database", database)
        outcome.expect(code == 1, f"a second server ended with {code}")
        outcome.expect(f"process {server.process.pid}" in said, f"a second server was told: {said}")
        for words in (("stats",), ("bot", "--record", "--quiet", "--seed", "1")):
            code, said = await asyncio.to_thread(sapper, *words, "--database", database)
            outcome.expect(code == 0, f"beside a server sapper {words[0]} ended with {code}: {said}")
        killed = time.monotonic()
        server.kill()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return killed

    killed = asyncio.run(play())
    outcome.found.kills += 1
    check_web(outcome.found, database, round_.log, players, killed)
    return outcome


OUTAGES: Final[dict[str, Callable[[Round], Outcome]]] = {
    "disk web": lambda one: full_disk(one, "web", megabytes=16),
    "disk serve": lambda one: full_disk(one, "serve", megabytes=16),
    "tiny disk web": lambda one: full_disk(one, "web", megabytes=2),
    "tiny disk serve": lambda one: full_disk(one, "serve", megabytes=2),
    "frozen web": lambda one: frozen(one, "web"),
    "frozen serve": lambda one: frozen(one, "serve"),
    "clock back": lambda one: wrong_clock(one, -10),
    "clock forward": lambda one: wrong_clock(one, 400 * DAY),
    "restore": restored,
    "second server": second_server,
}


def run(name: str, seed: int, *, players: int = 12, seconds: float = 3.0) -> Outcome:
    """One outage."""
    with tempfile.TemporaryDirectory(prefix="sapper-outages-") as folder:
        return OUTAGES[name](
            Round(folder=Path(folder), dice=random.Random(f"{seed} {name}"), players=players, seconds=seconds)
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", metavar="WORD", help="outages whose names have one of these words")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--players", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=3.0, help="of play, before and during the outage each")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--list", action="store_true", help="say the names, and end")
    options = parser.parse_args()
    names = [name for name in OUTAGES if not options.only or set(options.only) & {name, *name.split()}]
    if options.list:
        print("\n".join(names))
        return
    print(f"seed {options.seed}")
    faults = 0
    for number in range(options.rounds):
        for name in names:
            outcome = run(name, options.seed + number, players=options.players, seconds=options.seconds)
            print(outcome.text(name), flush=True)
            faults += outcome.faults
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
