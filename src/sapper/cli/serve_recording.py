"""The server's games on their way into a store, while nobody who plays waits for it."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from sapper.cli.storing import address_of, open_serving
from sapper.server.logging import log
from sapper.server.outages import OutageLog, say_what_is_lost

if TYPE_CHECKING:
    from sapper.play.ports import LogChain
    from sapper.store.changes import Change

CLOSE_TIME: Final = 5.0
"""Seconds that the end waits for the database."""


class ServerRecorder:
    """Records a server's games: durable before a player is told, in the database soon afterwards."""

    def __init__(self, database: str | None) -> None:
        """A store that was named is opened now, and an error ends the program. The store that nobody named must
        not keep a server from serving: it is opened on the way, and trouble with it is logged.
        """
        from sapper.play.writer import Writer
        from sapper.store.late_store import LateStore

        address = address_of(database)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._late = LateStore(lambda: open_serving(address))
        if address:
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
        chain: "LogChain | None" = None,
    ) -> None:
        """Have a game kept; see `play.ports.GameSink`."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()
        self._writer.put(change, on_durable, is_urgent=is_urgent, chain=chain)

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
