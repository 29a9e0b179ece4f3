"""Who may have a store, or a part of it, to themselves: one process at a time, and who that is.

SQLite: a file beside the database, locked (`held_files`) for as long as its process lives, with host and process number in it. PostgreSQL:
an advisory lock of a connection that is kept for it, whose name (`application_name`) says host and process number. Both are gone with
their process, however it ends; no clock is asked.
"""

import contextlib
import hashlib
import os
import socket
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Protocol, Self

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError

from sapper.errors import HeldStoreError, StoreError
from sapper.store.engine import StoreAddress, identity, translated
from sapper.store.held_files import FLAGS, close_and_remove, is_same, read_at, try_lock, write_at

_CLASS: Final = 0x5341
"""The first number of our advisory locks; the second is made from the name."""


class StoreLock(Protocol):
    """A name that is held."""

    @property
    def is_held(self) -> bool:
        """False if the store, or the file that is locked, is another one now."""

    def release(self) -> None:
        """Let go of it."""

    def __enter__(self) -> Self:
        """Hold it for a block."""

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Let go of it."""


def hold(engine: Engine, address: StoreAddress, name: str, what: str) -> StoreLock:
    """Hold a name; `HeldStoreError` if somebody else does. `what` is said to others: `sapper web`."""
    who = f"{what} {socket.gethostname()[:30]} {os.getpid()}"
    if address.path is not None:
        return _FileLock(address, name, who)
    return _AdvisoryLock(engine, address, name, who)


def _held(address: StoreAddress, who: str) -> HeldStoreError:
    *what, host, number = who.split() if len(who.split()) > 2 else ("another program", "an unknown host", "unknown")
    holder = f"host {host}, process {number}"
    return HeldStoreError(f"{address.name}: {' '.join(what)} already uses this store: {holder}", holder=holder)


class _Held:
    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.release()

    def release(self) -> None:
        raise NotImplementedError


class _FileLock(_Held):
    """A file that is locked."""

    def __init__(self, address: StoreAddress, name: str, who: str) -> None:
        assert address.path is not None
        self._path = address.path.with_name(f"{address.path.name}.{name}.lock")
        self._store = address.path
        self._identity = identity(address.path)
        self._handle = -1
        try:
            self._open(address, who)
        except OSError as error:
            raise StoreError(f"{self._path}: cannot be locked: {error.strerror}") from None

    def _open(self, address: StoreAddress, who: str) -> None:
        while True:
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT | FLAGS, 0o600)
            if not try_lock(handle):
                found = read_at(handle, 200, 0).decode(errors="replace")
                os.close(handle)
                raise _held(address, found)
            if is_same(handle, self._path):
                break
            os.close(handle)  # its holder has just let go of it, and it is another file now
        self._handle = handle
        with contextlib.suppress(OSError):  # a full disk: it is locked all the same
            os.ftruncate(handle, 0)
            write_at(handle, f"{who}\n".encode(), 0)

    @property
    def is_held(self) -> bool:
        """The lock of a file stays; but the file, or the store beside it, may be another one now."""
        return is_same(self._handle, self._path) and identity(self._store) == self._identity

    def release(self) -> None:
        """Let go of it; the file goes too."""
        if self._handle >= 0:
            if is_same(self._handle, self._path):
                close_and_remove(self._handle, self._path)
            else:
                os.close(self._handle)  # the file of that name is another process's
            self._handle = -1


def holder_of(path: Path, name: str = "web") -> str | None:
    """Who holds a name in the store that is this file, in words; None if nobody does."""
    try:
        handle = os.open(path.with_name(f"{path.name}.{name}.lock"), os.O_RDWR | FLAGS)
    except OSError:
        return None
    try:
        if try_lock(handle):
            return None
        *what, host, number = (read_at(handle, 200, 0).decode(errors="replace").split() + ["?"] * 3)[:4]
        return f"{' '.join(what)} has this store: host {host}, process {number}"
    finally:
        os.close(handle)


class _AdvisoryLock(_Held):
    """An advisory lock of PostgreSQL, and the connection that holds it."""

    def __init__(self, engine: Engine, address: StoreAddress, name: str, who: str) -> None:
        self._engine = engine
        self._address = address
        self._who = who[:63]
        self._number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big", signed=True)
        self._connection: Connection | None = None
        with translated(address):
            holder = self._take()
        if holder is not None:
            raise _held(address, holder)

    def _take(self) -> str | None:
        connection = self._engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        values: dict[str, Any] = {"class": _CLASS, "number": self._number}
        try:
            # The schema is a part of it: two stores may lie in two schemas of one database.
            taken = connection.execute(text(_TAKE), values).scalar()
            if taken:
                connection.execute(text("SELECT set_config('application_name', :who, false)"), {"who": self._who})
                self._connection = connection
                return None
            found = connection.execute(text(_HOLDER), values).scalar()
        except BaseException:
            connection.invalidate()
            connection.close()
            raise
        connection.close()
        return str(found or "")

    @property
    def is_held(self) -> bool:
        """It is not asked: who does something that lasts holds nothing here (`store.appending`)."""
        return self._connection is not None

    def release(self) -> None:
        """Let go of it, and of the connection.

        The lock is given back first: of a connection that is closed the server hears a moment later, in which nobody could have it.
        """
        if self._connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                self._connection.execute(text(_RELEASE), {"class": _CLASS, "number": self._number}).close()
        self._drop()

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with contextlib.suppress(SQLAlchemyError):
                connection.invalidate()
                connection.close()


_TAKE: Final = "SELECT pg_try_advisory_lock(:class, :number # hashtext(current_schema()))"
_RELEASE: Final = "SELECT pg_advisory_unlock(:class, :number # hashtext(current_schema()))"
_HOLDER: Final = """
SELECT activity.application_name FROM pg_locks AS locks JOIN pg_stat_activity AS activity USING (pid)
WHERE locks.locktype = 'advisory' AND locks.granted AND locks.classid = :class
  AND locks.objid::bigint = (:number # hashtext(current_schema()))::bigint & 4294967295
  AND locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
