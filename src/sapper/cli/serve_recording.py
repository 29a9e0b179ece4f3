"""The server's games on their way into a store, while nobody who plays waits for it.

Knows: when a store is opened, and what is logged when something goes wrong with it.
Does not know: what is recorded (see `net.recording`), how (see `store.writer`).
"""

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from sapper.cli.storing import address_of, new_key, now, open_chosen
from sapper.errors import StoreError
from sapper.net.recording import recording_sink
from sapper.net.results import GameSink
from sapper.server.logging import log
from sapper.store.background_writer import BackgroundWriter
from sapper.store.models import StoredGame

if TYPE_CHECKING:
    from sapper.store.repository import Store


class LateStore:
    """A store that is opened when it is first needed, on the thread that needs it."""

    def __init__(self, open_it: "Callable[[], Store]") -> None:
        self._open = open_it
        self._store: Store | None = None

    def record_many(self, games: Sequence[StoredGame]) -> int:
        """Keep games, all or none; `StoreError`, also where what a store needs is not installed."""
        if self._store is None:
            try:
                self._store = self._open()
            except ModuleNotFoundError as error:
                raise StoreError(
                    f"{error.name} is not installed; it comes with: pip install 'sapper[store]'"
                ) from error
        return self._store.record_many(games)

    def close(self) -> None:
        """Let go of it."""
        if self._store is not None:
            self._store.close()


class ServerRecorder:
    """Records a server's games in the background, and logs what goes wrong, once for each reason."""

    def __init__(self, options: dict[str, Any]) -> None:
        """By the options `--database` and `--record/--no-record`.

        A store that was named is opened now, and an error ends the program. The store that nobody named must
        not keep a server from serving: it is opened on the way, and trouble with it is logged.
        """
        database = address_of(options["database"])
        self._reasons: set[str] = set()
        self._late = LateStore(lambda: open_chosen(database))
        if database:
            self._late.record_many(())
        self._writer = BackgroundWriter(self._late, on_trouble=self._hear)

    @property
    def sink(self) -> GameSink:
        """Where the results go."""
        return recording_sink(self._writer.record, now=now, new_key=new_key)

    def close(self) -> None:
        """Keep what is waiting, and say what could not be kept."""
        dropped = self._writer.close()
        self._late.close()
        if dropped:
            log(logging.ERROR, "games not recorded", games=dropped)

    def _hear(self, error: StoreError, waiting: int) -> None:
        if str(error) not in self._reasons:
            self._reasons.add(str(error))
            log(logging.WARNING, "games wait to be recorded", reason=str(error), waiting=waiting)
