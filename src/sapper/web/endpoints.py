"""The plain endpoints: what is asked once, over HTTP.

Whatever asks the database does so in a thread: nobody's game waits for it.

Knows: what each path does, which rate it counts against.
Does not know: games (`tables`), SQL (`statistics`), who may come in (`guards`).
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from sapper.errors import RequestError, StoreError
from sapper.net.logs import log, log_failure
from sapper.web.analysing import analysis_json
from sapper.web.answers import Answer, refusal
from sapper.web.bodies import read_json
from sapper.web.house import House
from sapper.web.limits import Buckets
from sapper.web.new_game import read_new_game
from sapper.web.openapi import describe
from sapper.web.players import COOKIE
from sapper.web.presets import presets_data
from sapper.web.statistics import read_query, statistics_data
from sapper.web.table import Table

ANALYSIS_TIME: Final = 3.0
"""Seconds that a board's analysis may take."""

Endpoint = Callable[[Request], Awaitable[Response]]


def guarded(endpoint: Endpoint) -> Endpoint:
    """An endpoint whose errors are answers: what was wrong with the request, trouble with the store, our own mistakes."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except RequestError as error:
            return refusal(error.code, str(error), wait=1 if error.code in ("busy", "slow-down") else None)
        except StoreError as error:
            log(logging.WARNING, "the store did not answer", path=request.url.path, reason=str(error))
            return refusal("busy", "what was played cannot be looked up now", wait=5)
        except Exception:  # noqa: BLE001  # a mistake of ours is one player's trouble, and the operator's to read
            log_failure("an endpoint failed", path=request.url.path)
            return refusal("failed", "this is a mistake of the server's")

    return answer


class Endpoints:
    """What each path does; a method a path and verb."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._presets = presets_data(house.limits, house.look)
        self._description = describe(house.limits)

    # --- games ----------------------------------------------------------------------------------------

    async def new_game(self, request: Request) -> Response:
        """POST /api/games."""
        house = self._house
        stiles = house.turnstiles
        if slowed := _slowed(request, stiles.new_games, stiles.address_new_games):
            return slowed
        wanted = read_new_game(await read_json(request, house.limits), most_cells=house.limits.cells)
        table = await house.tables.create(_player(request), wanted, address=_address(request))
        answer = {"game": table.id, "socket": f"/api/games/{table.id}/socket", "state": table.state()}
        return Answer(answer, 201, {"location": f"/api/games/{table.id}"})

    async def games(self, request: Request) -> Response:
        """GET /api/games."""
        # All of a school are one address, and all of them look at this when the server was restarted.
        if slowed := _slowed(request, self._house.turnstiles.work):
            return slowed
        return Answer({"games": await self._house.tables.open_games(_player(request))})

    async def game(self, request: Request) -> Response:
        """GET /api/games/ID."""
        return Answer((await self._table(request)).state())

    async def hint(self, request: Request) -> Response:
        """POST /api/games/ID/hint."""
        if slowed := self._slowed_by_work(request):
            return slowed
        return Answer(await (await self._table(request)).hint())

    async def chances(self, request: Request) -> Response:
        """POST /api/games/ID/analysis."""
        if slowed := self._slowed_by_work(request):
            return slowed
        return Answer(await (await self._table(request)).chances())

    async def analysis(self, request: Request) -> Response:
        """POST /api/analysis."""
        if slowed := self._slowed_by_work(request):
            return slowed
        text, mines = _board_of(await read_json(request, self._house.limits))
        house = self._house
        found = await house.workshop.run(
            analysis_json, text, mines, house.limits.cells,
            timeout=ANALYSIS_TIME, whose=_player(request), address=_address(request),
        )  # fmt: skip
        return Response(found, headers={"cache-control": "no-store"}, media_type="application/json")

    # --- the player -----------------------------------------------------------------------------------

    async def player(self, request: Request) -> Response:
        """GET /api/player."""
        played, won = await self._house.tables.counts(_player(request))
        return Answer({"played": played, "won": won})

    async def forget(self, request: Request) -> Response:
        """DELETE /api/player."""
        if slowed := self._slowed_by_work(request):
            return slowed
        await self._house.tables.forget(_player(request))
        answer = Response(status_code=204)
        answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="lax")
        return answer

    async def statistics(self, request: Request) -> Response:
        """GET /api/statistics."""
        if slowed := self._slowed_by_work(request):
            return slowed
        wanted = read_query(request.query_params, _player(request))
        return Answer(await asyncio.to_thread(statistics_data, self._house.store, wanted))

    # --- the same for all -----------------------------------------------------------------------------

    async def presets(self, _: Request) -> Response:
        """GET /api/presets."""
        return Answer(self._presets)

    async def page(self, _: Request) -> Response:
        """GET /api/page."""
        return Answer(self._house.look.as_data())

    async def openapi(self, _: Request) -> Response:
        """GET /api/openapi.json."""
        return Answer(self._description)

    async def _table(self, request: Request) -> Table:
        table = await self._house.tables.find(_player(request), request.path_params["id"], address=_address(request))
        if table is None:
            raise RequestError("not-found", "there is no such game, or it is somebody else's")
        return table

    def _slowed_by_work(self, request: Request) -> Response | None:
        return _slowed(request, self._house.turnstiles.work, self._house.turnstiles.address_work)


def _player(request: Request) -> str:
    player: str = request.scope["player"]
    return player


def _address(request: Request) -> str:
    address: str = request.scope["address"]
    return address


def _slowed(request: Request, of_player: Buckets, of_address: Buckets | None = None) -> Response | None:
    """The answer to whoever asks too often."""
    for buckets, name in ((of_player, _player(request)), (of_address, _address(request))):
        if buckets is not None and not buckets.take(name):
            return refusal("slow-down", "this was asked for too often", wait=buckets.wait(name))
    return None


def _board_of(values: Any) -> tuple[str, int | None]:
    """The board and the mines that an analysis is asked for; a text can say its mines itself."""
    if not isinstance(values, dict) or not isinstance(values.get("board"), str):
        raise RequestError("bad-request", 'an analysis is asked for with {"board": TEXT, "mines": NUMBER}')
    if unknown := sorted(set(values) - {"board", "mines"}):
        raise RequestError("bad-request", f"an analysis has no {unknown[0]!r:.40}; it has board and mines")
    mines = values.get("mines")
    if mines is not None and (type(mines) is not int or mines < 0):
        raise RequestError("bad-request", "mines is a whole number, 0 or more")
    return values["board"], mines
