"""The web game's application without a network: its real registry, no store unless one is given."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette

from sapper.core.rng import Rng
from sapper.server.wall_clock import utc_now
from sapper.server.worker_pool import WorkerPool
from sapper.store.daily import SECRET
from sapper.store.repository import Store
from sapper.web.app import make_app
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.registry import GameRegistry
from sapper.web.games.social.daily import DailyGames
from sapper.web.http.context import AppContext
from sapper.web.http.devices import Devices
from sapper.web.http.identity import PlayerCookies
from sapper.web.http.limits import RateLimits, WebLimits
from sapper.web.http.middleware import AllowedOrigins
from sapper.web.http.page_look import Look
from sapper.web.http.previews import Png
from tests.asking import Answered, ask

BUSY = 120.0
"""Seconds for a job, in tests that are not about its limit: a machine may have more tests than cores."""
PLAYERS = PlayerCookies("a secret of the tests")
ANN, BOB = ("web-" + letter * 32 for letter in "ab")


def app_of(context: AppContext | None = None, *, policy: PlayPolicy | None = None, png: Png | None = None) -> Starlette:
    """The application of a context; without one, something to look at."""
    if context is None:
        pool = WorkerPool()
        registry = GameRegistry(store=None, pool=pool)
        rates = RateLimits(WebLimits(), lambda: 0.0)
        context = AppContext(
            registry=registry,
            pool=pool,
            store=None,
            policy=policy or PlayPolicy(),
            limits=WebLimits(),
            rates=rates,
            look=Look(),
            png=png,
        )
    return make_app(context, players=PLAYERS, devices=Devices(context), allowed=AllowedOrigins(hosts=None))


def description(policy: PlayPolicy | None = None) -> dict[str, Any]:
    """The OpenAPI document of an application."""
    found: dict[str, Any] = asyncio.run(Visitor(app_of(policy=policy))("GET", "/api/openapi.json")).json
    return found


class Visitor:
    """A player who asks."""

    def __init__(self, app: Starlette, player: str = ANN, address: str = "10.0.0.1") -> None:
        self.app = app
        self.player = player
        self.address = address
        self.session = player[-16:]

    async def __call__(self, method: str, path: str, body: bytes = b"", *, query: str = "") -> Answered:
        """The answer to a request."""
        cookie = PLAYERS.cookie(self.player, self.session, is_secure=False).partition(";")[0]
        headers = [("host", "localhost"), ("cookie", cookie)]
        answer = await ask(
            self.app, path, method=method, headers=headers, parts=[body], query=query, address=self.address
        )
        for one in answer.cookies:
            bearer = PLAYERS.read(one.partition(";")[0])
            if bearer is not None and bearer.player == self.player:
                self.session = bearer.session
        return answer


@asynccontextmanager
async def open_app(
    store: Store | None = None, limits: WebLimits | None = None, *, pool: WorkerPool | None = None, **registry: Any
) -> AsyncIterator[tuple[AppContext, Visitor]]:
    """A context that is open, and ann in it. Its boards are drawn from a seed, those of the days too."""
    limits, pool = limits or WebLimits(), pool or WorkerPool(job_time=BUSY)
    found = GameRegistry(store=store, pool=pool, **{"draw_seed": Rng(5).next, **registry})
    if store is not None:
        store.first_note(SECRET, "5a" * 32)
    rates = RateLimits(limits, asyncio.get_running_loop().time)
    daily = None if store is None else DailyGames(store, found, pool, registry.get("now", utc_now))
    context = AppContext(
        registry=found, pool=pool, store=store, policy=PlayPolicy(), limits=limits, rates=rates, look=Look(), daily=daily
    )  # fmt: skip
    found.start()
    try:
        yield context, Visitor(app_of(context))
    finally:
        await found.close()
        await pool.close()
