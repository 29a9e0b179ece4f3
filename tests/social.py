"""People who play for places, in tests: the real application on a store, a clock that the test moves, wins at a hand's pace."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

from sapper.core.cells import Cell
from sapper.server.worker_pool import WorkerPool
from sapper.store.repository import Store
from sapper.web.games.live_game import LiveGame
from sapper.web.games.messages import FlagRequest, LeftRequest, RevealRequest, ServerMessage
from sapper.web.http.context import AppContext
from tests.registries import Bench, until
from tests.sessions import HandClock
from tests.web_app import ANN, Visitor, open_app

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


class Deaf:
    """Somebody who is told, and keeps it."""

    def __init__(self) -> None:
        self.told: list[ServerMessage] = []

    def send(self, message: ServerMessage, /) -> None:
        """Keep it."""
        self.told.append(message)


class Days:
    """The time of a server, which the test moves: its games' clocks and its date are one."""

    def __init__(self) -> None:
        self.clock = HandClock()
        self.begin = NOON - timedelta(milliseconds=self.clock.now)

    def now(self) -> datetime:
        """The date."""
        return self.begin + timedelta(milliseconds=self.clock.now)

    def go(self, **some: float) -> None:
        """Let some time go by."""
        self.clock.now += round(timedelta(**some) / timedelta(milliseconds=1))


class Site:
    """An application on a store, in whose time a test plays."""

    def __init__(self, context: AppContext, ann: Visitor, days: Days) -> None:
        self.context, self.ann, self.days = context, ann, days
        self.rng = random.Random(5)
        self._jitter = True

    def visitor(self, player: str, address: str = "10.0.0.9") -> Visitor:
        """Another player."""
        return Visitor(self.ann.app, player, address)

    async def live(self, game: str, player: str = ANN) -> LiveGame:
        """A game in memory."""
        live = await self.context.registry.find(player, game)
        assert live is not None
        return live

    async def win(
        self, game: str, player: str = ANN, *, pace: float = 400, flags: bool = False, jitter: bool = True
    ) -> Deaf:
        """Win a game, a move every `pace` milliseconds on average."""
        self._jitter = jitter
        live, told = await self.live(game, player), Deaf()
        session, referee = live.session, live.game.referee
        if referee.layout is None:
            live.do(RevealRequest(cell=(live.grid.width // 2, live.grid.height // 2)), told)
            await until(lambda: referee.layout is not None)  # one without guesses is searched for
        assert referee.layout is not None
        mines = referee.layout.mines
        for cell in map(Cell, range(live.grid.size)):
            x, y = live.grid.xy(cell)
            if session.status.ended:
                break
            if cell in mines:
                if flags:
                    self._wait(pace)
                    live.do(FlagRequest(cell=(x, y)), told)
            elif not session.board.tile(cell).is_clue:
                self._wait(pace)
                live.do(RevealRequest(cell=(x, y)), told)
        assert session.status.value == "won", session.status
        await until(lambda: live.game.is_kept)
        return told

    async def lose(self, game: str, player: str = ANN) -> Deaf:
        """Meet a mine."""
        live, told = await self.live(game, player), Deaf()
        if live.game.referee.layout is None:
            live.do(LeftRequest(cell=(4, 4)), told)
        self.days.go(seconds=1)
        assert live.game.referee.layout is not None
        mine = next(iter(live.game.referee.layout.mines))
        live.do(RevealRequest(cell=live.grid.xy(mine)), told)
        await until(lambda: live.game.is_kept)
        return told

    def _wait(self, pace: float) -> None:
        self.days.go(milliseconds=pace * (self.rng.uniform(0.5, 1.7) if self._jitter else 1))


@asynccontextmanager
async def open_site(store: Store, days: Days | None = None, *, pool: WorkerPool | None = None) -> AsyncIterator[Site]:
    """A site at noon on the 29th of November 2026, without worker processes unless a pool is given."""
    days = days or Days()
    async with open_app(store, pool=pool or Bench(), clock=days.clock, now=days.now) as (context, ann):
        yield Site(context, ann, days)
