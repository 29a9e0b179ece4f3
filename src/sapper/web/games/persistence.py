"""Keeps games: what players are told stands in the journal first; every game in progress is saved soon after each of its moves.

A new game, a start and an end go into the store's queue at once, and whoever is to be told of them waits for a `Barrier`. Of a game in
progress only what was done since is written (`session.saving.tail_since`), all changed games together several times a second: so a
saved game is less than a second behind what its player saw, however many play. Written out it is some tens of microseconds of the
event loop; files and database are the business of the queue's threads (`store.background_writer`).

Knows: what has to be kept, what of a game is written already, who waits for what.
Does not know: databases, files, who plays, what a move does.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sapper.core.status import Status
from sapper.errors import RequestError, SapperError, SlowStoreError
from sapper.metrics.game import GameMetrics
from sapper.server.logging import log_failure
from sapper.server.outages import OutageLog, say_what_is_left
from sapper.server.worker_pool import WorkerPool
from sapper.session.events import Finished, Marks
from sapper.session.saving import VERSION, SavedMark, snapshot, tail_since
from sapper.session.storing import stored_game
from sapper.store.background_writer import BackgroundWriter, ChangeSink, call_each
from sapper.store.changes import Change, LateGuesses, PlayerDrop, SessionDrop, SessionTail
from sapper.store.journal import Journal
from sapper.store.models import Result, SavedSession, StoredGame, StoredGuess, from_ms
from sapper.web.games import jobs
from sapper.web.games.live_game import LiveGame
from sapper.web.games.retention import retention_of
from sapper.web.games.services import Barrier, GameOwner
from sapper.web.games.summaries import summary_of

FACE: Final = "web"
DELAY: Final = 0.2
"""Seconds from a move to the next saving: a few moves go together."""
SLICE: Final = 0.001
"""Seconds of writing games out at once, more or less; then moves have their turn."""
SUMMARY_AGE: Final = 10.0
"""Seconds that what lists say of a saved game may be old: it takes as long to write as a move does."""
FORGET_TIME: Final = 8.0
"""Seconds that the database has to forget a player."""
CLOSE_TIME: Final = 5.0
"""Seconds that the end waits for the database; what stands in the journal by then is read at the next start."""
LUCK_TIME: Final = 30.0
"""Seconds within which a game's guesses are to be judged."""
LONGEST_JUDGED: Final = 400_000
"""Characters of the record of a game whose guesses are judged."""


class _Saved(NamedTuple):
    """What of a game is written."""

    mark: SavedMark
    length: int
    """Characters."""
    status: Status
    summary: str
    summed: float
    """When the summary was made, on the meter."""
    has_layout: bool


class GameWriter:
    """Keeps the games of some registry in a store."""

    def __init__(
        self,
        store: ChangeSink,
        pool: WorkerPool | None,
        *,
        now: Callable[[], datetime],
        journal: Journal | None = None,
        meter: Callable[[], float] = time.perf_counter,
        pause: float = 5.0,
        delay: float = DELAY,
        deferred: float = 5.0,
    ) -> None:
        """`pool` judges guesses, if there is one; `meter` measures seconds of work."""
        self._pool = pool
        self._now = now
        self._meter = meter
        self._delay = delay
        self._loop: asyncio.AbstractEventLoop | None = None
        self._dirty: dict[str, LiveGame] = {}
        self._saved: dict[str, _Saved] = {}
        self._put: dict[str, int] = {}
        """How often something of a game was put into the queue."""
        self._kept: dict[str, int] = {}
        """And up to which time the database has it."""
        self._drops: dict[str, int] = {}
        self._number = 0
        self._something = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._judging: set[asyncio.Task[None]] = set()
        self._is_closing = False
        self.outage = OutageLog(
            "the store gives trouble; games go on, and it is tried again", "the store is well again"
        )
        self._queue = BackgroundWriter(
            store, journal=journal, on_trouble=self.outage.begin, on_recovery=self.outage.end, on_misfit=self._misfit,
            on_fault=lambda _: log_failure("a game cannot be kept"), tell=self._tell, pause=pause, deferred=deferred,
        )  # fmt: skip
        self.lost = 0
        """What could not be kept, when it is closed."""

    # --- what is to be kept -----------------------------------------------------------------------------------

    def changed(self, live: LiveGame) -> None:
        """Save this game soon."""
        if not live.is_gone:
            self._drops.pop(live.id, None)
            self._dirty[live.id] = live
            self._something.set()

    def create(self, live: LiveGame) -> Barrier:
        """Save a new game at once."""
        barrier = self._barrier()
        self._save(live, barrier)
        return barrier

    def adopt(self, live: LiveGame, text: str) -> None:
        """A game has come from the store, where it has this text: what follows is appended to it."""
        if text.endswith("\n") and text.isascii():
            self._note(live, len(text))

    def is_dropping(self, name: str) -> bool:
        """Whether a saved game is about to be forgotten."""
        return name in self._drops and self._kept.get(name, 0) < self._drops[name]

    def is_dirty(self, live: LiveGame) -> bool:
        """Whether the store has not got the game as it is now."""
        return live.id in self._dirty or self._kept.get(live.id, 0) < self._put.get(live.id, 0)

    @property
    def in_trouble(self) -> bool:
        """Whether the database does not take what is to be kept, so that what it says of players is old."""
        return self._queue.in_trouble

    async def settle(self, registry: Collection[LiveGame], *, within: float) -> None:
        """Have these games saved now, and wait for that, for so many seconds at most."""
        self._write_out(registry)
        self._queue.hurry()
        end = time.monotonic() + within
        # The queue's threads tell each player's barrier, and nobody of each tail: that would be a thousand calls a second.
        while any(map(self.is_dirty, registry)) and time.monotonic() < end:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    def drop(self, name: str) -> None:
        """Forget a saved game soon: nobody may come back to it."""
        self._dirty.pop(name, None)
        self._saved.pop(name, None)
        self._drops[name] = self._send(name, lambda: SessionDrop(key=name), None)

    def left(self, live: LiveGame) -> None:
        """A game has left memory."""
        for known in (self._saved, self._put, self._kept):
            known.pop(live.id, None)

    def started(self, owner: GameOwner, marks: Marks) -> Barrier:
        """Record that a game has begun."""
        when = self._now()
        return self._record(
            owner,
            lambda: StoredGame(
                key=owner.key_of(marks), kind=owner.kind, result=Result.PLAYING, started=when, ended=when, face=FACE,
                player=owner.player, restarted=marks.restarts > 0 or marks.seen or marks.practice, overlay=marks.overlay,
            ),
        )  # fmt: skip

    def finished(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> Barrier:
        """Record how a game has ended, and have its guesses judged."""
        when = self._now()

        def make() -> StoredGame:
            game = stored_game(
                finished, key=owner.key_of(finished.marks), ended=when, face=FACE, player=owner.player,
                metrics=numbers,
            ).but(kind=owner.kind)  # fmt: skip
            self._in_loop(self._judge, game)
            return game

        return self._record(owner, make)

    def _record(self, owner: GameOwner, make: Callable[[], Change]) -> Barrier:
        barrier = self._barrier()
        # The saved game is to stand where the record says: both are written before anyone is told.
        asyncio.get_running_loop().call_soon(self._save_for, owner.id, make, barrier)
        return barrier

    def _barrier(self) -> Barrier:
        self._loop = asyncio.get_running_loop()
        return Barrier(self._loop)

    def _save_for(self, name: str, make: Callable[[], Change], barrier: Barrier) -> None:
        live = self._dirty.get(name)
        if live is not None:
            self._save(live, None)
        self._send(name, make, barrier)

    # --- writing it out ---------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to keep."""
        self._loop = asyncio.get_running_loop()
        self._task = asyncio.create_task(self._run())

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
                if self._meter() - begin > most:
                    return

    def _save(self, live: LiveGame, barrier: Barrier | None) -> None:
        """Put what is new of a game into the queue."""
        self._dirty.pop(live.id, None)
        if live.is_gone:
            return
        when, status, retention = from_ms(live.played), live.session.status, retention_of(live.session.status)
        known = self._saved.get(live.id)
        has_layout = live.source.game.wish is None or live.referee.layout is not None
        if known is None or (has_layout and not known.has_layout):
            # Whole: it is new, or has a layout that took a search and is not to be searched for again.
            taken, summary = snapshot(live.session, live.referee), summary_of(live.listed())
            text = taken.to_json() + "\n"
            change: Change = SavedSession(
                key=live.id, version=VERSION, text=text, saved=when, player=live.player, title=live.title, retention=retention,
                summary=summary,
            )  # fmt: skip
            self._note(live, len(text), summary)
        else:
            line, mark = tail_since(live.session, live.referee, known.mark)
            now, summary, summed = self._meter(), known.summary, known.summed
            if status is not known.status or live.is_leaving or self._is_closing or now - summed > SUMMARY_AGE:
                summary, summed = summary_of(live.listed()), now
            change = SessionTail(
                key=live.id, start=known.length, text=line, saved=when, retention=retention, summary=summary
            )
            self._saved[live.id] = _Saved(mark, known.length + len(line), status, summary, summed, known.has_layout)
        self._send(live.id, lambda: change, barrier)

    def _note(self, live: LiveGame, length: int, summary: str = "") -> None:
        mark = SavedMark(live.session.input_count, live.referee.board.tiles)
        has_layout = live.source.game.wish is None or live.referee.layout is not None
        summed = self._meter() if summary else float("-inf")
        self._saved[live.id] = _Saved(mark, length, live.session.status, summary, summed, has_layout)

    def _send(self, name: str, make: Callable[[], Change], barrier: Barrier | None) -> int:
        self._number += 1
        number = self._put[name] = self._number

        def kept() -> None:
            self._kept[name] = max(number, self._kept.get(name, 0))

        self._queue.put(make, told=None if barrier is None else barrier.open, kept=kept)
        return number

    def _tell(self, calls: Sequence[Callable[[], None]]) -> None:
        self._in_loop(call_each, calls)

    def _misfit(self, name: str) -> None:
        """On the queue's thread: what was done in a game does not fit what the store has of it."""
        self._in_loop(self._save_whole, name)

    def _save_whole(self, name: str) -> None:
        if self._saved.pop(name, None) is not None and name not in self._drops:
            self._something.set()

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
        for task in [*self._judging, *([] if self._task is None else [self._task])]:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        await asyncio.sleep(0)
        self._write_out(list(self._dirty.values()))
        # Not on the loop's own threads: those may all be waiting for the database.
        self.lost = self._queue.close(within)
        say_what_is_left(self.lost, self._queue.left)
        return self.lost

    async def forget(self, player: str) -> None:
        """Delete a player, with everything that is not kept yet. `StoreError` if that cannot be done now."""
        for name in [name for name, live in self._dirty.items() if live.player == player]:
            del self._dirty[name]
        await asyncio.sleep(0)  # what has begun or ended until now comes before
        barrier = self._barrier()
        self._queue.put(lambda: PlayerDrop(name=player), kept=lambda: self._in_loop(barrier.open))
        self._queue.hurry()
        if not await barrier.wait(FORGET_TIME):
            raise SlowStoreError("the player is forgotten as soon as the database answers")

    # --- guesses ------------------------------------------------------------------------------------------------

    def _judge(self, game: StoredGame) -> None:
        """Have a game's guesses judged when there is time for it, for the calibration of risks."""
        if self._pool is None or game.record is None or len(game.record) > LONGEST_JUDGED or self._is_closing:
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
            self._queue.put(lambda: LateGuesses(key=key, guesses=guesses))
