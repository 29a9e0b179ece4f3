"""Bench of the store: what recording costs, how many games a second, and statistics from 10,000 games up.

    python bench/store.py
    python bench/store.py --postgresql
    python bench/store.py --most 10000000 --only growth

A commit waits for the disk, so beside each durable number stands the disk's own: one write of 4 KiB and `fdatasync` to
the same folder. Without durability (`synchronous=NORMAL`: safe from kill -9, not from a power cut) only the program is left. The
eight writers are threads of one process, which share transactions, and processes, which cannot. Filling needs about 220 bytes a game.
"""

import argparse
import contextlib
import multiprocessing
import os
import platform
import random
import statistics as middle
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import event, select

from sapper.core.preset import find_preset
from sapper.store import schema
from sapper.store.background_writer import BackgroundWriter
from sapper.store.filters import Filter
from sapper.store.models import GameKind, Result, StoredGame, to_ms
from sapper.store.repository import Store, open_store
from sapper.store.statistics import statistics

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
        writer = BackgroundWriter(store)
        print(
            f"  BackgroundWriter.record, for who plays {shown(times_of(lambda n: writer.record(game(f'b{n}')), count))}"
        )
        writer.close(60)
        if store.address.path is None:
            event.listen(
                store.engine, "connect", lambda connection, _: connection.execute("SET synchronous_commit=off")
            )
        else:
            event.listen(store.engine, "connect", lambda connection, _: connection.execute("PRAGMA synchronous=NORMAL"))
        store.engine.dispose()
        print(f"  record, not waiting for the disk  {shown(times_of(lambda n: store.record(game(f'n{n}')), count))}")


def _write(address: str, name: int, count: int) -> None:
    with open_store(address) as store:
        for number in range(count):
            store.record(game(f"{name}-{number}"))


def writers(address: str, folder: Path, count: int) -> None:
    print(f"\neight writers, {count} games each, every game durable before the next of its writer")
    with open_store(address) as store:
        threads = [
            threading.Thread(target=lambda name=name: [store.record(game(f"t{name}-{n}")) for n in range(count)])
            for name in range(8)
        ]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"  threads:   {8 * count / (time.perf_counter() - began):8.0f} games/s")
    workers = [multiprocessing.Process(target=_write, args=(address, name, count)) for name in range(8)]
    began = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    print(f"  processes: {8 * count / (time.perf_counter() - began):8.0f} games/s")
    print(f"  the disk alone could do {1000 / middle.median(disk(folder, 100)):8.0f} writes/s, one after the other")


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
                0, 0, False, False,
            ))  # fmt: skip
        with store.engine.connect().execution_options(sapper_writes=True) as connection, connection.begin():
            connection.exec_driver_sql(statement, rows)
    for index in schema.games.indexes:
        index.create(store.engine)


COLUMNS = (
    "key", "category", "kind_id", "player_id", "face", "result", "started", "ended", "time_ms", "seed", "moves", "clicks",
    "effective_clicks", "bbbv", "solved_bbbv", "hints", "undos", "restarted", "overlay",
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
    parser.add_argument("--only", choices=("recording", "writers", "growth"), help="one part instead of all")
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
            "writers": lambda: writers(address or str(folder / "writers.db"), folder, options.count // 2),
            "growth": lambda: growth(address or str(folder / "growth.db"), options.most),
        }
        for name, run in parts.items():
            if options.only in (None, name):
                run()


if __name__ == "__main__":
    main()
