"""The plain endpoints: what is asked once, over HTTP.

Whatever asks the database does so in a thread: nobody's game waits for it.
"""

import asyncio
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from sapper.errors import RequestError, SlowStoreError, StoreError
from sapper.server.logging import log_failure
from sapper.store.devices import list_devices
from sapper.web.games.analysing import analysis_json
from sapper.web.games.bodies import BOARD, GameList, HealthAnswer, PlayerCounts
from sapper.web.games.decoding import decode
from sapper.web.games.live_game import LiveGame, settled
from sapper.web.games.new_game import presets_data, read_new_game
from sapper.web.games.social.bodies import SessionData, SessionList
from sapper.web.http.context import AppContext
from sapper.web.http.devices import Devices
from sapper.web.http.identity import PlayerCookies, cookie_name, draw_player, draw_session
from sapper.web.http.openapi import Endpoint, Operation
from sapper.web.http.requests import address_of_asker, agent_of, check_quota, player_of, session_of, slowed
from sapper.web.http.responses import ApiResponse, created, json_response, read_body, refusal
from sapper.web.http.statistics import read_query, statistics_data

ANALYSIS_TIME: Final = 3.0
"""Seconds that a board's analysis may take."""

HEALTH_TIME: Final = 3.0
"""Seconds that the store has to answer, and that a change may be on no disk, for a server to be well."""

ASKING: Final = frozenset({"/api/games", "/api/statistics", "/api/played", "/health"})
"""Those that ask the store each time: an answer says that it is well."""


def guarded(operation: Operation, context: AppContext) -> Endpoint:
    """Its endpoint, held to its rates, whose errors are answers: what was wrong with the request, trouble with the store, our own mistakes."""
    outage = context.outage

    async def answer(request: Request) -> Response:
        try:
            if refused := slowed(request, context.rates, operation.rates):
                return refused
            answered = await operation.endpoint(request)
        except RequestError as error:
            return refusal(error.code, str(error), wait=1 if error.code in ("busy", "slow-down") else None)
        except StoreError as error:
            outage.begin(error)
            return refusal("busy", "what was played cannot be looked up now", wait=5)
        except Exception:  # noqa: BLE001  # a mistake of ours is one player's trouble, and the operator's to read
            context.metrics.errors["endpoint"] += 1
            log_failure("an endpoint failed", path=request.url.path)
            return refusal("failed", "this is a mistake of the server's")
        if outage.is_on and request.url.path in ASKING:
            outage.end()
        return answered

    return answer


def _without_cookie(request: Request) -> Response:
    answer, is_secure = Response(status_code=204), request.url.scheme == "https"
    name = cookie_name(is_secure=is_secure)
    answer.delete_cookie(name, path="/", secure=is_secure, httponly=True, samesite="lax")
    return answer


class Endpoints:
    """What each path does; a method a path and verb."""

    def __init__(self, context: AppContext, players: PlayerCookies, devices: Devices) -> None:
        self._context = context
        self._players = players
        self._devices = devices
        self._presets = presets_data(context.policy, context.look.as_data())

    # --- games ----------------------------------------------------------------------------------------

    async def new_game(self, request: Request) -> Response:
        """A new game."""
        context = self._context
        limiters = context.rates
        wanted = read_new_game(await read_body(request, context.limits), most_cells=context.policy.cells)
        if context.daily is not None:
            context.daily.check_code(wanted)
        check_quota(request, limiters)
        live = await context.registry.create(player_of(request), wanted, address=address_of_asker(request))
        return created(live)

    async def games(self, request: Request) -> Response:
        """The player's unfinished games."""
        return ApiResponse(GameList(games=await self._context.registry.open_games(player_of(request))))

    async def game(self, request: Request) -> Response:
        """A game as it is now."""
        return ApiResponse((await self._live_game(request)).state())

    async def hint(self, request: Request) -> Response:
        """The next step and its reason. The game is marked."""
        return ApiResponse(await (await self._live_game(request)).hint())

    async def chances(self, request: Request) -> Response:
        """Every covered cell's chance to be a mine. The game is marked."""
        return ApiResponse(await (await self._live_game(request)).chances())

    async def analyse(self, request: Request) -> Response:
        """The same of any board."""
        context, content = self._context, await read_body(request, self._context.limits)
        asked = decode(
            BOARD, content, what="an analysis", example='{"board": TEXT, "mine_count": NUMBER}', code="bad-request"
        )
        found = await context.pool.run(
            analysis_json, asked.board, asked.mine_count, context.policy.cells, context.policy.advisor,
            timeout=ANALYSIS_TIME, urgent=False, whose=player_of(request), address=address_of_asker(request),
        )  # fmt: skip
        return json_response(found)

    # --- the player -----------------------------------------------------------------------------------

    async def player(self, request: Request) -> Response:
        """Games played and won."""
        played, won = await self._context.registry.counts(player_of(request))
        return ApiResponse(PlayerCounts(played=played, won=won))

    async def forget(self, request: Request) -> Response:
        """Forget everything about me."""
        await self._context.registry.forget(player_of(request))
        return _without_cookie(request)

    async def sessions(self, request: Request) -> Response:
        """Where I am signed in; nothing as long as I have no phrase and have ended no session."""
        store, own = self._context.store, session_of(request)
        found = [] if store is None else await asyncio.to_thread(list_devices, store, player_of(request))
        return ApiResponse(
            SessionList(
                sessions=[
                    SessionData(
                        session=one.session, label=one.label, begun=one.begun, seen=one.seen, own=one.session == own
                    )
                    for one in found
                ]
            )
        )

    async def end_session(self, request: Request) -> Response:
        """Sign out one of them."""
        session = request.path_params["id"]
        if not await self._devices.end(player_of(request), session):
            raise RequestError("not-found", "you have no such session")
        return _without_cookie(request) if session == session_of(request) else Response(status_code=204)

    async def end_sessions(self, request: Request) -> Response:
        """Have only this request's answer know me: other cookies of mine are nobody's."""
        cookie = await self.end_sessions_of(player_of(request), request)
        return Response(status_code=204, headers={"set-cookie": cookie})

    async def end_sessions_of(self, player: str, request: Request) -> str:
        """End all sessions of a player; the cookie of a new one, for the answer to this request. That which asks ends when it is used.

        A player about whom nothing is stored becomes a new one, and gets no row: any visitor may ask for this.
        """
        if not await self._context.registry.has_kept(player):
            return self._players.cookie(draw_player(), draw_session(), is_secure=request.url.scheme == "https")
        session = await self._devices.add(player, agent_of(request), asker=session_of(request))
        return self._players.cookie(player, session, is_secure=request.url.scheme == "https")

    async def statistics(self, request: Request) -> Response:
        """The player's statistics."""
        wanted = read_query(request.query_params, player_of(request))
        if self._context.registry.in_trouble:
            raise SlowStoreError("what was played lately is not in the database yet")
        await self._context.registry.settle(player_of(request))
        return ApiResponse(await asyncio.to_thread(statistics_data, self._context.store, wanted))

    # --- the same for all -----------------------------------------------------------------------------

    async def presets(self, _: Request) -> Response:
        """The presets, and what a custom game may be."""
        return ApiResponse(self._presets)

    async def page(self, _: Request) -> Response:
        """How the page looks where a player has not said otherwise."""
        return ApiResponse(self._context.look.as_data())

    async def health(self, _: Request) -> Response:
        """Whether the store answers and takes what is played, and worker processes start, for whoever watches servers."""
        context = self._context
        if not context.pool.works:
            raise RequestError("busy", "no worker process starts (the log says why)")
        if context.registry.in_trouble or context.registry.behind > HEALTH_TIME:
            raise RequestError("busy", "what is played cannot be saved now")
        if context.store is not None:
            try:
                async with asyncio.timeout(HEALTH_TIME):
                    await asyncio.to_thread(context.store.find_session, "")
            except TimeoutError:
                raise RequestError("busy", f"the store did not answer within {HEALTH_TIME:g} s") from None
        return ApiResponse(HealthAnswer(status="ok", games=context.registry.in_memory, sockets=context.metrics.sockets))

    async def _live_game(self, request: Request) -> LiveGame:
        live = await self._context.registry.find(
            player_of(request), request.path_params["id"], address=address_of_asker(request)
        )
        if live is None:
            raise RequestError("not-found", "there is no such game, or it is somebody else's")
        await settled(live.receipt)
        return live
