"""All games that are played: made, found again, put away when nobody looks at them, kept when the server stops."""

import asyncio
import contextlib
import logging
import re
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import datetime
from functools import partial
from typing import Any, Final

from sapper.core.move import Move
from sapper.core.status import Status
from sapper.errors import HeldStoreError, RecordError, RequestError, SlowStoreError, StoreError
from sapper.play.events import GameEnded
from sapper.play.game_parts import GameOptions, GameParts, new_parts, saved_parts
from sapper.play.library import check_room, listed_game
from sapper.play.played_game import PlayedGame
from sapper.play.player_totals import PlayerTotals
from sapper.play.ports import GamePorts, NoSink
from sapper.play.writer import BATCH_GAP
from sapper.server.logging import log
from sapper.server.metrics import AnswerHistogram
from sapper.server.wall_clock import utc_now
from sapper.server.worker_pool import WorkerPool
from sapper.session.clock import Clock, system_clock
from sapper.session.game_request import GameRequest
from sapper.session.keys import draw_key
from sapper.session.kinds import kind_of
from sapper.store.changes import SessionDrop
from sapper.store.locks import StoreLock
from sapper.store.models import GameKind, ListedSession, OldSession, SavedSession
from sapper.store.news import NewsReader
from sapper.store.repository import Store
from sapper.store.standing import standing_of
from sapper.web.games.bodies import GameSummary
from sapper.web.games.cache import IDLE, MOST_INPUTS, GameCache
from sapper.web.games.costs import CostTask
from sapper.web.games.live_game import KEEP_TIME, LiveGame, settled, wait_for
from sapper.web.games.locks import PlayerLocks
from sapper.web.games.persistence import FACE, GameWriter
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.player_totals import PlayerTotalsCache
from sapper.web.games.pool_jobs import PoolJobs
from sapper.web.games.retention import RETENTION, RetentionPolicy, RetentionTask
from sapper.web.games.saved_games import SavedGames
from sapper.web.games.summaries import entry_of_listed

SETTLE_TIME: Final = 1.0
"""Seconds that questions to the database wait for what was done just now."""
SHARED_GAP: Final = 0.01
"""Seconds between two commits where each input waits for one: a commit costs the processor as much as ten inputs."""
SAID: Final = 200
"""Games that are named at once to other processes."""
AGAIN: Final = 1.0
"""Seconds until a game that went on elsewhere is asked for again, and other processes are told again, where the database did not answer."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


class GameRegistry:
    """The games of all players. Belongs to one event loop; `start` it, and `close` it at the end."""

    def __init__(
        self,
        *,
        store: Store | None,
        pool: WorkerPool,
        policy: PlayPolicy | None = None,
        most_games: int = 5_000,
        most_inputs: int = MOST_INPUTS,
        keep: RetentionPolicy | None = None,
        idle: float = IDLE,
        clock: Clock = system_clock,
        now: Callable[[], datetime] = utc_now,
        new_id: Callable[[], str] = draw_key,
        draw_seed: Callable[[], int] = lambda: secrets.randbits(64),
    ) -> None:
        """`policy`: what players may do; `most_games` and `most_inputs`: games in memory, and inputs of them all. Without a store games end with the server."""
        self._store = store
        self._policy = policy or PlayPolicy()
        self._clock = clock
        self._now = now
        self._new_id = new_id
        self._draw_seed = draw_seed
        self._totals_cache = PlayerTotalsCache(None if store is None else partial(standing_of, store))
        self._saved_games = None if store is None else SavedGames(store.find_sessions)
        self._locks = PlayerLocks()
        self._rounds: list[asyncio.Task[None]] = []
        self._is_shared = store is not None and store.is_shared
        self._writer: GameWriter | None = None
        self.costs: CostTask | None = None
        """Judges what has ended for the ranking by skill."""
        if store is not None:
            self.costs = CostTask(store, pool, now=now, settle=self._settle_ends, address_of=self._address_of)
            rest = SHARED_GAP if self._is_shared else BATCH_GAP
            self._writer = GameWriter(store, pool, rest=rest, on_end=self.costs.wake)
        self._memory = GameCache(
            writer=self._writer, clock=clock, most_games=most_games, most_inputs=most_inputs, idle=idle,
            on_leave=self._has_left,
        )  # fmt: skip
        self._clearing = (
            None if store is None else RetentionTask(store, keep or RetentionPolicy(), now=now, drop=self._drop_old)
        )
        self._news: NewsReader | None = None
        self.on_other_news: Callable[[Sequence[str]], None] = lambda _: None
        """Hears what other processes say that is not about games; nothing where something may have been missed."""
        self._loading: set[asyncio.Task[None]] = set()
        """Games that went on elsewhere are loaded anew."""
        self._loaded: list[str] = []
        """Of which it is still to be said."""
        self._jobs = PoolJobs(pool)
        self._ports = GamePorts(
            jobs=self._jobs, sink=self._writer or NoSink(), now=now, advisor=self._policy.advisor,
            on_recorded=(lambda _: None) if self._writer is None else self._writer.recorded,
        )  # fmt: skip
        self._options = GameOptions(
            face=FACE, keeps_log=store is not None, confirms=self._is_shared, retention=RETENTION
        )

    @property
    def in_memory(self) -> int:
        """How many games are in memory."""
        return len(self._memory)

    @property
    def started(self) -> int:
        """Games that have begun since the server started."""
        return self._ports.counts["begun"]

    @property
    def finished(self) -> Counter[str]:
        """Games that have ended since then, by how."""
        return Counter({how: count for how, count in self._ports.counts.items() if how != "begun"})

    def start(self) -> None:
        """Begin to keep games, to put away idle ones, and to forget those that nobody comes back to."""
        if self._writer is not None:
            self._writer.start(self._memory, on_went_on=self._went_on)
        if self._is_shared and self._store is not None:
            loop = asyncio.get_running_loop()

            def hear(words: Sequence[str]) -> None:
                with contextlib.suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(self._hear, words)

            self._news = self._store.listen(on_news=hear, on_gap=lambda: hear(("gap",)))
        self._rounds = [asyncio.create_task(self._memory.go_round())]
        if self._clearing is not None:
            self._rounds.append(asyncio.create_task(self._clearing.run()))
        if self.costs is not None:
            self._rounds.append(asyncio.create_task(self.costs.run()))

    async def close(self) -> None:
        """Keep every game as it is now, and stop."""
        await self._jobs.close()
        if self._news is not None:
            await asyncio.to_thread(self._news.close)
        for task in (*self._rounds, *self._loading):
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._writer is not None:
            for live in self._memory:
                # Its clock has gone on since its last move.
                if live.session.is_running:
                    live.game.save()
            await self._writer.close()

    # --- games ----------------------------------------------------------------------------------------------

    async def create(
        self, player: str, wanted: GameRequest, *, address: str = "", practice: Sequence[Move] | None = None
    ) -> LiveGame:
        """A new game for a player at an address; `practice`: moves that are made in it first, of one that is played on from a position. `RequestError`: `conflict` if the player has too many unfinished ones, `busy` if there are too many in all."""
        # What was counted is still so when the game is there, whatever else the player asks for.
        async with self._locks.of(player), self._alone(player, wanted):
            await self._make_room(player, wanted)
            game = wanted.game(self._draw_seed())
            parts = new_parts(game, clock=self._clock, seen=wanted.seen, practice=practice is not None)
            parts.source.generate_ahead()
            live = await self._seat(self._new_id(), player, address, parts, wanted.opened)
            if self._is_shared and self._store is not None:
                self._store.only_here.add(live.id)
            opening = () if wanted.opened is None or game.first is None else (Move.reveal(game.first),)
            live.game.set_up(practice or opening)
            # Whoever is told of it can go on with it before its first move, whatever happens to the server.
            if not await wait_for(live.game.save(), KEEP_TIME):
                self.discard(live.id)
                raise SlowStoreError("a new game cannot be kept now")
        return live

    @property
    def in_trouble(self) -> bool:
        """Whether the database does not take what is to be kept, so that what it says of players is old."""
        return self._writer is not None and self._writer.in_trouble

    @property
    def behind(self) -> float:
        """Seconds since the oldest change of a game was made that is on no disk yet; 0 if there is none."""
        return 0.0 if self._writer is None else self._writer.behind

    @property
    def save_ages(self) -> AnswerHistogram:
        """How long changes took to be on the disk."""
        return AnswerHistogram() if self._writer is None else self._writer.ages

    @property
    def lost(self) -> int:
        """What could not be kept, once it is closed."""
        return 0 if self._writer is None else self._writer.lost

    async def find(self, player: str, name: str, *, address: str = "") -> LiveGame | None:
        """The player's game of that name; None if there is none, or it is somebody else's. `RequestError` (`busy`) as in `create`."""
        live = self._memory.get(name)
        if (live is None or self._is_shared) and self._store is not None and _NAME.fullmatch(name):
            # Two tabs that come back at once are to meet at one live game.
            async with self._locks.of(player):
                live = self._memory.get(name)
                if live is not None and self._is_shared and live.player == player:
                    live = await self._brought_up(live)
                if live is None or self._memory.get(name) is not live:  # it may have left memory meanwhile
                    live = await self._load(player, name, address)
        if live is None or live.player != player:
            return None
        live.game.address = address
        self._memory.use(live)
        return live

    def has_ended(self, name: str, player: str) -> bool:
        """Whether a live game of that player is in memory and has ended: the store is about to know of it."""
        live = self._memory.get(name)
        return live is not None and live.player == player and live.session.status.ended

    async def is_open(self, name: str) -> bool:
        """Whether a live game of anybody's has not ended, in memory or put away: its mines are nobody's to know.

        Where other processes play the same games, by the last that is committed: nobody was told more.
        """
        if self._is_shared and self._store is not None:
            mark = await asyncio.to_thread(self._store.session_mark, name) if _NAME.fullmatch(name) else None
            return mark is not None and not mark.status.ended
        live = self._memory.get(name)
        if live is not None:
            return not live.session.status.ended
        if self._store is None or not _NAME.fullmatch(name) or self._is_going(name):
            return False
        saved = await asyncio.to_thread(self._store.find_session, name)
        if (live := self._memory.get(name)) is not None:  # it has come back meanwhile
            return not live.session.status.ended
        return saved is not None and not saved.state.status.ended

    async def open_games(self, player: str) -> list[GameSummary]:
        """The player's unfinished games as a list shows them, the one played last first."""
        entries = map(entry_of_listed, await self._unfinished(player))
        return [entry for entry in entries if entry is not None]

    async def _unfinished(self, player: str) -> list[ListedSession]:
        """The same as the store lists them. Where other processes play them too, as they are there; else those in memory are newer."""
        here = {} if self._is_shared else {key: listed_game(live.game) for key, live in self._memory.of(player).items()}
        saved = [] if self._store is None else await asyncio.to_thread(self._store.listed_sessions, player)
        found = [*here.values(), *(one for one in saved if not (one.key in here or self._is_going(one.key)))]
        unfinished = [one for one in found if not one.state.status.ended]
        return sorted(unfinished, key=lambda one: one.saved)[::-1]  # of the same moment the later one first

    async def counts(self, player: str) -> tuple[int, int]:
        """How many games the player has played, and won, as far as that can be told; `RequestError` (`busy`) if it takes too long."""
        for live in list(self._memory.of(player).values()):
            await settled(live.receipt)
        if self._is_shared and self._store is not None:
            found = await asyncio.to_thread(standing_of, self._store, player)
            return found.played, found.won
        return await self._totals_cache.counts(player)

    async def has_kept(self, player: str) -> bool:
        """Whether the player has games, a name or a phrase."""
        if self._memory.of(player):
            await self.settle(player)
            return True
        return self._store is not None and await asyncio.to_thread(self._store.has_player, player)

    async def settle(self, player: str) -> None:
        """Have the database get what the player has done until now, if it does so soon: what is asked of it then is not old."""
        if self._writer is not None:
            await self._writer.settle(list(self._memory.of(player).values()), within=SETTLE_TIME)

    async def _settle_ends(self) -> bool:
        return self._writer is None or await self._writer.settle_all(within=SETTLE_TIME)

    def _address_of(self, name: str) -> str | None:
        live = self._memory.get(name)
        return None if live is None else live.game.address

    @asynccontextmanager
    async def away(self, *players: str) -> AsyncIterator[None]:
        """Have the games of players in the store only, as they are now, for a block in which they may become another player's. `RequestError`
        (`busy`) if the store does not have them soon: what it got later would count for whoever had them before.
        """
        async with AsyncExitStack() as locks:
            # No game comes from the store meanwhile. In one order, so that two who join each other do not wait for ever.
            for player in sorted(players):
                await locks.enter_async_context(self._locks.of(player))
            for live in [live for player in players for live in self._memory.of(player).values()]:
                await settled(live.game.save())
                self._memory.leave(live)
            yield

    async def forget(self, player: str) -> None:
        """Delete all that is known of a player. `StoreError` if that cannot be done now."""
        # No game comes from the store while it goes from there.
        async with self._locks.of(player):
            self._let_go(player)
            if self._writer is not None:
                await self._writer.forget(player)
            if self._is_shared:
                await self.say("forgotten", player)

    def _let_go(self, player: str) -> list[LiveGame]:
        gone = list(self._memory.of(player).values())
        for live in gone:
            live.game.is_gone = True
            self._memory.leave(live)
        return gone

    async def _load(self, player: str, name: str, address: str) -> LiveGame | None:
        """A game from the store."""
        found = await self._read(player, name)
        if found is None:
            return None
        parts, saved = found
        await self._memory.make_room()
        self._memory.admit(parts.session.input_count, address)
        live = await self._seat(name, player, address, parts, saved.kind)
        await self._take_up(live.game, saved)
        live.stand_still()
        if self._is_shared:
            if not self._loaded:
                self._start(self._say_loaded())
            self._loaded.append(name)
        return live

    async def _say_loaded(self) -> None:
        """Tell other processes which games are here now; many at once, as after a process has died, in one notification."""
        await asyncio.sleep(SHARED_GAP)
        names, self._loaded = self._loaded, []
        for at in range(0, len(names), SAID):
            await self.say("loaded", *names[at : at + SAID])

    async def _take_up(self, game: PlayedGame, saved: SavedSession) -> None:
        """Set what a game from the store does not know itself: when it was played last, and how long it has run meanwhile."""
        game.played = saved.saved
        if not (game.kind.is_daily and game.session.is_running) or self._store is None:
            return
        # The clock of a day's board stands for nobody.
        begun = await asyncio.to_thread(self._store.find_game, game.key_of(game.session.assistance))
        if begun is not None:
            elapsed = round((self._now() - begun.started).total_seconds() * 1000)
            game.session.stand_at(game.referee, max(game.session.elapsed, elapsed), running=True)

    async def _read(self, player: str, name: str) -> tuple[GameParts, SavedSession] | None:
        """A saved game of a player's, and what it is made of; None if there is none, or it cannot be read."""
        assert self._saved_games is not None
        saved = None if self._is_going(name) else await self._saved_games.find(name)
        if saved is None or saved.player != player:
            return None
        try:
            return await asyncio.to_thread(saved_parts, saved.text, clock=self._clock), saved
        except RecordError as error:
            log(logging.ERROR, "a saved game cannot be read", game=name, reason=str(error))
            return None

    # --- games that other processes go on with ------------------------------------------------------------------

    async def _brought_up(self, live: LiveGame) -> LiveGame | None:
        """A game in memory as the store has it, where another process may have gone on with it; None if it is there no longer. The player's lock is held."""
        assert self._store is not None
        if (receipt := live.receipt) is not None:
            await wait_for(receipt, KEEP_TIME)
        if not live.game.is_refused:
            mark = await asyncio.to_thread(self._store.session_mark, live.id)
            if mark is not None and mark.inputs <= live.session.input_count:
                return live
            live.game.give_way()
        return await self._replaced(live)

    async def _replaced(self, live: LiveGame) -> LiveGame | None:
        """A game that has given way, from the store; None if it is there no longer. The player's lock is held."""
        found = await self._read(live.player, live.id)
        if found is None:
            live.game.is_gone = True
            self._memory.leave(live)
            live.tell_gone()
            return None
        parts, saved = found
        game = await self._played(live.id, live.player, live.game.address, parts, saved.kind)
        await self._take_up(game, saved)
        live.replace(game)
        return live

    def _hear(self, words: Sequence[str]) -> None:
        """What another process says, or that something may have been missed."""
        kind, *said = words
        if kind == "gap" and self._store is not None and self._store.only_here:
            self._store.only_here.clear()
            self._start(self.say("games"))  # who loaded one of them meanwhile was not told how it went on
        if kind in ("games", "gap"):
            for key, _, inputs in (word.partition(":") for word in said):
                live = self._memory.get(key)
                if live is not None and int(inputs) > live.session.input_count:
                    live.game.give_way()
                    self._went_on(live)
            if not said:
                self._start(self._look_at_all())
                self.on_other_news(())
        elif kind in ("loaded", "seen"):
            # Its player is there now.
            for live in filter(None, map(self._memory.get, said)):
                if not (live.subscribers or live.game.is_busy):
                    self._memory.leave(live)
                    continue
                live.seen_elsewhere()
                if self._store is not None and live.id in self._store.only_here:
                    self._store.only_here.remove(live.id)
                    self._start(self._say_how_far(live))
        elif kind == "unseen":
            seen = [key for key in said if (live := self._memory.get(key)) is not None and live.is_in_view]
            if seen:
                self._start(self.say("seen", *seen))
        elif kind == "forgotten":
            for player in said:
                for live in self._let_go(player):
                    live.tell_gone()
        else:
            self.on_other_news(words)

    def _went_on(self, live: LiveGame) -> None:
        """Another process was first: have the game as it is there, if somebody wants to see it."""
        if live.subscribers:
            self._start(self._replace(live))
        else:
            self._memory.leave(live)

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._loading.add(task)
        task.add_done_callback(self._loading.discard)

    async def _look_at_all(self) -> None:
        """Have each game as it is in the store."""
        for live in self._memory:
            with contextlib.suppress(StoreError):
                async with self._locks.of(live.player):
                    if self._memory.get(live.id) is live:
                        await self._brought_up(live)

    async def say(self, *words: str, after: float = 0.0) -> None:
        """Have other processes hear something, in so many seconds; what the database does not take is said again until it does."""
        if self._store is None:
            return
        await asyncio.sleep(after)
        try:
            await asyncio.to_thread(self._store.say, *words)
        except StoreError:
            # Others say nothing of a game that they do not know to be here too. Who has a game in view is another question a moment later.
            if words[0] not in ("seen", "unseen"):
                self._start(self.say(*words, after=AGAIN))

    async def _say_how_far(self, live: LiveGame) -> None:
        """Another process has loaded the game, and was not told of what was done meanwhile."""
        if (receipt := live.receipt) is not None:
            await wait_for(receipt, KEEP_TIME)
        await self.say("games", f"{live.id}:{live.session.input_count}")

    async def _replace(self, live: LiveGame) -> None:
        while self._memory.get(live.id) is live and live.game.is_refused:
            try:
                async with self._locks.of(live.player):
                    if self._memory.get(live.id) is live and live.game.is_refused:
                        await self._replaced(live)
            except StoreError:
                await asyncio.sleep(AGAIN)

    def _is_going(self, name: str) -> bool:
        """Whether a saved game is about to be forgotten."""
        return self._writer is not None and self._writer.is_dropping(name)

    async def _seat(
        self, name: str, player: str, address: str, parts: GameParts, kind: GameKind | None = None
    ) -> LiveGame:
        game = await self._played(name, player, address, parts, kind)
        live = LiveGame(game, policy=self._policy, call_later=asyncio.get_running_loop().call_later)
        if self._is_shared:
            live.on_unseen = lambda one: self._start(self.say("unseen", one.id))
            live.on_end = lambda one, told: self._start(self._tell_end(one, told))
        self._memory.add(live)
        return live

    async def _played(
        self, name: str, player: str, address: str, parts: GameParts, kind: GameKind | None
    ) -> PlayedGame:
        kind = kind or kind_of(parts.source.game)
        if not self._is_shared:
            totals = await self._totals_cache.of(player, kind)
        else:
            # Other processes count games too: an end is told with what the store has then (`_tell_end`), one that was loaded with what it has now.
            totals = PlayerTotals()
            if parts.session.status.ended and self._store is not None:
                totals.played, totals.won, totals.bests[kind] = await asyncio.to_thread(
                    standing_of, self._store, player, kind
                )
        return PlayedGame(
            parts, key=name, player=player, ports=self._ports, options=self._options, kind=kind, totals=totals, address=address
        )  # fmt: skip

    async def _tell_end(self, live: LiveGame, told: GameEnded) -> None:
        """Tell of an end that is in the database, with the player's totals there, when it says what they are."""
        assert self._store is not None
        receipt = live.receipt
        while receipt is not None and not await wait_for(receipt, KEEP_TIME):
            if receipt.is_refused:
                return
        while live.game.end is told:
            try:
                found = await asyncio.to_thread(standing_of, self._store, live.player, live.game.kind)
            except StoreError:
                await asyncio.sleep(AGAIN)
            else:
                live.tell_end(told, found)
                return

    def _has_left(self, live: LiveGame) -> None:
        live.stop_timer()
        if self._store is not None:
            self._store.only_here.discard(live.id)
        if self._writer is not None:
            self._writer.left(live)
        left = {one.game.kind for one in self._memory.of(live.player).values()}
        self._totals_cache.forget(live.player, live.game.kind, left=left)

    async def _make_room(self, player: str, wanted: GameRequest) -> None:
        """See to it that one more game is allowed; `RequestError` if it is not."""
        listed = await self._unfinished(player)
        # A game that was never begun is no loss, and does not count; but they must not pile up. Those in front of somebody
        # stay: a player has few sockets.
        here = self._memory.of(player).values()
        kept = {live.id for live in here if live.subscribers or live.session.status is not Status.READY}
        for name in check_room(wanted, listed, most=self._policy.open_games, kept=kept):
            self.discard(name, only=frozenset((Status.READY,)))
        await self._memory.make_room()

    @asynccontextmanager
    async def _alone(self, player: str, wanted: GameRequest) -> AsyncIterator[None]:
        """Where rules let a player have one game at a time, no other process begins one for the player meanwhile."""
        if not (wanted.preset.rules.one_game and self._is_shared and self._store is not None):
            yield
            return
        holding = asyncio.ensure_future(asyncio.to_thread(self._store.hold, f"new {player}", "sapper web"))
        try:
            lock = await asyncio.shield(holding)
        except HeldStoreError:
            raise RequestError("conflict", "another game of this player is being begun") from None
        except asyncio.CancelledError:
            self._start(_let_go(holding))  # the thread goes on, and may get it
            raise
        try:
            yield
        finally:
            await asyncio.to_thread(lock.release)

    def discard(self, name: str, *, only: frozenset[Status] | None = None) -> None:
        """Forget one game, if it stands so when it is forgotten."""
        live = self._memory.get(name)
        if live is not None:
            live.game.is_gone = True
            self._memory.leave(live)
        if self._writer is not None:
            self._writer.drop(SessionDrop(key=name, only=only))

    async def _drop_old(self, old: OldSession, drop: SessionDrop) -> None:
        """Forget a game that has not been played for long, unless somebody has come back to it."""
        # Whoever comes back now does so before, and is in memory, or afterwards, and finds nothing.
        async with self._locks.of(old.player or ""):
            if old.key not in self._memory and self._writer is not None:
                self._writer.drop(drop)


async def _let_go(holding: asyncio.Future[StoreLock]) -> None:
    """Nobody wants the lock any more."""
    with contextlib.suppress(StoreError):
        lock = await holding
        await asyncio.to_thread(lock.release)
