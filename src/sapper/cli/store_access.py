"""Which store a command means."""

import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sapper.config.configuration import load
from sapper.errors import NotAStoreError, StoreError

if TYPE_CHECKING:
    from collections.abc import Callable

    from sapper.store.repository import Store


def address_of(database: str | None) -> str | None:
    """The address that is meant; None is the platform's place."""
    return database or load().text("store.database") or None


def open_chosen(database: str | None, *, on_copy: "Callable[[Path], None] | None" = None) -> "Store":
    """The store that is meant, open; made where there is none.

    A copy made before an upgrade is said on stderr, unless `on_copy` hears of it.
    """
    from sapper.store.repository import open_store

    return open_store(address_of(database), on_copy=on_copy or say_copy, permissions=_permissions())


def open_serving(database: str | None) -> "Store":
    """The same for a server, whose players wait: no call of the database takes long."""
    from sapper.store.patience import SERVING
    from sapper.store.repository import open_store

    return open_store(address_of(database), on_copy=say_copy, patience=SERVING, permissions=_permissions())


def _permissions() -> int:
    return int(load().text("store.permissions"), 8)


def open_there(database: str | None, *, to_read: bool = False) -> "Store":
    """`open_chosen` for commands that record nothing: a file that was named and is not there is a mistake, and is not made.

    Where it is only `to_read`, a store that may not be written will do.
    """
    from sapper.store.engine import check_file, find_address, left_of
    from sapper.store.repository import open_store

    place = find_address(address_of(database))
    if database and place.path is not None:
        check_file(place.path, read_only=True)
    try:
        return open_chosen(database)
    except NotAStoreError:
        raise
    except StoreError as error:
        # A read-only or a full disk, another user's file: what is there can be read all the same.
        if not to_read or place.path is None:
            raise
        if not database and not place.path.exists() and left_of(place.path) is None:
            return _empty()  # nothing was recorded, and nothing can be: a home that may only be read
        try:
            return open_store(address_of(database), read_only=True)
        except StoreError:
            raise error from None


def _empty() -> "Store":
    """A store with nothing in it, which goes with this process."""
    import atexit
    import shutil
    import tempfile

    from sapper.store.repository import open_store

    folder = tempfile.mkdtemp(prefix="sapper-empty-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return open_store(Path(folder) / "empty.db")


def say_copy(copy: Path) -> None:
    """Say on stderr where the store is as it was before it was upgraded."""
    click.echo(f"sapper: the store had an older form and was upgraded; as it was before it is in {copy}", err=True)


def new_key() -> str:
    return uuid.uuid4().hex


def now() -> datetime:
    return datetime.now(UTC)
