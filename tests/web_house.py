"""The web game's application without a network: its real tables, no store unless one is given."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette

from sapper.store.store import Store
from sapper.web.app import make_app
from sapper.web.guards import Allowed
from sapper.web.house import House
from sapper.web.limits import Limits, Turnstiles
from sapper.web.players import Players
from sapper.web.presets import Look
from sapper.web.tables import Tables
from sapper.web.workshop import Workshop
from tests.asking import Answered, ask

PLAYERS = Players("a secret of the tests")
ANN, BOB = ("web-" + letter * 32 for letter in "ab")


def house_app(house: House | None = None) -> Starlette:
    """The application of a house; without one, something to look at."""
    if house is None:
        workshop = Workshop()
        tables = Tables(store=None, workshop=workshop)
        turnstiles = Turnstiles(Limits(), lambda: 0.0)
        house = House(tables=tables, workshop=workshop, store=None, limits=Limits(), turnstiles=turnstiles, look=Look())
    return make_app(house, players=PLAYERS, allowed=Allowed(hosts=None))


class Visitor:
    """A player who asks."""

    def __init__(self, app: Starlette, player: str = ANN, address: str = "10.0.0.1") -> None:
        self.app = app
        self.player = player
        self.address = address

    async def __call__(self, method: str, path: str, body: bytes = b"", *, query: str = "") -> Answered:
        """The answer to a request."""
        cookie = PLAYERS.cookie(self.player, is_secure=False).partition(";")[0]
        headers = [("host", "localhost"), ("cookie", cookie)]
        return await ask(
            self.app, path, method=method, headers=headers, parts=[body], query=query, address=self.address
        )


@asynccontextmanager
async def open_house(
    store: Store | None = None, limits: Limits | None = None, **tables: Any
) -> AsyncIterator[tuple[House, Visitor]]:
    """A house that is open, and ann in it."""
    limits = limits or Limits()
    workshop = Workshop()
    found = Tables(store=store, workshop=workshop, **tables)
    turnstiles = Turnstiles(limits, asyncio.get_running_loop().time)
    house = House(tables=found, workshop=workshop, store=store, limits=limits, turnstiles=turnstiles, look=Look())
    found.start()
    try:
        yield house, Visitor(house_app(house))
    finally:
        await found.close()
        await workshop.close()
