"""The games of a player that have ended, as a list shows them: a page at a time, the last first.

A page begins where another ended, by the time and the number of its last game, so that a game which ends meanwhile moves nothing.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select, tuple_

from sapper.store import schema
from sapper.store.game_list import GameQuery, ended_games
from sapper.store.models import Category, GameKind, Result
from sapper.store.reading import read_kinds
from sapper.store.repository import Store

_GAMES = schema.games.c
_LISTED = (int(Category.PLAIN), int(Category.ASSISTED))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedFilter:
    """Which games are asked about; what is None is not asked for."""

    player: str
    face: str | None = None
    preset: str | None = None
    """An empty text means games of no preset."""
    result: Result | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Games that ended from `since` on and before `until`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedGame:
    """A game that has ended, without its moves."""

    key: str
    kind: GameKind
    result: Result
    category: Category
    ended: int
    """Milliseconds since 1970, UTC."""
    time_ms: int | None
    clicks: int | None
    bbbv: int | None
    solved_bbbv: int | None
    has_record: bool
    """Whether its moves are kept too."""


def finished_games(
    store: Store, wanted: PlayedFilter, *, after: str | None = None, most: int = 50
) -> list[FinishedGame]:
    """At most so many games, the one that ended last first; those behind the game of the key `after`, if it is one of the player's."""
    players = schema.players.c
    whose = select(players.id).where(players.name == wanted.player).scalar_subquery()
    asked = GameQuery(
        player=wanted.player, face=wanted.face, preset=wanted.preset, result=wanted.result, since=wanted.since,
        until=wanted.until,
    )  # fmt: skip
    # The player and the order are the index `by_player`'s: no more rows are read than are listed, but for those left out.
    where = [*ended_games(asked), _GAMES.category.in_(_LISTED)]
    if after is not None:
        ended, number = (
            select(column).where(_GAMES.key == after, _GAMES.player_id == whose).scalar_subquery()
            for column in (_GAMES.ended, _GAMES.id)
        )
        where.append(tuple_(_GAMES.ended, _GAMES.id) < tuple_(ended, number))
    query = (
        select(
            _GAMES.key, _GAMES.kind_id, _GAMES.result, _GAMES.category, _GAMES.ended, _GAMES.time_ms, _GAMES.clicks,
            _GAMES.bbbv, _GAMES.solved_bbbv, schema.records.c.game_id.is_not(None).label("has_record"),
        )
        .select_from(schema.games.outerjoin(schema.records))
        .where(*where)
        .order_by(_GAMES.ended.desc(), _GAMES.id.desc())
        .limit(most)
    )  # fmt: skip
    with store.reading() as connection:
        rows = connection.execute(query).all()
        kinds = read_kinds(connection, {row.kind_id for row in rows})
    return [
        FinishedGame(
            key=row.key,
            kind=kinds[row.kind_id],
            result=Result(row.result),
            category=Category(row.category),
            ended=row.ended,
            time_ms=row.time_ms,
            clicks=row.clicks,
            bbbv=row.bbbv,
            solved_bbbv=row.solved_bbbv,
            has_record=bool(row.has_record),
        )
        for row in rows
    ]
