"""What a played game needs from outside: work done elsewhere, a place to keep its changes, the time."""

import threading
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from sapper.errors import RequestError, SapperError
from sapper.solver.advisor import Advisor
from sapper.store.changes import Change
from sapper.store.models import StoredGame


class Job(NamedTuple):
    """Something that takes thought: a function of `play.jobs`, and its arguments."""

    function: Callable[..., Any]
    args: tuple[Any, ...]
    player: str
    """Who waits for it."""
    address: str
    """The network address that the player came from; empty where there is none."""


JobDone = Callable[[Any, RequestError | None], None]
"""Takes a job's answer, or its error."""


class Jobs(Protocol):
    """Who does jobs: a pool of processes, a thread, or the caller itself."""

    def start(self, job: Job, done: JobDone, /) -> None:
        """Have a job done, without waiting. `done` is called once, on the thread of the game: later, or before this returns."""


class InlineJobs:
    """Does each job on the spot: for the library, line mode and tests."""

    def start(self, job: Job, done: JobDone, /) -> None:
        """Do it now."""
        answer, fault = None, None
        try:
            answer = job.function(*job.args)
        except RequestError as error:
            fault = error
        except SapperError as error:
            fault = RequestError("failed", str(error))
        done(answer, fault)


class NoJobs:
    """Refuses each job: for a face where nothing is worked out."""

    def start(self, _job: Job, done: JobDone, /) -> None:
        """Refuse it."""
        done(None, RequestError("failed", "nothing is worked out here"))


class Receipt:
    """Says when something that was put into a sink is durable. Any thread may ask, and another one may settle it."""

    __slots__ = ("_callbacks", "is_durable", "is_refused")

    def __init__(self) -> None:
        self._callbacks: deque[Callable[[], None]] = deque()
        self.is_durable = False
        self.is_refused = False
        """True if it never will be durable."""

    def settle(self) -> None:
        """It is durable now."""
        self.is_durable = True
        self._call()

    def refuse(self) -> None:
        """It never will be."""
        self.is_refused = True
        self._call()

    @property
    def is_settled(self) -> bool:
        """True if there is nothing to wait for."""
        return self.is_durable or self.is_refused

    def when_settled(self, callback: Callable[[], None]) -> None:
        """Have something called when it is durable or refused: at once, on this thread, if it is already; else on the thread that says so."""
        self._callbacks.append(callback)
        if self.is_settled:
            self._call()

    def wait(self, seconds: float) -> bool:
        """Block for at most that many seconds; True if it is durable."""
        if not self.is_settled:
            event = threading.Event()
            self.when_settled(event.set)
            event.wait(seconds)
        return self.is_durable

    def _call(self) -> None:
        # Both threads may be here: a deque gives each callback to one of them.
        while self._callbacks:
            try:
                callback = self._callbacks.popleft()
            except IndexError:
                return
            callback()


class LogChain:
    """Ties the changes of one game in memory together, where other processes may go on with the game: each is right only after all before.

    Once it is broken nothing more is tied to it, and nothing of it is kept that is not being committed already: of that the store decides.
    """

    __slots__ = ("_awaited", "_begun", "_settled", "is_broken", "is_refused", "key")

    def __init__(self, key: str) -> None:
        self.key = key
        self.is_broken = False
        self.is_refused = False
        """True if the store has something else."""
        self._awaited: deque[Receipt] = deque()
        self._begun = 0
        """Changes that the sink has begun to commit; only its thread counts them."""
        self._settled = 0

    def take(self, receipt: Receipt) -> bool:
        """Tie one more change to it; False if it is broken, and the receipt is refused."""
        if self.is_broken:
            receipt.refuse()
            return False
        self._awaited.append(receipt)
        return True

    def begin(self) -> bool:
        """The sink commits the next change; False if that is not to be, since it has given way."""
        self._begun += 1  # first: whoever has it give way now leaves this one to the sink
        if self.is_broken:
            self._begun -= 1
        return not self.is_broken

    def settle(self, receipt: Receipt) -> None:
        """The first that waits is durable."""
        self._settled += 1
        if self._awaited and self._awaited[0] is receipt:
            self._awaited.popleft()

    def give_way(self) -> None:
        """Break it: what the sink has not begun to commit will not be durable."""
        self.is_broken = True
        self._refuse(self._begun - self._settled)

    def refuse(self) -> None:
        """The store has something else: nothing that waits will be durable."""
        self.is_broken = self.is_refused = True
        self._refuse(0)

    def _refuse(self, most: int) -> None:
        """Leave so many waiting."""
        later = [self._awaited.pop() for _ in range(len(self._awaited) - most)]
        for receipt in reversed(later):
            receipt.refuse()


class GameSink(Protocol):
    """Where changes of games are kept."""

    def put(
        self, change: Change | Callable[[], Change | None], on_durable: Callable[[], None] | None = None, /,
        *, is_urgent: bool = True, chain: LogChain | None = None,
    ) -> None:  # fmt: skip
        """Have a change kept soon, in the order in which all are put; never waits, never fails.

        A function makes the change on the sink's thread. `on_durable` is called after the commit. What is not urgent, since nobody
        waits for it, may be some hundredths of a second later. What is tied to a broken `chain` is not kept.
        """


class NoSink:
    """Keeps nothing: what is put counts as durable at once."""

    def put(
        self, _change: Change | Callable[[], Change | None], on_durable: Callable[[], None] | None = None, /,
        *, is_urgent: bool = True, chain: LogChain | None = None,
    ) -> None:  # fmt: skip
        """Let go of it."""
        if on_durable is not None:
            on_durable()


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePorts:
    """What all games of one process share."""

    jobs: Jobs
    sink: GameSink
    now: Callable[[], datetime]
    """The time, with its zone."""
    advisor: Advisor = field(default_factory=Advisor)
    """Whose guesses hints name, where a player has not said."""
    counts: Counter[str] = field(default_factory=Counter)
    """Games that have begun (`begun`), and those that have ended, by how (`won`): for metrics."""
    on_recorded: Callable[[StoredGame], None] = lambda _: None
    """Is called on the sink's thread with each game that has ended, as it is stored."""
