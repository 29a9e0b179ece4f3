"""Whom a live game deals with: those who watch it, and the services where its work is done and its games are kept.

Knows: what a live game asks of others.
Does not know: who they are.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sapper.errors import RequestError
from sapper.metrics.game import GameMetrics
from sapper.session.events import Finished
from sapper.web.games.messages import Message

if TYPE_CHECKING:
    from sapper.web.games.live_game import LiveGame


class Subscriber(Protocol):
    """Who is told what happens."""

    def send(self, message: Message, /) -> None:
        """Take a message; this never waits. Others have the same message: it is not to be changed."""


class Job(NamedTuple):
    """Something that takes thought: a function of `jobs`, and what it is called with."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    player: str
    """Who waits for it."""
    address: str
    """Whence."""


Done = Callable[[Any, RequestError | None], None]
"""Takes a job's answer, or why there is none."""


class GameServices(Protocol):
    """Where a live game has its work done and its games kept."""

    def start(self, job: Job, done: Done) -> None:
        """Have a job done; `done` is called later, once."""

    def changed(self, live: "LiveGame") -> None:
        """The game is another than it was: it is to be saved."""

    def started(self, live: "LiveGame") -> None:
        """A game has begun."""

    def finished(self, live: "LiveGame", finished: Finished, numbers: GameMetrics | None) -> None:
        """That game has ended; its numbers, if they are known."""
