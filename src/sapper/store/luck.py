"""Guesses over time: how many were survived, and how many were to be."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Float, case, cast, func, select

from sapper.store import schema
from sapper.store.filters import Filter, conditions
from sapper.store.repository import Store
from sapper.store.statistics import periods_of

_GUESSES = schema.guesses.c


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckOfPeriod:
    """The guesses of games that ended within some time."""

    begin: int
    end: int
    """Milliseconds since 1970, UTC; games before `end`."""
    games: int
    """Those with a guess."""
    guesses: int
    needless: int
    """Those where a cell was certain to be safe."""
    survived: int
    expected: float
    """How many were to be on average: the sum of 1 − risk."""

    @property
    def forced(self) -> int:
        """Those where nothing was certain to be safe."""
        return self.guesses - self.needless

    @property
    def luck(self) -> float:
        """How many more were survived than on average: above 0 is good luck."""
        return self.survived - self.expected


def luck_together(periods: Iterable[LuckOfPeriod]) -> LuckOfPeriod | None:
    """All periods as one; None where there is none."""
    listed = list(periods)
    if not listed:
        return None
    return LuckOfPeriod(
        begin=listed[0].begin,
        end=listed[-1].end,
        games=sum(one.games for one in listed),
        guesses=sum(one.guesses for one in listed),
        needless=sum(one.needless for one in listed),
        survived=sum(one.survived for one in listed),
        expected=sum(one.expected for one in listed),
    )


def luck_over_time(store: Store, wanted: Filter, *, parts: int = 40) -> list[LuckOfPeriod]:
    """The guesses in at most so many periods of the same length, from the first game with one to the last; empty ones are left out."""
    where = conditions(wanted)
    joined = schema.guesses.join(schema.games)
    with store.reading() as connection:
        periods = periods_of(connection, joined, where, parts=parts)
        if periods is None:
            return []
        numbered = (
            select(periods.number, _GUESSES.game_id, _GUESSES.risk, _GUESSES.exploded, _GUESSES.forced)
            .select_from(joined)
            .where(*where)
            .subquery("numbered")
        )
        query = (
            select(
                numbered.c.period,
                func.count(numbered.c.game_id.distinct()),
                func.count(),
                func.count(case((numbered.c.forced, None), else_=1)),
                func.count(case((numbered.c.exploded, None), else_=1)),
                cast(func.sum(1 - numbered.c.risk), Float),
            )
            .group_by(numbered.c.period)
            .order_by(numbered.c.period)
        )
        return [
            LuckOfPeriod(
                begin=periods.begin(number),
                end=periods.begin(number + 1),
                games=games,
                guesses=guesses,
                needless=needless,
                survived=survived,
                expected=expected,
            )
            for number, games, guesses, needless, survived, expected in connection.execute(query)
        ]
