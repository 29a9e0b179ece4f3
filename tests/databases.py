"""Fixtures of stores: each test that asks for `address` or `store` runs on SQLite and on PostgreSQL."""

import atexit
import contextlib
import functools
import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from sapper.store.repository import Store, open_store
from tests.postgres import cluster, needed_binaries

_NUMBERS = itertools.count()


@functools.cache
def _postgres() -> str:
    """The address of the databases of one PostgreSQL for all tests of this process, wherever they are; a fixture would start one for each folder."""
    kept = contextlib.ExitStack()
    atexit.register(kept.close)
    return kept.enter_context(cluster(needed_binaries()))


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'a store’s.db'}"
    address: str = request.getfixturevalue("postgres_address")
    return address


@pytest.fixture
def postgres_address() -> str:
    """The address of an empty PostgreSQL database."""
    name, postgres = f"test{next(_NUMBERS)}", _postgres()
    with psycopg.connect(postgres.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres.format(name=name)


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened
