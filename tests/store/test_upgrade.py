"""Older stores are brought up to date, with a copy first; newer ones and others' are left alone."""

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.schema import CreateTable

from sapper.errors import NotAStoreError, StoreError
from sapper.store import postgres, upgrade
from sapper.store.engine import find_address, make_engine
from sapper.store.patience import SERVING
from sapper.store.repository import open_store
from sapper.store.schema import HEAD, METADATA, VERSION_TABLE
from sapper.store.upgrade import MIGRATIONS, bring_up_to_date
from tests.stored import many

_LATER = f'''"""A later form: games have a comment."""

import sqlalchemy as sa
from alembic import op

revision = "later"
down_revision = "{HEAD}"


def upgrade() -> None:
    op.add_column("games", sa.Column("comment", sa.Text))
    op.execute("UPDATE games SET comment = 'before'")
'''


def _later(folder: Path, text: str = _LATER) -> Path:
    """Migrations with one more than there is."""
    migrations = folder / "migrations"
    shutil.copytree(MIGRATIONS, migrations, ignore=shutil.ignore_patterns("__pycache__"))
    (migrations / "later.py").write_text(text, encoding="utf-8")
    return migrations


def _upgrade(address: str, migrations: Path, *, head: str = "later") -> Path | None:
    found = find_address(address)
    engine = make_engine(found, read_only=False)
    try:
        return bring_up_to_date(engine, found, read_only=False, head=head, migrations=migrations)
    finally:
        engine.dispose()


def test_the_newest_revision_is_the_one_that_is_known() -> None:
    assert ScriptDirectory(str(MIGRATIONS), version_locations=[str(MIGRATIONS)]).get_heads() == [HEAD]


def test_other_tables_have_another_form() -> None:
    """A store is opened by the name of its form alone: who changes a table changes `HEAD`, and then this digest."""
    tables = "".join(str(CreateTable(table)) for table in METADATA.sorted_tables)
    digest = hashlib.sha256(tables.encode()).hexdigest()[:16]
    assert (HEAD, digest) == ("two", "cb19bf6ad5df2162")


def test_the_tables_that_are_made_are_those_that_the_code_uses(address: str) -> None:
    with open_store(address) as store, store.engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, METADATA) == []


def test_an_older_store_is_copied_and_upgraded(address: str, tmp_path: Path) -> None:
    games = many(20, 7)
    with open_store(address) as store:
        store.record_many(games)
    copy = _upgrade(address, _later(tmp_path))
    engine = make_engine(find_address(address), read_only=False)
    with engine.connect() as connection:
        comments = connection.exec_driver_sql("SELECT comment FROM games").scalars().all()
    engine.dispose()
    assert comments == ["before"] * 20
    if address.startswith("sqlite"):
        assert copy is not None
        assert copy.name == f"a store’s.db.{HEAD}.backup"
        with open_store(copy) as before:
            assert list(before.games()) == games
    else:
        assert copy is None
    assert _upgrade(address, tmp_path / "migrations") is None


def test_a_store_is_not_upgraded_under_a_running_program(
    postgres_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrations = _later(tmp_path)
    with open_store(postgres_address) as running:
        running.record_many(many(5, 9))
        monkeypatch.setattr(postgres, "HEAD", "later")
        monkeypatch.setattr(upgrade, "LEAVING", 0.3)
        with pytest.raises(StoreError, match=r"an older sapper still uses it \(1 connections\): end all older"):
            _upgrade(postgres_address, migrations)
        running.record_many(many(5, 10))
    monkeypatch.setattr(upgrade, "LEAVING", 60.0)
    assert _upgrade(postgres_address, migrations) is None


def test_whoever_opens_an_older_store_waits_for_a_day(postgres_address: str, tmp_path: Path) -> None:
    """A second program waits for the first, and the first for each of its steps."""
    with open_store(postgres_address) as store:
        store.record_many(many(1, 3))
    limits = "current_setting('lock_timeout') || ' ' || current_setting('statement_timeout')"
    assert _upgrade(postgres_address, _later(tmp_path, _LATER.replace("'before'", limits))) is None
    engine = make_engine(find_address(postgres_address), read_only=False)
    with engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT comment FROM games").scalar() == "1d 1d"
    engine.dispose()


@pytest.mark.parametrize("is_new", [True, False])
def test_the_files_have_the_permissions_that_are_asked_for(tmp_path: Path, *, is_new: bool) -> None:
    """From the first moment, whether they are made or upgraded."""
    path = tmp_path / "games.db"
    found, head, migrations = find_address(path), HEAD, MIGRATIONS
    if not is_new:
        open_store(path).close()
        head, migrations = "later", _later(tmp_path)
    engine = make_engine(found, read_only=False, permissions=0o660)
    bring_up_to_date(engine, found, read_only=False, permissions=0o660, head=head, migrations=migrations)
    with engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM notes")
        modes = {
            one.name: oct(one.stat().st_mode & 0o777) for one in tmp_path.glob("games.db*") if "backup" not in one.name
        }
    engine.dispose()
    assert modes == dict.fromkeys(["games.db", "games.db-wal", "games.db-shm"], "0o660")


def test_a_new_store_has_its_permissions_at_once(tmp_path: Path) -> None:
    with open_store(tmp_path / "games.db", permissions=0o660) as store:
        store.record_many(many(1, 3))
        assert {one.stat().st_mode & 0o777 for one in tmp_path.glob("games.db*")} == {0o660}


def test_an_upgrade_takes_as_long_as_it_takes(
    postgres_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_store(postgres_address).close()
    migrations = _later(tmp_path, _LATER + '    op.execute("SELECT pg_sleep(0.5)")\n')
    found = find_address(postgres_address)
    engine = make_engine(found, read_only=False, patience=replace(SERVING, statement=0.1))
    assert bring_up_to_date(engine, found, read_only=False, head="later", migrations=migrations) is None
    engine.dispose()


def test_a_newer_store_is_refused_and_left_alone(address: str, tmp_path: Path) -> None:
    open_store(address).close()
    _upgrade(address, _later(tmp_path))
    with pytest.raises(NotAStoreError, match=rf"written by a newer sapper \(form later; this one knows {HEAD}\)"):
        open_store(address)
    assert _upgrade(address, tmp_path / "migrations") is None


def test_an_upgrade_that_fails_changes_nothing(address: str, tmp_path: Path) -> None:
    games = many(5, 8)
    with open_store(address) as store:
        store.record_many(games)
    broken = _later(tmp_path, _LATER + "    raise KeyboardInterrupt\n")
    with pytest.raises(KeyboardInterrupt):
        _upgrade(address, broken)
    with open_store(address) as store:
        assert list(store.games()) == games


def test_a_copy_that_was_not_finished_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()

    def fail(path: Path) -> None:
        raise KeyboardInterrupt(path)

    monkeypatch.setattr("sapper.store.upgrade.sync", fail)
    with pytest.raises(KeyboardInterrupt, match="part"):
        _upgrade(str(path), _later(tmp_path))
    assert list(tmp_path.glob("*.backup")) == []


def test_copies_never_take_the_place_of_copies(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    open_store(path).close()
    (tmp_path / f"games.db.{HEAD}.backup").write_text("precious", encoding="utf-8")
    copy = _upgrade(str(path), _later(tmp_path))
    assert copy == tmp_path / f"games.db.{HEAD}-1.backup"
    assert (tmp_path / f"games.db.{HEAD}.backup").read_text(encoding="utf-8") == "precious"


def test_what_may_only_be_read_is_not_upgraded(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    path.touch()
    with pytest.raises(StoreError, match="the store is empty"):
        open_store(path, read_only=True)
    open_store(path).close()
    found = find_address(path)
    engine = make_engine(found, read_only=True)
    with pytest.raises(StoreError, match="older form"):
        bring_up_to_date(engine, found, read_only=True, head="later", migrations=_later(tmp_path))
    engine.dispose()


def test_a_store_that_does_not_say_its_form(address: str) -> None:
    with open_store(address) as store, store.engine.begin() as connection:
        connection.exec_driver_sql(f"DELETE FROM {VERSION_TABLE}")
    with pytest.raises(NotAStoreError, match="does not say which form"):
        open_store(address)


def test_a_database_with_tables_of_our_names(address: str) -> None:
    engine = make_engine(find_address(address), read_only=False)
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE games (x INTEGER)")
    engine.dispose()
    with pytest.raises(NotAStoreError):
        open_store(address)
