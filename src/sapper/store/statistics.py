"""What the games in a store say about whoever played them.

Only `PLAIN` games set records; assisted games and those of programs are looked at apart, and debugged ones nowhere. Times are those
of won games. A game that was started and has not ended counts as played; it is in no rate and breaks no streak.

Every question is answered from one index alone, read once in its order: see docs/store.md for the plans. The two that
read every game are asked at the same time, since a database works on both at once.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import ColumnElement, Connection, Float, FromClause, Integer, case, cast, func, select

from sapper.metrics.interval import Interval, wilson
from sapper.store import schema
from sapper.store.filters import Filter, conditions, counts, measures, results, times
from sapper.store.models import GameKind, Result
from sapper.store.reading import read_kinds
from sapper.store.repository import Store

_GAMES = schema.games.c
_WON: Final = Result.WON.value
BUCKETS: Final = 20
"""Parts that claimed risks are sorted into."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsTotals:
    """The numbers of some games."""

    played: int = 0
    """All that were started."""
    won: int = 0
    lost: int = 0
    terminated: int = 0
    unfinished: int = 0
    best_ms: int | None = None
    """The shortest time of a won game; times are None where no game that was won has one."""
    median_ms: float | None = None
    bbbv_per_second: float | None = None
    """The mean over won games of solved 3BV by seconds."""
    efficiency: float | None = None
    """Solved 3BV of all won games by their clicks."""

    @property
    def ended(self) -> int:
        """All that have ended: rates are over these."""
        return self.played - self.unfinished

    @property
    def rate(self) -> float | None:
        """The share of the games that have ended which were won; None without one."""
        return self.won / self.ended if self.ended else None

    @property
    def interval(self) -> Interval:
        return wilson(self.won, self.ended)


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """The answer: all games together, and kind by kind."""

    total: StatisticsTotals
    """Times are those of the one kind there is, else None: those of different games cannot be compared."""
    kinds: tuple[tuple[GameKind, StatisticsTotals], ...]
    """The kinds played most, those first."""
    kind_count: int
    """How many kinds there are, those not listed included."""
    streak: int
    """Games won since the last that was not."""
    best_streak: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """Games that ended within some time."""

    begin: int
    """Milliseconds since 1970, UTC."""
    played: int
    """Those that have ended."""
    won: int
    mean_ms: float | None
    """Of the games won."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BestTime:
    """A won game of the quickest of its kind."""

    key: str
    """What `sapper replay` and `sapper review` know it by."""
    time_ms: int
    ended: int
    """Milliseconds since 1970, UTC."""
    player: str | None
    solved_bbbv: int | None
    has_record: bool
    """True if its moves were kept too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bucket:
    """Moves whose claimed risks were alike."""

    low: float
    high: float
    moves: int
    exploded: int
    needless: int
    """Moves that need not have been made: there was a cell that was certain to be safe."""
    claimed: float
    """The mean of the risks claimed."""

    @property
    def interval(self) -> Interval:
        """Wilson's interval for the chance that these moves had to explode."""
        return wilson(self.exploded, self.moves)


def statistics(store: Store, wanted: Filter | None = None, *, most_kinds: int = 20) -> Statistics:
    """The statistics of the games that a filter lets through. Only the `most_kinds` kinds played most are listed."""
    which = wanted or Filter()
    with ThreadPoolExecutor(1) as aside, store.reading() as connection:
        in_order = aside.submit(_in_order, store, which)
        counted = _count(connection, which)
        most = sorted(counted, key=lambda number: (-counted[number].played, number))
        shown = most[:most_kinds]
        kinds = read_kinds(connection, shown)
        where = conditions(which)
        listed = [(kinds[number], _numbers(connection, where, number, counted[number])) for number in shown]
        together = _sum(counted).numbers()
        total = listed[0][1] if len(counted) == 1 else replace(together, best_ms=None)
        marks = in_order.result()
        if (marks.count("1"), marks.count("0")) != (together.won, together.lost + together.terminated):
            # Somebody has recorded games between the two questions: ask again, as of the moment of these counts.
            marks = connection.execute(results(where)).scalar() or ""
        runs = marks.split("0")
        return Statistics(
            total=total,
            kinds=tuple(listed),
            kind_count=len(counted),
            streak=len(runs[-1]),
            best_streak=max(map(len, runs)),
        )


def _in_order(store: Store, wanted: Filter) -> str:
    """The results in their order, on a connection of its own."""
    with store.reading() as connection:
        return connection.execute(results(conditions(wanted))).scalar() or ""


def count_games(store: Store, wanted: Filter) -> tuple[int, int]:
    """How many games were played, and how many of them won."""
    query = select(func.count(), func.count().filter(_GAMES.result == _WON)).where(*conditions(wanted))
    with store.reading() as connection:
        played, won = connection.execute(query).one()
    return played, won


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePeriods:
    """Periods by number, from 0. Times are milliseconds since 1970, UTC."""

    first: int
    width: int

    @property
    def number(self) -> ColumnElement[int]:
        """The period in which a game ended, as a column `period`."""
        return ((_GAMES.ended - self.first) // self.width).label("period")

    def begin(self, number: int) -> int:
        """When a period begins, which is when the one before it ends."""
        return self.first + int(number) * self.width


def periods_of(
    connection: Connection, games: FromClause, where: Sequence[ColumnElement[bool]], *, parts: int
) -> TimePeriods | None:
    """At most so many periods in which all these games ended; None where there is no game."""
    first, last = connection.execute(
        select(func.min(_GAMES.ended), func.max(_GAMES.ended)).select_from(games).where(*where)
    ).one()
    return None if first is None else TimePeriods(first=first, width=max(1, -(-(last - first + 1) // parts)))


def over_time(store: Store, wanted: Filter, *, parts: int = 40) -> list[Period]:
    """The games that have ended in at most so many periods of the same length, from the first to the last; empty ones are left out."""
    where = [*conditions(wanted), _GAMES.result != Result.PLAYING.value]
    with store.reading() as connection:
        periods = periods_of(connection, schema.games, where, parts=parts)
        if periods is None:
            return []
        numbered = select(periods.number, _GAMES.result, _GAMES.time_ms).where(*where).subquery("numbered")
        is_won = numbered.c.result == _WON
        query = (
            select(
                numbered.c.period,
                func.count(),
                func.count(case((is_won, 1))),
                cast(func.avg(case((is_won, numbered.c.time_ms))), Float),
            )
            .group_by(numbered.c.period)
            .order_by(numbered.c.period)
        )
        return [
            Period(begin=periods.begin(number), played=played, won=won, mean_ms=mean)
            for number, played, won, mean in connection.execute(query)
        ]


def win_times(store: Store, wanted: Filter) -> list[tuple[int, int]]:
    """When each won game whose time is known ended, in milliseconds since 1970, and its time; the oldest first."""
    query = (
        select(_GAMES.ended, _GAMES.time_ms)
        .where(*conditions(wanted), _GAMES.result == _WON, _GAMES.time_ms.is_not(None))
        .order_by(_GAMES.ended, _GAMES.id)
    )
    with store.reading() as connection:
        return [(ended, time) for ended, time in connection.execute(query)]


def best_times(
    store: Store, wanted: Filter, *, most: int = 10, most_kinds: int = 20
) -> list[tuple[GameKind, list[BestTime]]]:
    """The shortest times of won games, of each of the kinds played most; ties: the game that ended first."""
    games, where = schema.games.c, conditions(wanted)
    with store.reading() as connection:
        counted = _count(connection, wanted)
        shown = sorted(counted, key=lambda number: (-counted[number].played, number))[:most_kinds]
        kinds = read_kinds(connection, shown)
        found = []
        for number in shown:
            query = (
                select(
                    games.key, games.time_ms, games.ended, schema.players.c.name, games.solved_bbbv,
                    schema.records.c.game_id.is_not(None),
                )
                .select_from(schema.games.outerjoin(schema.players).outerjoin(schema.records))
                .where(*where, games.kind_id == number, games.result == _WON, games.time_ms.is_not(None))
                .order_by(games.time_ms, games.ended, games.id)
                .limit(most)
            )  # fmt: skip
            rows = [
                BestTime(key=key, time_ms=time, ended=ended, player=player, solved_bbbv=solved, has_record=has_record)
                for key, time, ended, player, solved, has_record in connection.execute(query)
            ]
            if rows:
                found.append((kinds[number], rows))
        return found


def calibration(store: Store, wanted: Filter, *, buckets: int = BUCKETS) -> list[Bucket]:
    """How often moves exploded by the risk that was claimed for them; buckets without a move are left out."""
    guesses = schema.guesses.c
    part = func.floor(guesses.risk * buckets) if store.engine.dialect.name == "postgresql" else guesses.risk * buckets
    # A risk of 1 belongs to the last bucket. Casting a float to an integer cuts it in SQLite.
    number = cast(case((guesses.risk >= 1, buckets - 1), else_=part), Integer)
    numbered = (
        select(number.label("bucket"), guesses.risk, guesses.exploded, guesses.forced)
        .select_from(schema.guesses.join(schema.games))
        .where(*conditions(wanted))
        .subquery("numbered")
    )
    query = (
        select(
            numbered.c.bucket,
            func.count(),
            func.count(case((numbered.c.exploded, 1))),
            func.count(case((numbered.c.forced, None), else_=1)),
            cast(func.avg(numbered.c.risk), Float),
        )
        .group_by(numbered.c.bucket)
        .order_by(numbered.c.bucket)
    )
    with store.reading() as connection:
        return [
            Bucket(
                low=at / buckets,
                high=(at + 1) / buckets,
                moves=moves,
                exploded=exploded,
                needless=needless,
                claimed=claimed,
            )
            for at, moves, exploded, needless, claimed in connection.execute(query)
        ]


# --- putting answers together -------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Count:
    """Counts and sums of some games."""

    results: tuple[tuple[str, int], ...] = ()
    best: int | None = None
    timed: int = 0
    speeds: int = 0
    speed: float = 0.0
    solved: float = 0.0
    clicks: float = 0.0

    def __add__(self, other: "_Count") -> "_Count":
        bests = [best for best in (self.best, other.best) if best is not None]
        return _Count(
            results=self.results + other.results,
            best=min(bests, default=None),
            timed=self.timed + other.timed,
            speeds=self.speeds + other.speeds,
            speed=self.speed + other.speed,
            solved=self.solved + other.solved,
            clicks=self.clicks + other.clicks,
        )

    @property
    def played(self) -> int:
        return sum(games for _, games in self.results)

    def numbers(self) -> StatisticsTotals:
        """What is made of them; the median is asked for apart."""

        def ended(result: Result) -> int:
            return sum(games for name, games in self.results if name == result.value)

        return StatisticsTotals(
            played=self.played,
            won=ended(Result.WON),
            lost=ended(Result.LOST),
            terminated=ended(Result.TERMINATED),
            unfinished=ended(Result.PLAYING),
            best_ms=self.best,
            bbbv_per_second=self.speed / self.speeds if self.speeds else None,
            efficiency=self.solved / self.clicks if self.clicks else None,
        )


def _count(connection: Connection, wanted: Filter) -> dict[int, _Count]:
    found: dict[int, _Count] = {}
    for row in connection.execute(counts(wanted)).mappings():
        played = tuple((one.value, row[one.value]) for one in Result if row[one.value])
        if played:
            found[row["id"]] = _Count(results=played, best=row["best"])
    for row in connection.execute(measures(wanted)).mappings():
        found[row["kind_id"]] += _Count(
            timed=row["timed"], speeds=row["speeds"], speed=(row["speed"] or 0.0) * 1000, solved=row["solved"] or 0.0,
            clicks=row["clicks"] or 0.0,
        )  # fmt: skip
    return found


def _sum(counted: dict[int, _Count]) -> _Count:
    return sum(counted.values(), _Count())


def _numbers(
    connection: Connection, where: Sequence[ColumnElement[bool]], kind: int, count: _Count
) -> StatisticsTotals:
    """A kind's numbers, the median of its times among them."""
    if not count.timed:
        return count.numbers()
    middle = connection.execute(times(where, kind, count.timed)).scalars().all()
    return replace(count.numbers(), median_ms=sum(middle) / len(middle))
