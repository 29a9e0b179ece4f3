"""The endpoints of the boards of the days."""

import asyncio
import json
from datetime import timedelta
from typing import Any, get_args

from starlette.requests import Request
from starlette.responses import Response

from sapper.core.preset import PRESETS
from sapper.errors import RequestError
from sapper.generator.no_guess.certificate import Difficulty
from sapper.store.daily import (
    SIZES,
    BoardName,
    DailyAttempt,
    attempts_of,
    count_attempts,
    day_of,
    find_board,
    read_table,
    standing_at,
)
from sapper.store.models import to_ms
from sapper.store.repository import Store
from sapper.web.games.decoding import convert, decode
from sapper.web.games.social.bodies import (
    DAILY,
    AttemptData,
    DailyAnswer,
    DailyQuery,
    DailyRow,
    DailySize,
    DailyStandingData,
    DailyTable,
    SizeName,
)
from sapper.web.games.social.daily import DailyGames
from sapper.web.http.context import AppContext
from sapper.web.http.requests import address_of_asker, check_quota, player_of
from sapper.web.http.responses import ApiResponse, created, read_body

CALENDAR: timedelta = timedelta(days=366)
"""How far back a player's calendar goes."""

assert get_args(SizeName) == SIZES


class DailyEndpoints:
    """What each path does; a method a path and verb."""

    def __init__(self, context: AppContext) -> None:
        self._context = context

    @property
    def _parts(self) -> tuple[DailyGames, Store]:
        daily, store = self._context.daily, self._context.store
        if daily is None or store is None:
            raise RequestError("not-found", "games are not kept here, so there are no boards of days")
        return daily, store

    async def daily(self, request: Request) -> Response:
        """Today's boards, and the player's calendar."""
        daily, store = self._parts
        player, today = player_of(request), daily.today
        await self._context.registry.settle(player)
        since = (day_of(today) - CALENDAR).date().isoformat()
        calendar = await asyncio.to_thread(attempts_of, store, player, since)
        counts = await asyncio.to_thread(count_attempts, store, today, "people")
        sizes = [await self._size(daily, store, size, calendar, counts.get(size, (0, 0))) for size in SIZES]
        left = day_of(today) + timedelta(days=1) - daily.now()
        answer = DailyAnswer(
            day=today, left=max(0, left // timedelta(milliseconds=1)), streak=streak_of(calendar, today), sizes=sizes,
            calendar=[_attempt(one) for one in calendar],
        )  # fmt: skip
        return ApiResponse(answer)

    async def _size(
        self, daily: DailyGames, store: Store, size: str, calendar: list[DailyAttempt], counts: tuple[int, int]
    ) -> DailySize:
        board, preset = await daily.board(BoardName(day=daily.today, size=size)), PRESETS[size]
        own = next((one for one in calendar if one.name == board.name), None)
        its_size: Any = size
        return DailySize(
            size=its_size, width=preset.width, height=preset.height, mine_count=preset.mine_counts[0],
            difficulty=Difficulty(board.difficulty).word, attempts=counts[0], won=counts[1],
            own=None if own is None else _attempt(own), standing=await self._standing(store, own),
        )  # fmt: skip

    async def _standing(self, store: Store, own: DailyAttempt | None) -> DailyStandingData | None:
        if own is None or own.state != "counted":
            return None
        found = await asyncio.to_thread(standing_at, store, own)
        others = found.attempts - 1
        # Those that lost did not do better than any other.
        beaten = others - found.faster if own.won else 0
        percentile = round(100 * beaten / others, 1) if others else None
        return DailyStandingData(attempts=found.attempts, place=found.place, percentile=percentile)

    async def begin_daily(self, request: Request) -> Response:
        """The player's game on one of today's boards, opened; its clock runs from the first answer on."""
        context = self._context
        daily, _ = self._parts
        content = await read_body(request, context.limits)
        asked = decode(DAILY, content, what="a board", example='{"size": "expert"}', code="bad-request")
        check_quota(request, context.rates)
        live, is_new = await daily.begin(
            player_of(request), asked.size, asked.audience, address=address_of_asker(request)
        )
        return created(live, 201 if is_new else 200)

    async def daily_board(self, request: Request) -> Response:
        """A board of a day: its table, and the day after its layout and proof."""
        daily, store = self._parts
        asked = convert(DailyQuery, request.query_params, what="a board of a day", code="bad-request")
        name = BoardName(day=asked.day or daily.today, size=asked.size, audience=asked.audience)
        try:
            day_of(name.day)
        except ValueError:
            raise RequestError("bad-request", f"{name.day} is no day of the calendar") from None
        if name.day > daily.today:
            raise RequestError("not-found", f"the boards of {name.day} are not dealt yet")
        board = await asyncio.to_thread(find_board, store, name)
        if board is None:
            raise RequestError("not-found", f"there was no board of {name.day} here")
        rows = await asyncio.to_thread(read_table, store, name)
        counts = await asyncio.to_thread(count_attempts, store, name.day, name.audience)
        attempts, won = counts.get(name.size, (0, 0))
        is_sealed = daily.is_sealed(name)
        proof: dict[str, Any] = json.loads(board.proof)
        answer = DailyTable(
            day=name.day, size=asked.size, audience=asked.audience, published=to_ms(name.published),
            difficulty=Difficulty(board.difficulty).word, attempts=attempts, won=won,
            rows=[DailyRow(name=one.name, time=one.time_ms, game=None if is_sealed else one.game) for one in rows],
            code=None if is_sealed else board.code, bbbv=None if is_sealed else board.bbbv,
            proof=None if is_sealed else proof,
        )  # fmt: skip
        return ApiResponse(answer)


def _attempt(one: DailyAttempt) -> AttemptData:
    state: Any = one.state
    size: Any = one.name.size
    return AttemptData(day=one.name.day, size=size, game=one.game, state=state, won=one.won, time=one.time_ms)


def streak_of(calendar: list[DailyAttempt], today: str) -> int:
    """The days one after the other with a won attempt that counts, up to today, or to yesterday as long as today may still be won."""
    days = {one.name.day for one in calendar if one.won and one.state == "counted"}
    day = day_of(today)
    if today not in days:
        day -= timedelta(days=1)
    count = 0
    while day.date().isoformat() in days:
        count += 1
        day -= timedelta(days=1)
    return count
