"""Keeps games: every game in progress soon after each of its moves, every game that began or ended, in few transactions.

A game is written out here, a little at a time, so that moves come in between: what that takes is paid for with a pause nine times
as long, so that it never is more than a tenth of the time, however many play. The database is another thread's. What cannot be kept
now (a full disk, a lost database) is kept later: no game waits for it.

Knows: what has to be kept, batches, budgets, when to try again.
Does not know: databases, who plays, what a move does.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from functools import partial
from itertools import count, islice
from typing import Final, NamedTuple, Protocol, TypeVar

from sapper.errors import RequestError, SapperError, StoreError
from sapper.metrics.game import GameMetrics
from sapper.server.logging import log, log_failure
from sapper.server.worker_pool import WorkerPool
from sapper.session.events import Finished, Marks
from sapper.session.saving import VERSION, SessionSnapshot, snapshot
from sapper.session.storing import stored_game
from sapper.store.models import Result, SavedSession, StoredGame, StoredGuess, from_ms
from sapper.web.games import jobs
from sapper.web.games.live_game import LiveGame
from sapper.web.games.retention import shelf_of
from sapper.web.games.services import GameOwner
from sapper.web.games.summaries import summary_of

Answer = TypeVar("Answer")

FACE: Final = "web"
DELAY: Final = 0.2
"""Seconds from a move to the next saving: a few moves go together."""
SHARE: Final = 0.1
"""The part of the time that writing games out may take."""
SLICE: Final = 0.003
"""Seconds of that at once, more or less: one game at least."""
AT_ONCE: Final = 200
"""Games in a transaction."""
LONG: Final = 1_000
"""Inputs from which on a game is written out on the other thread: it would stop the others for too long."""
REST: Final = 0.001
"""Seconds for each of its inputs that such a game is not saved again: it is written whole each time."""
PAUSE: Final = 5.0
"""Seconds before what failed is tried again."""
MOST_WAITING: Final = 50_000
"""Games that have begun or ended and wait, before the oldest are given up."""
MOST_MOVES: Final = 500_000
"""And their moves: up to 300 MB, less what games in memory have anyway."""
LUCK_TIME: Final = 30.0
"""Seconds within which a game's guesses are to be judged."""
LONGEST_JUDGED: Final = 400_000
"""Characters of the record of a game whose guesses are judged."""


class GameStore(Protocol):
    """What keeps games."""

    def record_many(self, games: Iterable[StoredGame]) -> int:
        """Keep them all, or none."""

    def save_sessions(self, sessions: Iterable[SavedSession]) -> None:
        """Keep them all, or none."""

    def drop_sessions(self, keys: Iterable[str]) -> int:
        """Forget them."""

    def add_guesses(self, key: str, guesses: "list[StoredGuess]") -> bool:
        """Keep what became known of a game."""

    def delete_player(self, name: str) -> int | None:
        """Delete all that is kept of a player."""


class _Saving:
    """A game that is being saved; its text is written at once, unless it is long."""

    __slots__ = ("live", "shelf", "snapshot", "summary", "text", "when")

    def __init__(self, live: LiveGame) -> None:
        self.live = live
        # When it was played: a clock that is saved at the end is no reason to come first in a list.
        self.when = from_ms(live.played)
        self.shelf = shelf_of(live.session.status)
        self.summary = summary_of(live.listed())
        self.snapshot: SessionSnapshot = snapshot(live.session, live.referee)
        self.text = self.snapshot.to_json() if len(self.snapshot.truth.inputs) < LONG else None

    def session(self) -> SavedSession:
        """What the store takes."""
        text = self.snapshot.to_json() if self.text is None else self.text
        return SavedSession(
            key=self.live.id, version=VERSION, text=text, saved=self.when, player=self.live.player,
            title=self.live.title, shelf=self.shelf, summary=self.summary,
        )  # fmt: skip


def _tried(make: Callable[[], Answer], name: str) -> Answer | None:
    """What is made of one game. None where that is a mistake of ours: it must not keep all others from being saved."""
    try:
        return make()
    except Exception:  # noqa: BLE001  # as it says
        log_failure("a game cannot be saved", game=name)
        return None


class _Result(NamedTuple):
    """A game that has begun or ended; its value is made on the other thread."""

    name: str
    player: str
    make: Callable[[], StoredGame]
    moves: int
    """What it holds on to."""


class GameWriter:
    """Keeps the games of some registry in a store."""

    def __init__(
        self,
        store: GameStore,
        pool: WorkerPool | None,
        *,
        now: Callable[[], datetime],
        meter: Callable[[], float] = time.perf_counter,
        pause: float = PAUSE,
        delay: float = DELAY,
    ) -> None:
        """`pool` judges guesses, if there is one; `meter` measures seconds of work."""
        self._store = store
        self._pool = pool
        self._now = now
        self._meter = meter
        self._pause = pause
        self._delay = delay
        self._dirty: dict[str, LiveGame] = {}
        self._saving: dict[str, LiveGame] = {}
        self._resting: dict[str, LiveGame | None] = {}
        """Long games that were saved lately; those that have changed since are there."""
        self._numbers = count()
        self._games: dict[int, _Result] = {}
        self._moves = 0
        self._given_up = 0
        self._guesses: dict[str, list[StoredGuess]] = {}
        self._drops: dict[str, None] = {}
        self._something = asyncio.Event()
        self._was_kept = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sapper-writer")
        self._task: asyncio.Task[None] | None = None
        self._judging: set[asyncio.Task[None]] = set()
        self._is_closing = False

    # --- what is to be kept -----------------------------------------------------------------------------------

    def changed(self, live: LiveGame) -> None:
        """Save this game soon."""
        if not live.is_gone:
            self._drops.pop(live.id, None)
            if live.id in self._resting:
                self._resting[live.id] = live
                return
            self._dirty[live.id] = live
            self._something.set()

    def _rest(self, live: LiveGame) -> None:
        """A game is being saved; if it is long, not again too soon."""
        inputs = live.session.input_count
        if inputs >= LONG and not self._is_closing:
            self._resting[live.id] = None
            asyncio.get_running_loop().call_later(REST * inputs, self._wake, live.id)

    def _wake(self, name: str) -> None:
        if (live := self._resting.pop(name, None)) is not None:
            self.changed(live)

    def is_dropping(self, name: str) -> bool:
        """Whether a saved game is about to be forgotten."""
        return name in self._drops

    def is_dirty(self, live: LiveGame) -> bool:
        """Whether the store has not got the game as it is now."""
        name = live.id
        return name in self._dirty or name in self._saving or self._resting.get(name) is not None

    async def settle(self, registry: Collection[LiveGame], *, within: float) -> None:
        """Have these games saved now, and wait for that, for so many seconds at most."""
        for live in registry:
            self._wake(live.id)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                while any(map(self.is_dirty, registry)):
                    self._was_kept.clear()
                    await self._was_kept.wait()

    def drop(self, name: str) -> None:
        """Forget a saved game soon: nobody may come back to it."""
        self._dirty.pop(name, None)
        self._resting.pop(name, None)
        self._drops[name] = None
        self._something.set()

    def started(self, owner: GameOwner, marks: Marks) -> None:
        """Record that a game has begun."""
        when = self._now()
        self._record(
            owner,
            lambda: StoredGame(
                key=owner.key_of(marks), kind=owner.kind, result=Result.PLAYING, started=when, ended=when, face=FACE,
                player=owner.player, restarted=marks.restarts > 0 or marks.seen, overlay=marks.overlay,
            ),
            moves=0,
        )  # fmt: skip

    def finished(self, owner: GameOwner, finished: Finished, numbers: GameMetrics | None) -> None:
        """Record how a game has ended, and have its guesses judged."""
        when = self._now()
        self._record(
            owner,
            lambda: stored_game(
                finished, key=owner.key_of(finished.marks), ended=when, face=FACE, player=owner.player,
                metrics=numbers,
            ).but(kind=owner.kind),
            moves=len(finished.record.played),
        )  # fmt: skip

    def _record(self, owner: GameOwner, make: Callable[[], StoredGame], *, moves: int) -> None:
        self._games[next(self._numbers)] = _Result(owner.id, owner.player, make, moves)
        self._moves += moves
        while len(self._games) > MOST_WAITING or (self._moves > MOST_MOVES and len(self._games) > 1):
            self._let_go(next(iter(self._games)))
            self._given_up += 1
        self._something.set()

    def _let_go(self, number: int) -> None:
        """A result waits no longer."""
        one = self._games.pop(number, None)
        if one is not None:
            self._moves -= one.moves

    # --- keeping it -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to keep."""
        self._task = asyncio.create_task(self._run())

    async def flush(self) -> None:
        """Keep all there is now; `StoreError` if that cannot be."""
        while self._dirty or self._games or self._guesses or self._drops:
            await self._keep(await self._write_out())

    async def close(self, within: float = 10.0) -> None:
        """Keep all there is, if it can be done within so many seconds, and stop."""
        self._is_closing = True
        for task in [*self._judging, *([] if self._task is None else [self._task])]:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        self._dirty = self._saving | self._dirty
        for name in list(self._resting):
            self._wake(name)
        try:
            async with asyncio.timeout(within):
                await self.flush()
        except (StoreError, TimeoutError) as error:
            log(
                logging.ERROR, "games are lost: the store did not take them", sessions=len(self._dirty),
                games=len(self._games), reason=str(error) or "it took too long",
            )  # fmt: skip
        await asyncio.to_thread(self._thread.shutdown)

    async def forget(self, player: str) -> None:
        """Delete a player, with everything that is not kept yet. `StoreError` if that cannot be done now."""
        for waiting in (self._dirty, self._resting):
            for name in [name for name, live in waiting.items() if live is not None and live.player == player]:
                del waiting[name]
        for number in [number for number, one in self._games.items() if one.player == player]:
            self._let_go(number)
        await self._in_thread(lambda: self._store.delete_player(player))

    async def _run(self) -> None:
        while True:
            await self._something.wait()
            self._something.clear()
            await asyncio.sleep(self._delay)
            try:
                await self.flush()
            except StoreError as error:
                log(
                    logging.WARNING, "games cannot be saved now; they go on, and it is tried again",
                    sessions=len(self._dirty), games=len(self._games), given_up=self._given_up, reason=str(error),
                )  # fmt: skip
                self._something.set()
                await asyncio.sleep(self._pause)
            except Exception:  # noqa: BLE001  # whatever it was, there are games that wait
                log_failure("a mistake while games were saved")
                self._something.set()
                await asyncio.sleep(self._pause)

    async def _write_out(self) -> list[_Saving]:
        """Some of the games that changed, as texts; in small slices, with pauses between them."""
        batch: list[_Saving] = []
        spent, begin = 0.0, self._meter()
        while self._dirty and len(batch) < AT_ONCE:
            name, live = next(iter(self._dirty.items()))
            del self._dirty[name]
            self._saving[name] = live
            one = _tried(partial(_Saving, live), name)
            if one is None:
                del self._saving[name]
            else:
                batch.append(one)
                self._rest(live)
            taken = self._meter() - begin
            if taken >= SLICE:
                spent += taken
                if not self._is_closing:
                    if spent >= self._delay * SHARE and len(batch) > 1:
                        break
                    await asyncio.sleep(taken * (1 / SHARE - 1))
                begin = self._meter()
        return batch

    async def _keep(self, batch: list[_Saving]) -> None:
        """Have all that waits kept; what fails waits again."""
        games = dict(islice(self._games.items(), AT_ONCE))
        guesses = dict(islice(self._guesses.items(), AT_ONCE))
        drops = list(self._drops)
        try:
            ended = await self._in_thread(lambda: self._write(batch, list(games.values()), guesses, drops))
        except BaseException:
            # What has changed meanwhile is dirty already, and stays in its place.
            for one in batch:
                if not one.live.is_gone:
                    self._dirty.setdefault(one.live.id, one.live)
            raise
        finally:
            for one in batch:
                self._saving.pop(one.live.id, None)
            self._was_kept.set()
        for number in games:
            self._let_go(number)
        for key in guesses:
            self._guesses.pop(key, None)
        for name in drops:
            self._drops.pop(name, None)
        for game in ended:
            self._judge(game)

    def _write(
        self,
        batch: list[_Saving],
        games: list[_Result],
        guesses: dict[str, list[StoredGuess]],
        drops: list[str],
    ) -> list[StoredGame]:
        """On the other thread: all of it into the store; the games that ended."""
        made = [game for one in games if (game := _tried(one.make, one.name)) is not None]
        if made:
            self._store.record_many(made)
        for key, some in guesses.items():
            self._store.add_guesses(key, some)
        if batch:
            wanted = (_tried(one.session, one.live.id) for one in batch if not one.live.is_gone)
            self._store.save_sessions([session for session in wanted if session is not None])
        if drops:
            self._store.drop_sessions(drops)
        return [game for game in made if game.result is not Result.PLAYING]

    async def _in_thread(self, do: Callable[[], Answer]) -> Answer:
        return await asyncio.get_running_loop().run_in_executor(self._thread, do)

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
            self._guesses[key] = [StoredGuess(*one) for one in found]
            self._something.set()
