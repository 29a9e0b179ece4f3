"""The server's games on their way into a store, while nobody who plays waits for it.

Knows: when a store is opened, and what is logged when something goes wrong with it.
Does not know: what is recorded (see `play.played_game`), how (see `play.writer`).
"""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from sapper.cli.storing import address_of, open_serving
from sapper.errors import StoreError
from sapper.server.logging import log
from sapper.server.outages import OutageLog, say_what_is_lost

if TYPE_CHECKING:
    from sapper.store.changes import Change
    from sapper.store.repository import Store

CLOSE_TIME: Final = 5.0
"""Seconds that the end waits for the database."""


class LateStore:
    """A store that is opened when it is first needed, on the thread that needs it."""

    def __init__(self, open_it: "Callable[[], Store]") -> None:
        self._open = open_it
        self._store: Store | None = None
        self._file: tuple[int, int] | None = None

    def apply(self, changes: "Sequence[Change]") -> list[str]:
        """Keep changes, all or none; `StoreError`, also where what a store needs is not installed."""
        return self._there().apply(changes)

    def _there(self) -> "Store":
        if self._store is None:
            try:
                self._store = self._open()
            except ModuleNotFoundError as error:
                raise StoreError(f"{error.name} is not installed: pip install 'sapper[store]'") from error
            self._file = self._file_now(self._store)
        return self._store

    @staticmethod
    def _file_now(store: "Store") -> tuple[int, int] | None:
        from sapper.store.engine import identity

        return None if store.address.path is None else identity(store.address.path)

    @property
    def is_lost(self) -> bool:
        """Whether its file was moved away or replaced since it was opened."""
        return self._store is not None and self._file_now(self._store) != self._file

    def close(self) -> None:
        """Let go of it."""
        if self._store is not None:
            self._store.close()


class ServerRecorder:
    """Records a server's games: durable before a player is told, in the database soon afterwards."""

    def __init__(self, options: dict[str, Any]) -> None:
        """By the options `--database` and `--record/--no-record`.

        A store that was named is opened now, and an error ends the program. The store that nobody named must
        not keep a server from serving: it is opened on the way, and trouble with it is logged.
        """
        from sapper.play.writer import Writer

        database = address_of(options["database"])
        self._loop: asyncio.AbstractEventLoop | None = None
        self._late = LateStore(lambda: open_serving(database))
        if database:
            self._late.apply(())
        self._log = OutageLog("games wait to be recorded", "games are recorded again")
        self._writer = Writer(
            self._late, on_trouble=self._log.begin, on_recovery=self._log.end, tell=self._tell,
            on_fault=lambda error: log(logging.ERROR, "a game cannot be kept", reason=repr(error)),
        )  # fmt: skip

    def put(
        self,
        change: "Change | Callable[[], Change | None]",
        on_durable: Callable[[], None] | None = None,
        /,
        *,
        is_urgent: bool = True,
    ) -> None:
        """Have a game kept; see `play.ports.GameSink`."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        self._writer.put(change, on_durable, is_urgent=is_urgent)

    def _tell(self, calls: Sequence[Callable[[], None]]) -> None:
        """On the writer's thread: all that is durable now, in one call of the loop."""
        from sapper.play.writer import call_each

        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # it is closed: nobody waits any more
                self._loop.call_soon_threadsafe(call_each, calls)

    def close(self) -> bool:
        """Keep what is waiting, and say what could not be kept; whether all is well: nothing was lost, and the store is where it was."""
        dropped = self._writer.close(CLOSE_TIME)
        is_lost = self._late.is_lost
        self._late.close()
        say_what_is_lost(dropped)
        if is_lost:
            log(logging.ERROR, "the store was moved away or replaced while this server used it")
        return not dropped and not is_lost
