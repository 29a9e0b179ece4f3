"""From an address to a connection, and from a driver's error to one that says what to do.

SQLite: a write-ahead log, so that readers never wait for a writer; every commit reaches the disk before it is said to be
done (`synchronous=FULL`). No call waits for longer than its `Patience`, in either database. A transaction that writes begins as one
(`BEGIN IMMEDIATE`): one that reads first could not become one while another writes.
"""

import atexit
import contextlib
import os
import re
import shutil
import sqlite3
import stat
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import URL, Connection, Engine, ExceptionContext, create_engine, event, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    OperationalError,
    ProgrammingError,
    SQLAlchemyError,
    TimeoutError as PoolTimeoutError,
)
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from sapper.errors import BadChangeError, FullDiskError, NotAStoreError, SlowStoreError, StoreError
from sapper.store.held_files import FLAGS
from sapper.store.patience import AT_LEISURE, Patience

BUSY_TIME: Final = AT_LEISURE.lock
"""Seconds that a writer waits for other processes, if nobody says otherwise."""
PERMISSIONS: Final = 0o600
"""Of the files of a store: saved games hold the mines of running games."""
TURN: Final = 0.002
"""Seconds between two looks whether another process still writes; one that writes much rests for longer between its transactions."""
WRITES: Final = "sapper_writes"
"""The execution option of a connection whose transaction will write."""

# SQLITE_IOERR_SHMSIZE, which Python has no name for: the file beside the database that is mapped into memory.
_NO_ROOM_FOR_SHARED_MEMORY = 10 | 19 << 8
_MAGIC = b"SQLite format 3\0"


class StoreAddress(NamedTuple):
    """Where a store is."""

    url: URL
    path: Path | None
    """The file, if it is one."""

    @property
    def name(self) -> str:
        """What to call it in messages: never with a password."""
        if self.path is not None:
            return str(self.path)
        plain = self.url.difference_update_query([key for key in self.url.query if "password" in key])
        plain = plain.set(drivername="postgresql")
        return plain.render_as_string(hide_password=True)


def default_path() -> Path:
    """The file in the platform's folder for data; SAPPER_DATABASE is no matter of this layer."""
    from platformdirs import user_data_path  # noqa: PLC0415  # only where no address is given

    return user_data_path("sapper", appauthor=False) / "sapper.db"


def find_address(address: str | os.PathLike[str] | None) -> StoreAddress:
    """The place that an address names: a path, `sqlite:///PATH`, `postgresql://USER@HOST/NAME`; None is the default."""
    if address is None:
        address = default_path()
    text = os.fspath(address)
    if "://" not in text and not _LIKE_AN_ADDRESS.match(text):
        path = Path(text).expanduser()
        return StoreAddress(URL.create("sqlite", database=str(path)), path)
    try:
        url = make_url(text)
    except (ArgumentError, ValueError):
        raise StoreError("the address of a store cannot be read: " + _ADDRESSES) from None
    if "@" in (url.host or ""):  # the rest of a password would be said as a part of the host
        raise StoreError("the address of a store cannot be read: an '@' in a password is written as %40")
    backend = url.drivername.partition("+")[0]
    if backend in ("postgresql", "postgres"):
        return StoreAddress(url.set(drivername="postgresql+psycopg"), None)
    if backend == "sqlite":
        if url.host is not None or url.query:
            raise StoreError(
                "the address of a file is sqlite:///PATH, with three slashes (four before an absolute path) and %3F for a '?'"
            )
        if not url.database or url.database == ":memory:":
            raise StoreError("a store in memory keeps nothing: give a file, sqlite:///PATH")
        return StoreAddress(URL.create("sqlite", database=url.database), Path(url.database))
    raise StoreError(f"{backend}: not a place for a store: {_ADDRESSES}")


_LIKE_AN_ADDRESS = re.compile(r"(?:sqlite|postgres|postgresql)(?:\+\w+)?:")
_ADDRESSES = "it is a file's path, sqlite:///PATH, or postgresql://USER@HOST/NAME"


class ClosingPool(QueuePool):
    """Connections of a store that may be closed while calls run on other threads.

    SQLAlchemy's own pool keeps what such a call returns afterwards open for as long as the process runs, and gives later calls new connections.
    """

    _is_closed = False

    def _do_get(self) -> ConnectionPoolEntry:
        if self._is_closed:
            raise StoreError("the store has been closed")
        return super()._do_get()

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        super()._do_return_conn(record)
        if self._is_closed:  # looked at last: either this closes it, or `dispose` finds it
            super().dispose()

    def dispose(self) -> None:
        """Close all connections: those that are in use when they are returned."""
        self._is_closed = True
        super().dispose()


def make_engine(
    address: StoreAddress, *, read_only: bool, patience: Patience = AT_LEISURE, permissions: int = PERMISSIONS
) -> Engine:
    """The engine for a place; nothing is opened yet. A file that is made, or that is ours, has these permissions afterwards."""
    if address.path is None:
        return _postgres_engine(address, patience, read_only=read_only)
    path = address.path
    opened: list[tuple[int, int]] = []

    def check_same() -> None:
        """A file that is moved is written to where it is now, and one that takes its place is not: neither may go unnoticed."""
        if opened and identity(path) != opened[0]:
            raise StoreError(
                f"{path}: the store has been moved away or replaced while it was in use: end this program and start it again"
            )

    def connect() -> sqlite3.Connection:
        if not read_only:
            check_same()
        if not read_only and not opened:
            # Once only: this opens and closes the file, and with that the system drops this process's locks of it. Without those, another
            # program that closes the database takes itself for the last one, and deletes the write-ahead log that is written here.
            set_permissions(path, permissions)
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=patience.lock, check_same_thread=False
        )
        if not read_only and not opened and (found := identity(path)) is not None:
            opened.append(found)
        return connection

    uri = readable_uri(path) if read_only else file_uri(path, "rwc")
    engine = create_engine(address.url, creator=connect, poolclass=ClosingPool, pool_timeout=patience.pool)

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, record: Any) -> None:
        connection.execute("PRAGMA foreign_keys=ON")
        connection.execute("PRAGMA cache_size=-65536")
        if not read_only:
            _use_write_ahead_log(connection)
            connection.execute("PRAGMA synchronous=FULL")
            # What is deleted is overwritten: a player who is forgotten is in no unused page either.
            connection.execute("PRAGMA secure_delete=ON")
        ends = record.info["ends"] = [float("inf")]
        connection.set_progress_handler(lambda: time.monotonic() > ends[0], _STEPS)

    @event.listens_for(engine, "before_cursor_execute")
    def limit(connection: Connection, *_: Any) -> None:
        ends: list[float] = connection.info["ends"]
        ends[0] = time.monotonic() + patience.statement

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        check_same()
        if connection.get_execution_options().get(WRITES):
            _begin_to_write(connection, patience.lock)
        else:
            connection.exec_driver_sql("BEGIN")

    return engine


def _begin_to_write(connection: Connection, patience: float) -> None:
    """Begin a transaction that writes, as soon as no other does.

    SQLite itself asks ever more rarely, up to ten times a second: beside a process that writes one transaction after the other it
    would hardly ever ask between two of them.
    """
    give_up = time.monotonic() + patience
    driver: Any = connection.connection.driver_connection
    driver.execute("PRAGMA busy_timeout=0")
    try:
        while True:
            try:
                connection.exec_driver_sql("BEGIN IMMEDIATE")
            except OperationalError as error:
                is_busy = isinstance(error.orig, sqlite3.Error) and _code(error.orig) == sqlite3.SQLITE_BUSY
                if not is_busy or time.monotonic() > give_up:
                    raise
                time.sleep(TURN)
            else:
                return
    finally:
        driver.execute(f"PRAGMA busy_timeout={round(1000 * patience)}")


def identity(path: Path) -> tuple[int, int] | None:
    """Which file has this name now; None if none has."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


_STEPS = 200_000
"""SQLite's steps between two looks at the clock: some milliseconds."""


READ_ONLY: Final = "25006"
"""PostgreSQL's code for a write in a transaction that only reads."""


def _postgres_engine(address: StoreAddress, patience: Patience, *, read_only: bool) -> Engine:
    engine = create_engine(address.url, poolclass=ClosingPool, pool_pre_ping=True, pool_timeout=patience.pool)

    @event.listens_for(engine, "do_connect")
    def connect(_: object, __: object, args: Any, values: Any) -> Any:
        from sapper.store.postgres import connect  # noqa: PLC0415  # only where there is one

        return connect(patience, *args, **values)

    @event.listens_for(engine, "handle_error")
    def give_up(context: ExceptionContext) -> None:
        """A server that is to be read only says so when a connection begins: those of a pool stay so when it takes writes again."""
        if not read_only and getattr(context.original_exception, "sqlstate", None) == READ_ONLY:
            context.is_disconnect = True

    if patience.idle is not None:
        limit = f"SET LOCAL idle_in_transaction_session_timeout = {round(patience.idle * 1000)}"

        @event.listens_for(engine, "begin")
        def begin(connection: Connection) -> None:
            if connection.get_execution_options().get(WRITES):
                connection.exec_driver_sql(limit)

    return engine.execution_options(postgresql_readonly=True) if read_only else engine


def set_permissions(path: Path, permissions: int) -> None:
    """Make a file that is not there, and give one that is ours no more permissions than these; its companions get the same from SQLite."""
    with contextlib.suppress(OSError):  # SQLite says why not
        handle = os.open(path, os.O_RDWR | os.O_CREAT | FLAGS, permissions)
        try:
            found = os.fstat(handle)
            is_ours = hasattr(os, "geteuid") and found.st_uid == os.geteuid()
            wanted = permissions if permissions != PERMISSIONS else found.st_mode & permissions
            if is_ours and found.st_mode & 0o777 != wanted:
                os.fchmod(handle, wanted)
        finally:
            os.close(handle)
    for suffix in ("-wal", "-shm"):
        with contextlib.suppress(OSError):
            companion = path.with_name(f"{path.name}{suffix}")
            if companion.stat().st_mode & 0o777 & ~permissions:
                companion.chmod(permissions)


def file_uri(path: Path, mode: str) -> str:
    """A file as SQLite is told to open it: `ro`, `rw` or `rwc`."""
    return f"{path.absolute().as_uri()}?mode={mode}"


def readable_uri(path: Path) -> str:
    """A file as SQLite is told to open it where nothing may, or can, be written.

    Reading a write-ahead log takes a file beside the database, which cannot be made on a read-only or a full disk. Where there is no log
    the database is read alone; else database and log are copied to where there is room, and the copy is read. It goes with this process.
    """
    plain = file_uri(path, "ro")
    try:
        connection = sqlite3.connect(plain, uri=True)
        try:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
        finally:
            connection.close()
    except sqlite3.Error as error:
        if _code(error) not in _NOWHERE_TO_WRITE:
            return plain  # whoever opens it hears why
    else:
        return plain
    log = path.with_name(f"{path.name}-wal")
    if not log.exists() or not log.stat().st_size:
        return file_uri(path, "ro&immutable=1")
    for folder in (None, "/dev/shm"):  # noqa: S108  # the folder that is made there is ours alone
        try:
            return file_uri(_copied(path, log, folder), "rw")
        except OSError:
            continue  # no room there either
    return plain


_NOWHERE_TO_WRITE = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)


def _copied(path: Path, log: Path, parent: str | None) -> Path:
    folder = Path(tempfile.mkdtemp(prefix="sapper-store-", dir=parent))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for one in (path, log):
        shutil.copyfile(one, folder / one.name)
    return folder / path.name


def _use_write_ahead_log(connection: sqlite3.Connection) -> None:
    """Two that open a new file at once may get in each other's way here, where SQLite does not wait by itself."""
    give_up = time.monotonic() + BUSY_TIME
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                raise
            time.sleep(0.01)
        else:
            return


def left_of(path: Path) -> Path | None:
    """What is left beside a store whose file is gone; None if there was none."""
    beside = (path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm"))
    return next((one for one in beside if one.exists()), None)


def make_folder(path: Path) -> None:
    """Make the folder of a new store in the platform's place. Any other path was named by somebody, who may have mistyped it."""
    if path == default_path():
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"{path.parent}: the folder cannot be made: {error.strerror}") from None
    elif not path.parent.is_dir():
        raise StoreError(f"{path}: there is no folder {path.parent}: make it, or name another file") from None


def check_file(path: Path, *, read_only: bool) -> None:
    """Whether a store can be in this file; an error that says why not. A file with anything else in it is left alone."""
    try:
        mode = path.stat().st_mode
        # Not opened to see: a pipe would wait for somebody to write.
        if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
            raise NotAStoreError(f"{path}: not a file")
        with path.open("rb") as file:
            start = file.read(len(_MAGIC))
    except FileNotFoundError:
        if read_only:
            raise StoreError(f"{path}: no store: nothing has been recorded there") from None
        if (left := left_of(path)) is not None:
            raise StoreError(
                f"{path}: the store that was here is gone, and {left.relative_to(path.parent)} is still here: put the store back (or a "
                f"back-up, with `sapper store restore`), or move that away to begin a new one"
            ) from None
        make_folder(path)
    except OSError as error:
        raise StoreError(f"{path}: cannot be read: {error.strerror}") from None
    else:
        if start and start != _MAGIC:
            raise NotAStoreError(f"{path}: not a store, or a damaged one; it is left unchanged")


@contextlib.contextmanager
def translated(address: StoreAddress) -> Iterator[None]:
    """Turns a driver's error into one of ours, one line that names the place."""
    try:
        yield
    except DBAPIError as error:
        if _is_of_value(error):
            raise BadChangeError(f"{address.name}: {_line(error.orig)}") from error
        raise translation(address, error.orig) from error
    except sqlite3.Error as error:
        raise translation(address, error) from error
    except PoolTimeoutError as error:
        raise SlowStoreError(f"{address.name}: all connections have been busy for too long") from error
    except SQLAlchemyError as error:
        raise StoreError(f"{address.name}: {_line(error)}") from error


def _is_of_value(error: DBAPIError) -> bool:
    """True if the fault is in a value, so that no other try and no other day would make it good."""
    if isinstance(error, DataError | IntegrityError):
        return True
    # A value that the driver cannot send; but a table that is missing is the database's fault.
    return isinstance(error, ProgrammingError) and ("binding" in str(error.orig) or "adapt" in str(error.orig))


def translation(address: StoreAddress, error: BaseException | None) -> StoreError:
    """What a driver's error comes to."""
    name = address.name
    if isinstance(error, sqlite3.Error):
        code = _code(error)
        if getattr(error, "sqlite_errorcode", 0) == _NO_ROOM_FOR_SHARED_MEMORY:
            code = sqlite3.SQLITE_FULL
        match code:
            case sqlite3.SQLITE_FULL:
                return FullDiskError(f"{name}: the disk is full: nothing was written, and what was there is kept")
            case sqlite3.SQLITE_READONLY:
                return StoreError(f"{name}: the store is read-only")
            case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
                return NotAStoreError(
                    f"{name}: the file is damaged and left unchanged: restore a backup, or recover what is readable with `sqlite3 FILE .recover`"
                )
            case sqlite3.SQLITE_BUSY:
                return StoreError(f"{name}: another process has been writing for too long")
            case sqlite3.SQLITE_INTERRUPT:
                return SlowStoreError(f"{name}: no answer in time")
            case sqlite3.SQLITE_CANTOPEN:
                return StoreError(f"{name}: cannot be opened: no such folder, or not permitted")
            case sqlite3.SQLITE_IOERR:
                return StoreError(f"{name}: the disk does not read or write: {_line(error)}")
            case _:
                pass
    state = getattr(error, "sqlstate", None) or ""
    if state == "53100":
        return FullDiskError(f"{name}: the server's disk is full: nothing was written, and what was there is kept")
    if state == READ_ONLY:
        return StoreError(f"{name}: the store is read-only")
    if state in ("57014", "55P03") or "has not answered" in str(error) or "timeout expired" in str(error):
        return SlowStoreError(f"{name}: {_line(error)}")
    return StoreError(f"{name}: {_line(error)}")


def _code(error: sqlite3.Error) -> int:
    """SQLite's primary error code."""
    return int(getattr(error, "sqlite_errorcode", 0) or 0) & 0xFF


def _line(error: BaseException | None) -> str:
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return lines[0]
