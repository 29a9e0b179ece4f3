"""Brings a database to the newest revision, or says why not.

A database says its revision in a table of its own. An empty one gets the tables of the newest; an older one the revisions that
it lacks, in one transaction, after a copy of the file was made beside it (SQLite); a newer one, and one
with other tables in it, is left as it is.
"""

import contextlib
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, Engine, insert, inspect, select, text
from sqlalchemy.schema import CreateIndex, CreateTable

from sapper.errors import NotAStoreError, StoreError
from sapper.store import social_schema  # noqa: F401  # its tables are the schema's
from sapper.store.engine import BUSY_TIME, PERMISSIONS, WRITES, StoreAddress, file_uri, make_engine, readable_uri
from sapper.store.held_files import drafted, link, sync
from sapper.store.patience import Patience
from sapper.store.schema import APPLICATION_ID, HEAD, INDEXES, METADATA, VERSION_TABLE, VERSIONS

if TYPE_CHECKING:
    from alembic.script import ScriptDirectory

MIGRATIONS = Path(__file__).parent / "migrations"

LEAVING = 3.0
"""Seconds that an older program may take to be gone from a PostgreSQL."""
DAY = 86_400.0
"""Seconds that a step may take, and that a second program waits for the first: longer than any does."""

_LOCK = 0x53415052  # PostgreSQL's advisory locks are numbers


def check_owner(path: Path, *, read_only: bool) -> None:
    """`NotAStoreError` for an SQLite file with tables of another program, before anything of it is changed."""
    if not path.exists() or not path.stat().st_size:
        return
    # Not by `make_engine`: that switches the write-ahead log on, in the file.
    uri = readable_uri(path) if read_only else file_uri(path, "rw")
    connection = sqlite3.connect(uri, uri=True, timeout=BUSY_TIME)
    try:
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    finally:
        connection.close()
    if names and VERSION_TABLE not in names:
        raise NotAStoreError(f"{path}: this is another program's database; it is left unchanged")


def bring_up_to_date(
    engine: Engine,
    address: StoreAddress,
    *,
    read_only: bool,
    permissions: int = PERMISSIONS,
    head: str = HEAD,
    migrations: Path = MIGRATIONS,
) -> Path | None:
    """Take the steps that are missing; the copy that was made first, if one was. `permissions` are those of a file, as in `make_engine`."""
    with engine.connect() as connection:
        revision = _revision(connection, address)
    if revision == head:
        return None
    if read_only:
        raise StoreError(
            f"{address.name}: the store is empty"
            if revision is None
            else f"{address.name}: the store has an older form ({revision}) and may not be written: open it for writing once"
        )
    copy = None
    if revision is not None:
        scripts = _scripts(migrations)
        if revision not in {script.revision for script in scripts.walk_revisions()}:
            raise NotAStoreError(
                f"{address.name}: the store was written by a newer sapper (form {revision}; this one knows {head}): upgrade sapper"
            )
        if address.path is not None:
            copy = _copy(address.path, revision)
    # Each step may take as long as it takes, whoever opens the store.
    engine.dispose()
    patience = Patience(lock=DAY, statement=DAY)
    patient = make_engine(address, read_only=False, patience=patience, permissions=permissions)
    try:
        _take_steps(patient, address, head, migrations)
    finally:
        patient.dispose()
    return copy


def _take_steps(engine: Engine, address: StoreAddress, head: str, migrations: Path) -> None:
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
        # Another process may have been faster.
        revision = _revision(connection, address)
        if revision is None:
            _create(connection)
        elif revision != head:
            _check_alone(connection, address, revision, head)
            _migrate(connection, _scripts(migrations), revision, head)


def _check_alone(connection: Connection, address: StoreAddress, revision: str, head: str) -> None:
    """`StoreError` while programs that know the older form use a PostgreSQL store: they would go on to write that form into the newer tables."""
    if connection.dialect.name != "postgresql":
        return
    until = time.monotonic() + LEAVING
    while count := connection.execute(text(_OTHERS)).scalar():
        if time.monotonic() < until:  # it may have ended a moment ago
            time.sleep(0.1)
            connection.execute(text("SELECT pg_stat_clear_snapshot()"))
            continue
        raise StoreError(
            f"{address.name}: the store has form {revision}, and this sapper would upgrade it to {head}, but an older sapper still uses it "
            f"({count} connections): end all older sapper programs first"
        )


# The programs of all schemas of the database: the older ones, which are looked for, say their form, and not their schema.
_OTHERS = """
SELECT count(*) FROM pg_stat_activity
WHERE datname = current_database() AND application_name LIKE 'sapper%' AND application_name <> current_setting('application_name')
"""


def _revision(connection: Connection, address: StoreAddress) -> str | None:
    """The revision that the database says; None if it is empty."""
    names = set(inspect(connection).get_table_names())
    if VERSION_TABLE in names:
        found = connection.execute(select(VERSIONS.c.version_num)).scalars().all()
        if len(found) != 1:
            raise NotAStoreError(f"{address.name}: the store does not say which form it has; it is left unchanged")
        return str(found[0])
    if names & {"games", "players", "kinds"}:
        raise NotAStoreError(f"{address.name}: this database has tables of another program with our names")
    return None


def _scripts(migrations: Path) -> "ScriptDirectory":
    from alembic.script import ScriptDirectory  # noqa: PLC0415  # a tenth of a second, when there is something to do

    return ScriptDirectory(str(migrations), version_locations=[str(migrations)])


def _create(connection: Connection) -> None:
    """Make the tables of the newest revision: without alembic, whose import alone takes longer."""
    for made in (*METADATA.sorted_tables, VERSIONS):
        connection.execute(CreateTable(made))
        for index in sorted(made.indexes, key=lambda one: INDEXES.index(str(one.name))):
            where = index.info.get(f"{connection.dialect.name}_where")
            if where is not None:
                index.dialect_options[connection.dialect.name]["where"] = text(where)
            connection.execute(CreateIndex(index))
    connection.execute(insert(VERSIONS).values(version_num=HEAD))
    _mark(connection)


def _migrate(connection: Connection, scripts: "ScriptDirectory", revision: str, head: str) -> None:
    from alembic.operations import Operations  # noqa: PLC0415
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415

    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    with Operations.context(context):
        for script in reversed(list(scripts.iterate_revisions(head, revision))):
            script.module.upgrade()
            context.stamp(scripts, script.revision)
    _mark(connection)


def _mark(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(f"PRAGMA application_id={APPLICATION_ID}")


def _copy(path: Path, revision: str) -> Path:
    """Copy a file as it is, with what is in its write-ahead log, under a name that is free. It gets that name when it is whole."""
    copy = path.with_name(f"{path.name}.{revision}.backup")
    try:
        with drafted(copy) as draft:
            with (
                contextlib.closing(sqlite3.connect(path)) as source,
                contextlib.closing(sqlite3.connect(draft)) as target,
            ):
                source.backup(target)
            sync(draft)
            copy = link(draft, f"{path.name}.{revision}", ".backup")
            sync(path.parent)
            return copy
    except OSError as error:
        raise StoreError(f"{copy}: no copy can be made before the upgrade: {error.strerror}") from None
