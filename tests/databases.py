"""Fixtures of stores: each test that asks for `address` or `store` runs on SQLite and on PostgreSQL."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from sapper.store.repository import Store, open_store
from tests.postgres import cluster, needed_binaries

_NUMBERS = itertools.count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    with cluster(needed_binaries()) as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'a store’s.db'}"
    address: str = request.getfixturevalue("postgres_address")
    return address


@pytest.fixture
def postgres_address(postgres: str) -> str:
    """The address of an empty PostgreSQL database."""
    name = f"test{next(_NUMBERS)}"
    with psycopg.connect(postgres.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres.format(name=name)


@pytest.fixture
def store(address: str) -> Iterator[Store]:
    with open_store(address) as opened:
        yield opened
