"""The questions that statistics are put together from, in SQL that SQLite and PostgreSQL both have.

Each is answered from one index alone, in its order: docs/store.md shows the plans.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, ScalarSelect, Select, Text, case, cast, func, literal, or_, select

from sapper.store import schema
from sapper.store.models import Category, Result, to_ms

_GAMES, _KINDS = schema.games.c, schema.kinds.c
_WON: Final = Result.WON.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which games are asked about; what is None is not asked for."""

    category: Category = Category.PLAIN
    preset: str | None = None
    """`jminesweeper-1` is that level of every size, `jminesweeper-1 20x10` that size alone."""
    size: tuple[int, int] | None = None
    mine_count: int | None = None
    player: str | None = None
    strategy: str | None = None
    since: datetime | None = None
    until: datetime | None = None
    """Games that ended from `since` on and before `until`."""


def conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    """A filter in SQL, over columns that both indexes have."""
    of_kinds = _kind_conditions(wanted)
    where = _game_conditions(wanted)
    if of_kinds:
        where.append(_GAMES.kind_id.in_(select(_KINDS.id).where(*of_kinds)))
    return where


def _kind_conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    asked = {"mines": wanted.mine_count}
    if wanted.size is not None:
        asked |= {"width": wanted.size[0], "height": wanted.size[1]}
    where = [_KINDS[name] == value for name, value in asked.items() if value is not None]
    if wanted.preset is not None:
        sized = literal(f"{wanted.preset} ") + cast(_KINDS.width, Text) + "x" + cast(_KINDS.height, Text)
        where.append(or_(_KINDS.preset == wanted.preset, _KINDS.preset == sized))
    return where


def _game_conditions(wanted: Filter) -> list[ColumnElement[bool]]:
    where = [_GAMES.category == int(wanted.category)]
    for table, number, name in (
        (schema.players.c, _GAMES.player_id, wanted.player),
        (schema.strategies.c, _GAMES.strategy_id, wanted.strategy),
    ):
        if name is not None:
            where.append(number == select(table.id).where(table.name == name).scalar_subquery())
    if wanted.since is not None:
        where.append(_GAMES.ended >= to_ms(wanted.since))
    if wanted.until is not None:
        where.append(_GAMES.ended < to_ms(wanted.until))
    return where


def counts(wanted: Filter) -> Select[Any]:
    """Counts and the best time, kind by kind: each is one stretch of `by_kind`.

    Grouping all games by kind and result gives the same in twice the time, since it compares every row with the one before.
    """
    where = _game_conditions(wanted)

    def of_kind(what: ColumnElement[Any], result: Result) -> ScalarSelect[Any]:
        asked = select(what).select_from(schema.games).where(_GAMES.kind_id == _KINDS.id, _GAMES.result == result.value)
        return asked.where(*where).correlate(schema.kinds).scalar_subquery()

    counted = [of_kind(func.count(), result).label(result.value) for result in Result]
    best = of_kind(func.min(_GAMES.time_ms), Result.WON).label("best")
    return select(_KINDS.id, best, *counted).where(*_kind_conditions(wanted))


def measures(wanted: Filter) -> Select[Any]:
    """Sums of won games, kind by kind. What is not known is null, and no aggregate counts a null."""
    seconds = func.nullif(_GAMES.time_ms, 0)
    return (
        select(
            _GAMES.kind_id,
            func.count(_GAMES.time_ms).label("timed"),
            func.count(_GAMES.solved_bbbv / seconds).label("speeds"),
            cast(func.sum(cast(_GAMES.solved_bbbv, Float) / seconds), Float).label("speed"),
            cast(func.sum(case((_GAMES.clicks > 0, _GAMES.solved_bbbv))), Float).label("solved"),
            cast(func.sum(case((_GAMES.solved_bbbv.is_not(None), _GAMES.clicks))), Float).label("clicks"),
        )
        # All kinds are named, so that the index is entered at the won games of each.
        .where(*_game_conditions(wanted), _GAMES.kind_id.in_(select(_KINDS.id).where(*_kind_conditions(wanted))))
        .where(_GAMES.result == _WON)
        .group_by(_GAMES.kind_id)
    )


def times(where: Sequence[ColumnElement[bool]], kind: int, timed: int) -> Select[Any]:
    """The one or two times in the middle of a kind's won games: `by_kind` has them in order."""
    return (
        select(_GAMES.time_ms)
        .where(*where, _GAMES.kind_id == kind, _GAMES.result == _WON, _GAMES.time_ms.is_not(None))
        .order_by(_GAMES.time_ms)
        .limit(2 - timed % 2)
        .offset((timed - 1) // 2)
    )


def results(where: Sequence[ColumnElement[bool]]) -> Select[Any]:
    """The results of the games that ended, in their order, as one text: 1 is won, 0 is not.

    `by_time` has them in that order. Looking for runs in a text of a million letters takes nothing; a window over as many
    rows took four times as long as making the text.
    """
    mark = case({_WON: "1", Result.PLAYING.value: ""}, value=_GAMES.result, else_="0")
    in_order = select(mark.label("mark")).where(*where).order_by(_GAMES.ended, _GAMES.id).subquery("in_order")
    return select(func.aggregate_strings(in_order.c.mark, ""))
