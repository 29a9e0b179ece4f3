"""Time cut into periods of the same length, from the first game of a question to the last."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, FromClause, func, select
from sqlalchemy.sql.elements import ColumnElement

from sapper.store import schema

_ENDED = schema.games.c.ended


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePeriods:
    """Periods by number, from 0. Times are milliseconds since 1970, UTC."""

    first: int
    width: int

    @property
    def number(self) -> ColumnElement[int]:
        """The period in which a game ended, as a column `period`."""
        return ((_ENDED - self.first) // self.width).label("period")

    def begin(self, number: int) -> int:
        """When a period begins, which is when the one before it ends."""
        return self.first + int(number) * self.width


def periods_of(
    connection: Connection, games: FromClause, where: Sequence[ColumnElement[bool]], *, parts: int
) -> TimePeriods | None:
    """At most so many periods in which all these games ended; None where there is no game."""
    first, last = connection.execute(select(func.min(_ENDED), func.max(_ENDED)).select_from(games).where(*where)).one()
    return None if first is None else TimePeriods(first=first, width=max(1, -(-(last - first + 1) // parts)))
