"""The writer on real disks and databases that are full, away, killed in the middle, or shared with another process."""

import contextlib
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from sapper.core.status import Status
from sapper.errors import FullDiskError
from sapper.play.writer import Writer
from sapper.store.changes import InputLog
from sapper.store.models import SavedSession, SessionState
from sapper.store.patience import SERVING
from sapper.store.repository import open_store
from sapper.store.transfer import export_lines
from tests.postgres import Cluster, needed_binaries, running
from tests.stored import BEGIN, stored

PATIENCE = 60.0
PUT = 100
ROOT = Path(__file__).parents[2]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system with little room."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only who may mount a file system can have one that is full")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _wait_for_trouble(writer: Writer) -> None:
    """What was put is not written, and the writer has found that out."""
    until = time.monotonic() + PATIENCE
    while True:
        assert not writer.flush(0.1)
        if writer.in_trouble:
            return
        assert time.monotonic() < until


def test_a_disk_that_is_full_and_has_room_again(small_disk: Path) -> None:
    troubles: list[Exception] = []
    told: list[str] = []
    with open_store(small_disk / "games.db", patience=SERVING) as store:
        writer = Writer(store, pause=0.05, on_trouble=lambda error, _: troubles.append(error))
        writer.put(stored("before"), lambda: told.append("before"))
        assert writer.flush(PATIENCE)
        filler = small_disk / "filler"
        with contextlib.suppress(OSError), filler.open("wb") as file:
            while True:
                file.write(bytes(4096))
                file.flush()
        for number in range(40):
            writer.put(stored(str(number), record=os.urandom(20_000).hex()), partial(told.append, str(number)))
        _wait_for_trouble(writer)
        assert isinstance(troubles[0], FullDiskError)
        assert {game.key for game in store.games()} == set(told)
        filler.unlink()
        subprocess.run(["mount", "-o", "remount,size=64m", str(small_disk)], check=True)
        assert writer.flush(PATIENCE)
        assert told == ["before", *map(str, range(40))]
        assert {game.key for game in store.games()} == set(told)
        assert (writer.close(PATIENCE), writer.in_trouble, len(troubles)) == (0, False, 1)


def test_a_database_that_is_away_and_comes_back() -> None:
    with running(needed_binaries()) as cluster:
        _away(cluster)


def _away(cluster: Cluster) -> None:
    heard: list[str] = []
    told: list[str] = []
    with open_store(cluster.address.format(name="postgres"), patience=SERVING) as store:
        writer = Writer(
            store, pause=0.1, on_trouble=lambda *_: heard.append("trouble"), on_recovery=lambda: heard.append("well")
        )
        writer.put(SavedSession(key="g", version=4, text="0;", saved=BEGIN))
        writer.put(stored("before"), lambda: told.append("before"))
        assert writer.flush(PATIENCE)
        cluster.stop()
        began = time.monotonic()
        for number in range(PUT):
            state = SessionState(Status.PLAYING)
            writer.put(InputLog(key="g", first=number, count=1, text=f"{number};", saved=BEGIN, state=state))
            writer.put(stored(str(number)), partial(told.append, str(number)))
        assert time.monotonic() - began < 0.1 * PUT, "whoever puts something never waits"
        _wait_for_trouble(writer)
        assert told == ["before"]
        cluster.start()
        assert writer.flush(PATIENCE)
        assert told == ["before", *map(str, range(PUT))]
        found = store.find_session("g")
        assert found is not None
        assert found.text == "0;" + "".join(f"{number};" for number in range(PUT))
        assert heard == ["trouble", "well"]
        assert writer.close(PATIENCE) == 0


_KILLED = """
import sys
from sapper.core.status import Status
from sapper.play.writer import Writer
from sapper.store.changes import InputLog
from sapper.store.models import Result, SavedSession, SessionState
from sapper.store.repository import open_store
from tests.stored import BEGIN, stored

store = open_store(sys.argv[1])
writer = Writer(store, rest=0.0)
state = SessionState(Status.PLAYING)
told = lambda text: lambda: print(text, flush=True)
writer.put(SavedSession(key="g", version=4, text="", saved=BEGIN), told("ready"))
number = 0
while True:
    for _ in range(20):
        writer.put(stored(f"{number}", result=Result.PLAYING), told(f"begin {number}"))
        writer.put(InputLog(key="g", first=number, count=1, text=f"{number};", saved=BEGIN, state=state), told(f"log {number}"))
        writer.put(stored(f"{number}", record="x" * 2000), told(f"end {number}"))
        number += 1
    if not writer.flush(60):
        sys.exit("nothing is written")
"""


@pytest.mark.parametrize("told_before", [100, 101, 333])
def test_what_was_told_is_there_after_a_kill(address: str, told_before: int) -> None:
    open_store(address).close()
    with subprocess.Popen(
        [sys.executable, "-c", _KILLED, address], stdout=subprocess.PIPE, text=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(told_before)]
        process.kill()
        lines += process.stdout.read().splitlines(keepends=True)
    told = [line.split() for line in lines if line.endswith("\n")][1:]
    with open_store(address) as store:
        keys = [game.key for game in store.games()]
        games = {game.key: game.result.value for game in store.games()}
        found = store.find_session("g")
    assert found is not None
    assert len(keys) == len(set(keys))
    for what, number in told:
        assert number in games
        if what == "end":
            assert games[number] == "won"
    kept = found.text.split(";")[:-1]
    assert kept == list(map(str, range(len(kept))))
    assert len(kept) >= sum(what == "log" for what, _ in told)


def test_an_import_into_the_same_store(tmp_path: Path) -> None:
    """Both get on: the writer has its turn between the import's transactions, and the import between the writer's."""
    path, lines = tmp_path / "games.db", tmp_path / "games.jsonl"
    with open_store(tmp_path / "other.db") as other:
        other.record_many(stored(f"imported {number}", record="x" * 500) for number in range(8_000))
        lines.write_text("\n".join(export_lines(other)), encoding="utf-8")
    during = 0
    with open_store(path, patience=SERVING) as store:
        writer = Writer(store)
        words = [sys.executable, "-m", "sapper", "store", "--database", str(path), "import", str(lines)]
        with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
            count = 0
            while process.poll() is None:
                kept = threading.Event()
                writer.put(stored(f"played {count}"), kept.set)
                count += 1
                assert kept.wait(PATIENCE)
                with store.reading() as connection:
                    imported = "SELECT count(*) FROM games WHERE key LIKE 'imported%'"
                    during += 0 < (connection.exec_driver_sql(imported).scalar() or 0) < 8_000
            assert process.stdout is not None
            assert process.stdout.read().startswith("new: 8,000 games")
        assert (writer.close(PATIENCE), len(list(store.games()))) == (0, 8_000 + count)
    assert during > 0
