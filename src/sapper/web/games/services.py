"""Whom a live game deals with: those who watch it, and the services where its work is done and its games are kept.

Knows: what a live game asks of others.
Does not know: who they are, what a live game is.
"""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sapper.metrics.game import GameMetrics
from sapper.play.ports import Job, JobDone
from sapper.session.events import Assistance, Finished
from sapper.store.models import GameKind
from sapper.web.games.messages import ServerMessage


class Subscriber(Protocol):
    """Who is told what happens."""

    def send(self, message: ServerMessage, /) -> None:
        """Take a message; this never waits. Others have the same message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameOwner:
    """What never changes about a live game: enough to record its games by."""

    id: str
    """The name of the live game."""
    player: str
    kind: GameKind
    title: str
    """What to call the game on a screen."""

    def key_of(self, assistance: Assistance) -> str:
        """The key that a game is recorded by: each restart of a board is another game."""
        return f"{self.id}.{assistance.restarts}"


class Timer(Protocol):
    """Something that will be called later."""

    def cancel(self) -> None:
        """Have it not called."""


class Barrier:
    """What stands between a start or an end and who is to be told of it, until it is durable."""

    __slots__ = ("_acts", "_loop", "is_open")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._acts: list[Callable[[], None]] = []
        self.is_open = False
        """Whether it is durable."""

    def open(self) -> None:
        """It is. Who waits goes on at once: each detour through the event loop would cost them one of its rounds."""
        if not self.is_open:
            self.is_open = True
            acts, self._acts = self._acts, []
            for act in acts:
                act()

    def when_open(self, act: Callable[[], None]) -> None:
        """Have something called when it is open."""
        if self.is_open:
            act()
        else:
            self._acts.append(act)

    async def wait(self, within: float) -> bool:
        """Wait for that, so many seconds at most; whether it is open."""
        if not self.is_open:
            future: asyncio.Future[None] = self._loop.create_future()

            def release() -> None:
                if not future.done():
                    future.set_result(None)

            self._acts.append(release)
            timer = self._loop.call_later(within, release)
            try:
                await future
            finally:
                timer.cancel()
        return self.is_open


class GameServices(Protocol):
    """Where a live game has its work done and its games kept."""

    def start(self, job: Job, done: JobDone) -> None:
        """Have a job done; `done` is called later, once."""

    def call_later(self, seconds: float, action: Callable[[], None]) -> Timer:
        """Have something called after so many seconds, unless the timer is cancelled."""

    def changed(self, game: str) -> None:
        """The live game of that name is another than it was: it is to be saved."""

    def started(self, owner: GameOwner, assistance: Assistance) -> None:
        """A game has begun."""

    def helped(self, owner: GameOwner, assistance: Assistance) -> None:
        """Help was had in a game that has begun: it counts as unaided no longer."""

    def finished(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> None:
        """That game has ended; its numbers, if they are known."""

    def finished_before(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> None:
        """That game was found ended when it came from the store, where the record of its end may be missing."""
