"""Kills, stops and cuts off processes of a site under its players, and compares what they were told with what is there afterwards.

    .venv/bin/python fuzz/machines.py                          # each fault once or some times, with 100 players
    .venv/bin/python fuzz/machines.py kill --players 1000 --times 50
    .venv/bin/python fuzz/machines.py stop database proxy --players 300 --seconds 30
    .venv/bin/python fuzz/machines.py failover watch tabs

The site is HAProxy, three web processes and PostgreSQL (`deploy/site.py`), and each player has an address of its own.

    kill      SIGKILL to one web process, which is started again, so many times
    rolling   SIGTERM to one after the other, each started again
    stop      SIGSTOP to one for so many seconds
    database  nothing comes through between one web process and the database for so many seconds
    proxy     the same between the proxy and one web process
    failover  the database dies, and a standby that has all commits takes its place
    watch     boards that are played (begun, undone after their end, restarted), and today's, are asked for at all processes in every way
              that there is, by their player and by a stranger, while these are killed and restarted (`fuzz/hidden.py`)
    tabs      two tabs of one player, on two processes, make moves at once, while these are killed and restarted

What must hold, always: no end that was told is lost or another; no game that was begun is uncounted; none is counted twice; no state
contradicts a move that was told, and no update the board that it is of (`fuzz/site_player.py`). For `kill`, players of the dead
process play on within 5 seconds (99 of 100). While one is stopped or cut off, a move of the others' takes a second more at most.
"""

import argparse
import asyncio
import contextlib
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

sys.path.insert(0, str(Path(__file__).parents[1]))

from deploy.site import Site, Web, own_database
from fuzz import hidden
from fuzz.forwarder import Forwarder
from fuzz.kills import Found, compare, read
from fuzz.site_player import Seen, SitePlayer
from fuzz.told import ENDED

BOUND: Final = 5.0
"""Seconds within which players of a process that was killed play on."""
PATIENCE: Final = 60.0
"""Seconds that the site has to tell how a game stands in the end."""
BEGINNING: Final = 60.0
"""Seconds that players have to begin their first games before the first fault."""
SETTLE: Final = 4.0
"""Seconds of play after the last fault."""
SETTINGS: Final = {"SAPPER_WEB_MAX_ADDRESS_RATE": "100000", "SAPPER_WEB_MAX_OPEN_GAMES": "100000"}


@dataclass(slots=True)
class Outcome:
    """What one fault came to."""

    found: Found = field(default_factory=lambda: Found(bound=0.0))
    seen: Seen = field(default_factory=Seen)
    wrong: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)

    @property
    def faults(self) -> int:
        """How much was not as it must be."""
        return self.found.losses + len(self.seen.wrong) + len(self.wrong)

    def text(self, name: str) -> str:
        """Some lines."""
        moves, gaps = [took for _, took, _ in self.seen.moves], [took for _, took in self.seen.gaps]
        found = self.found
        counts = (
            f"{name}: {found.created} games, {found.started} running and {found.ends} ends told: ends lost {found.ends_lost}, changed "
            f"{found.ends_changed}; uncounted {found.uncounted}, counted twice {found.twice}, gone {found.gone}, behind {found.behind}; "
            f"contradictions {len(self.seen.wrong)}"
        )
        times = (
            f"{len(moves)} moves, p50 {1e3 * share(moves, 0.5):.0f} ms, p99 {1e3 * share(moves, 0.99):.0f} ms; {len(gaps)} connections lost: "
            f"until the next move p50 {share(gaps, 0.5):.2f} s, p99 {share(gaps, 0.99):.2f} s, max {share(gaps, 1):.2f} s"
        )
        wrong = [f"WRONG: {what:.400}" for what in (*self.wrong, *self.seen.wrong, *found.notes)]
        return "\n  ".join((counts, times, *self.said, *wrong[:10]))


def share(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] if times else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a rig is to do."""

    players: int
    times: int
    seconds: float
    pace: float
    bound: float
    dice: random.Random


@dataclass(slots=True, kw_only=True)
class Rig:
    """A site, its players, and what can be done to it."""

    plan: Plan
    site: Site
    outcome: Outcome
    to_database: list[Forwarder] = field(default_factory=list)
    to_web: list[Forwarder] = field(default_factory=list)
    fail_over: Callable[[], None] = lambda: None

    def any(self) -> Web:
        """One of the web processes."""
        return self.plan.dice.choice(self.site.webs)

    async def rest(self, least: float, most: float) -> None:
        """Let them play."""
        await asyncio.sleep(self.plan.dice.uniform(least, most))


async def play(rig: Rig, fault: Callable[[Rig], Awaitable[None]]) -> list[SitePlayer]:
    """Have the players play, do something to the site, and let them play on for a while."""
    players = [
        SitePlayer(number, lambda: rig.site.port, rig.outcome.seen, pace=rig.plan.pace)
        for number in range(rig.plan.players)
    ]
    tasks = [asyncio.create_task(player.play()) for player in players]
    until = time.monotonic() + BEGINNING
    while not all(one.games and one.games[0].started for one in players) and time.monotonic() < until:  # noqa: ASYNC110
        await asyncio.sleep(0.1)
    await fault(rig)
    await asyncio.sleep(SETTLE)
    for task in tasks:
        task.cancel()
    for error in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(error, Exception):
            rig.outcome.wrong.append(f"a player failed: {error!r}")
    return players


async def check(rig: Rig, players: list[SitePlayer]) -> None:
    """Compare what was told with what is there."""
    found = rig.outcome.found
    games = await asyncio.to_thread(read, rig.site.database)
    stored = Counter(game.key.partition(".")[0] for game in games)
    results = {game.key: game.result.value for game in games}
    for player in players:
        for told in player.games:
            state: dict[str, Any] | None = {"status": told.status, "number": sys.maxsize}
            if told.status not in ENDED:
                state = await _state_of(player, told.game)
            compare(found, told, state, results, stored, time.monotonic())


async def _state_of(player: SitePlayer, game: str) -> dict[str, Any] | None:
    """A game as it is now, asked for until there is an answer; None if it is gone."""
    until = time.monotonic() + PATIENCE
    while True:
        status, state = 0, None
        with contextlib.suppress(OSError, TimeoutError):
            status, state = await player.ask("GET", f"/api/games/{game}")
        if status in (200, 404):
            found: dict[str, Any] | None = state if status == 200 else None
            return found
        if time.monotonic() > until:
            raise RuntimeError(f"{game} is not told after {PATIENCE:g} s: {status} {state}")
        await asyncio.sleep(0.5)


async def watch(rig: Rig) -> None:
    """Ask every process for boards that are being played."""
    watched = hidden.Watch(rig.site, rig.outcome.seen, rig.plan.dice)
    await _beside_restarts(rig, watched.run(rig.plan.seconds))
    rig.outcome.wrong += watched.wrong
    rig.outcome.said.append(f"answers to who asked for boards being played: {watched.answers}")


async def tabs(rig: Rig) -> None:
    """Two tabs on two processes ask for different cells at the same moment."""
    two = hidden.TwoTabs(rig.site, rig.outcome.seen, rig.plan.dice)
    await _beside_restarts(rig, two.run(20 * rig.plan.times))
    rig.outcome.wrong += two.wrong
    rig.outcome.said.append(f"{two.told} updates told on two tabs, {two.refused} moves refused")


async def _beside_restarts(rig: Rig, work: Coroutine[Any, Any, None]) -> None:
    """One process after the other is killed, or ended, and started again, until the work is done."""
    task, count = asyncio.create_task(work), 0
    while not task.done():
        web = rig.site.webs[count % len(rig.site.webs)]
        count += 1
        await asyncio.wait([task], timeout=rig.plan.dice.uniform(1.0, 2.0))
        await asyncio.to_thread(web.kill if count % 2 else web.end)
        await asyncio.to_thread(web.start)
    await task
    rig.outcome.said.append(f"{count} restarts of processes")


# --- faults -----------------------------------------------------------------------------------------------------


async def kill(rig: Rig) -> None:
    """SIGKILL, and start again."""
    for number in range(rig.plan.times):
        web = rig.any()
        await asyncio.to_thread(web.kill)
        rig.outcome.found.kills += 1
        await rig.rest(1.0, 4.0)
        await asyncio.to_thread(web.start)
        await rig.rest(2.0, 4.0)
        if (number + 1) % 10 == 0:
            print(f"  {number + 1} kills, contradictions {len(rig.outcome.seen.wrong)}", file=sys.stderr, flush=True)
    late = share([took for _, took in rig.outcome.seen.gaps], 0.99)
    if late > rig.plan.bound:
        rig.outcome.wrong.append(f"players of killed processes played on within {late:.2f} s (99 %)")


async def rolling(rig: Rig) -> None:
    """SIGTERM to one after the other."""
    for web in rig.site.webs:
        code = await asyncio.to_thread(web.end)
        if code:
            rig.outcome.wrong.append(f"web{web.number} ended with {code}")
        await asyncio.to_thread(web.start)
        await rig.rest(3.0, 4.0)


def held_up(rig: Rig, began: float, ended: float) -> None:
    """How long moves took during a fault, of players whose connection was not lost in it."""
    lost = sorted(when for when, _ in rig.outcome.seen.gaps if began <= when <= ended + BOUND)
    moves = [(took, is_lost) for when, took, is_lost in rig.outcome.seen.moves if began <= when <= ended]
    took, quick = [one for one, _ in moves], [one for one, is_lost in moves if not is_lost]
    rig.outcome.said.append(
        f"during the fault: {len(took)} moves, p99 {1e3 * share(took, 0.99):.0f} ms; of connections that were not lost at most "
        f"{1e3 * share(quick, 1):.0f} ms; {len(lost)} connections lost"
    )


async def _for_a_time(rig: Rig, begin: Callable[[], None], end: Callable[[], None]) -> None:
    for _ in range(rig.plan.times):
        began = time.monotonic()
        begin()
        await asyncio.sleep(rig.plan.seconds)
        held_up(rig, began, time.monotonic())
        end()
        await rig.rest(4.0, 6.0)


async def stop(rig: Rig) -> None:
    """SIGSTOP, and SIGCONT."""
    web = rig.any()
    await _for_a_time(rig, lambda: web.signal(signal.SIGSTOP), lambda: web.signal(signal.SIGCONT))


async def database(rig: Rig) -> None:
    """Cut one process off the database."""
    wire = rig.plan.dice.choice(rig.to_database)
    await _for_a_time(rig, wire.cut, wire.mend)


async def proxy(rig: Rig) -> None:
    """Cut one process off the proxy."""
    wire = rig.plan.dice.choice(rig.to_web)
    await _for_a_time(rig, wire.cut, wire.mend)


async def failover(rig: Rig) -> None:
    """The database dies."""
    began = time.monotonic()
    await asyncio.to_thread(rig.fail_over)
    rig.outcome.said.append(f"the standby was promoted after {time.monotonic() - began:.1f} s")
    await rig.rest(8.0, 10.0)


FAULTS: Final[dict[str, Callable[[Rig], Awaitable[None]]]] = {
    "kill": kill, "rolling": rolling, "stop": stop, "database": database, "proxy": proxy, "failover": failover, "watch": watch, "tabs": tabs,
}  # fmt: skip


@contextlib.contextmanager
def rigged(name: str, plan: Plan) -> Iterator[Rig]:
    """A site for one fault."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sapper-machines-")))
        fail_over = None
        if name == "failover":
            from fuzz.replicated import replicated
            from tests.postgres import find_binaries

            binaries = find_binaries()
            assert binaries is not None
            pair = stack.enter_context(replicated(binaries))
            database, fail_over = pair.address, pair.fail_over
        else:
            database = stack.enter_context(own_database())
        wires: list[Forwarder] = []
        database_of = None
        if name == "database":
            socket = Path(database.partition("host=")[2]) / ".s.PGSQL.5432"
            wires = [Forwarder(socket) for _ in range(3)]
            database_of = lambda number: f"postgresql://sapper@127.0.0.1:{wires[number - 1].port}/postgres"  # noqa: E731
        fronts: list[Forwarder] = []

        def front_of(web: Web) -> int:
            if name != "proxy":
                return web.port
            fronts.append(Forwarder(web.port))
            return fronts[-1].port

        site = Site(folder, database, settings=SETTINGS, database_of=database_of, front_of=front_of)
        stack.enter_context(site.running())
        yield Rig(
            plan=plan,
            site=site,
            outcome=Outcome(),
            to_database=wires,
            to_web=fronts,
            fail_over=fail_over or (lambda: None),
        )
        for wire in (*wires, *fronts):
            wire.mend()
        for web in site.webs:
            if "Traceback" in (text := web.log.read_text(encoding="utf-8")):
                print(f"  web{web.number} has a traceback in its log:\n{text[-1500:]}", file=sys.stderr)


def run(name: str, plan: Plan) -> Outcome:
    """One fault, and what it came to."""
    with rigged(name, plan) as rig:

        async def go() -> None:
            players = await play(rig, FAULTS[name])
            for wire in (*rig.to_database, *rig.to_web):
                wire.mend()
            await check(rig, players)

        asyncio.run(go())
        return rig.outcome


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("faults", nargs="*", choices=(*FAULTS, []), help="all of them by default")
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--times", type=int, default=1, help="how often each fault comes")
    parser.add_argument("--seconds", type=float, default=10.0, help="how long it lasts")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between the moves of a player")
    parser.add_argument(
        "--bound", type=float, default=BOUND, help="seconds within which players of a killed process play on"
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the site ends too
    print(f"seed {asked.seed}, {asked.players} players, one move each {asked.pace:g} s")
    faults = 0
    for name in asked.faults or FAULTS:
        dice = random.Random(f"{asked.seed} {name}")
        plan = Plan(
            players=asked.players,
            times=asked.times,
            seconds=asked.seconds,
            pace=asked.pace,
            bound=asked.bound,
            dice=dice,
        )
        outcome = run(name, plan)
        print(outcome.text(name), flush=True)
        faults += outcome.faults
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
