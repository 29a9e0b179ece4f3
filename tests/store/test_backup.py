"""A copy has everything; one is put back only where nobody is, with nothing of the old left beside it."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from sapper.cli.store import POSTGRES_BACKUP, POSTGRES_CHECK, POSTGRES_RESTORE
from sapper.errors import FullDiskError, HeldStoreError, NotAStoreError, StoreError
from sapper.store.backup import backup, check, restore
from sapper.store.changes import InputLog
from sapper.store.held_files import drafted
from sapper.store.models import SavedSession, SessionState
from sapper.store.repository import open_store
from tests.postgres import needed_binaries
from tests.stored import BEGIN, many, stored


def _keys(path: Path) -> set[str]:
    with open_store(path) as store:
        return {game.key for game in store.games()}


def test_a_copy_of_a_store_in_use_has_everything(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with open_store(path) as store:
        store.record_many(many(20, 1))
        store.save_sessions([SavedSession(key="saved", version=4, text="0;", saved=BEGIN)])
        store.apply([
            stored("told"),
            InputLog(key="saved", first=0, count=1, text="1;", saved=BEGIN, state=SessionState()),
        ])  # fmt: skip
        assert backup(path, copy) == (21, 1)
        with pytest.raises(StoreError, match="the file exists"):
            backup(path, copy)
        with pytest.raises(HeldStoreError, match="this store is in use"):
            restore(copy, path)
    assert check(copy) == []
    assert copy.stat().st_mode & 0o777 == 0o600
    assert "told" in _keys(copy)
    with open_store(copy) as store:
        assert [(one.text, one.inputs) for one in store.sessions()] == [("0;1;", 1)]


def test_what_is_put_back_is_the_copy_and_nothing_else(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with open_store(path) as store:
        store.record(stored("before"))
    backup(path, copy)
    with open_store(path) as store:
        store.record(stored("after"))
        with (
            store.hold("web", "sapper web"),
            pytest.raises(HeldStoreError, match=r"sapper web has this store: host \S+, process \d+"),
        ):
            restore(copy, path)
    # As a crash leaves it.
    path.with_name("games.db-wal").write_bytes(b"left over")
    kept = restore(copy, path)
    assert kept is not None
    assert not path.with_name("games.db-wal").exists()
    assert _keys(path) == {"before"}
    assert check(path) == []


def _killed(act: str, *paths: Path) -> None:
    """Have a process do something that ends it as a kill does, without a word."""
    program = f"""
import os, sqlite3, sys
from pathlib import Path
from sapper.store import backup, upgrade

def die(*_, **__):
    os._exit(9)

paths = [Path(one) for one in sys.argv[1:]]
{act}
"""
    assert subprocess.run([sys.executable, "-c", program, *map(str, paths)], check=False, timeout=300).returncode == 9


def _copied(path: Path, copy: Path) -> None:
    """A store of which a copy was made before a game."""
    with open_store(path) as store:
        store.record(stored("before"))
    backup(path, copy)
    with open_store(path) as store:
        store.record(stored("after"))


def test_a_restore_that_is_killed_leaves_the_old_store_or_the_new_one(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    _copied(path, copy)
    _killed("Path.replace = die; backup.restore(*paths)", copy, path)
    with open_store(tmp_path / "games.db", read_only=True) as store:
        assert {game.key for game in store.games()} == {"before", "after"}
    _killed("backup.restore(*paths); die()", copy, path)
    assert _keys(path) == {"before"}
    assert check(path) == []
    kept = max(tmp_path.glob("games.db.before-*"), key=lambda one: one.name)
    assert {"before", "after"} <= _keys(kept)
    assert restore(copy, path) is not None
    assert list(tmp_path.glob(".*")) == []


@pytest.mark.parametrize("left", ["games.db-wal", "games.db-shm"])
def test_a_store_that_is_gone_is_no_new_store(tmp_path: Path, left: str) -> None:
    path = tmp_path / "games.db"
    (tmp_path / left).touch()
    with pytest.raises(StoreError, match=f"the store that was here is gone, and {left} is still here"):
        open_store(path)
    assert not path.exists()
    (tmp_path / left).unlink()
    open_store(path).close()


def test_what_a_killed_copy_left_goes_with_the_next_one(tmp_path: Path) -> None:
    path, copy, other = tmp_path / "games.db", tmp_path / "copy.db", tmp_path / "other.db"
    with open_store(path) as store:
        store.record_many(many(20, 1))
    _killed("backup.check = die; backup.backup(*paths)", path, copy)
    (draft,) = tmp_path.glob(".copy.db.*.part")
    assert draft.stat().st_mode & 0o777 == 0o600
    with drafted(tmp_path / "third.db") as held:
        assert not draft.exists()
        subprocess.run([sys.executable, "-m", "sapper", "store", "--database", path, "backup", other], check=True)
        assert held.exists()  # its process lives
    assert list(tmp_path.glob(".*")) == []
    assert check(other) == []


def test_a_second_holder_is_told_who_is_the_first(address: str) -> None:
    with open_store(address) as one, open_store(address) as other, one.hold("web", "sapper web") as lock:
        with pytest.raises(HeldStoreError, match=r"sapper web already uses this store: host \S+, process \d+"):
            other.hold("web", "sapper web")
        assert lock.is_held
        lock.release()
        other.hold("web", "sapper web").release()


def test_a_damaged_file_is_no_whole_store(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        store.record_many(many(500, 1))
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 3000] = bytes(3000)
    path.write_bytes(data)
    assert check(path)
    with pytest.raises(NotAStoreError, match="the store is damaged"):
        restore(path, tmp_path / "other.db")


def test_a_full_disk_is_said_of_the_file_that_was_to_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy.db"
    with open_store(path) as store:
        store.record_many(many(20, 1))
    backup(path, copy)
    keys = _keys(path)
    connect = sqlite3.connect

    def connect_to_a_full_disk(database: Any, **how: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(database, **how)
        if str(database).endswith(".part"):
            # SQLite's own limit on the file's size fails as a disk without room does.
            connection.execute("PRAGMA max_page_count=3")
        return connection

    monkeypatch.setattr(sqlite3, "connect", connect_to_a_full_disk)
    with pytest.raises(FullDiskError, match=r"other\.db: the disk is full"):
        backup(path, tmp_path / "other.db")
    with pytest.raises(FullDiskError, match=r"games\.db: the disk is full"):
        restore(copy, path)
    monkeypatch.undo()
    assert _keys(path) == keys
    assert [one.name for one in tmp_path.iterdir() if ".part" in one.name or one.name == "other.db"] == []
    with pytest.raises(StoreError, match="cannot be opened"):
        restore(copy, tmp_path)  # a folder
    damaged = bytearray(path.read_bytes())
    damaged[100:200] = bytes(100)  # the head of the first page
    (tmp_path / "damaged.db").write_bytes(damaged)
    with pytest.raises(StoreError, match=r"damaged\.db"):
        backup(tmp_path / "damaged.db", tmp_path / "other.db")


def test_the_tools_that_are_named_for_postgresql_do_it(postgres_address: str, tmp_path: Path) -> None:
    file = tmp_path / "sapper.dump"
    tools = {**os.environ, "PATH": f"{needed_binaries()}{os.pathsep}{os.environ['PATH']}"}

    def run(command: str, options: str = "") -> None:
        words = command.replace("DATABASE", f"{options}'{postgres_address}'").replace("FILE", f"'{file}'")
        subprocess.run(["sh", "-c", words], check=True, env=tools, timeout=300)

    with open_store(postgres_address) as store:
        store.record_many(many(20, 1))
    run(POSTGRES_BACKUP)
    with open_store(postgres_address) as store:
        store.record(stored("later"))
    run(POSTGRES_RESTORE)  # over a store that has gone on
    with psycopg.connect(postgres_address, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    run(POSTGRES_RESTORE)  # into an empty one
    run(POSTGRES_CHECK, "--schema=public ")  # PostgreSQL's own tables take seconds
    with open_store(postgres_address) as store:
        assert {game.key for game in store.games()} == {game.key for game in many(20, 1)}
