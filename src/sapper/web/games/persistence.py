"""The sink of all games on the web: what it takes goes to the store's writer, and what is durable is told in the event loop."""

import asyncio
import contextlib
import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Final, Protocol

from sapper.errors import RequestError, SapperError, SlowStoreError
from sapper.play.ports import LogChain, Receipt
from sapper.play.writer import BATCH_GAP, ChangeSink, Writer, call_each
from sapper.server.logging import OutageLog, log, log_failure, say_what_is_lost
from sapper.server.metrics import AnswerHistogram
from sapper.server.worker_pool import WorkerPool
from sapper.session.storing import is_judged
from sapper.store.changes import Change, LateGuesses, PlayerDrop, SessionDrop
from sapper.store.models import StoredGame, StoredGuess
from sapper.web.games import jobs
from sapper.web.games.live_game import LiveGame, wait_for

FACE: Final = "web"
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


class LiveGames(Protocol):
    """The games in memory."""

    def get(self, name: str, /) -> LiveGame | None:
        """The game of that name."""

    def __iter__(self) -> Iterator[LiveGame]:
        """All of them."""


def live_name(key: str) -> str:
    """The live game that a game was played in: a key is that game's name and how often it had been started over (`PlayedGame.key_of`)."""
    return key.rpartition(".")[0]


def _say_fault(error: Exception) -> None:
    log(logging.ERROR, "a game cannot be kept", reason=repr(error))


class GameWriter:
    """Keeps the games of some registry in a store."""

    def __init__(
        self,
        store: ChangeSink,
        pool: WorkerPool | None,
        *,
        pause: float = 1.0,
        rest: float = BATCH_GAP,
        on_end: Callable[[], None] = lambda: None,
    ) -> None:
        """`pool` judges guesses, if there is one; `on_end` hears of an end that is about to be kept, on another thread; `pause` and `rest` are those of `Writer`."""
        self._pool = pool
        self._on_end = on_end
        self._loop: asyncio.AbstractEventLoop | None = None
        self._games: LiveGames | None = None
        self._on_went_on: Callable[[LiveGame], None] = lambda _: None
        self._drops: dict[str, int] = {}
        """The saved games that are to be forgotten, until the database has forgotten them: how often they were dropped."""
        self._late: set[str] = set()
        """The games whose players were told that they are not saved."""
        self.ages = AnswerHistogram()
        """How long changes took to be durable."""
        self._watching: asyncio.Task[None] | None = None
        self._judging: set[asyncio.Task[None]] = set()
        self.outage = OutageLog(
            "the store gives trouble; games go on, and it is tried again", "the store is well again"
        )
        self._writer = Writer(
            store, on_trouble=self.outage.begin, on_recovery=self.outage.end, on_refused=self._refused,
            on_fault=_say_fault, on_age=self.ages.observe, tell=self._tell, pause=pause, rest=rest,
        )  # fmt: skip
        self.lost = 0
        """What could not be kept, when it is closed."""

    def start(self, games: LiveGames, *, on_went_on: Callable[[LiveGame], None] = lambda _: None) -> None:
        """Begin to keep what is done in these; `on_went_on` hears of one that has gone on in another process."""
        self._loop = asyncio.get_running_loop()
        self._games = games
        self._on_went_on = on_went_on
        self._watching = asyncio.create_task(self._watch())

    # --- what is to be kept -----------------------------------------------------------------------------------

    def put(
        self, change: Change | Callable[[], Change | None], on_durable: Callable[[], None] | None = None, /,
        *, is_urgent: bool = True, chain: LogChain | None = None,
    ) -> None:  # fmt: skip
        """See `GameSink.put`; `on_durable` is called in the event loop."""
        self._writer.put(change, on_durable, is_urgent=is_urgent, chain=chain)

    def drop(self, drop: SessionDrop) -> None:
        """Forget a saved game soon: nobody may come back to it."""
        name = drop.key
        self._drops[name] = self._drops.get(name, 0) + 1

        def has_dropped() -> None:
            self._drops[name] -= 1
            if not self._drops[name]:
                del self._drops[name]

        self.put(drop, has_dropped)

    def is_dropping(self, name: str) -> bool:
        """True while a saved game is about to be forgotten."""
        return name in self._drops

    @property
    def in_trouble(self) -> bool:
        """True while the database does not take what is to be kept, so that what it says of players is old."""
        return self._writer.in_trouble

    @property
    def behind(self) -> float:
        """Seconds since the oldest change was made that is not durable yet; 0 if there is none."""
        return self._writer.behind

    async def settle_all(self, *, within: float) -> bool:
        """Wait until all that was done until now is durable, for so many seconds at most; whether it is."""
        return await asyncio.to_thread(self._writer.flush, within)

    async def settle(self, games: Collection[LiveGame], *, within: float) -> None:
        """Wait until all that was done in these games is durable, for so many seconds at most."""
        if not all(live.game.is_kept for live in games):
            await asyncio.to_thread(self._writer.flush, within)

    async def forget(self, player: str) -> None:
        """Delete a player, with everything that is not kept yet. `StoreError` if that cannot be done now."""
        receipt = Receipt()
        self.put(PlayerDrop(name=player), receipt.settle)
        if not await wait_for(receipt, FORGET_TIME):
            raise SlowStoreError("the player is forgotten as soon as the database answers")

    async def close(self, within: float = CLOSE_TIME) -> int:
        """Keep all there is, and stop; how much of it is lost."""
        tasks = [*self._judging, *([] if self._watching is None else [self._watching])]
        self._pool = None  # nothing more is judged
        for task in tasks:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        # Not on the loop's own threads: those may all be waiting for the database.
        self.lost = self._writer.close(within)
        say_what_is_lost(self.lost)
        return self.lost

    # --- what the writer's thread tells ---------------------------------------------------------------------------

    def _in_loop(self, act: Callable[..., None], *values: object) -> None:
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(act, *values)

    def _tell(self, calls: Sequence[Callable[[], None]]) -> None:
        self._in_loop(call_each, calls)

    def _refused(self, name: str) -> None:
        """What was done in a game does not follow what the store has of it."""
        self._in_loop(self._mend, name)

    def _mend(self, name: str) -> None:
        """Where other processes play the same games one of them was first; else the store lacks something, and gets the whole."""
        live = None if self._games is None else self._games.get(name)
        if live is None:
            return
        if not live.game.confirms:
            live.game.save_whole()
        elif live.game.is_refused:
            self._on_went_on(live)

    # --- what is late -------------------------------------------------------------------------------------------------

    async def _watch(self) -> None:
        """Tell players whose game is not saved in time, and tell them when it is."""
        while True:
            await asyncio.sleep(WATCH)
            if self._late or self.behind > LATE:
                self._look_for_late(self.behind > LATE)

    def _look_for_late(self, is_late: bool) -> None:
        assert self._games is not None
        for live in self._games:
            was_late = live.id in self._late
            if live.game.confirms:
                continue  # nobody was told anything that is not saved
            if not live.game.is_kept and is_late and not was_late:
                self._late.add(live.id)
                live.tell_saving(saved=False)
            elif live.game.is_kept and was_late:
                self._late.discard(live.id)
                live.tell_saving(saved=True)

    def left(self, live: LiveGame) -> None:
        """A game has left memory."""
        self._late.discard(live.id)

    # --- guesses ------------------------------------------------------------------------------------------------

    def recorded(self, game: StoredGame) -> None:
        """A game that has ended is made for the store, on the writer's thread: have its guesses judged when there is time for it."""
        self._on_end()
        if game.record is not None and is_judged(game):
            self._in_loop(self._judge, game.key, game.record)

    def _judge(self, key: str, record: str) -> None:
        if self._pool is not None:
            task = asyncio.create_task(self._find_guesses(self._pool, key, record))
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
            self.put(LateGuesses(key=key, guesses=guesses), is_urgent=False)
