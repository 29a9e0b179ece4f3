"""All games of a web server in tests: registry on a store, with a clock that is set by hand and a pool without processes."""

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

from msgspec.structs import replace

from sapper.errors import RequestError
from sapper.server.worker_pool import WorkerPool
from sapper.session.game_request import GameRequest
from sapper.store.repository import Store
from sapper.web.games.live_game import LiveGame
from sapper.web.games.messages import StateMessage
from sapper.web.games.new_game import read_new_game
from sapper.web.games.registry import GameRegistry
from tests.sessions import HandClock

BEGIN = datetime(2026, 11, 28, tzinfo=UTC)
DAY = 86_400_000
"""Milliseconds."""

Act = Callable[[GameRegistry], Awaitable[None]]


class Bench(WorkerPool):
    """A pool without processes: what is asked is done on the spot, or refused."""

    def __init__(self, *, refuses: bool = False) -> None:
        super().__init__()
        self._refuses = refuses
        self.asked: list[tuple[str, str]] = []
        """For whom, and for which address."""

    async def run(
        self,
        function: Callable[..., Any],
        *args: Any,
        timeout: float = 10.0,  # noqa: ASYNC109
        urgent: bool = True,
        whose: str = "",
        address: str = "",
    ) -> Any:
        self.asked.append((whose, address))
        if self._refuses:
            raise RequestError("busy", "no")
        await asyncio.sleep(0)
        return function(*args)


class RegistryRuns:
    """A registry that can be stopped and started again, on the same store."""

    def __init__(self, store: Store | None, *, refuses: bool = False, **limits: Any) -> None:
        """`refuses`: nothing is thought about; `limits`: of `GameRegistry`."""
        self.store = store
        self.clock = HandClock()
        self.bench = Bench(refuses=refuses)
        self._limits = limits
        self._names = map("game{}".format, itertools.count())

    @property
    def kept(self) -> Store:
        """The store, of a runs that has one."""
        assert self.store is not None
        return self.store

    @property
    def saved(self) -> list[str]:
        """The names of the saved games."""
        return sorted(one.key for one in self.kept.sessions())

    def open(self) -> GameRegistry:
        """Tables on the store as it is."""
        registry = GameRegistry(
            store=self.store,
            pool=self.bench,
            clock=self.clock,
            now=lambda: BEGIN + timedelta(milliseconds=self.clock.now),
            new_id=lambda: next(self._names),
            draw_seed=lambda: 7,
            **self._limits,
        )
        registry.start()
        return registry

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[GameRegistry]:
        """The registry of a server that is stopped at the end of the block."""
        registry = self.open()
        try:
            yield registry
        finally:
            await registry.close()

    def run(self, *acts: Act) -> None:
        """Each act on a server of its own, one after the other."""

        async def all_of_it() -> None:
            for act in acts:
                async with self.opened() as registry:
                    await act(registry)

        asyncio.run(all_of_it())


def wanted(**values: Any) -> GameRequest:
    """A new game as it is asked for."""
    return read_new_game(json.dumps(values), most_cells=10_000)


def state_of(live: LiveGame) -> StateMessage:
    """A game without the number of its last update, which is another each time that it is loaded."""
    return replace(live.state(), number=0)


async def until(is_so: Callable[[], bool], *, gap: float = 0.01) -> None:
    """Wait until something is so, for two minutes at most: machines may be busy. `gap`: seconds from look to look, more where a server is asked."""
    async with asyncio.timeout(120):
        while not is_so():  # noqa: ASYNC110
            await asyncio.sleep(gap)
