"""Which store a command means.

Knows: what --database and the setting `store.database` mean, how a game gets its key and its date.
Does not know: what is recorded.
"""

import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sapper.config.configuration import load

if TYPE_CHECKING:
    from sapper.store.store import Store


def address_of(database: str | None) -> str | None:
    """The address that is meant; None is the platform's place."""
    return database or load().text("store.database") or None


def open_chosen(database: str | None, *, read_only: bool = False) -> "Store":
    """The store that is meant, open. A copy made before an upgrade is said on stderr."""
    from sapper.store.store import open_store

    return open_store(address_of(database), read_only=read_only, on_copy=_say_copy)


def _say_copy(copy: Path) -> None:
    click.echo(f"sapper: the store had an older form and was upgraded; as it was before it is in {copy}", err=True)


def new_key() -> str:
    """A key that no other game has."""
    return uuid.uuid4().hex


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)
