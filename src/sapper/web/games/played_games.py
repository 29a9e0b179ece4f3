"""Games that have ended: who may see them, what of them, and their reviews, which are kept for a while.

A game is seen by its player, and by anyone while its player shares it. What is told of it is what was seen while it was played: the moves,
and what each changed. The other mines and the code would give away a board that is being played again: a loss may be undone, and any
board started over. So they are kept back from everybody, the player included, as long as the live game that the game was played
in has not ended (ready, playing or paused, in memory or put away). A game that is played on from a position has mines of its own
(`positions`), so that no page of an ended game tells of it.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sapper.errors import RequestError
from sapper.server.wall_clock import utc_now
from sapper.server.worker_pool import WorkerPool
from sapper.store.daily import is_sealed
from sapper.store.models import LONGEST_KEY, RECORDING, SHARED, Category, Result, StoredGame, to_ms
from sapper.store.rankings import is_public
from sapper.store.repository import Store
from sapper.web.games import reviewing
from sapper.web.games.persistence import FACE, live_name
from sapper.web.games.registry import GameRegistry
from sapper.web.games.reviewing import GameFacts

SHARED_YES: Final = "yes"
"""The note of a game that is shared; of others there is none."""
PLAYED_TIME: Final = 10.0
"""Seconds that a game's moves may take to be read."""
REVIEW_WAIT: Final = 15.0
"""Seconds that a review may take, its wait included."""
MOST_KEPT: Final = 64
"""Reviews that are kept, and bytes of them all."""
MOST_BYTES: Final = 16 * 1024 * 1024
ARRIVAL: Final = 50
"""Tenths of a second that a game which has just ended is waited for."""
SHOWN: Final = frozenset((FACE, RECORDING))
"""The faces of games that pages show: played here, or recorded by another program and imported for their player."""
PRACTICE_GAMES: Final = 30
"""Games that are looked through at once for positions that went wrong."""


class Asker(NamedTuple):
    """Who asks."""

    player: str
    address: str


class ReviewCache:
    """The reviews that were asked for last, as JSON. A game that has ended stays as it is, and so does its review."""

    def __init__(self, *, most: int = MOST_KEPT, most_bytes: int = MOST_BYTES) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, name: str) -> bytes | None:
        """The review of that game, if it is kept."""
        found = self._kept.get(name)
        if found is not None:
            self._kept.move_to_end(name)
        return found

    def keep(self, name: str, review: bytes) -> None:
        """Keep a review, in place of those asked for longest ago."""
        self._size += len(review) - len(self._kept.pop(name, b""))
        self._kept[name] = review
        while len(self._kept) > self._most or self._size > self._most_bytes:
            self._size -= len(self._kept.popitem(last=False)[1])


class PlayedGames:
    """The ended games of a server. Belongs to one event loop."""

    def __init__(
        self, store: Store | None, registry: GameRegistry, pool: WorkerPool, *, now: Callable[[], datetime] = utc_now
    ) -> None:
        """`pool` reads and judges games. To see a game is urgent; to judge it, or what anybody sends, takes seconds and waits for that."""
        self._store = store
        self._registry = registry
        self._pool = pool
        self._now = now
        self.reviews = ReviewCache()

    async def played(self, key: str, asker: Asker) -> bytes:
        """A `FinishedGameData` as JSON. `RequestError` (`not-found`) for a game that there is not, or that is somebody else's and not shared."""
        game, shared = await self._find(key, asker)
        assert game.record is not None
        facts = GameFacts(
            game=key,
            preset=game.kind.preset,
            no_guess=game.kind.no_guess,
            time=game.time_ms,
            ended=to_ms(game.ended),
            assisted=game.category is Category.ASSISTED,
            own=game.player == asker.player,
            shared=shared,
            hidden=await self._registry.is_open(live_name(key)),
            bbbv=game.bbbv,
            solved_bbbv=game.solved_bbbv,
            clicks=game.clicks,
        )
        return await self._ask(reviewing.played_json, (game.record, facts), asker, PLAYED_TIME, urgent=True)

    async def review(self, key: str, asker: Asker) -> bytes:
        """Its `GameVerdicts` as JSON: of what was seen only, so that nothing of it is ever kept back. Errors as above."""
        game, _ = await self._find(key, asker)
        found = self.reviews.get(key)
        if found is None:
            found = await self._ask(reviewing.review_json, (game.record,), asker, REVIEW_WAIT)
            self.reviews.keep(key, found)
        return found

    async def share(self, key: str, asker: Asker, *, shared: bool) -> None:
        """Have a game of one's own shown to anyone, or to nobody else any more. Errors as above."""
        game, _ = await self._find(key, asker)
        if game.player != asker.player or len(SHARED) + len(key) > LONGEST_KEY:
            raise RequestError("not-found", "there is no such game of yours")
        store, name = self._known_store, SHARED + key
        if shared:
            await asyncio.to_thread(store.note, name, SHARED_YES)
        else:
            await asyncio.to_thread(store.forget_note, name)

    async def recording(self, data: bytes, name: str, asker: Asker, *, most_cells: int) -> bytes:
        """The `ReviewedRecording` of a file as JSON; nothing of it is kept. `RequestError` for what is none."""
        return await self._ask(reviewing.recording_json, (data, name, most_cells), asker, REVIEW_WAIT)

    async def wrong_positions(self, asker: Asker, find: Callable[[Store], Sequence[StoredGame]]) -> bytes:
        """`WrongPositions` of the games that `find` finds, as JSON."""
        games = [] if self._store is None else await asyncio.to_thread(find, self._store)
        shown = (game for game in games if game.face in SHOWN and not is_sealed(game.kind, game.started, self._now()))
        records = [(game.key, game.record) for game in shown if game.record is not None]
        return await self._ask(reviewing.wrong_positions_json, (records,), asker, REVIEW_WAIT)

    async def _ask(
        self,
        function: Callable[..., bytes],
        args: tuple[object, ...],
        asker: Asker,
        within: float,
        *,
        urgent: bool = False,
    ) -> bytes:
        return await self._pool.run(
            function, *args, timeout=within, urgent=urgent, whose=asker.player, address=asker.address
        )

    @property
    def _known_store(self) -> Store:
        if self._store is None:
            raise RequestError("not-found", "games are not kept here")
        return self._store

    async def _find(self, key: str, asker: Asker) -> tuple[StoredGame, bool]:
        """A game that the asker may see, with its moves, and whether it is shared."""
        store = self._known_store
        if not 0 < len(key) <= LONGEST_KEY or not key.isprintable():
            raise RequestError("not-found", "there is no such game")
        game = await asyncio.to_thread(store.find_game, key)
        for _ in range(ARRIVAL):
            if (game is not None and game.result is not Result.PLAYING) or not self._registry.has_ended(
                live_name(key), asker.player
            ):
                break
            await asyncio.sleep(0.1)
            game = await asyncio.to_thread(store.find_game, key)
        if game is None or game.result is Result.PLAYING or game.face not in SHOWN:
            raise RequestError("not-found", "there is no such game, or it has not ended")
        shared = await asyncio.to_thread(self._is_shared, store, key)
        is_seen = game.player == asker.player or shared or await asyncio.to_thread(is_public, store, key)
        if not is_seen:
            raise RequestError("not-found", "there is no such game, or its player does not share it")
        if is_sealed(game.kind, game.started, self._now()):
            raise RequestError(
                "not-yet", "this is a day's board: its games are shown when the day is over, at 01:00 UTC"
            )
        if game.record is None:
            raise RequestError("not-found", "of this game only the result is kept, not its moves")
        return game, shared

    def _is_shared(self, store: Store, key: str) -> bool:
        return len(SHARED) + len(key) <= LONGEST_KEY and store.find_note(SHARED + key) == SHARED_YES
