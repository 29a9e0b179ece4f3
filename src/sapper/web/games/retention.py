"""Clears the store of games that nobody comes back to: a cookie that was thrown away leaves its games behind forever.

How long a saved game is kept depends on how it stands; it is dropped some days after it was played last. Games in memory stay: somebody may be
looking at them. Somebody may have come back to one in another process: the database looks again when it drops it.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.server.logging import log, log_failure
from sapper.store.changes import SessionDrop
from sapper.store.models import CLOCK, DOUBTED, TRUSTED, OldSession, from_ms

RETENTION: Final = "web"
"""The retention class of the web's games."""
READY: Final = (Status.READY,)
"""Games that were never begun, or started over."""
PLAYING: Final = (Status.PLAYING,)
ENDED: Final = tuple(status for status in Status if status.ended)
"""Games that have ended, where the server ended soon afterwards: there is nothing to go on with."""

ENDED_DAYS: Final = 1
"""Days that those are kept for who comes back to see them."""
FIRST: Final = 5.0
"""Seconds after the start before the first look: players who come back then come first."""
EVERY: Final = 3600.0
"""Seconds between two looks."""
ABSENCE_DAYS: Final = 30
"""So many days after the last write of a store a clock may be wrong."""
JUMP: Final = 86_400.0
"""Seconds by which a clock may differ from one that nobody sets."""
AT_ONCE: Final = 200
"""Games that are dropped together."""
PAUSE: Final = 0.5
"""Seconds between those and the next."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RetentionPolicy:
    """For how many days saved games are kept; 0 is forever."""

    ready: int = 7
    """Games that were not begun."""
    playing: int = 365
    """Games that were, and have not ended."""


class RetentionStore(Protocol):
    """Where saved games are."""

    def old_sessions(
        self, retention: str, statuses: Collection[Status], before: datetime, *, after: OldSession | None = None,
        most: int = AT_ONCE,
    ) -> list[OldSession]:  # fmt: skip
        """Games of a retention class that stand so and were saved last before some time, the one begun first first."""

    def last_write(self) -> datetime | None:
        """The latest time that anything in the store has."""

    def find_note(self, name: str) -> str | None:
        """What an operator, or a server before this one, has noted."""

    def note(self, name: str, value: str) -> None:
        """Note something."""


class RetentionTask:
    """Drops old games from time to time."""

    def __init__(
        self,
        store: RetentionStore,
        keep: RetentionPolicy,
        *,
        now: Callable[[], datetime],
        drop: Callable[[OldSession, SessionDrop], Awaitable[None]],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """`monotonic` gives seconds that no one sets. `drop` forgets a game, unless it is in memory."""
        self._store = store
        self._days = {READY: keep.ready, PLAYING: keep.playing, ENDED: ENDED_DAYS}
        self._now = now
        self._drop = drop
        self._monotonic = monotonic
        self._begin: tuple[datetime, float] | None = None

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
        """Have all dropped that is too old, unless the clock may be wrong. `StoreError` if it cannot be looked for."""
        doubt = await asyncio.to_thread(self._doubt)
        if doubt is not None:
            log(
                logging.WARNING,
                "old games are not cleared",
                reason=doubt,
                then="if this clock is right: sapper store trust-clock",
            )
            return
        for statuses, days in self._days.items():
            if days:
                await self._clear(statuses, self._now() - timedelta(days=days))

    def _doubt(self) -> str | None:
        """Why the clock may be wrong; None if nothing says so. A doubt is noted in the store, and stays until an operator takes it away."""
        now, ticks = self._now(), self._monotonic()
        noted = self._store.find_note(CLOCK) or ""
        if noted.startswith(DOUBTED):
            return noted.removeprefix(DOUBTED)
        doubt = None
        if self._begin is None:
            last = self._store.last_write()
            trusted = noted.removeprefix(TRUSTED)
            known = [
                when for when in (last, from_ms(int(trusted)) if trusted.isdecimal() else None) if when is not None
            ]
            if known and now - max(known) > timedelta(days=ABSENCE_DAYS):
                doubt = f"the clock says {now:%Y-%m-%d}, and the store was last written on {max(known):%Y-%m-%d}"
        else:
            jump = (now - self._begin[0]).total_seconds() - (ticks - self._begin[1])
            if abs(jump) > JUMP:
                doubt = f"the clock has jumped by {jump / 86_400:+.1f} days, to {now:%Y-%m-%d}"
        self._begin = now, ticks
        if doubt is not None:
            self._store.note(CLOCK, DOUBTED + doubt)
        return doubt

    async def _clear(self, statuses: Collection[Status], before: datetime) -> None:
        last: OldSession | None = None
        while True:
            found = await asyncio.to_thread(
                self._store.old_sessions, RETENTION, statuses, before, after=last, most=AT_ONCE
            )
            for one in found:
                await self._drop(one, SessionDrop(key=one.key, only=frozenset(statuses), before=before))
            if len(found) < AT_ONCE:
                return
            last = found[-1]
            await asyncio.sleep(PAUSE)
