"""The boards of the days on this server: made once, dealt to each player once, shown to everybody when the day is over."""

import asyncio
import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import product
from typing import Final

from sapper.core.preset import PRESETS, Preset
from sapper.errors import RequestError, StoreError
from sapper.generator.game_code import game_of_code
from sapper.server.logging import log
from sapper.server.worker_pool import WorkerPool
from sapper.session.game_request import GameRequest
from sapper.store.daily import (
    BOTS,
    PEOPLE,
    SIZES,
    BoardName,
    DailyAttempt,
    DailyBoard,
    attempts_of,
    begin_attempt,
    daily_secret,
    find_board,
    keep_board,
)
from sapper.store.models import GameKind
from sapper.store.names import lapse_names
from sapper.store.rankings import forget_old_periods
from sapper.store.repository import Store
from sapper.web.games.live_game import LiveGame
from sapper.web.games.locks import PlayerLocks
from sapper.web.games.registry import GameRegistry
from sapper.web.games.social.making import MAKE_TIME, make_board

AHEAD: Final = timedelta(minutes=30)
"""How long before midnight the boards of the next day are made."""
ROUND: Final = 600.0
"""Seconds between two looks at whether boards are to be made."""


class DailyGames:
    """The boards of the days. Belongs to one event loop."""

    def __init__(self, store: Store, registry: GameRegistry, pool: WorkerPool, now: Callable[[], datetime]) -> None:
        self.now = now
        self._store = store
        self._registry = registry
        self._pool = pool
        self._boards: dict[BoardName, DailyBoard] = {}
        """Those that are not published yet, and were asked for here."""
        self._locks = PlayerLocks()

    @property
    def today(self) -> str:
        """The day that it is, in UTC."""
        return self.now().date().isoformat()

    async def board(self, name: BoardName) -> DailyBoard:
        """The board of that name, made if it is nobody's yet."""
        async with self._locks.of(f"{name.day} {name.size} {name.audience}"):
            found = self._boards.get(name) or await asyncio.to_thread(find_board, self._store, name)
            if found is None:
                secret = await asyncio.to_thread(daily_secret, self._store)
                made = await self._pool.run(make_board, secret, name, timeout=MAKE_TIME, urgent=True)
                found = await asyncio.to_thread(keep_board, self._store, made)
            self._boards[name] = found
        return found

    async def run(self) -> None:
        """Make boards before somebody waits for them, and forget what is over, for ever."""
        while True:
            try:
                await self._look_around()
            except (
                RequestError,
                StoreError,
            ) as error:  # what is missing is made when it is asked for, and looked for again
                log(
                    logging.WARNING,
                    "the boards of the days could not be looked after; it is tried again",
                    reason=str(error),
                )
            await asyncio.sleep(ROUND)

    async def _look_around(self) -> None:
        days = {self.today, (self.now() + AHEAD).date().isoformat()}
        for name in product(sorted(days), SIZES, (PEOPLE, BOTS)):
            await self.board(BoardName(day=name[0], size=name[1], audience=name[2]))
        self._boards = {name: board for name, board in self._boards.items() if self.is_sealed(name)}
        await asyncio.to_thread(forget_old_periods, self._store, self.now())
        await asyncio.to_thread(lapse_names, self._store, self.now())

    def is_sealed(self, name: BoardName) -> bool:
        """True while nothing of a board is shown."""
        return self.now() < name.published

    def check_code(self, wanted: GameRequest) -> None:
        """`RequestError` for the code of a board that is not published."""
        layout = None if wanted.coded is None else wanted.coded.layout
        for name, board in self._boards.items() if layout is not None else ():
            if self.is_sealed(name) and game_of_code(board.code).layout == layout:
                raise RequestError(
                    "not-yet", "this is the board of a day that is not over: it is played on that day's page"
                )

    async def begin(self, player: str, size: str, audience: str, *, address: str) -> tuple[LiveGame, bool]:
        """The player's game on today's board, and whether it is new. Its clock starts now. `RequestError` where it is not kept any more."""
        async with self._locks.of(player):
            name = BoardName(day=self.today, size=size, audience=audience)
            if (known := await self._known(player, name)) is not None:
                return await self._find(player, known, address), False
            board = await self.board(name)
            preset, coded = PRESETS[size], game_of_code(board.code)
            request = GameRequest(preset=preset, coded=coded, opened=daily_kind(name, preset))
            live = await self._registry.create(player, request, address=address)
            live.session.stand_at(live.game.referee, 0, running=True)
            wanted = DailyAttempt(
                name=name, game=live.id, begun=self.now(), state="open", won=False, time_ms=None, placed=False
            )
            kept = await asyncio.to_thread(begin_attempt, self._store, player, wanted)
            if kept.game == live.id:
                return live, True
            self._registry.discard(live.id)  # another server process was faster
            return await self._find(player, kept, address), False

    async def _known(self, player: str, name: BoardName) -> DailyAttempt | None:
        attempts = await asyncio.to_thread(attempts_of, self._store, player, name.day, name.audience)
        return next((one for one in attempts if one.name == name), None)

    async def _find(self, player: str, attempt: DailyAttempt, address: str) -> LiveGame:
        live = await self._registry.find(player, attempt.game, address=address)
        if live is None:
            raise RequestError("conflict", "you have played this board, and its game is not kept any more")
        return live


def daily_kind(name: BoardName, preset: Preset) -> GameKind:
    """The kind of the games on a board: they are compared with each other only."""
    return GameKind(
        rules=preset.rules, width=preset.width, height=preset.height, mine_count=preset.mine_counts[0],
        preset=name.kind_name, no_guess=True,
    )  # fmt: skip
