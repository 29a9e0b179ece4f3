"""Bench of the store: what recording costs, how many games a second, and statistics from 10,000 games up.

    python bench/store.py
    python bench/store.py --postgresql
    python bench/store.py --only writer                 # what players wait for, at 1,000 and 3,000 inputs a second
    python bench/store.py --only writer --import-beside # while `sapper store import` writes into the same store
    python bench/store.py --most 10000000 --only growth

A commit waits for the disk, so beside each durable number stands the disk's own: one write of 4 KiB and `fdatasync` to
the same folder. Without durability (`synchronous=NORMAL`: safe from kill -9, not from a power cut) only the program is left. The
eight writers are processes; what one process has to keep goes through `play.writer`, which is measured as a server uses it: every input of
200 games is put there, one in twenty is an end with a record of 900 characters, one a beginning, and both are waited for. Filling needs about 220 bytes a game.
"""

import argparse
import contextlib
import json
import multiprocessing
import os
import platform
import random
import statistics as middle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import event, insert, select, text

from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.play.writer import Writer
from sapper.store import schema, social_schema
from sapper.store.changes import InputLog, SessionDrop
from sapper.store.filters import Filter
from sapper.store.models import GameKind, Result, SavedSession, SessionState, StoredGame, to_ms
from sapper.store.patience import SERVING
from sapper.store.rankings import MOST_OFFSET, PERIODS, SKILL, period_names, read_ranking
from sapper.store.repository import Store, open_store
from sapper.store.skill import JudgedGame, keep_cost, waiting_game, waiting_keys
from sapper.store.statistics import statistics
from sapper.store.transfer import export_lines

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.postgres import cluster, find_binaries

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
KINDS = [GameKind.of(find_preset(name)) for name in ("beginner", "intermediate", "expert")]


def game(key: str) -> StoredGame:
    return StoredGame(
        key=key, kind=KINDS[2], result=Result.WON, started=BEGIN, ended=BEGIN, face="bench", player="ann", time_ms=90_000,
        seed=7, moves=200, clicks=220, effective_clicks=200, bbbv=170, solved_bbbv=170,
    )  # fmt: skip


STARTED = [0.0]


def times_of(do: object, count: int) -> list[float]:
    taken = []
    STARTED[0] = time.process_time()
    for number in range(count):
        began = time.perf_counter()
        do(number)  # type: ignore[operator]
        taken.append(1000 * (time.perf_counter() - began))
    return taken


def shown(taken: list[float]) -> str:
    taken = sorted(taken)
    processor = 1000 * (time.process_time() - STARTED[0]) / len(taken)
    STARTED[0] = time.process_time()
    return f"processor {processor:6.3f} ms   median {middle.median(taken):8.3f} ms   least {taken[0]:8.3f} ms   90 % under {taken[len(taken) * 9 // 10]:8.3f} ms"


def disk(folder: Path, count: int) -> list[float]:
    file = os.open(folder / "disk", os.O_RDWR | os.O_CREAT)

    def write(_: int) -> None:
        os.write(file, b"x" * 4096)
        os.fdatasync(file)

    taken = times_of(write, count)
    os.close(file)
    return taken


def recording(address: str, folder: Path, count: int) -> None:
    print(f"\none game, {count} times")
    print(f"  the disk alone                    {shown(disk(folder, count))}")
    with open_store(address) as store:
        print(f"  record, durable                   {shown(times_of(lambda n: store.record(game(f'd{n}')), count))}")
        starts_and_ends(store, 10 * count)
        if store.address.path is None:
            event.listen(
                store.engine, "connect", lambda connection, _: connection.execute("SET synchronous_commit=off")
            )
        else:
            event.listen(store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=NORMAL"))
        store.engine.dispose()
        print(f"  record, not waiting for the disk  {shown(times_of(lambda n: store.record(game(f'n{n}')), count))}")


def starts_and_ends(store: Store, count: int) -> None:
    """What the writer's thread has to work for a game that begins and ends."""
    for together in (1, 10, 50):
        began = time.thread_time()
        for start in range(0, count, together):
            keys = [f"s{together}-{number}" for number in range(start, start + together)]
            store.apply([game(key).replace(result=Result.PLAYING) for key in keys])
            store.apply([game(key).replace(record="x" * 900) for key in keys])
        print(
            f"  a start and an end, {together:2} together: processor {1e6 * (time.thread_time() - began) / count:5.0f} µs"
        )


def _write(address: str, name: int, count: int) -> None:
    with open_store(address) as store:
        for number in range(count):
            store.record(game(f"{name}-{number}"))


def writers(address: str, folder: Path, count: int) -> None:
    print(f"\neight processes, {count} games each, every game durable before the next of its process")
    with open_store(address):
        pass
    workers = [multiprocessing.Process(target=_write, args=(address, name, count)) for name in range(8)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"  {8 * count / (time.perf_counter() - began):8.0f} games/s")
    print(f"  the disk alone could do {1000 / middle.median(disk(folder, 100)):8.0f} writes/s, one after the other")


LINE = json.dumps(
    {"inputs": [[12345, "left", 217]], "update": ["playing", [[200, "1112...1"]]], "elapsed": 12345, "running": True, "paused": False}
) + "\n"  # fmt: skip


class _Played:
    """A game of the bench: its name, and how many inputs it has had."""

    def __init__(self, number: int) -> None:
        self.number, self.round, self.inputs = number, 0, 0

    @property
    def key(self) -> str:
        return f"{self.number}-{self.round}"

    @property
    def player(self) -> str:
        return f"player {self.number}"


def writer(address: str, folder: Path, rates: list[int], seconds: float, *, beside: bool) -> None:
    print(
        f"\nthe writer, {seconds:g} s at each rate{', beside an import' if beside else ''}; milliseconds until it is durable"
    )
    lines = folder / "beside.jsonl"
    if beside:
        with open_store(folder / "beside.db") as other:
            other.record_many(game(f"beside-{number}").replace(record="x" * 900) for number in range(60_000))
            lines.write_text("\n".join(export_lines(other)), encoding="utf-8")
    for rate in rates:
        print(f"  the disk alone        {shown(disk(folder, 200))}")
        with open_store(address, patience=SERVING) as store:
            importing = None
            if beside:
                words = [sys.executable, "-m", "sapper", "store", "--database", address, "import", str(lines)]
                importing = subprocess.Popen(words, stdout=subprocess.DEVNULL)
            _rate(store, rate, seconds)
            if importing is not None:
                print(f"    the import {'has ended meanwhile' if importing.poll() == 0 else 'goes on'}")
                importing.wait()
                with store.engine.connect().execution_options(sapper_writes=True) as connection, connection.begin():
                    connection.exec_driver_sql("DELETE FROM games WHERE key LIKE 'beside%'")


def _rate(store: Store, rate: int, seconds: float) -> None:
    waits: dict[str, list[float]] = {"begin": [], "end": [], "input": []}
    sink = Writer(store)
    games = [_Played(number) for number in range(200)]

    def put(what: str, change: object) -> None:
        began = time.perf_counter()
        sink.put(change, lambda: waits[what].append(1000 * (time.perf_counter() - began)), is_urgent=what != "input")  # type: ignore[arg-type]

    dice, processor, begin = random.Random(1), time.process_time(), time.perf_counter()
    count = 0
    while (now := time.perf_counter() - begin) < seconds:
        while count < now * rate:
            count += 1
            one = dice.choice(games)
            state = SessionState(Status.PLAYING, 12345, 3, 300)
            if one.inputs == 0:
                whole = SavedSession(
                    key=one.key, version=4, text="x" * 1200, saved=BEGIN, player=one.player, kind=KINDS[2],
                    title="Expert", retention="web", state=state,
                )  # fmt: skip
                put("input", whole)
                put("begin", game(f"{one.key}.0").replace(result=Result.PLAYING, player=one.player))
            put("input", InputLog(key=one.key, first=one.inputs, count=1, text=LINE, saved=BEGIN, state=state))
            one.inputs += 1
            if dice.random() < 0.05:
                put("end", game(f"{one.key}.0").replace(record="x" * 900, player=one.player))
                put("input", SessionDrop(key=one.key))
                one.round, one.inputs = one.round + 1, 0
        time.sleep(0.001)
    lost = sink.close(60)
    processor = time.process_time() - processor
    print(f"    {rate:,} inputs a second, {lost} lost, processor {100 * processor / seconds:.0f} %")
    for what, taken in waits.items():
        taken.sort()
        at = {share: taken[int(len(taken) * share)] for share in (0.5, 0.9, 0.99)}
        print(
            f"      {what:6} {len(taken):6}   "
            + "   ".join(f"{100 * k:g} % {v:7.2f}" for k, v in at.items())
            + f"   most {taken[-1]:7.2f}"
        )
    with store.engine.connect().execution_options(sapper_writes=True) as connection, connection.begin():
        for table in ("session_log", "sessions", "records", "games"):
            connection.exec_driver_sql(f"DELETE FROM {table}")


def fill(store: Store, begin: int, end: int) -> None:
    """Games of three presets and two players, four in ten won."""
    if begin == 0:
        store.record_many([StoredGame(
            key=f"first {number}", kind=kind, result=Result.LOST, started=BEGIN, ended=BEGIN, face="bench", player=player,
        ) for number, (kind, player) in enumerate(zip(KINDS, ("ann", "bob", "ann"), strict=True))])  # fmt: skip
    rng, base = random.Random(begin), to_ms(BEGIN)
    with store.reading() as connection:
        kinds, players = (
            list(connection.execute(select(table.c.id)).scalars()) for table in (schema.kinds, schema.players)
        )
    mark = "?" if store.address.path is not None else "%s"
    statement = f"INSERT INTO games ({', '.join(COLUMNS)}) VALUES ({', '.join([mark] * len(COLUMNS))})"
    # Keys in their order and indexes at the end: filling is not what is measured.
    for index in schema.games.indexes:
        index.drop(store.engine)
    for start in range(begin, end, 50_000):
        rows = []
        for number in range(start, min(start + 50_000, end)):
            ended = base + 60_000 * number + rng.randrange(100_000)
            rows.append((
                f"{number:032x}", 0, rng.choice(kinds), rng.choice(players), "bench", "won" if rng.random() < 0.4 else "lost",
                ended, ended, rng.randrange(1000, 200_000), number, 50, rng.randrange(20, 200), 50, 170, rng.randrange(1, 170),
                0, 0, False, False, False,
            ))  # fmt: skip
        with store.engine.connect().execution_options(sapper_writes=True) as connection, connection.begin():
            connection.exec_driver_sql(statement, rows)
    for index in schema.games.indexes:
        index.create(store.engine)


COLUMNS = (
    "key", "category", "kind_id", "player_id", "face", "result", "started", "ended", "time_ms", "seed", "moves", "clicks",
    "effective_clicks", "bbbv", "solved_bbbv", "hints", "undos", "restarted", "overlay", "aided",
)  # fmt: skip


def growth(address: str, most: int) -> None:
    print("\nstatistics: the clock, and the processor in brackets")
    filters = {"all": Filter(), "one preset": Filter(preset="expert"), "one player": Filter(player="bob")}
    begin, count = 0, 10_000
    while count <= most:
        with open_store(address) as store:
            fill(store, begin, count)
            if store.address.path is not None:
                with store.engine.connect() as connection:
                    connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            else:
                # What autovacuum does some minutes after so many rows: without it no index is read alone.
                with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                    connection.exec_driver_sql("VACUUM ANALYZE games")
            line = f"  {count:>12,} games"
            for name, wanted in filters.items():
                taken = []
                for _ in range(3):
                    wall, cpu = time.perf_counter(), time.process_time()
                    statistics(store, wanted)
                    taken.append((time.perf_counter() - wall, time.process_time() - cpu))
                wall, cpu = min(taken)
                line += f"   {name} {wall:7.3f} s ({cpu:6.3f})"
        wall, cpu = min(_process(address) for _ in range(3))
        print(f"{line}   sapper stats {wall:7.3f} s ({cpu:6.3f})", flush=True)
        begin, count = count, 10 * count


def rankings(address: str, count: int) -> None:
    """Pages of rankings: all games are ranked, of a tenth as many players, each with a best on Expert by three measures.

    And what games lost: of all of them, by two players, of whom 200 games are kept with their rank.
    """
    print("\nrankings: a page of 50 places and one's own")
    now, boards, rng = datetime(2026, 11, 29, tzinfo=UTC), ("time", "speed"), random.Random(1)
    with open_store(address) as store:
        fill(store, 0, count)
        with store.engine.connect().execution_options(sapper_writes=True) as connection, connection.begin():
            people = range(10, 10 + count // 10)
            for table, rows in (
                (schema.players, [{"id": one, "name": f"player {one}"} for one in people]),
                (social_schema.player_names, [{"player_id": one, "name": f"{one}", "skeleton": f"{one}", "seen": 0} for one in people]),
                (social_schema.rankings, [
                    {"board": "expert", "measure": measure, "period": period, "player_id": one, "value": rng.randrange(30_000, 900_000), "ended": one,
                     "game": f"{one:032x}.0", "shown": True}
                    for one in people for measure in (*boards, SKILL) for period in period_names(now).values()
                ]),
            ):  # fmt: skip
                for start in range(0, len(rows), 50_000):
                    connection.execute(insert(table), rows[start : start + 50_000])
            costs = (
                "INSERT INTO game_costs (game_id, player_id, board, at, waits, lost)"
                f" SELECT id, player_id, 'expert', ended, id % {count // 200} = 0, id * 7919 % 1000000 FROM games"
            )
            connection.execute(text(costs))
        if store.address.path is None:
            with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("ANALYZE")
        taken, worked = [], time.process_time()
        for _ in range(1_000):
            offset = rng.choice((0, 0, 50, 100, 1_000, MOST_OFFSET))
            begun = time.perf_counter()
            page = read_ranking(
                store, "expert", rng.choice((*boards, SKILL)), rng.choice(PERIODS), now, player=f"player {rng.choice(people)}", offset=offset
            )  # fmt: skip
            taken.append(time.perf_counter() - begun)
            assert page.own is not None
            assert len(page.rows) == min(50, max(0, len(people) - offset))
        taken.sort()
        print(
            f"  {count:,} games, {len(people):,} players: half {taken[500] * 1000:.1f} ms, 99 % {taken[990] * 1000:.1f} ms;"
            f" {time.process_time() - worked:.1f} ms of processor time here on average"
        )
        waiting, taken = waiting_keys(store, most=200), []
        for _, key in waiting:
            game = waiting_game(store, key)
            assert game is not None
            begun = time.perf_counter()
            keep_cost(store, game, JudgedGame(0.1))
            taken.append(time.perf_counter() - begun)
        taken.sort()
        print(
            f"  what a game lost, and its player's rank: half {taken[len(taken) // 2] * 1000:.1f} ms, most {taken[-1] * 1000:.1f} ms"
        )


def _process(address: str) -> tuple[float, float]:
    """The clock and the processor's time of the whole command."""
    before, began = os.times(), time.perf_counter()
    words = [sys.executable, "-m", "sapper", "stats", "--database", address]
    subprocess.run(words, stdout=subprocess.DEVNULL, check=True)
    wall, after = time.perf_counter() - began, os.times()
    return wall, (after.children_user - before.children_user + after.children_system - before.children_system)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200, help="games in each timing of recording")
    parser.add_argument("--most", type=int, default=1_000_000, help="games in the largest store")
    parser.add_argument(
        "--only", choices=("recording", "writer", "writers", "growth", "rankings"), help="one part instead of all"
    )
    parser.add_argument("--rates", type=int, nargs="+", default=[1000, 3000], help="inputs a second for the writer")
    parser.add_argument("--seconds", type=float, default=20.0, help="how long the writer is measured at each rate")
    parser.add_argument("--import-beside", action="store_true", help="import a file into the same store meanwhile")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--postgresql", action="store_true", help="start a PostgreSQL of its own and use that")
    where.add_argument("--database", help="an empty PostgreSQL database to use instead of SQLite files")
    parser.add_argument("--folder", type=Path, help="where the files lie, since disks differ")
    options = parser.parse_args()
    print(f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores")
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder)))
        address = options.database
        if options.postgresql:
            binaries = find_binaries()
            if binaries is None:
                parser.error("PostgreSQL is not installed (Debian: apt-get install postgresql)")
            folder.chmod(0o755)  # PostgreSQL does not run as root
            address = stack.enter_context(cluster(binaries, parent=folder, durable=True)).format(name="postgres")
        if address is not None:
            with open_store(address) as store, store.reading() as connection:
                print(connection.exec_driver_sql("SELECT version()").scalar())
        parts: dict[str, Callable[[], None]] = {
            "recording": lambda: recording(address or str(folder / "one.db"), folder, options.count),
            "writer": lambda: writer(
                address or str(folder / "server.db"),
                folder,
                options.rates,
                options.seconds,
                beside=options.import_beside,
            ),
            "writers": lambda: writers(address or str(folder / "writers.db"), folder, options.count // 2),
            "growth": lambda: growth(address or str(folder / "growth.db"), options.most),
            "rankings": lambda: rankings(address or str(folder / "rankings.db"), options.most),
        }
        for name, run in parts.items():
            if options.only in (None, name):
                run()


if __name__ == "__main__":
    main()
