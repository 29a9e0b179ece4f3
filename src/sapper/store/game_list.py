"""Lists of games that have ended: which, in pages, without their records.

A page ends at a place, not at a number: games that end meanwhile move nothing. With a player a list is read from the index
`by_player`, else from `by_time`, each in its order, so that no list is sorted; without a category that is done for each of them.
"""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, exists, select, tuple_

from sapper.errors import StoreError
from sapper.store import schema
from sapper.store.models import Category, GameKind, Result, from_ms, to_ms
from sapper.store.reading import read_kinds

MOST: Final = 500
"""Games of a page."""
_PLACE: Final = re.compile(r"(-?\d{1,15})\.(\d{1,15})")
_GAMES, _KINDS, _PLAYERS, _STRATEGIES = schema.games.c, schema.kinds.c, schema.players.c, schema.strategies.c
_SAME = (
    "key", "face", "time_ms", "seed", "code", "moves", "clicks", "effective_clicks", "bbbv", "solved_bbbv", "hints", "undos",
    "restarted", "overlay", "aided",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class GameQuery:
    """Which games are listed; what is None is not asked for."""

    player: str | None = None
    strategy: str | None = None
    face: str | None = None
    category: Category | None = None
    preset: str | None = None
    size: tuple[int, int] | None = None
    mine_count: int | None = None
    result: Result | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Games that ended from `since` on and before `until`."""
    recorded: bool = False
    """Only games whose moves are kept, which can be replayed and reviewed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameEntry:
    """A game of a list: what `StoredGame` has, but for its guesses and its record."""

    key: str
    kind: GameKind
    category: Category
    result: Result
    started: datetime
    ended: datetime
    face: str
    player: str | None
    strategy: str | None
    time_ms: int | None
    seed: int | None
    code: str | None
    moves: int | None
    clicks: int | None
    effective_clicks: int | None
    bbbv: int | None
    solved_bbbv: int | None
    hints: int
    undos: int
    restarted: bool
    overlay: bool
    aided: bool
    recorded: bool
    """Whether its moves are kept: `Store.find_game(key).record`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """Some games of a list."""

    games: tuple[GameEntry, ...]
    next: str | None
    """What to give as `after` for the games behind these; None if there are none."""


def read_game_page(connection: Connection, wanted: GameQuery, most: int, after: str | None) -> GamePage:
    """A page of games, the last ended first. `StoreError` for an `after` that no page has given."""
    most = max(1, min(most, MOST))
    apart = tuple(Category) if wanted.category is None and wanted.player is None else (wanted.category,)
    found = [row for one in apart for row in connection.execute(_query(wanted, one, most + 1, after))]
    rows = sorted(found, key=lambda row: (row.ended, row.id), reverse=True)[: most + 1]
    kinds = read_kinds(connection, {row.kind_id for row in rows})
    games = tuple(_entry(row, kinds) for row in rows[:most])
    last = rows[most - 1] if len(rows) > most else None
    return GamePage(games=games, next=None if last is None else f"{last.ended}.{last.id}")


def _query(wanted: GameQuery, category: Category | None, most: int, after: str | None) -> Select[Any]:
    is_recorded = exists().where(schema.records.c.game_id == _GAMES.id)
    where = ended_games(wanted)
    if category is not None:
        where.append(_GAMES.category == int(category))
    if wanted.recorded:
        where.append(is_recorded)
    if after is not None:
        place = _PLACE.fullmatch(after)
        if place is None:
            raise StoreError(f"the list goes on from what a page has given as its next, not from {after[:40]!r}")
        where.append(tuple_(_GAMES.ended, _GAMES.id) < (int(place[1]), int(place[2])))
    return (
        select(schema.games, _PLAYERS.name.label("player"), _STRATEGIES.name.label("strategy"), is_recorded.label("recorded"))
        .select_from(schema.games.outerjoin(schema.players).outerjoin(schema.strategies))
        .where(*where)
        .order_by(_GAMES.ended.desc(), _GAMES.id.desc())
        .limit(most)
    )  # fmt: skip


def ended_games(wanted: GameQuery) -> list[ColumnElement[bool]]:
    """The conditions of a query, all but those on moves; without a result, or with `PLAYING`, games that have ended in any way."""
    where: list[ColumnElement[bool]] = []
    for table, number, name in (
        (_PLAYERS, _GAMES.player_id, wanted.player),
        (_STRATEGIES, _GAMES.strategy_id, wanted.strategy),
    ):
        if name is not None:
            where.append(number == select(table.id).where(table.name == name).scalar_subquery())
    width, height = wanted.size or (None, None)
    asked = {"preset": wanted.preset, "mines": wanted.mine_count, "width": width, "height": height}
    of_kinds = [_KINDS[name] == value for name, value in asked.items() if value is not None]
    if of_kinds:
        where.append(_GAMES.kind_id.in_(select(_KINDS.id).where(*of_kinds)))
    if wanted.face is not None:
        where.append(_GAMES.face == wanted.face)
    if wanted.result is not None and wanted.result is not Result.PLAYING:
        where.append(_GAMES.result == wanted.result.value)
    else:
        where.append(_GAMES.result != Result.PLAYING.value)
    if wanted.since is not None:
        where.append(_GAMES.ended >= to_ms(wanted.since))
    if wanted.until is not None:
        where.append(_GAMES.ended < to_ms(wanted.until))
    return where


def _entry(row: Row[Any], kinds: dict[int, GameKind]) -> GameEntry:
    return GameEntry(
        kind=kinds[row.kind_id],
        category=Category(row.category),
        result=Result(row.result),
        started=from_ms(row.started),
        ended=from_ms(row.ended),
        player=row.player,
        strategy=row.strategy,
        recorded=bool(row.recorded),
        **{name: getattr(row, name) for name in _SAME},
    )
