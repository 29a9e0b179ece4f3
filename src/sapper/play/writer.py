"""Keeps what players were told, without their waiting for a database: one queue, one thread, for every face.

All that waits goes into one transaction; whoever waits is told when it is committed, all in one call. More that comes meanwhile goes
into the next one, after a short rest in which it gathers. While the database does not take anything, changes wait, for as long as there
is room, and are tried again. One that no database could ever take is given up alone: its batch is halved until it is found.

Whoever puts a change here takes no lock. A thread that lost the interpreter while it held one would stop a server's event loop for a
whole switch interval, and the thread here works all the time.
"""

import contextlib
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from sapper.errors import BadChangeError, StoreError
from sapper.play.ports import LogChain
from sapper.store.changes import Change, InputLog

MOST_WAITING: Final = 50_000
"""Changes that wait, before the oldest are given up."""
AT_ONCE: Final = 500
"""Changes in one transaction: what waits longer, where a disk is slow, goes together, and so no queue grows for long."""
BATCH_GAP: Final = 0.003
"""Seconds from one transaction to the next."""
BATCH_DELAY: Final = 0.05
"""Seconds that a change for which nobody waits may wait for others."""
RETRY_DELAY: Final = 1.0
"""Seconds before what failed is tried again."""

Make = Callable[[], Change | None]
"""Makes the change on the writer's thread; None if there is nothing to keep after all."""
OnDurable = Callable[[], None]
"""What is called when a change is durable."""


class ChangeSink(Protocol):
    """Who keeps changes: a `Store`."""

    def apply(self, changes: Sequence[Change]) -> list[str]:
        """Keep them all, or none; the keys of the saved games where an `InputLog` was refused. `StoreError` if they cannot be kept now,
        `BadChangeError` if one of them never can.
        """


class _Entry:
    """A change on its way."""

    __slots__ = ("chain", "change", "is_begun", "make", "mark", "since", "told")

    def __init__(
        self,
        what: Change | Make | None,
        told: OnDurable | None,
        mark: threading.Event | None = None,
        chain: LogChain | None = None,
    ) -> None:
        self.make: Make | None = None
        self.change: Change | None = None
        if callable(what):
            self.make = what
        else:
            self.change = what
        self.told = told
        self.chain = chain
        self.mark = mark
        """Set when all that was put before it has left the queue."""
        self.since = time.monotonic()
        self.is_begun = False
        """True if the database may have it."""


def call_each(calls: Sequence[OnDurable]) -> None:
    """Tell all of them. None of them fails."""
    for call in calls:
        call()


def _is_refused(entry: _Entry, refused: Sequence[str]) -> bool:
    if entry.chain is not None:
        return entry.chain.key in refused
    return isinstance(entry.change, InputLog) and entry.change.key in refused


class Writer:
    """Takes changes at once and has them durable soon. `close` waits until that is done."""

    def __init__(
        self,
        sink: ChangeSink,
        *,
        on_trouble: Callable[[Exception, int], None] = lambda _error, _waiting: None,
        on_recovery: Callable[[], None] = lambda: None,
        on_refused: Callable[[str], None] = lambda _key: None,
        on_fault: Callable[[Exception], None] = lambda _error: None,
        on_age: Callable[[float], None] = lambda _seconds: None,
        tell: Callable[[Sequence[OnDurable]], None] = call_each,
        most_waiting: int = MOST_WAITING,
        pause: float = RETRY_DELAY,
        rest: float = BATCH_GAP,
    ) -> None:
        """All callbacks come on the writer's thread. `tell` calls all that is to be told at once: an event loop is then woken once for it.

        `on_trouble` hears that the database takes nothing, and how many changes wait: once, until `on_recovery`; `on_refused` of a saved
        game where what was done does not follow what the database has, so that it has to come whole; `on_fault` of a change that could
        not be made, or can never be kept; `on_age` for how many seconds a change waited that is kept now.
        """
        self._sink = sink
        self._on_trouble = on_trouble
        self._on_recovery = on_recovery
        self._on_refused = on_refused
        self._on_fault = on_fault
        self._on_age = on_age
        self._tell = tell
        self._most_waiting = most_waiting
        self._pause = pause
        self._rest = rest
        self._new: deque[_Entry] = deque()
        self._held: deque[list[_Entry]] = deque()
        """What was taken from there, and goes into the next transactions."""
        self._wake: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._sleeps_for_any = False  # the thread waits for anything
        self._sleeps_for_urgent = False  # the thread waits for something that somebody waits for
        self._is_urgent = False
        self._rests_until = 0.0
        self._closing = threading.Event()
        self._is_over = False
        self._counting = threading.Lock()
        self.in_trouble = False
        """Whether the database does not take what is to be kept."""
        self.dropped = 0
        """Changes that are lost: too many were waiting, one could never be kept, or the end came first."""
        self._thread = threading.Thread(target=self._run, name="sapper-writer", daemon=True)
        self._thread.start()

    # --- who has something to keep --------------------------------------------------------------------------------

    def put(
        self, change: Change | Make, on_durable: OnDurable | None = None, /,
        *, is_urgent: bool = True, chain: LogChain | None = None,
    ) -> None:  # fmt: skip
        """Have a change kept, or what a function makes on the writer's thread; this never waits and never fails.

        `on_durable` is called when it is committed. What is not urgent, since nobody waits for it, may be some hundredths of a second later.
        What is refused or lost breaks its `chain`.
        """
        if len(self._new) >= self._most_waiting:
            self._drop_oldest()
        self._add(_Entry(change, on_durable, chain=chain), is_urgent=is_urgent)

    def _add(self, entry: _Entry, *, is_urgent: bool) -> None:
        self._new.append(entry)
        if is_urgent:
            self._is_urgent = True
        if self._sleeps_for_any or (is_urgent and self._sleeps_for_urgent):
            self._wake.put(None)
        if self._is_over:
            self._lose(self._drained())

    def _drop_oldest(self) -> None:
        with contextlib.suppress(IndexError):
            oldest = self._new.popleft()
            self._lose([oldest])
            self._break(oldest)
            if oldest.mark is not None:
                oldest.mark.set()

    def _lose(self, entries: Sequence[_Entry]) -> None:
        with self._counting:
            self.dropped += sum(1 for entry in entries if entry.mark is None)

    def _drained(self, most: float = float("inf")) -> list[_Entry]:
        """What is new, without waiting for it."""
        taken: list[_Entry] = []
        with contextlib.suppress(IndexError):
            while len(taken) < most:
                taken.append(self._new.popleft())
        return taken

    @property
    def waiting(self) -> int:
        """How many changes are not durable yet."""
        return len(self._new) + sum(map(len, list(self._held)))

    @property
    def behind(self) -> float:
        """Seconds since the oldest change was put here that is not durable yet; 0 if there is none."""
        for some in (*list(self._held)[:1], self._new):
            with contextlib.suppress(IndexError):
                return max(0.0, time.monotonic() - some[0].since)
        return 0.0

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until the database has all that was put here; whether it has."""
        mark = threading.Event()
        self._add(_Entry(None, None, mark), is_urgent=True)
        return mark.wait(timeout)

    def close(self, timeout: float = 10.0) -> int:
        """Keep what is waiting, within `timeout` seconds; how many changes were lost in all."""
        self._closing.set()
        self._wake.put(None)
        self._thread.join(timeout)
        self._is_over = True
        self._lose([*self._drained(), *(entry for batch in list(self._held) for entry in batch)])
        return self.dropped

    # --- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        # Nothing to keep yet: but a sink that has to get ready does so before the first game, and says what is wrong.
        with contextlib.suppress(Exception):  # whatever it is: the first change says it again
            self._apply([])
        while True:
            if not self._held:
                taken = self._next()
                if not taken and self._closing.is_set():
                    return
                made = [entry for entry in taken if self._make(entry)]
                if made:
                    self._held.append(made)
            while self._held:
                if not self._commit(self._held[0]):
                    if self._closing.is_set():
                        return
                    self._closing.wait(self._pause)

    def _next(self) -> list[_Entry]:
        """All that came meanwhile, when it is time."""
        if not self._new and not self._closing.is_set():
            self._sleeps_for_any = True
            if not self._new:
                self._wake.get()
            self._sleeps_for_any = False
        self._sleeps_for_urgent = True
        if not self._is_urgent and not self._closing.is_set():
            with contextlib.suppress(queue.Empty):
                self._wake.get(timeout=BATCH_DELAY)
        self._sleeps_for_urgent = False
        if (rest := self._rests_until - time.monotonic()) > 0:
            self._closing.wait(rest)
        with contextlib.suppress(queue.Empty):
            while True:  # calls for what is taken now
                self._wake.get_nowait()
        self._is_urgent = False
        taken = self._drained(AT_ONCE)
        if self._new:
            self._is_urgent = True
        return taken

    def _make(self, entry: _Entry) -> bool:
        """Whether there is something to keep, or to tell."""
        make, entry.make = entry.make, None
        if entry.chain is not None and entry.chain.is_broken:
            return False
        if make is not None:
            try:
                entry.change = make()
            except Exception as error:  # noqa: BLE001  # a mistake in one of them must not keep all others from being kept
                self._give_up(entry, error)
                return False
        return True

    def _break(self, entry: _Entry) -> None:
        """What comes after it in its game is not to be kept either."""
        if entry.chain is not None and not entry.chain.is_refused:
            entry.chain.is_broken = entry.chain.is_refused = True
            self._tell((entry.chain.refuse,))  # whoever waits hears of it, whether or not the game is in memory still
            self._on_refused(entry.chain.key)

    def _give_up(self, entry: _Entry, error: Exception) -> None:
        self._lose([entry])
        self._break(entry)
        self._on_fault(error)

    def _begin(self, entry: _Entry) -> None:
        """Have it left out if its game has gone on elsewhere. Of what was tried before, the database says whether it has it."""
        chain = entry.chain
        if chain is None or (entry.is_begun and not chain.is_refused):
            return
        entry.is_begun = entry.is_begun or chain.begin()
        if chain.is_refused or not entry.is_begun:
            entry.change = entry.told = None
            if not chain.is_refused:
                self._tell((chain.give_way,))  # perhaps it gave way just while this was to begin

    def _commit(self, batch: list[_Entry]) -> bool:
        """Have the first batch kept; whether it is to be tried no more."""
        for entry in batch:
            self._begin(entry)
        entries = [entry for entry in batch if entry.change is not None]
        try:
            refused = self._apply([entry.change for entry in entries if entry.change is not None]) if entries else []
        except Exception as error:  # noqa: BLE001  # whatever it is: others are to be kept
            self._held.popleft()
            if len(entries) == 1:
                self._give_up(entries[0], error)
                batch.remove(entries[0])
                if batch:
                    self._held.appendleft(batch)
            else:
                half = batch.index(entries[len(entries) // 2])
                self._held.extendleft((batch[half:], batch[:half]))
            return True
        if refused is None:
            return False
        self._rests_until = time.monotonic() + self._rest
        self._held.popleft()
        self._have_told(batch, refused)
        return True

    def _apply(self, changes: list[Change]) -> list[str] | None:
        """What was refused; None if nothing can be kept now."""
        try:
            refused = self._sink.apply(changes)
        except BadChangeError:
            raise
        except StoreError as error:
            if not self.in_trouble:
                self.in_trouble = True
                self._on_trouble(error, self.waiting)
            return None
        if self.in_trouble:
            self.in_trouble = False
            self._on_recovery()
        return refused

    def _have_told(self, batch: Sequence[_Entry], refused: Sequence[str]) -> None:
        kept = [entry for entry in batch if not _is_refused(entry, refused)] if refused else batch
        now = time.monotonic()
        for entry in kept:
            if entry.change is not None:
                self._on_age(now - entry.since)
        told = [entry.told for entry in kept if entry.told is not None]
        if told:
            self._tell(told)
        if refused:
            for entry in batch:
                if entry.chain is not None and entry.chain.key in refused:
                    self._break(entry)
            chained = {entry.chain.key for entry in batch if entry.chain is not None}
            for key in refused:
                if key not in chained:
                    self._on_refused(key)
        for entry in batch:
            if entry.mark is not None:
                entry.mark.set()
