"""Keeps what players were told, without their waiting for a database: one queue for every server.

A change that is put here goes through two threads. The first writes it to the journal and syncs it, together with all that came
meanwhile; then whoever waits is told that it is durable. The second carries out what stands in the journal, many changes in a
transaction. Where there is no journal, or it cannot be written, the transaction alone makes a change durable. Where neither can be
had, a change waits, for as long as there is room, and is tried again; what could not be kept when the writer is closed is counted.

What was done in a saved game may wait some seconds in the journal before the database gets it (`DEFERRED`): a game of a hundred
moves is then written to the database ten times and not a hundred. What stands in the journal is in no hurry: the second thread lets
it gather (`GATHERED`), for each transaction and each look of a thread at the interpreter is time that players wait.

Whoever puts a change here takes no lock. A thread that lost the interpreter while it held one would stop the server's event loop for
a whole switch interval, and both threads hold locks often. For the same reason all that became durable together is told in one call,
and a change becomes a line of the journal on the thread that puts it, if it is made already.

Knows: two threads, a queue with an end, when to try again, what is durable.
Does not know: files, databases, where changes come from.
"""

import contextlib
import json
import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final, Protocol

from sapper.errors import StoreError
from sapper.store.changes import Change, PlayerDrop, SessionDrop, SessionTail, change_to_json
from sapper.store.journal import Journal
from sapper.store.models import SavedSession, StoredGame

MOST_WAITING: Final = 50_000
"""Changes that wait, before the oldest are given up, or left to the next start if they stand in the journal."""
AT_ONCE: Final = 500
PAUSE: Final = 5.0
"""Seconds before what failed is tried again."""
DEFERRED: Final = 5.0
"""Seconds that tails of saved games wait in the journal."""
GATHERED: Final = 0.25
"""Seconds from one transaction to the next, while all that waits stands in the journal."""

COMPANY: Final = 0.1
"""Seconds that a change for which nobody waits may wait for others, before it goes to the journal: so many syncs a second are enough."""
GATHERED_AT_ONCE: Final = 50
"""Changes that go into one transaction while all that waits stands in the journal: hundreds, when many begin at the same moment, would
hold up whoever plays for as long as they take."""
BACKLOG: Final = 1_000
"""Changes that wait before such a transaction has as many of them as any other."""
TAILS_AT_ONCE: Final = 100
"""Saved games whose tails go into one transaction, for the same reason."""
BREATH: Final = 0.02
"""Seconds between that one and the next."""

_NEVER: Final = float("inf")
_NOW: Final = float("-inf")

Make = Callable[[], Change | None]
"""Makes the change on the writer's thread; None if there is nothing to keep after all."""
Told = Callable[[], None]
"""What is called when a change is durable."""


class ChangeSink(Protocol):
    """Who keeps changes: a `Store`."""

    def apply(self, changes: Sequence[Change], *, journal: str = "", number: int = 0) -> list[str]:
        """Keep them all, or none; `StoreError`."""

    def forget_journal(self, name: str) -> None:
        """Nothing of that journal is left."""


class _Entry:
    """A change on its way."""

    __slots__ = ("change", "kept", "line", "make", "number", "place", "told")

    def __init__(self, told: Told | None, kept: Callable[[], None] | None) -> None:
        self.make: Make | None = None
        self.change: Change | None = None
        self.line = b""
        """For the journal."""
        self.told = told
        self.kept = kept
        self.number = 0
        """In the journal; 0 is not there."""
        self.place = 0
        """In the order in which all were put here."""


def _line(change: Change) -> bytes:
    return json.dumps(change_to_json(change), separators=(",", ":")).encode()


class _Mark(threading.Event):
    """Goes through the queue like a change: set when all that was put before it has left the queue."""


def call_each(calls: Sequence[Told]) -> None:
    """Tell all of them. None of them fails."""
    for call in calls:
        call()


def _nothing(_error: Exception, _waiting: int) -> None:
    pass


class BackgroundWriter:
    """Takes changes at once and has them durable soon. `close` waits until that is done."""

    def __init__(
        self,
        sink: ChangeSink,
        *,
        journal: Journal | None = None,
        on_trouble: Callable[[Exception, int], None] = _nothing,
        on_recovery: Callable[[], None] = lambda: None,
        on_misfit: Callable[[str], None] = lambda _: None,
        on_fault: Callable[[Exception], None] = lambda _: None,
        tell: Callable[[Sequence[Told]], None] = call_each,
        most_waiting: int = MOST_WAITING,
        pause: float = PAUSE,
        deferred: float = DEFERRED,
        gathered: float = GATHERED,
    ) -> None:
        """`tell` calls all that is to be told at once: an event loop is then woken once for it. All callbacks come on other threads. `on_trouble` hears that the database or the journal did not take something, and how many
        changes wait: once, until `on_recovery`; `on_misfit` hears of a saved game that a tail did not fit; `on_fault` of a change that could not be made.
        """
        self._sink = sink
        self._journal = journal
        self._on_trouble = on_trouble
        self._on_recovery = on_recovery
        self._on_misfit = on_misfit
        self._on_fault = on_fault
        self._most_waiting = most_waiting
        self._pause = pause
        self._deferred = deferred
        self._gathered = gathered
        self._tell = tell
        self._new: deque[_Entry | _Mark] = deque()
        self._wake: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._is_idle = False  # the journal's thread waits for anything
        self._is_urgent = False  # somebody waits for what is new
        self._ready: deque[_Entry] = deque()
        """What stands in the journal, or could not get there, in its order."""
        self._tails: dict[str, list[_Entry]] = {}
        """Tails of saved games that wait for more."""
        self._due = _NEVER
        """When those go to the database."""
        self._rests_until = _NOW
        """When the next transaction begins, unless something waits for it."""
        self._flushing = 0  # how many wait for the database to have all there is
        self._in_journal: list[_Entry] = []  # what the journal's thread works on
        self._in_store: list[_Entry] = []  # what the store's thread works on
        self._last_place = 0  # the highest place that was given
        self._taken = 0  # the highest number in the journal that the store's thread has had
        self._left_from = 0
        """The number of the first change that is left to the next start; 0 if none is."""
        self._changed = threading.Condition()
        self._is_closing = False
        self._is_over = False
        self._troubles: set[str] = set()
        self._retry_journal = 0.0
        self.dropped = 0
        """Changes that are lost: too many were waiting, or the end came first."""
        self.left = 0
        """Changes that stand in the journal, and that the database will get at the next start."""
        self._threads = self._start()

    def _start(self) -> list[threading.Thread]:
        threads = [
            threading.Thread(target=run, name=f"sapper-{name}", daemon=True)
            for name, run in (("journal", self._run_journal), ("store", self._run_store))
        ]
        for thread in threads:
            thread.start()
        return threads

    # --- who has something to keep --------------------------------------------------------------------------------

    def put(
        self, what: Change | Make, *, told: Told | None = None, kept: Callable[[], None] | None = None,
        is_urgent: bool = True,
    ) -> None:  # fmt: skip
        """Have a change kept, or what a function makes on the writer's thread; this never waits and never fails.

        `told` is called when it is durable, in the journal or in the database; `kept` when the database has it; both on another thread.
        What is not urgent, since nobody waits for it, may be a tenth of a second later.
        """
        entry = _Entry(told, kept)
        if callable(what):
            entry.make = what
        else:
            entry.change = what
            if self._journal is not None:
                entry.line = _line(what)
        if self._waiting >= self._most_waiting:
            with self._changed:
                while self._waiting >= self._most_waiting and self._give_up_one():
                    pass
        self._new.append(entry)
        if is_urgent:
            self._call()
        elif self._is_idle:
            self._wake.put(None)
        if self._is_over:
            with self._changed:
                self.dropped += len(self._drained())

    def _call(self) -> None:
        """Have the journal's thread see to what is new, now."""
        self._is_urgent = True
        self._wake.put(None)

    def record(self, game: StoredGame, told: Told | None = None) -> None:
        """Have a game kept soon."""
        self.put(game, told=told)

    @property
    def _waiting(self) -> int:
        return len(self._new) + len(self._ready)

    def _give_up_one(self) -> bool:
        """Give up the oldest, if a change is the oldest; whether one was."""
        if self._ready:
            entry = self._ready.popleft()
        else:
            taken = self._drained(1)
            if not taken or isinstance(taken[0], _Mark):
                self._new.extendleft(taken)
                return False
            entry = taken[0]
        if entry.number:
            self.left += 1
            self._left_from = min(self._left_from or entry.number, entry.number)
        else:
            self.dropped += 1
        return True

    def _drained(self, most: float = float("inf")) -> list[_Entry | _Mark]:
        """What is new, without waiting for it."""
        taken: list[_Entry | _Mark] = []
        with contextlib.suppress(IndexError):
            while len(taken) < most:
                taken.append(self._new.popleft())
        return taken

    @property
    def in_trouble(self) -> bool:
        """Whether the database does not take what is to be kept."""
        return "store" in self._troubles

    def hurry(self) -> None:
        """Have what waits in the journal go to the database now."""
        self._call()
        with self._changed:
            self._due = self._rests_until = _NOW
            self._changed.notify_all()

    def flush(self, timeout: float = 10.0) -> bool:
        """Wait until the database has all that was put here; whether it has."""
        end = time.monotonic() + timeout
        mark = _Mark()
        self._new.append(mark)
        self._call()
        if not (mark.wait(timeout) or self._is_over):
            return False
        with self._changed:
            self._flushing += 1
            self._changed.notify_all()
            try:
                return self._changed.wait_for(lambda: not self._is_busy(), max(0.0, end - time.monotonic()))
            finally:
                self._flushing -= 1
                self._changed.notify_all()  # the store's thread may rest again

    def _is_busy(self) -> bool:
        return bool(self._in_journal or self._ready or self._tails or self._in_store)

    def close(self, timeout: float = 10.0) -> int:
        """Keep what is waiting, within `timeout` seconds; how many changes were lost in all."""
        end = time.monotonic() + timeout
        with self._changed:
            self._is_closing = True
            self._changed.notify_all()
        self._call()
        for thread in self._threads:
            thread.join(max(0.0, end - time.monotonic()))
        with self._changed:
            self._is_over = True
            new = [one for one in self._drained() if isinstance(one, _Entry)]
            tails = [entry for some in self._tails.values() for entry in some]
            waiting = [*new, *self._in_journal, *self._ready, *tails, *self._in_store]
            self.left += sum(1 for entry in waiting if entry.number)
            self.dropped += sum(1 for entry in waiting if not entry.number)
        if self._journal is not None:
            if not waiting and not self.left:
                with contextlib.suppress(StoreError):  # else a line stays in a table
                    self._sink.forget_journal(self._journal.name)
            self._journal.close()
        return self.dropped

    # --- the journal ----------------------------------------------------------------------------------------------

    def _run_journal(self) -> None:
        while True:
            taken = self._next_new()
            if self._journal is not None and self._journal.is_to_erase:
                self._journal.erase()
            entries = [one for one in taken if isinstance(one, _Entry)]
            self._in_journal = entries
            for entry in entries:
                self._last_place += 1
                entry.place = self._last_place
            made = [entry for entry in entries if self._make(entry)]
            self._write_journal(made)
            self._have_durable([entry for entry in made if entry.number])
            with self._changed:
                self._in_journal = []
                self._ready.extend(made)
                for one in taken:
                    if isinstance(one, _Mark):
                        one.set()
                if not self._rest():  # else the store's thread looks by itself when it has rested
                    self._changed.notify_all()
            if self._is_closing and not self._new:
                return

    def _next_new(self) -> list[_Entry | _Mark]:
        """All that came meanwhile, when it is time: one sync will do for all of it."""
        self._is_idle = True
        if not self._new and not self._is_closing:
            self._wake.get()
        self._is_idle = False
        with contextlib.suppress(queue.Empty):
            if not self._is_urgent and not self._is_closing:
                self._wake.get(timeout=COMPANY)
            while True:  # those of which all is taken now
                self._wake.get_nowait()
        self._is_urgent = False
        taken = self._drained(AT_ONCE)
        if self._new:
            self._call()
        return taken

    def _have_durable(self, entries: list[_Entry]) -> None:
        told = [entry.told for entry in entries if entry.told is not None]
        for entry in entries:
            entry.told = None
        if told:
            self._tell(told)

    def _make(self, entry: _Entry) -> bool:
        """Whether there is something to keep."""
        make, entry.make = entry.make, None
        if make is None:
            return True
        try:
            entry.change = make()
            if entry.change is not None and self._journal is not None:
                entry.line = _line(entry.change)
        except Exception as error:  # noqa: BLE001  # a mistake in one of them must not keep all others from being kept
            entry.change = None
            with self._changed:
                self.dropped += 1
            self._on_fault(error)
        return entry.change is not None

    def _write_journal(self, entries: list[_Entry]) -> None:
        if self._journal is None or not entries or time.monotonic() < self._retry_journal:
            return
        try:
            last = self._journal.append([entry.line for entry in entries])
        except OSError as error:
            self._retry_journal = time.monotonic() + self._pause
            self._hear("journal", error)
        else:
            for number, entry in enumerate(entries, last - len(entries) + 1):
                entry.number = number
                entry.line = b""
            self._be_well("journal")

    # --- the database ---------------------------------------------------------------------------------------------

    def _run_store(self) -> None:
        # Nothing to keep yet: but a sink that has to get ready does so before the first game, and says what is wrong.
        self._apply([], 0)
        while True:
            with self._changed:
                while not self._has_work():
                    self._changed.wait(self._wait())
                self._in_store = entries = self._next()
                number = self._applied_after(entries)
                is_last = self._is_closing
                if not entries and is_last and not (self._threads[0].is_alive() or self._ready or self._tails):
                    return
                if not entries and is_last:
                    self._changed.wait(0.02)
            if not entries:
                continue
            is_kept = self._apply(entries, number)
            with self._changed:
                self._rests_until = time.monotonic() + (BREATH if self._ready else self._gathered)
                self._in_store = []
                if not is_kept:
                    self._take_back(entries)
                self._changed.notify_all()
            if is_kept:
                self._have_kept(entries, number)
            elif is_last:
                return
            else:
                self._take_a_break()

    def _have_kept(self, entries: list[_Entry], number: int) -> None:
        if self._journal is not None:
            self._journal.release(number)
            if any(isinstance(entry.change, PlayerDrop) for entry in entries):
                self._journal.forget()
            if self._journal.is_to_erase:
                self._call()
        self._have_durable(entries)
        for entry in entries:
            if entry.kept is not None:
                entry.kept()

    def _has_work(self) -> bool:
        if self._is_closing or (self._ready and not self._rest()):
            return True
        return bool(self._tails) and (self._flushing > 0 or time.monotonic() >= self._due)

    def _rest(self) -> float:
        """Seconds in which what is ready may gather; none where somebody waits for a transaction."""
        if self._is_hurried:
            return 0.0
        return max(0.0, self._rests_until - time.monotonic())

    @property
    def _is_hurried(self) -> bool:
        """Whether somebody waits for a transaction."""
        return bool(self._is_closing or self._flushing or (self._ready and not self._ready[-1].number))

    def _wait(self) -> float | None:
        """Seconds until there may be work that nobody tells of; None if all work is told of."""
        until = self._due if self._tails else _NEVER
        if rest := self._rest():
            until = min(until, time.monotonic() + rest)
        return None if until == _NEVER else max(0.0, until - time.monotonic())

    def _next(self) -> list[_Entry]:
        """What goes into the next transaction: what is ready, and of the tails those whose time has come."""
        taken: list[_Entry] = []
        is_calm = len(self._ready) < BACKLOG and not self._is_hurried
        for _ in range(min(GATHERED_AT_ONCE if is_calm else AT_ONCE, len(self._ready))):
            entry = self._ready.popleft()
            change = entry.change
            if isinstance(change, SessionTail) and entry.number:
                if self._due == _NEVER:
                    self._due = time.monotonic() + self._deferred
                self._tails.setdefault(change.key, []).append(entry)
                continue
            if isinstance(change, SavedSession | SessionDrop | SessionTail):
                taken += self._tails.pop(change.key, [])
            elif isinstance(change, PlayerDrop):
                taken += self._some_tails(len(self._tails))
            taken.append(entry)
        if self._is_closing or self._flushing:
            taken += self._some_tails(len(self._tails))
        elif time.monotonic() >= self._due:
            taken += self._some_tails(TAILS_AT_ONCE if self._due != _NOW else len(self._tails))
        return taken

    def _some_tails(self, most: int) -> list[_Entry]:
        """The tails of so many games, those that wait longest."""
        keys = list(islice(self._tails, most))
        tails = [entry for key in keys for entry in self._tails.pop(key)]
        self._due = time.monotonic() + BREATH if self._tails else _NEVER
        return tails

    def _take_back(self, entries: list[_Entry]) -> None:
        """The database did not take them. Tails that wait may belong behind them: all stand in their order again."""
        tails = self._some_tails(len(self._tails))
        self._ready = deque(sorted([*entries, *tails, *self._ready], key=lambda entry: entry.place))

    def _applied_after(self, entries: list[_Entry]) -> int:
        """Up to which number the database has the journal's changes when these are in it."""
        # Both are in the order of their numbers; those without one come while the journal cannot be written.
        waiting = [some[0].number for some in self._tails.values()]
        waiting += next(([entry.number] for entry in self._ready if entry.number), [])
        if self._left_from:
            waiting.append(self._left_from)
        self._taken = max(self._taken, *(entry.number for entry in entries), 0)
        return min(waiting) - 1 if waiting else self._taken

    def _apply(self, entries: list[_Entry], number: int) -> bool:
        journal = self._journal.name if self._journal is not None and number else ""
        try:
            misfits = self._sink.apply(
                [entry.change for entry in entries if entry.change is not None], journal=journal, number=number
            )
        except StoreError as error:
            self._hear("store", error)
            return False
        self._be_well("store")
        for key in misfits:
            for entry in entries:
                if isinstance(entry.change, SessionTail) and entry.change.key == key:
                    entry.kept = None  # it is in no saved game: the whole of it has to come
            self._on_misfit(key)
        return True

    def _take_a_break(self) -> None:
        """Wait before the next try."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closing, timeout=self._pause)

    # --- trouble --------------------------------------------------------------------------------------------------

    def _hear(self, what: str, error: Exception) -> None:
        if what not in self._troubles:
            self._troubles.add(what)
            with self._changed:
                waiting = self._waiting + len(self._in_journal) + len(self._in_store)
            self._on_trouble(error, waiting)

    def _be_well(self, what: str) -> None:
        if what in self._troubles:
            self._troubles.discard(what)
            if not self._troubles:
                self._on_recovery()
