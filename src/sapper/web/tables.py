"""All games that are played: made, found again, put away when nobody looks at them, kept when the server stops.

Knows: which player has which games, limits, when a game may leave memory.
Does not know: sockets and requests; how games are written (see `keeping`).
"""

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Container
from datetime import UTC, datetime
from typing import Final

from sapper.core.status import Status
from sapper.errors import RequestError, SapperError, SavedGameError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.generator.game_code import CodedGame
from sapper.metrics.game import GameMetrics
from sapper.net.logs import log, log_failure
from sapper.session.clock import Clock, system_clock
from sapper.session.events import Finished
from sapper.session.saving import load_session
from sapper.session.session import Session
from sapper.store.games import Kind, SavedSession, to_ms
from sapper.store.standing import PlayerStanding, standing_of
from sapper.store.store import Store
from sapper.web.desk import Done, Job
from sapper.web.keeping import Keeper
from sapper.web.listing import Entry, entry_of, entry_of_saved
from sapper.web.locks import Locks
from sapper.web.new_game import NewGame, kind_of
from sapper.web.source import PreparedSource
from sapper.web.standing import Standing
from sapper.web.table import Table
from sapper.web.workshop import Workshop

JOB_TIME: Final = 10.0
"""Seconds that somebody waits for an answer."""
IDLE: Final = 600.0
"""Seconds after which a game that nobody watches may leave memory."""
ROUND: Final = 20.0
"""Seconds between two looks at what is idle."""
KEPT: Final = 86_400_000
"""Milliseconds that a game which has ended is kept for who comes back to it, where the server ended in between."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def _now() -> datetime:
    return datetime.now(UTC)


class Tables:
    """The games of all players. Belongs to one event loop; `start` it, and `close` it at the end."""

    def __init__(
        self,
        *,
        store: Store | None,
        workshop: Workshop,
        most_cells: int = 10_000,
        most_open: int = 20,
        most_tables: int = 5_000,
        idle: float = IDLE,
        clock: Clock = system_clock,
        now: Callable[[], datetime] = _now,
        new_id: Callable[[], str] = lambda: secrets.token_urlsafe(15),
        draw_seed: Callable[[], int] = lambda: secrets.randbits(64),
    ) -> None:
        """`most_open`: unfinished games a player; `most_tables`: games in memory. Without a store games end with the server."""
        self._store = store
        self._workshop = workshop
        self._most_cells = most_cells
        self._most_open = most_open
        self._most_tables = most_tables
        self._idle = idle
        self._clock = clock
        self._now = now
        self._new_id = new_id
        self._draw_seed = draw_seed
        self._tables: dict[str, Table] = {}
        self._of_player: dict[str, dict[str, Table]] = {}
        self._standings: dict[str, Standing] = {}
        self._locks = Locks()
        self._used: dict[str, int] = {}
        self._round: asyncio.Task[None] | None = None
        self._keeper = None if store is None else Keeper(store, workshop, now=now)
        self._desk = _Desk(workshop, self._keeper, now)

    def start(self) -> None:
        """Begin to keep games, and to put away idle ones."""
        if self._keeper is not None:
            self._keeper.start()
        self._round = asyncio.create_task(self._go_round())

    async def close(self) -> None:
        """Keep every game as it is now, and stop."""
        for task in [*self._desk.tasks, *([] if self._round is None else [self._round])]:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if self._keeper is not None:
            await self._keeper.close()

    # --- games ----------------------------------------------------------------------------------------------

    async def create(self, player: str, wanted: NewGame) -> Table:
        """A new game. `RequestError`: `conflict` if the player has too many unfinished ones, `busy` if there are too many in all."""
        # What was counted is still so when the game is there, whatever else the player asks for.
        async with self._locks.of(player):
            await self._make_room(player, wanted)
            game = wanted.game(self._draw_seed())
            source = PreparedSource(game)
            referee = Referee(rules=game.rules, source=source)
            session = Session(referee, clock=self._clock, code=game.code, seed=game.seed, seen=wanted.seen)
            table = await self._seat(self._new_id(), player, source, session, referee)
            self._desk.changed(table)  # it can be gone on with before its first move
        return table

    async def find(self, player: str, name: str) -> Table | None:
        """The player's game of that name; None if there is none, or it is somebody else's. `RequestError` (`busy`) as in `create`."""
        table = self._tables.get(name)
        if table is None and self._store is not None and _NAME.fullmatch(name):
            # Two tabs that come back at once are to meet at one table.
            async with self._locks.of(player):
                table = self._tables.get(name) or await self._load(player, name)
        if table is None or table.player != player:
            return None
        self._used[name] = self._clock()
        table.is_leaving = False
        return table

    async def open_games(self, player: str) -> list[Entry]:
        """The player's unfinished games as a list shows them, the one played last first."""
        listed = [_entry(table) for table in self._games_of(player) if not table.session.status.ended]
        if self._store is not None:
            known = frozenset(self._of_player.get(player, ()))
            saved = await asyncio.to_thread(_list_saved, self._store, player, known)
            listed += [entry for entry in saved if not Status(entry["status"]).ended]
            self._drop_old(saved)
        return sorted(listed, key=lambda entry: -int(entry["saved"]))

    def _games_of(self, player: str) -> list[Table]:
        return list(self._of_player.get(player, {}).values())

    async def counts(self, player: str) -> tuple[int, int]:
        """How many games the player has played, and won."""
        standing = self._standings.get(player)
        if standing is None:
            found = await self._look_up(player)
            # Kept only with the player's games: many ask who never play.
            standing = self._standings.get(player) or Standing(found.played, found.won)
        return standing.played, standing.won

    async def forget(self, player: str) -> None:
        """Delete all that is known of a player. `StoreError` if that cannot be done now."""
        # No game comes from the store while it goes from there.
        async with self._locks.of(player):
            for table in self._games_of(player):
                table.is_gone = True
                self._leave(table)
            if self._keeper is not None:
                await self._keeper.forget(player)

    # --- memory ---------------------------------------------------------------------------------------------

    async def _load(self, player: str, name: str) -> Table | None:
        """A game from the store."""
        assert self._store is not None
        saved = await asyncio.to_thread(self._store.find_session, name)
        if saved is None or saved.player != player:
            return None
        try:
            loaded = await asyncio.to_thread(_read, saved, self._clock)
        except SavedGameError as error:
            log(logging.ERROR, "a saved game cannot be read", game=name, reason=str(error))
            return None
        await self._shrink(1)
        return await self._seat(name, player, *loaded, saved.saved)

    async def _seat(
        self,
        name: str,
        player: str,
        source: PreparedSource,
        session: Session,
        referee: Referee,
        saved: datetime | None = None,
    ) -> Table:
        kind = kind_of(source.game)
        standing = await self._standing(player, kind)
        table = Table(
            name=name,
            player=player,
            source=source,
            session=session,
            referee=referee,
            desk=self._desk,
            standing=standing,
        )
        table.played = to_ms(self._now() if saved is None else saved)
        self._tables[name] = table
        self._of_player.setdefault(player, {})[name] = table
        self._used[name] = self._clock()
        return table

    async def _standing(self, player: str, kind: Kind) -> Standing:
        standing = self._standings.get(player)
        if standing is None or kind not in standing.bests:
            found = await self._look_up(player, kind)
            # Somebody else may have looked it up meanwhile, and games may have gone on from there.
            standing = self._standings.setdefault(player, Standing(found.played, found.won))
            standing.bests.setdefault(kind, found.best_ms)
        return standing

    async def _look_up(self, player: str, kind: Kind | None = None) -> PlayerStanding:
        if self._store is None:
            return PlayerStanding(0, 0, None)
        return await asyncio.to_thread(standing_of, self._store, player, kind)

    async def _make_room(self, player: str, wanted: NewGame) -> None:
        """See to it that one more game is allowed; `RequestError` if it is not."""
        listed = await self.open_games(player)
        rules = wanted.preset.rules
        if rules.one_game and any(one["rules"] == rules.name for one in listed):
            raise RequestError("conflict", "by these rules a player has one unfinished game at a time: finish it first")
        if len(listed) >= self._most_open:
            # A game that was never begun is no loss; the player has most likely forgotten it.
            unused = [one["game"] for one in reversed(listed) if self._is_unused(one)]
            if not unused:
                raise RequestError(
                    "conflict", f"there are {len(listed)} unfinished games: finish one, or give one up, before the next"
                )
            self._discard(unused[0])
        await self._shrink(1)

    def _is_unused(self, entry: Entry) -> bool:
        """Whether a game that was listed was not begun then, and has not been since."""
        table = self._tables.get(entry["game"])
        status = Status(entry["status"]) if table is None else table.session.status
        return status is Status.READY

    def _discard(self, name: str) -> None:
        """Forget one game."""
        table = self._tables.get(name)
        if table is not None:
            table.is_gone = True
            self._leave(table)
        if self._keeper is not None:
            self._keeper.drop(name)

    def _drop_old(self, saved: list[Entry]) -> None:
        """Forget what ended long ago, and was not put away before the server ended."""
        before = to_ms(self._now()) - KEPT
        for one in saved:
            if Status(one["status"]).ended and one["saved"] < before and one["game"] not in self._tables:
                self._discard(one["game"])

    async def _shrink(self, wanted: int) -> None:
        """Have room for so many more games in memory; `RequestError` (`busy`) if all that are there are played."""
        if len(self._tables) + wanted <= self._most_tables:
            return
        self._put_away(idle=0)
        if len(self._tables) + wanted > self._most_tables:
            raise RequestError("busy", "too many games are played here now: come back soon")

    def _put_away(self, idle: float) -> None:
        """Let go of games that nobody watches, that are saved, and that were not used for so many seconds."""
        before = self._clock() - idle * 1000
        for table in sorted(self._tables.values(), key=lambda one: self._used[one.id]):
            if table.watchers or table.is_busy or self._used[table.id] > before:
                continue
            if self._keeper is None:
                # There is no way back to it.
                if idle == 0 and not table.session.status.ended:
                    continue
            elif table.session.status.ended and idle:
                self._keeper.drop(table.id)
            elif self._keeper.is_dirty(table):
                continue
            elif idle and table.session.is_running and not table.is_leaving:
                # Its clock has gone on since it was saved.
                table.is_leaving = True
                self._keeper.changed(table)
                continue
            self._leave(table)

    def _leave(self, table: Table) -> None:
        self._tables.pop(table.id, None)
        self._used.pop(table.id, None)
        games = self._of_player.get(table.player, {})
        games.pop(table.id, None)
        if not games:
            self._of_player.pop(table.player, None)
            self._standings.pop(table.player, None)
        elif all(one.kind != table.kind for one in games.values()):
            self._standings[table.player].bests.pop(table.kind, None)

    async def _go_round(self) -> None:
        while True:
            await asyncio.sleep(ROUND)
            now = self._clock()
            for table in self._tables.values():
                if table.watchers:
                    self._used[table.id] = now
            self._put_away(self._idle)


class _Desk:
    """Where the tables have their work done and their games kept."""

    def __init__(self, workshop: Workshop, keeper: Keeper | None, now: Callable[[], datetime]) -> None:
        self._workshop = workshop
        self._now = now
        self._keeper = keeper
        self.tasks: set[asyncio.Task[None]] = set()

    def start(self, job: Job, done: Done) -> None:
        task = asyncio.get_running_loop().create_task(self._do(job, done))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _do(self, job: Job, done: Done) -> None:
        answer, fault = None, None
        try:
            answer = await self._workshop.run(job.function, *job.args, timeout=JOB_TIME, whose=job.player)
        except RequestError as error:
            fault = error
        except SapperError as error:
            fault = RequestError("failed", str(error))
        try:
            done(answer, fault)
        except Exception:  # noqa: BLE001  # one table's trouble; nobody waits for this task who could be told
            log_failure("a mistake after a job", job=job.function.__name__)

    def changed(self, table: Table) -> None:
        table.played = to_ms(self._now())
        if self._keeper is not None:
            self._keeper.changed(table)

    def started(self, table: Table) -> None:
        if self._keeper is not None:
            self._keeper.started(table)

    def finished(self, table: Table, finished: Finished, numbers: GameMetrics | None) -> None:
        if self._keeper is not None:
            self._keeper.finished(table, finished, numbers)


def _entry(table: Table) -> Entry:
    session = table.session
    return entry_of(
        table.id,
        table.source.game,
        table.referee.board,
        time=session.elapsed,
        paused=session.is_paused,
        saved=table.played,
    )


def _list_saved(store: Store, player: str, known: Container[str]) -> list[Entry]:
    """The games of a player that are in the store only; those that have ended too."""
    entries = (entry_of_saved(saved) for saved in store.sessions(player=player) if saved.key not in known)
    return [entry for entry in entries if entry is not None]


def _read(saved: SavedSession, clock: Clock) -> tuple[PreparedSource, Session, Referee]:
    sources: list[PreparedSource] = []

    def source_of(game: CodedGame, layout: Layout | None) -> PreparedSource:
        sources.append(PreparedSource(game, layout if game.wish is not None else None))
        return sources[-1]

    session, referee = load_session(saved.text, clock=clock, source_of=source_of)
    return sources[0], session, referee
