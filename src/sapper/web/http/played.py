"""The endpoints of games that have ended, and of positions: seen, judged, shared, played on from.

Whoever goes away before the answer is there is no longer worked for.
"""

import asyncio
import secrets
from collections.abc import Coroutine
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Final, TypeVar

from starlette.requests import Request
from starlette.responses import Response

from sapper.core.status import Status
from sapper.errors import RequestError
from sapper.server.wall_clock import utc_now
from sapper.session.game_request import game_by_code
from sapper.store.game_list import GameEntry, GameQuery, finished_games
from sapper.store.models import Category, Result, StoredGame, to_ms
from sapper.store.repository import Store
from sapper.web.games.decoding import convert, decode
from sapper.web.games.played_bodies import POSITION, PRACTICE, SHARING, PlayedList, PlayedQuery, PlayedSummary
from sapper.web.games.played_games import PRACTICE_GAMES, Asker, PlayedGames
from sapper.web.games.positions import position_json, practice_setup
from sapper.web.http.context import AppContext
from sapper.web.http.requests import address_of_asker, check_quota, player_of
from sapper.web.http.responses import ApiResponse, created, json_response, read_body

Answer = TypeVar("Answer")

POSITION_TIME: Final = 12.0
"""Seconds that a position may take to be looked into: of 100×100 cells it takes some."""
PAGE: Final = 25
"""Games on a page of the list."""
RECORDING: Final = 1024 * 1024
"""Bytes of a recording; those of long games have some 100,000."""
CUSTOM: Final = "custom"


class PlayedEndpoints:
    """What each path does; a method a path and verb."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        now = utc_now if context.daily is None else context.daily.now
        self._played = PlayedGames(context.store, context.registry, context.pool, now=now)

    async def played_games(self, request: Request) -> Response:
        """The player's games that have ended, a page at a time."""
        await self._context.registry.settle(player_of(request))
        asked = convert(PlayedQuery, request.query_params, what="a query of games", code="bad-request")
        store = self._context.store
        wanted = GameQuery(
            player=player_of(request),
            preset="" if asked.preset == CUSTOM else asked.preset,
            result=None if asked.result is None else Result(asked.result),
            since=_moment(asked.since),
            until=_moment(asked.until),
        )
        found = (
            []
            if store is None
            else await asyncio.to_thread(finished_games, store, wanted, after=asked.after, most=PAGE + 1)
        )
        return ApiResponse(PlayedList(games=[_listed(one) for one in found[:PAGE]], more=len(found) > PAGE))

    async def played_game(self, request: Request) -> Response:
        """A game that has ended: one's own, or one that is shared."""
        await self._context.registry.settle(player_of(request))
        return json_response(
            await _while_wanted(request, self._played.played(request.path_params["id"], _asker(request)))
        )

    async def review(self, request: Request) -> Response:
        """Its moves, judged."""
        await self._context.registry.settle(player_of(request))
        return json_response(
            await _while_wanted(request, self._played.review(request.path_params["id"], _asker(request)))
        )

    async def share(self, request: Request) -> Response:
        """Show a game of one's own to anyone who has its link, or no longer."""
        await self._context.registry.settle(player_of(request))
        content = await read_body(request, self._context.limits)
        asked = decode(SHARING, content, what="sharing", example='{"shared": true}', code="bad-request")
        await self._played.share(request.path_params["id"], _asker(request), shared=asked.shared)
        return ApiResponse(asked)

    async def review_recording(self, request: Request) -> Response:
        """The review of a recording of any program; nothing of it is kept."""
        data = await read_body(request, replace(self._context.limits, body=RECORDING))
        name = request.headers.get("x-file-name", "")[-80:]
        return json_response(
            await self._played.recording(data, name, _asker(request), most_cells=self._context.policy.cells)
        )

    async def wrong_positions(self, request: Request) -> Response:
        """Positions of the player's games in which another move was better."""
        asked = convert(PlayedQuery, request.query_params, what="a query of games", code="bad-request")
        find = partial(_latest, player_of(request), asked.after)
        return json_response(await _while_wanted(request, self._played.wrong_positions(_asker(request), find)))

    # --- positions ------------------------------------------------------------------------------------

    async def look_into(self, request: Request) -> Response:
        """What can be known of a position: a board text, a code, or a game id of Simon Tatham's Mines."""
        content = await read_body(request, self._context.limits)
        asked = decode(
            POSITION, content, what="a position", example='{"text": TEXT, "mine_count": NUMBER}', code="bad-request"
        )
        work = self._context.pool.run(
            position_json, asked.text, asked.mine_count, self._context.policy.cells, self._context.policy.advisor,
            timeout=POSITION_TIME, urgent=False, whose=player_of(request), address=address_of_asker(request),
        )  # fmt: skip
        return json_response(await work)

    async def practise(self, request: Request) -> Response:
        """A new game that begins with a position, on mines that are drawn for it. It is marked."""
        context = self._context
        content = await read_body(request, context.limits)
        asked = decode(
            PRACTICE, content, what="a position", example='{"board": TEXT, "mine_count": NUMBER}', code="bad-request"
        )
        player, address = player_of(request), address_of_asker(request)
        setup = await context.pool.run(
            practice_setup, asked.board, asked.mine_count, asked.rules, context.policy.cells, secrets.randbits(64),
            timeout=POSITION_TIME, urgent=False, whose=player, address=address,
        )  # fmt: skip
        check_quota(request, context.rates)
        live = await context.registry.create(player, game_by_code(setup.code), address=address, practice=setup.moves)
        return created(live)


def _asker(request: Request) -> Asker:
    return Asker(player_of(request), address_of_asker(request))


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def _listed(one: GameEntry) -> PlayedSummary:
    kind = one.kind
    return PlayedSummary(
        game=one.key,
        preset=kind.preset,
        width=kind.width,
        height=kind.height,
        mine_count=kind.mine_count,
        no_guess=kind.no_guess,
        status=Status(one.result.value),
        time=one.time_ms,
        ended=to_ms(one.ended),
        assisted=one.category is Category.ASSISTED,
        bbbv=one.bbbv,
        solved_bbbv=one.solved_bbbv,
        clicks=one.clicks,
        has_moves=one.recorded,
    )


def _latest(player: str, after: str | None, store: Store) -> list[StoredGame]:
    """The latest games of a player whose moves are kept."""
    wanted = GameQuery(player=player)
    listed = finished_games(store, wanted, after=after, most=PRACTICE_GAMES)
    found = (store.find_game(one.key) for one in listed if one.recorded)
    return [game for game in found if game is not None]


async def _while_wanted(request: Request, work: Coroutine[Any, Any, Answer]) -> Answer:
    """What some work comes to; it is given up when whoever asked for it goes away."""
    doing = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait({doing, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not doing.done():
            raise RequestError("bad-request", "the connection was lost")
        return doing.result()
    finally:
        for task in (doing, gone):
            task.cancel()


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
