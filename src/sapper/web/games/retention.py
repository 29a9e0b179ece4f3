"""Clears the store of games that nobody comes back to: a cookie that was thrown away leaves its games behind for ever.

A saved game lies on one of three shelves, and is dropped some days after it was played last. Games in memory stay: somebody may be
looking at them.

Knows: the shelves, how long each is kept, how often they are looked at.
Does not know: databases; how a game is dropped.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.server.logging import log, log_failure
from sapper.store.models import OldSession

READY: Final = "web ready"
"""Games that were never begun, or started over."""
PLAYING: Final = "web playing"
ENDED: Final = "web ended"
"""Games that have ended, where the server ended soon afterwards: there is nothing to go on with."""

ENDED_DAYS: Final = 1
"""Days that those are kept for who comes back to see them."""
FIRST: Final = 5.0
"""Seconds after the start before the first look: players who come back then come first."""
EVERY: Final = 3600.0
"""Seconds between two looks."""
AT_ONCE: Final = 200
"""Games that are dropped together."""
PAUSE: Final = 0.5
"""Seconds between those and the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """For how many days saved games are kept; 0 is for ever."""

    ready: int = 7
    """Games that were not begun."""
    playing: int = 365
    """Games that were, and have not ended."""


class RetentionStore(Protocol):
    """Where saved games are."""

    def old_sessions(
        self, shelf: str, before: datetime, *, after: OldSession | None = None, most: int = AT_ONCE
    ) -> list[OldSession]:
        """What has lain on a shelf since before some time, the oldest first."""


def shelf_of(status: Status) -> str:
    """Where a game that stands so is put."""
    return ENDED if status.ended else READY if status is Status.READY else PLAYING


class RetentionTask:
    """Looks at the shelves from time to time."""

    def __init__(
        self,
        store: RetentionStore,
        keep: RetentionPolicy,
        *,
        now: Callable[[], datetime],
        drop: Callable[[OldSession], Awaitable[None]],
    ) -> None:
        """`drop` forgets a game, unless it is in memory."""
        self._store = store
        self._days = {READY: keep.ready, PLAYING: keep.playing, ENDED: ENDED_DAYS}
        self._now = now
        self._drop = drop

    async def run(self) -> None:
        """Clear soon, and then again and again."""
        await asyncio.sleep(FIRST)
        while True:
            try:
                await self.clear()
            except StoreError as error:
                log(logging.WARNING, "old games cannot be looked for now", reason=str(error))
            except Exception:  # noqa: BLE001  # the next look is another one
                log_failure("a mistake while old games were looked for")
            await asyncio.sleep(EVERY)

    async def clear(self) -> None:
        """Have all dropped that is too old. `StoreError` if it cannot be looked for."""
        for shelf, days in self._days.items():
            if days:
                await self._clear(shelf, self._now() - timedelta(days=days))

    async def _clear(self, shelf: str, before: datetime) -> None:
        last: OldSession | None = None
        while True:
            found = await asyncio.to_thread(self._store.old_sessions, shelf, before, after=last, most=AT_ONCE)
            for one in found:
                await self._drop(one)
            if len(found) < AT_ONCE:
                return
            last = found[-1]
            await asyncio.sleep(PAUSE)
