"""Copies of a store that is an SQLite file, and whether such a file is whole.

A copy is made by SQLite's own backup interface, which takes what is in the write-ahead log with it and is not disturbed by writers. It
is checked before it gets its name. Putting one back is one rename: killed before it, the old store is there, and after it the new one.
So the write-ahead log of the old file is emptied first: one that is left beside another database damages it.
"""

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import Final, NamedTuple

from sapper.errors import HeldStoreError, NotAStoreError, StoreError
from sapper.store.engine import BUSY_TIME, check_file, file_uri, find_address, make_folder, readable_uri, translated
from sapper.store.held_files import drafted, link, sync
from sapper.store.locks import holder_of

_READ_ERRORS: Final = (sqlite3.SQLITE_IOERR_READ, sqlite3.SQLITE_IOERR_SHORT_READ)
_SOURCE_ERRORS: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class BackupCounts(NamedTuple):
    """What is in a copy."""

    games: int
    sessions: int


def backup(path: Path, target: Path) -> BackupCounts:
    """Copy a store; `StoreError` if it cannot be read or the copy cannot be written. A target that is there is left alone."""
    if target.exists():
        raise StoreError(f"{target}: the file exists; give another name or move it away")
    try:
        with drafted(target) as draft:
            _copy(path, draft, target)
            with contextlib.closing(sqlite3.connect(draft)) as copy:
                counts = BackupCounts(
                    *(copy.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("games", "sessions"))  # noqa: S608
                )
            faults = check(draft)
            if faults:
                raise NotAStoreError(f"{path}: the copy is not whole: {faults[0]}")
            sync(draft)
            draft.replace(target)
            sync(target.parent)
    except OSError as error:
        raise StoreError(f"{target}: cannot be written: {error.strerror}") from None
    return counts


def _leave_one_file(path: Path) -> None:
    """Have all that is in the write-ahead log in the database, and the log gone."""
    with contextlib.closing(sqlite3.connect(file_uri(path, "rw"), uri=True, timeout=BUSY_TIME)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")


def _copy(source: Path, draft: Path, target: Path) -> None:
    """Copy a database into a draft of another. An error of reading names the source, any other the target."""
    with translated(find_address(source)):
        one = sqlite3.connect(readable_uri(source), uri=True, timeout=BUSY_TIME)
    with contextlib.closing(one), translated(find_address(target)), contextlib.closing(sqlite3.connect(draft)) as other:
        try:
            one.backup(other)
            other.execute("PRAGMA journal_mode=DELETE")  # it reads the copy, and finds what is damaged in the source
        except sqlite3.Error as error:
            if error.sqlite_errorcode in _READ_ERRORS or error.sqlite_errorcode & 0xFF in _SOURCE_ERRORS:
                with translated(find_address(source)):
                    raise
            raise


def restore(source: Path, path: Path) -> Path | None:
    """Put a copy in the place of a store; where what was there is now. `HeldStoreError` while somebody uses the store."""
    faults = check(source)
    if faults:
        raise NotAStoreError(f"{source}: the store is damaged: {faults[0]}")
    if (holder := holder_of(path)) is not None:
        raise HeldStoreError(f"{path}: {holder}: end it first")
    with translated(find_address(path)):
        is_in_use = path.exists() and _is_in_use(path)
    if is_in_use:
        raise HeldStoreError(f"{path}: this store is in use: end that program first")
    make_folder(path)
    try:
        with drafted(path) as draft:
            _copy(source, draft, path)
            sync(draft)
            kept = _keep(path) if path.exists() else None
            draft.replace(path)
            sync(path.parent)
    except OSError as error:
        raise StoreError(f"{path}: cannot be restored: {error.strerror}") from None
    return kept


def _keep(path: Path) -> Path:
    """Give a store that is to be replaced one more name, after its write-ahead log has been emptied, or moved if it is damaged."""
    is_whole = True
    try:
        _leave_one_file(path)
    except sqlite3.DatabaseError:
        is_whole = False
    kept = link(path, f"{path.name}.before-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}")
    for suffix in () if is_whole else ("-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(kept.with_name(kept.name + suffix))
    return kept


def _is_in_use(path: Path) -> bool:
    """True if another process has the database open: it then cannot be had exclusively."""
    connection = sqlite3.connect(file_uri(path, "rw"), uri=True, timeout=0.2, isolation_level=None)
    try:
        connection.execute("PRAGMA locking_mode=EXCLUSIVE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("ROLLBACK")
    except sqlite3.OperationalError as error:
        return (error.sqlite_errorcode & 0xFF) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    except sqlite3.DatabaseError:
        return False  # it is damaged: that is what one restores for
    finally:
        connection.close()
    return False


def check(path: Path) -> list[str]:
    """What is wrong with a store, a line each; nothing if it is whole. `StoreError` for a file that is none."""
    check_file(path, read_only=True)
    try:
        with contextlib.closing(sqlite3.connect(readable_uri(path), uri=True, timeout=BUSY_TIME)) as connection:
            tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type='table'")}
            if not {"games", "sapper_schema"} <= tables:
                raise NotAStoreError(f"{path}: not a store of sapper")
            found = [line for (line,) in connection.execute("PRAGMA integrity_check(20)") if line != "ok"]
            found += [
                f"a row of {table} refers to a row of {parent} that is not there"
                for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check")
            ]
    except sqlite3.Error as error:
        return [str(error)]
    return found
