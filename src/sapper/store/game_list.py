"""Lists of games that have ended: which, in pages, without their records.

A page ends at a place, not at a number: games that end meanwhile move nothing. With a player a list is read from the index
`by_player`, else from `by_time`, each in its order, so that no list is sorted; without a category that is done for each of them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import ColumnElement, Connection, Row, Select, exists, select, tuple_

from sapper.errors import StoreError
from sapper.store import schema
from sapper.store.models import Category, GameKind, Result, from_ms, to_ms
from sapper.store.reading import SAME, read_kinds

if TYPE_CHECKING:
    from sapper.store.repository import Store

MOST: Final = 500
"""Games of a page."""
_PLACE: Final = re.compile(r"(-?\d{1,15})\.(\d{1,15})")
_GAMES, _KINDS, _PLAYERS, _STRATEGIES = schema.games.c, schema.kinds.c, schema.players.c, schema.strategies.c


@dataclass(frozen=True, slots=True, kw_only=True)
class GameQuery:
    """Which games are listed; what is None is not asked for."""

    player: str | None = None
    strategy: str | None = None
    face: str | None = None
    category: Category | None = None
    preset: str | None = None
    """An empty text means games of no preset."""
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
    """True if its moves are kept: `Store.find_game(key).record`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GamePage:
    """Some games of a list."""

    games: tuple[GameEntry, ...]
    next: str | None
    """What to give as `after` for the games behind these; None if there are none."""


def read_game_page(connection: Connection, wanted: GameQuery, most: int, after: str | None) -> GamePage:
    """A page of games, the last ended first. `StoreError` for an `after` that no page has given."""
    most = max(1, min(most, MOST))
    behind: list[ColumnElement[bool]] = []
    if after is not None:
        place = _PLACE.fullmatch(after)
        if place is None:
            raise StoreError(f"the list goes on from what a page has given as its next, not from {after[:40]!r}")
        behind = [tuple_(_GAMES.ended, _GAMES.id) < (int(place[1]), int(place[2]))]
    apart = tuple(Category) if wanted.category is None and wanted.player is None else (wanted.category,)
    found = [
        row
        for one in apart
        for row in connection.execute(
            _query(wanted, behind if one is None else [*behind, _GAMES.category == int(one)], most + 1)
        )
    ]
    rows = sorted(found, key=lambda row: (row.ended, row.id), reverse=True)[: most + 1]
    last = rows[most - 1] if len(rows) > most else None
    return GamePage(games=_entries(connection, rows[:most]), next=None if last is None else f"{last.ended}.{last.id}")


def finished_games(
    store: "Store", wanted: GameQuery, *, after: str | None = None, most: int = 50
) -> Sequence[GameEntry]:
    """At most so many games that a player has played by hand, the one that ended last first; those behind the player's game of the key `after`."""
    where: list[ColumnElement[bool]] = [_GAMES.category.in_([int(Category.PLAIN), int(Category.ASSISTED)])]
    if after is not None:
        whose = select(_PLAYERS.id).where(_PLAYERS.name == wanted.player).scalar_subquery()
        ended, number = (
            select(column).where(_GAMES.key == after, _GAMES.player_id == whose).scalar_subquery()
            for column in (_GAMES.ended, _GAMES.id)
        )
        where.append(tuple_(_GAMES.ended, _GAMES.id) < tuple_(ended, number))
    with store.reading() as connection:
        return _entries(connection, connection.execute(_query(wanted, where, most)).all())


def _query(wanted: GameQuery, more: Sequence[ColumnElement[bool]], most: int) -> Select[Any]:
    is_recorded = exists().where(schema.records.c.game_id == _GAMES.id)
    where = [*_conditions(wanted), *more]
    if wanted.recorded:
        where.append(is_recorded)
    return (
        select(schema.games, _PLAYERS.name.label("player"), _STRATEGIES.name.label("strategy"), is_recorded.label("recorded"))
        .select_from(schema.games.outerjoin(schema.players).outerjoin(schema.strategies))
        .where(*where)
        .order_by(_GAMES.ended.desc(), _GAMES.id.desc())
        .limit(most)
    )  # fmt: skip


def _conditions(wanted: GameQuery) -> list[ColumnElement[bool]]:
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


def _entries(connection: Connection, rows: Sequence[Row[Any]]) -> tuple[GameEntry, ...]:
    kinds = read_kinds(connection, {row.kind_id for row in rows})
    return tuple(
        GameEntry(
            kind=kinds[row.kind_id], category=Category(row.category), result=Result(row.result), started=from_ms(row.started),
            ended=from_ms(row.ended), player=row.player, strategy=row.strategy, recorded=bool(row.recorded),
            **{name: getattr(row, name) for name in SAME},
        )
        for row in rows
    )  # fmt: skip
