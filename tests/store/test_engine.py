"""Addresses of stores, and what cannot be reached."""

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import psycopg
import pytest

from sapper.errors import FullDiskError, NotAStoreError, StoreError
from sapper.store.backup import restore
from sapper.store.engine import default_path, find_address, translated
from sapper.store.repository import open_store
from tests.stored import stored


def test_another_program_that_comes_and_goes_takes_nothing_away(tmp_path: Path) -> None:
    """The last to close a database empties and deletes its write-ahead log, and who is last is told by locks of files: these are gone
    as soon as a process closes any file of that name, as it would to set permissions for its second connection.
    """
    path = tmp_path / "games.db"
    count = [sys.executable, "-c", "import sqlite3, sys; connection = sqlite3.connect(sys.argv[1]); print(connection.execute('SELECT count(*) FROM games').fetchone()[0]); connection.close()", str(path)]  # fmt: skip
    with open_store(path) as store:
        with store.reading() as one, store.reading() as two:
            for connection in (one, two):
                connection.exec_driver_sql("SELECT 1")
        for number in range(1, 4):
            store.record(stored(f"game {number}"))
            assert int(subprocess.check_output(count, timeout=60)) == number


def test_a_store_that_is_moved_away_or_replaced_is_written_to_no_more(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        store.record(stored("before"))
        path.rename(tmp_path / "moved.db")
        with pytest.raises(StoreError, match="moved away or replaced"):
            store.record(stored("after"))
        open_store(tmp_path / "another.db").close()
        (tmp_path / "another.db").rename(path)
        with pytest.raises(StoreError, match="moved away or replaced"):
            store.record(stored("after"))
        path.unlink()
        (tmp_path / "moved.db").rename(path)
        assert store.record(stored("after"))


def test_a_call_that_runs_when_its_store_is_closed_ends_and_its_connection_is_closed(address: str) -> None:
    """A server's calls run on threads, which go on when the task that waits for them is cancelled."""
    store = open_store(address)
    with store.reading() as connection:
        driver: Any = connection.connection.driver_connection
        store.close()
        assert connection.exec_driver_sql("SELECT 1").scalar() == 1
    with pytest.raises((sqlite3.ProgrammingError, psycopg.OperationalError), match="closed"):
        driver.execute("SELECT 1")
    with pytest.raises(StoreError, match="the store has been closed"):
        store.players()
    store.close()


def test_a_file_by_its_path_or_address(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    assert find_address(path).path == find_address(str(path)).path == find_address(f"sqlite:///{path}").path == path
    assert find_address("~/games.db").path == Path.home() / "games.db"


def test_no_address_is_the_platforms_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert find_address(None).path == default_path()
    assert default_path().name == "sapper.db"
    assert default_path().parent.name == "sapper"


def test_a_password_is_not_shown() -> None:
    address = find_address("postgresql://ann:secret@db.example/games")
    assert address.path is None
    assert "secret" not in address.name
    assert "db.example/games" in address.name
    assert find_address("postgresql://ann:se%40cret@db/games").url.password == "se@cret"
    assert find_address("postgres://db/games").url.drivername == "postgresql+psycopg"
    assert find_address("postgres://db/games?password=secret&port=9").name == "postgresql://db/games?port=9"


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("mysql://db/games", "mysql: not a place for a store"),
        ("postgresql://db:port/games", "the address of a store cannot be read"),
        ("postgresql://ann:se@cret@db/games", r"cannot be read: an '@' in a password is written as %40$"),
        ("sqlite://", "a store in memory keeps nothing"),
        ("sqlite:///:memory:", "a store in memory keeps nothing"),
        ("sqlite://games.db", "the address of a file is sqlite:///PATH, with three slashes"),
        ("sqlite:///games.db?mode=ro", "the address of a file is sqlite:///PATH"),
        ("sqlite:games.db", "the address of a store cannot be read"),
        ("postgresql:db/games", "the address of a store cannot be read"),
    ],
)
def test_an_address_that_is_none(address: str, message: str) -> None:
    with pytest.raises(StoreError, match=message):
        find_address(address)


def test_a_server_that_is_not_there() -> None:
    with pytest.raises(StoreError) as caught:
        open_store("postgresql://ann:secret@127.0.0.1:9/games")
    assert "secret" not in str(caught.value)
    assert str(caught.value).count("\n") == 0


def test_a_path_is_no_address(tmp_path: Path) -> None:
    names = {"a b", "100%25", "what?", "file#1", "-", "sqlite", "a’s"}
    for name in names:
        with open_store(tmp_path / name) as store:
            store.record(stored())
    assert {path.name for path in tmp_path.iterdir()} == names
    for name in names:
        with open_store(tmp_path / name, read_only=True) as store:
            assert len(list(store.games())) == 1


def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(NotAStoreError, match="not a file"):
            open_store(path)
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    with pytest.raises(StoreError, match="cannot be read: Too many levels of symbolic links"):
        open_store(tmp_path / "loop")


def test_a_link_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "file")
    with open_store(tmp_path / "link") as store:
        store.record(stored())
    with open_store(tmp_path / "file") as store:
        assert len(list(store.games())) == 1
    assert (tmp_path / "link").is_symlink()


def test_no_room_beside_the_file_is_a_full_disk(tmp_path: Path) -> None:
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = 4874  # SQLITE_IOERR_SHMSIZE
    with pytest.raises(FullDiskError, match="the disk is full"), translated(find_address(tmp_path / "games.db")):
        raise error


def test_only_the_folder_of_the_usual_place_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("nowhere/games.db", "nowhere/deep/games.db"):
        path = tmp_path / name
        for address in (path, f"sqlite:///{path}"):
            with pytest.raises(StoreError) as caught:
                open_store(address)
            assert str(caught.value) == f"{path}: there is no folder {path.parent}: make it, or name another file"
    source = tmp_path / "games.db"
    open_store(source).close()
    with pytest.raises(StoreError, match="there is no folder"):
        restore(source, tmp_path / "nowhere" / "games.db")
    assert not (tmp_path / "nowhere").exists()
    usual = tmp_path / "data" / "sapper" / "sapper.db"
    monkeypatch.setattr("sapper.store.engine.default_path", lambda: usual)
    open_store(None).close()
    assert usual.parent.stat().st_mode & 0o777 == 0o700
