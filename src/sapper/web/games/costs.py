"""Has games judged for `store.skill`. Those that end here are judged at once, within the processor time of their players' addresses. From time to time
the rest is judged: what there was no time for, what an earlier server left, and games that nobody has ended in a day.
"""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from sapper.core.record import Record
from sapper.errors import RequestError, SapperError, StoreError
from sapper.play.game_parts import saved_parts
from sapper.server.logging import OutageLog, log_failure
from sapper.server.worker_pool import WorkerPool
from sapper.store.fair_play import FEWEST_GAPS, fault_of_game, human_doubt
from sapper.store.models import Result, StoredGame
from sapper.store.rankings import ABANDONED
from sapper.store.repository import Store
from sapper.store.skill import JudgedGame, abandoned_games, keep_cost, waiting_game, waiting_keys
from sapper.web.games.persistence import live_name
from sapper.web.games.reviewing import judged_moves

COST_TIME: Final = 30.0
"""Seconds within which a game is to be judged; later it is tried again."""
GAP: Final = 0.5
"""Seconds between two looks at games that have ended here."""
LATER: Final = 10.0
"""Seconds until it is looked again, where the database did not have all of them in time."""
ROUND: Final = 600.0
"""Seconds between two looks at all that waits."""
LATEST: Final = 200
"""Games that are looked at after an end."""
PAGE: Final = 20
MOST_ABANDONED: Final = 500
"""Games that are looked at in one round; the others wait for the next."""


def judge_game(game: StoredGame) -> JudgedGame:
    """What a game lost by its player's choices, as its review says. It does not count if a referee who plays it again gets another game. Of a record of
    very many moves that cannot be done: what is left out of it counts as lost.
    """
    if game.record is None:
        return JudgedGame(None)
    record = Record.from_json(game.record)
    if game.result is not Result.PLAYING and not record.left_out and fault_of_game(game) is not None:
        return JudgedGame(None)
    # A few quick clicks say nothing.
    doubt = human_doubt(game) if len(record.played) > FEWEST_GAPS else None
    return JudgedGame(judged_moves(record).lost, doubt)


def judge_abandoned(game: StoredGame, text: str) -> JudgedGame:
    """The same of an unfinished game, by what is saved of it."""
    parts = saved_parts(text)
    # With the referee: most such games are paused, since their pages were closed.
    return judge_game(game.replace(record=parts.session.record(parts.referee).to_json()))


class CostTask:
    """Judges games. Belongs to one event loop."""

    def __init__(
        self,
        store: Store,
        pool: WorkerPool,
        *,
        now: Callable[[], datetime],
        settle: Callable[[], Awaitable[bool]],
        address_of: Callable[[str], str | None],
    ) -> None:
        """`settle` waits until what has ended is in the store, and says whether it is; `address_of` knows where the player of a live game here is, by the game's name."""
        self._store = store
        self._pool = pool
        self._now = now
        self._settle = settle
        self._address_of = address_of
        self._outage = OutageLog("games cannot be judged now", "games are judged again")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._has_ended = asyncio.Event()
        self._judging: dict[str, asyncio.Task[bool]] = {}
        """Those that wait until they are tried again too."""
        self._later: set[str] = set()
        """What there was no processor time for: it is left to the next round."""
        self._seen: datetime | None = None
        """Unfinished games that began before then were looked at."""

    def wake(self) -> None:
        """A game has ended. Any thread may say so."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._has_ended.set)

    async def run(self) -> None:
        """Judge what ends here, and from time to time all that waits, until it is cancelled."""
        self._loop = asyncio.get_running_loop()
        rounds = asyncio.create_task(self._go_round())
        try:
            while True:
                await self._has_ended.wait()
                self._has_ended.clear()
                if await self._try(self._look_at_ends):
                    await asyncio.sleep(GAP)
                else:
                    self._has_ended.set()
                    await asyncio.sleep(LATER)
        finally:
            for task in (rounds, *self._judging.values()):
                task.cancel()

    async def _go_round(self) -> None:
        while True:
            await self._try(self.look_at_all)
            await asyncio.sleep(ROUND)

    async def _try(self, look: Callable[[], Awaitable[bool | None]]) -> bool:
        """False if it is to be tried again soon."""
        try:
            return await look() is not False
        except StoreError as error:
            self._outage.begin(error)
            return False
        except Exception:  # noqa: BLE001  # the next look is another one
            log_failure("a mistake while games were judged")
            return True

    async def _look_at_ends(self) -> bool:
        """Begin to judge what waits of games that are here. False if one that has ended may be missing."""
        has_all = await self._settle()
        for _, key in await asyncio.to_thread(waiting_keys, self._store, latest=True, most=LATEST):
            address = self._address_of(live_name(key))
            if address is not None and key not in self._judging and key not in self._later:
                self._judging[key] = asyncio.create_task(self._try(partial(self._judge_end, key, address)))
        return has_all

    async def _judge_end(self, key: str, address: str) -> None:
        try:
            if not await self._judge_waiting(key, address):
                self._later.add(key)
        except StoreError as error:
            # It is tried again, and until then is no game that another end has judged anew.
            self._outage.begin(error)
            await asyncio.sleep(LATER)
            self._has_ended.set()
        finally:
            del self._judging[key]

    async def look_at_all(self) -> None:
        """Judge all that waits, one game after the other, and unfinished games that are a day old."""
        self._later.clear()
        last = 0
        while found := await asyncio.to_thread(waiting_keys, self._store, after=last, most=PAGE):
            for _, key in found:
                if key not in self._judging:
                    await self._judge_waiting(key, "")
            last = found[-1][0]
        begin = self._now()
        found_old = await asyncio.to_thread(abandoned_games, self._store, begin, since=self._seen, most=MOST_ABANDONED)
        are_judged = [await self._judge(game, "", abandoned=begin) for game in found_old]
        if all(are_judged) and len(found_old) < MOST_ABANDONED:
            self._seen = begin - ABANDONED - timedelta(seconds=ROUND)
        if not self._judging:
            self._outage.end()  # the store has refused nothing of all this

    async def _judge_waiting(self, key: str, address: str) -> bool:
        game = await asyncio.to_thread(waiting_game, self._store, key)
        return game is None or await self._judge(game, address)

    async def _judge(self, game: StoredGame, address: str, *, abandoned: datetime | None = None) -> bool:
        """`address`: who is charged for the processor time; empty for no address. False if there is none now."""
        try:
            if abandoned is None:
                work = self._pool.run(
                    judge_game, game, timeout=COST_TIME, urgent=False, whose=game.player or "", address=address
                )
            else:
                saved = await asyncio.to_thread(self._store.find_session, live_name(game.key))
                text = "" if saved is None else saved.text
                work = self._pool.run(judge_abandoned, game, text, timeout=COST_TIME, urgent=False, address=address)
            judged = await work
        except RequestError:
            return False  # there is more to do than can be done now: it waits
        except SapperError:
            log_failure("a game could not be judged, and does not count", game=game.key)
            judged = JudgedGame(None)
        await asyncio.to_thread(keep_cost, self._store, game, judged, abandoned=abandoned)
        self._outage.end()
        return True
