"""Keeps games: what players are told is in the database first; every game in progress is saved soon after each of its moves.

A new game, a start and an end go into the store's queue at once, and whoever is to be told of them waits for a `Barrier`. Of a game in
progress only what was done since is written (`session.saving.tail_since`), all changed games together several times a second: so a
saved game is less than a second behind what its player saw, however many play. Written out it is some tens of microseconds of the
event loop; the database is the business of the queue's thread (`play.writer`).

Knows: what has to be kept, what of a game is written already, who waits for what.
Does not know: databases, files, who plays, what a move does.
"""

import asyncio
import contextlib
import logging
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Final, NamedTuple

from sapper.errors import RequestError, SapperError, SlowStoreError
from sapper.metrics.game import GameMetrics
from sapper.play.writer import ChangeSink, Writer, call_each
from sapper.server.exposition import AnswerHistogram
from sapper.server.logging import log, log_failure
from sapper.server.outages import OutageLog, say_what_is_lost
from sapper.server.worker_pool import WorkerPool
from sapper.session.events import Assistance, Finished
from sapper.session.guesses import is_judged
from sapper.session.saving import VERSION, SavedMark, snapshot, tail_since
from sapper.session.storing import begun_game, state_of, stored_game
from sapper.store.changes import Change, InputLog, LateGuesses, PlayerDrop, SessionDrop
from sapper.store.models import SavedSession, StoredGame, StoredGuess, from_ms
from sapper.web.games import jobs
from sapper.web.games.live_game import LiveGame
from sapper.web.games.retention import RETENTION
from sapper.web.games.services import Barrier, GameOwner

FACE: Final = "web"
DELAY: Final = 0.1
"""Seconds from a move to the next saving: the games that change meanwhile go together."""
SLICE: Final = 0.001
"""Seconds of writing games out at once, more or less; then moves have their turn."""
OVERDUE: Final = 0.4
"""Seconds after which a game is written out before any more moves have their turn: a server that has too much to do answers later, and is
not further and further behind."""
LATE: Final = 0.8
"""Seconds after which a player is told that what was done is not saved yet."""
WATCH: Final = 0.1
"""Seconds between two looks at what is late."""
FORGET_TIME: Final = 8.0
"""Seconds that the database has to forget a player."""
CLOSE_TIME: Final = 5.0
"""Seconds that the end waits for the database."""
LUCK_TIME: Final = 30.0
"""Seconds within which a game's guesses are to be judged."""


def _say_fault(error: Exception) -> None:
    log(logging.ERROR, "a game cannot be kept", reason=repr(error))


class _Saved(NamedTuple):
    """What of a game is written."""

    mark: SavedMark
    has_layout: bool


class _Progress:
    """How far what was put into the queue of one game has come."""

    __slots__ = ("kept", "put")

    def __init__(self) -> None:
        self.put = 0
        """The number of the last change in the queue."""
        self.kept = 0
        """And of the last that the database has."""


class GameWriter:
    """Keeps the games of some registry in a store."""

    def __init__(
        self,
        store: ChangeSink,
        pool: WorkerPool | None,
        *,
        now: Callable[[], datetime],
        meter: Callable[[], float] = time.perf_counter,
        time: Callable[[], float] = time.monotonic,
        pause: float = 5.0,
        delay: float = DELAY,
    ) -> None:
        """`pool` judges guesses, if there is one; `meter` measures seconds of work, and `time` those that pass."""
        self._pool = pool
        self._now = now
        self._meter = meter
        self._time = time
        self._delay = delay
        self._loop: asyncio.AbstractEventLoop | None = None
        self._dirty: dict[str, LiveGame] = {}
        self._saved: dict[str, _Saved] = {}
        self._lives: dict[str, LiveGame] = {}
        """Those that are in memory and have been saved."""
        self._progress: dict[str, _Progress] = {}
        self._drops: dict[str, int] = {}
        """The saved games that are to be forgotten, until the database has forgotten them: the number of that change."""
        self._number = 0
        self._since: dict[str, float] = {}
        """When the first change of a game was made that is not in the queue; the oldest first."""
        self._pending: deque[tuple[int, str, float]] = deque()
        """What is in the queue and not durable yet: its number, its game, when the first change in it was made."""
        self._late: set[str] = set()
        """The games whose players were told that they are not saved."""
        self.ages = AnswerHistogram()
        """How long changes took to be durable."""
        self._something = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._judging: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self.outage = OutageLog(
            "the store gives trouble; games go on, and it is tried again", "the store is well again"
        )
        self._queue = Writer(
            store, on_trouble=self.outage.begin, on_recovery=self.outage.end, on_refused=self._refused,
            on_fault=_say_fault, tell=self._tell, pause=pause,
        )  # fmt: skip
        self.lost = 0
        """What could not be kept, when it is closed."""

    @property
    def behind(self) -> float:
        """Seconds since the oldest change was made that is on no disk yet; 0 if there is none."""
        since = self._oldest
        return 0.0 if since is None else max(0.0, self._time() - since)

    @property
    def _oldest(self) -> float | None:
        waiting = [*islice(self._since.values(), 1), *(since for _, _, since in islice(self._pending, 1))]
        return min(waiting, default=None)

    # --- what is to be kept -----------------------------------------------------------------------------------

    def changed(self, live: LiveGame) -> None:
        """Save this game soon."""
        if not live.is_gone:
            self._drops.pop(live.id, None)
            self._dirty[live.id] = self._lives[live.id] = live
            self._since.setdefault(live.id, self._time())
            self._something.set()

    def create(self, live: LiveGame) -> Barrier:
        """Save a new game at once."""
        barrier = self._barrier()
        self._save(live, barrier)
        return barrier

    def adopt(self, live: LiveGame, text: str) -> None:
        """A game has come from the store, where it has this text: what follows is appended to it."""
        if text.endswith("\n"):
            self._note(live)

    def is_dropping(self, name: str) -> bool:
        """Whether a saved game is about to be forgotten."""
        return name in self._drops

    def is_dirty(self, live: LiveGame) -> bool:
        """Whether the store has not got the game as it is now."""
        progress = self._progress.get(live.id)
        return live.id in self._dirty or (progress is not None and progress.kept < progress.put)

    @property
    def in_trouble(self) -> bool:
        """Whether the database does not take what is to be kept, so that what it says of players is old."""
        return self._queue.in_trouble

    async def settle(self, games: Collection[LiveGame], *, within: float) -> None:
        """Have these games saved now, and wait for that, for so many seconds at most."""
        self._write_out(games)
        if any(map(self.is_dirty, games)):
            await asyncio.to_thread(self._queue.flush, within)

    def drop(self, name: str) -> None:
        """Forget a saved game soon: nobody may come back to it."""
        self._dirty.pop(name, None)
        self._since.pop(name, None)
        self._saved.pop(name, None)
        self._drops[name] = self._send(name, SessionDrop(key=name), None)

    def left(self, live: LiveGame) -> None:
        """A game has left memory."""
        for known in (self._saved, self._progress, self._lives):
            known.pop(live.id, None)

    def started(self, owner: GameOwner, assistance: Assistance) -> Barrier:
        """Record that a game has begun, or that help was had in it."""
        game = begun_game(
            assistance,
            key=owner.key_of(assistance),
            kind=owner.kind,
            started=self._now(),
            face=FACE,
            player=owner.player,
        )
        return self._record(owner, game)

    def finished(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> Barrier:
        """Record how a game has ended, and have its guesses judged."""
        when = self._now()

        def make() -> StoredGame:
            game = stored_game(
                finished, key=owner.key_of(finished.assistance), ended=when, face=FACE, player=owner.player,
                metrics=numbers,
            ).replace(kind=owner.kind)  # fmt: skip
            self._in_loop(self._judge, game)
            return game

        return self._record(owner, make)

    def _barrier(self) -> Barrier:
        self._loop = asyncio.get_running_loop()
        return Barrier(self._loop)

    def _record(self, owner: GameOwner, what: Change | Callable[[], Change]) -> Barrier:
        barrier = self._barrier()
        # The saved game is to stand where the record says: both are written before anyone is told.
        live = self._dirty.get(owner.id)
        if live is not None:
            self._save(live, None)
        self._send(owner.id, what, barrier)
        return barrier

    # --- writing it out ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to keep."""
        self._loop = asyncio.get_running_loop()
        self._tasks = [asyncio.create_task(self._run()), asyncio.create_task(self._watch())]

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            await asyncio.sleep(self._delay)
            while self._dirty:
                self._write_out(list(self._dirty.values()), most=SLICE)
                await asyncio.sleep(0)

    def _write_out(self, games: Collection[LiveGame], most: float = float("inf")) -> None:
        begin = self._meter()
        for live in games:
            if live.id in self._dirty:
                try:
                    self._save(live, None)
                except Exception:  # noqa: BLE001  # a mistake of ours in one game must not keep all others from being saved
                    log_failure("a game cannot be saved", game=live.id)
                if self._meter() - begin > most and not self._is_overdue:
                    return

    @property
    def _is_overdue(self) -> bool:
        """Whether a change waits to be written out for too long."""
        since = next(iter(self._since.values()), None)
        return since is not None and self._time() - since > OVERDUE

    def _save(self, live: LiveGame, barrier: Barrier | None) -> None:
        """Put what is new of a game into the queue."""
        self._dirty.pop(live.id, None)
        since = self._since.pop(live.id, None)
        if live.is_gone:
            return
        when, state = from_ms(live.played), state_of(live.session, live.referee.board)
        known = self._saved.get(live.id)
        has_layout = live.source.game.spec is None or live.referee.layout is not None
        if known is None or (has_layout and not known.has_layout):
            # Whole: it is new, or has a layout that took a search and is not to be searched for again.
            change: Change = SavedSession(
                key=live.id, version=VERSION, text=snapshot(live.session, live.referee).to_json() + "\n", saved=when,
                inputs=live.session.input_count, player=live.player, kind=live.kind, title=live.title, retention=RETENTION,
                state=state,
            )  # fmt: skip
            self._note(live)
        else:
            line, mark = tail_since(live.session, live.referee, known.mark)
            before = known.mark.inputs
            change = InputLog(key=live.id, first=before, count=mark.inputs - before, text=line, saved=when, state=state)
            self._saved[live.id] = _Saved(mark, known.has_layout)
        self._lives[live.id] = live
        self._send(live.id, change, barrier, since)

    def _note(self, live: LiveGame) -> None:
        mark = SavedMark(live.session.input_count, live.referee.board.tiles)
        has_layout = live.source.game.spec is None or live.referee.layout is not None
        self._saved[live.id] = _Saved(mark, has_layout)

    def _send(
        self, name: str, what: Change | Callable[[], Change], barrier: Barrier | None, since: float | None = None
    ) -> int:
        self._number += 1
        number = self._number
        progress = self._progress.setdefault(name, _Progress())
        progress.put = number
        self._pending.append((number, name, self._time() if since is None else since))

        told = partial(self._durable, number, progress, barrier)
        self._queue.put(what, told, is_urgent=barrier is not None)
        return number

    def _has_dropped(self, name: str, number: int) -> None:
        """The database has forgotten a saved game: nothing is remembered of it either, unless it is played again."""
        del self._drops[name]
        progress = self._progress.get(name)
        if progress is not None and progress.put == number:
            del self._progress[name]

    def _tell(self, calls: Sequence[Callable[[], None]]) -> None:
        self._in_loop(call_each, calls)

    def _durable(self, number: int, progress: _Progress, barrier: Barrier | None) -> None:
        """What was put into the queue up to this number is on the disk."""
        now = self._time()
        progress.kept = number
        while self._pending and self._pending[0][0] <= number:
            _, name, since = self._pending.popleft()
            self.ages.observe(now - since)
            if self._drops.get(name) == number:
                self._has_dropped(name, number)
        if barrier is not None:
            barrier.open()

    async def _watch(self) -> None:
        """Tell players whose game is not saved in time, and tell them when it is."""
        while True:
            await asyncio.sleep(WATCH)
            self._look_for_late()

    def _look_for_late(self) -> None:
        before = self._time() - LATE
        late = set()
        if self._late or (self._oldest or before) < before:
            late = {name for name, since in self._since.items() if since < before}
            late |= {name for _, name, since in self._pending if since < before}
        for name in late ^ self._late:
            if (live := self._lives.get(name)) is not None:
                live.tell_saving(saved=name not in late)
        self._late = late

    def _refused(self, name: str) -> None:
        """On the queue's thread: what was done in a game does not follow what the store has of it."""
        self._in_loop(self._save_whole, name)

    def _save_whole(self, name: str) -> None:
        """Save all of a game at once: until then the store lacks what its player has seen."""
        self._saved.pop(name, None)
        live = self._lives.get(name)
        if live is not None and name not in self._drops:
            self._save(live, None)

    def _in_loop(self, act: Callable[..., None], *values: object) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(act, *values)

    # --- the end ----------------------------------------------------------------------------------------------

    async def flush(self, within: float = 10.0) -> bool:
        """Have the database get all there is; whether it has."""
        await asyncio.sleep(0)
        self._write_out(list(self._dirty.values()))
        return await asyncio.to_thread(self._queue.flush, within)

    async def close(self, within: float = CLOSE_TIME) -> int:
        """Keep all there is, and stop; how much of it is lost."""
        self._is_closing = True
        for task in [*self._judging, *self._tasks]:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0)
        self._write_out(list(self._dirty.values()))
        # Not on the loop's own threads: those may all be waiting for the database.
        self.lost = self._queue.close(within)
        say_what_is_lost(self.lost)
        return self.lost

    async def forget(self, player: str) -> None:
        """Delete a player, with everything that is not kept yet. `StoreError` if that cannot be done now."""
        for name in [name for name, live in self._dirty.items() if live.player == player]:
            del self._dirty[name]
            self._since.pop(name, None)
        await asyncio.sleep(0)  # what has begun or ended until now comes before
        barrier = self._barrier()
        self._queue.put(PlayerDrop(name=player), barrier.open)
        if not await barrier.wait(FORGET_TIME):
            raise SlowStoreError("the player is forgotten as soon as the database answers")

    # --- guesses ------------------------------------------------------------------------------------------------

    def _judge(self, game: StoredGame) -> None:
        """Have a game's guesses judged when there is time for it, for the calibration of risks."""
        if self._pool is None or game.record is None or not is_judged(game) or self._is_closing:
            return
        task = asyncio.create_task(self._find_guesses(self._pool, game.key, game.record))
        self._judging.add(task)
        task.add_done_callback(self._judging.discard)

    async def _find_guesses(self, pool: WorkerPool, key: str, record: str) -> None:
        try:
            found = await pool.run(jobs.luck, record, timeout=LUCK_TIME, urgent=False)
        except RequestError:
            return  # there is more to do than can be done, and this is what can be left
        except SapperError:
            log_failure("a game could not be judged", game=key)
            return
        if found:
            guesses = tuple(StoredGuess(*one) for one in found)
            self._queue.put(LateGuesses(key=key, guesses=guesses))
