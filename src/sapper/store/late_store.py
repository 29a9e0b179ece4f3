"""A store that is opened when it is first needed, on the thread that needs it: opening takes longer than a screen or a server may wait."""

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sapper.errors import StoreError

if TYPE_CHECKING:
    from sapper.store.changes import Change
    from sapper.store.models import ListedSession, SavedSession
    from sapper.store.repository import Store


class LateStore:
    """Any thread may use it."""

    def __init__(self, open_it: "Callable[[], Store]") -> None:
        self._open = open_it
        self._opening = threading.Lock()
        self._store: Store | None = None
        self._file: tuple[int, int] | None = None

    def opened(self) -> "Store":
        """The store; `StoreError` also where what it needs is not installed, or its file cannot be had."""
        with self._opening:
            if self._store is None:
                try:
                    self._store = self._open()
                except ModuleNotFoundError as error:
                    raise StoreError(
                        f"{error.name} is not installed: pip install '.[store]' in the clone of sapper"
                    ) from error
                except (OSError, ImportError) as error:
                    raise StoreError(" ".join(str(error).split())) from error
                self._file = self._file_now(self._store)
            return self._store

    def apply(self, changes: "Sequence[Change]") -> list[str]:
        """As `Store.apply`."""
        return self.opened().apply(changes)

    def listed_sessions(self, player: str) -> "list[ListedSession]":
        """As `Store.listed_sessions`."""
        return self.opened().listed_sessions(player)

    def find_session(self, key: str) -> "SavedSession | None":
        """As `Store.find_session`."""
        return self.opened().find_session(key)

    @staticmethod
    def _file_now(store: "Store") -> tuple[int, int] | None:
        from sapper.store.engine import identity  # noqa: PLC0415  # it is imported by then

        return None if store.address.path is None else identity(store.address.path)

    @property
    def is_lost(self) -> bool:
        """True if its file was moved away or replaced since it was opened."""
        return self._store is not None and self._file_now(self._store) != self._file

    def close(self) -> None:
        if self._store is not None:
            self._store.close()
