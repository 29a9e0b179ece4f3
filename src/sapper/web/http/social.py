"""The endpoints of names, recovery phrases and rankings."""

import asyncio
from math import ceil

from starlette.requests import Request
from starlette.responses import Response

from sapper.core.words import counted
from sapper.errors import RequestError
from sapper.server.wall_clock import utc_now
from sapper.store import names
from sapper.store.models import to_ms
from sapper.store.rankings import RankedGame, read_ranking
from sapper.store.repository import Store
from sapper.web.games.decoding import convert, decode
from sapper.web.games.social.bodies import (
    NAME,
    RECOVERY,
    NameAnswer,
    PhraseAnswer,
    RankingAnswer,
    RankingQuery,
    RankingRow,
)
from sapper.web.games.social.naming import draw_phrase, read_name, read_phrase
from sapper.web.http.context import AppContext
from sapper.web.http.devices import Devices
from sapper.web.http.endpoints import Endpoints
from sapper.web.http.identity import PlayerCookies
from sapper.web.http.requests import address_of_asker, agent_of, check_quota, player_of, session_of
from sapper.web.http.responses import ApiResponse, read_body, refusal


class SocialEndpoints:
    """What each path does; a method a path and verb."""

    def __init__(self, context: AppContext, players: PlayerCookies, devices: Devices, endpoints: Endpoints) -> None:
        self._context = context
        self._devices = devices
        self._players = players
        self._endpoints = endpoints
        self._now = utc_now if context.daily is None else context.daily.now

    @property
    def _store(self) -> Store:
        if self._context.store is None:
            raise RequestError("not-found", "games are not kept here, so there are no names and rankings")
        return self._context.store

    async def _named(self, player: str) -> ApiResponse:
        await self._context.registry.settle(player)
        name, games, has_phrase = await asyncio.to_thread(names.read_named, self._store, player)
        return ApiResponse(NameAnswer(name=name, games=games, needed=names.GAMES_BEFORE, has_phrase=has_phrase))

    async def name(self, request: Request) -> Response:
        """The player's name, and what a name needs."""
        return await self._named(player_of(request))

    async def set_name(self, request: Request) -> Response:
        """Have a name."""
        content = await read_body(request, self._context.limits)
        asked = decode(NAME, content, what="a name", example='{"name": "Ann"}', code="bad-request")
        player, (name, skeleton) = player_of(request), read_name(asked.name)
        await self._context.registry.settle(player)
        await asyncio.to_thread(names.name_player, self._store, player, name, skeleton, self._now())
        return await self._named(player)

    async def drop_name(self, request: Request) -> Response:
        """Have no name any more; nobody else may have it for 90 days."""
        await asyncio.to_thread(names.unname_player, self._store, player_of(request), self._now())
        return await self._named(player_of(request))

    async def new_phrase(self, request: Request) -> Response:
        """A new recovery phrase. It ends the one before, and all other sessions."""
        player, phrase = player_of(request), draw_phrase()
        if not await self._context.registry.has_kept(player):
            check_quota(request, self._context.rates)  # a visitor gets a row by this, as by a game
        await asyncio.to_thread(names.set_phrase, self._store, player, phrase)
        cookie = await self._endpoints.end_sessions_of(player, request)
        return ApiResponse(PhraseAnswer(phrase=phrase), headers={"set-cookie": cookie})

    async def recover(self, request: Request) -> Response:
        """Be the player of a recovery phrase from now on."""
        phrases, address = self._context.rates.phrases, address_of_asker(request)
        if not phrases.take(address):
            wait = phrases.wait(address)
            why = f"too many wrong recovery phrases from this address: try again in {counted(ceil(wait), 'second')}"
            return refusal("slow-down", why, wait=wait)
        content = await read_body(request, self._context.limits)
        asked = decode(RECOVERY, content, what="a recovery", example='{"phrase": TEXT}', code="bad-request")
        phrase, here = read_phrase(asked.phrase), player_of(request)
        player = await asyncio.to_thread(names.find_by_phrase, self._store, phrase)
        if player is None:
            raise RequestError("not-found", "nobody has this recovery phrase")
        phrases.spend(
            address, -1
        )  # taken before it was looked up, so that many at once are counted; only wrong ones count
        if asked.join and player != here:
            for one in (here, player):
                self._context.end_sockets(one)
            async with self._context.registry.away(here, player):
                if not await asyncio.to_thread(names.join_players, self._store, here, player):
                    raise RequestError("not-found", "nobody has this recovery phrase")
        answer, is_secure = await self._named(player), request.url.scheme == "https"
        if player == here:  # signed in already: in place of the session that it has
            await self._devices.end(player, session_of(request))
        session = await self._devices.add(player, agent_of(request))
        answer.headers["set-cookie"] = self._players.cookie(player, session, is_secure=is_secure)
        return answer

    async def ranking(self, request: Request) -> Response:
        """Some places of a ranking."""
        asked = convert(RankingQuery, request.query_params, what="a query of a ranking", code="bad-request")
        player = player_of(request)
        await self._context.registry.settle(player)
        page = await asyncio.to_thread(
            read_ranking, self._store, asked.board, asked.measure, asked.period, self._now(), player=player,
            offset=asked.offset,
        )  # fmt: skip
        own = None if page.own is None else _row(page.own)
        return ApiResponse(RankingAnswer(rows=[_row(one) for one in page.rows], more=page.more, own=own))


def _row(one: RankedGame) -> RankingRow:
    return RankingRow(
        rank=one.rank, name=one.name, value=one.value, ended=to_ms(one.ended), game=one.game, own=one.is_own
    )
