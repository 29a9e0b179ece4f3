"""How many players a site of several web processes serves: HAProxy, N processes, PostgreSQL with its disk, all on this machine.

    .venv/bin/python bench/site.py                                             # the table of docs/web.md, in six minutes
    .venv/bin/python bench/site.py --processes 3 --players 1000 2000 --seconds 20
    .venv/bin/python bench/site.py --processes 1 --players 5000 --pace 30      # whether so many are let in
    .venv/bin/python bench/site.py --processes 1 3 --players 200 --attacker    # and once more with one who has large positions analysed

The players are those of `bench/web.py`: each on a socket of its own, a move about once a second, every answer checked. They come through
the proxy. For each number of processes the players grow until 99 of 100 moves take more than 50 ms. What each part costs is the
processor time of its processes by the moves: where the machine has no more of it, it does not grow. All
limits are the usual ones. Rows for which no time is left (`--within`) are left out, and counted at the end.

With `--attacker` the last row comes again beside one address that has positions of 100×100 cells analysed at all processes at once (by as
many players as there are processes, each with one request at a time), and beside players who ask for hints and for games that have ended.
"""

import argparse
import asyncio
import gc
import os
import platform
import signal
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import psycopg
from web import THINKERS, Player, Stats, large_position, share, show_thought

from deploy.site import Site
from tests.postgres import find_binaries, running

ENOUGH = 50.0
"""Milliseconds that 99 of 100 moves may take."""
ARRIVAL = 60.0
"""Seconds that all players of a row have to come."""
HEAD = """
| processes | players | moves a second | half, 99 % of the moves, ms | commits a second | µs of processor a move: web, proxy, database, players | processors |
|---|---|---|---|---|---|---|"""


def seconds_of(process: int) -> float:
    """Of the processor that a process and those that it started have had."""
    folder = Path(f"/proc/{process}")
    try:
        words = (folder / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        children = (folder / f"task/{process}/children").read_text(encoding="ascii").split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK") + sum(map(seconds_of, map(int, children)))


def commits(database: str) -> int:
    """Transactions that the database has committed."""
    with psycopg.connect(database) as connection:
        row = connection.execute(
            "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])


async def load(
    site: Site, postmaster: int, players: int, options: argparse.Namespace, *, attacked: bool = False
) -> float:
    """One row; the 99th percentile in milliseconds."""
    stats, loop = Stats(), asyncio.get_running_loop()
    everyone = [Player(number, site.port, options.preset, stats) for number in range(players)]
    async with asyncio.timeout(ARRIVAL):
        for at in range(0, players, 25):
            await asyncio.gather(*(player.arrive() for player in everyone[at : at + 25]))
    parts = {
        "web": [web.process.pid for web in site.webs if web.process],
        "proxy": [site.proxy],
        "database": [postmaster],
    }

    def used() -> dict[str, float]:
        return {name: sum(map(seconds_of, pids)) for name, pids in parts.items()} | {"players": time.process_time()}

    until = loop.time() + options.rush + options.seconds
    playing = asyncio.gather(*(player.play(until, options.pace) for player in everyone), return_exceptions=True)
    thinkers = [Player(players + number, site.port, options.preset, stats) for number in range(THINKERS * attacked)]
    asking = asyncio.gather(*(one.ask_for_thought(until) for one in thinkers), return_exceptions=True)
    # One address, whose players are likely to be at all processes.
    attackers = [Player(players + THINKERS, site.port, options.preset, stats) for _ in site.webs] * attacked
    attacking = asyncio.gather(*(one.attack(large_position(), until) for one in attackers), return_exceptions=True)
    await asyncio.sleep(options.rush)
    before, began, committed = used(), time.perf_counter(), commits(site.database)
    failed = [one for one in [*await playing, *await asking] if isinstance(one, BaseException)]
    wall, after, done = time.perf_counter() - began, used(), commits(site.database) - committed
    for player in (*everyone, *thinkers):
        player.leave()
    times = [took for sent, took, _ in stats.times if sent >= began]
    cost = ", ".join(f"{1e6 * (after[name] - before[name]) / max(1, len(times)):.0f}" for name in before)
    wrong = [*stats.wrong, *map(repr, failed)]
    print(
        f"| {len(site.webs)} | {players:,} | {len(times) / wall:,.0f} | {share(times, 0.5):.0f}, {share(times, 0.99):.0f} | "
        f"{done / wall:,.0f} | {cost} | {(sum(after.values()) - sum(before.values())) / wall:.2f} |"
        + (" beside an attacker" if attacked else "")
        + (f" WRONG {len(wrong)}: {wrong[0]:.200}" if wrong else ""),
        flush=True,
    )
    if attacked:
        show_thought(stats.thought, await attacking)
    return share(times, 0.99)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--players", type=int, nargs="+", default=[500, 1000, 2000, 3000])
    parser.add_argument("--seconds", type=float, default=12)
    parser.add_argument("--rush", type=float, default=5, help="seconds in which all make their first move, not counted")
    parser.add_argument("--within", type=float, default=310, help="seconds after which no row is begun (default: 310)")
    parser.add_argument("--pace", type=float, default=1.0, help="seconds between the moves of a player")
    parser.add_argument("--preset", default="expert")
    parser.add_argument(
        "--attacker", action="store_true", help="the last row again with one who has large positions analysed"
    )
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the site ends too
    options = parser.parse_args()
    gc.set_threshold(5_000, 10, 1_000)
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL is not installed (Debian: apt-get install postgresql)")
    print(f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}\n{HEAD}", flush=True)
    until, left_out = time.monotonic() + options.within, 0
    for count in options.processes:
        with ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sapper-site-")))
            # On the disk, and durable: what a commit costs is what is asked.
            cluster = stack.enter_context(running(binaries, parent=Path(tempfile.gettempdir()), durable=True))
            site = Site(folder, cluster.address.format(name="postgres"), count=count)
            stack.enter_context(site.running())
            players = 0
            for players in options.players:
                if time.monotonic() > until:
                    left_out += 1
                elif asyncio.run(load(site, cluster.process, players, options)) > ENOUGH:
                    break
            if options.attacker and time.monotonic() < until:
                asyncio.run(load(site, cluster.process, players, options, attacked=True))
    if left_out:
        print(f"rows for which no time was left: {left_out}")


if __name__ == "__main__":
    main()
