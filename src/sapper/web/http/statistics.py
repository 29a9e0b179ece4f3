"""A player's statistics as the page has them."""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from sapper.metrics.interval import wilson
from sapper.session.kinds import title_of_kind
from sapper.store.filters import Filter
from sapper.store.luck import luck_over_time
from sapper.store.models import Category, GameKind
from sapper.store.repository import Store
from sapper.store.skill import skill_of
from sapper.store.statistics import (
    Statistics,
    StatisticsTotals,
    best_times,
    calibration,
    over_time,
    statistics,
    win_times,
)
from sapper.web.games.bodies import (
    BestTimeData,
    BoardSkillData,
    GameNumbers,
    KindBestTimes,
    KindNumbers,
    LuckPeriod,
    PeriodNumbers,
    RiskNumbers,
    StatisticsAnswer,
    StatisticsQuery,
    TimesHistogram,
)
from sapper.web.games.decoding import convert

MOST_WINS: Final = 500
MOST_COLUMNS: Final = 40
"""Of the histogram of times."""


def read_query(values: Mapping[str, str], player: str) -> Filter:
    """Which games a query asks about; `RequestError` for what cannot be asked."""
    asked = convert(StatisticsQuery, values, what="a query of statistics", code="bad-request")
    size = mines = None
    if asked.kind is not None:
        width, height, mines = map(int, asked.kind.split("x"))
        size = width, height
    return Filter(
        category=Category[asked.category.upper()], preset=asked.preset, size=size, mine_count=mines, player=player,
        since=_moment(asked.since), until=_moment(asked.until),
    )  # fmt: skip


def _moment(milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else datetime.fromtimestamp(milliseconds / 1000, UTC)


def statistics_data(store: Store | None, wanted: Filter) -> StatisticsAnswer:
    """The answer. `StoreError` where the store does not give it."""
    if store is None:
        return _answer(Statistics(total=StatisticsTotals(), kinds=(), kind_count=0, streak=0, best_streak=0))
    found = statistics(store, wanted)
    wins, times = _wins(win_times(store, wanted)) if found.kind_count == 1 else ([], _NO_TIMES)
    periods = [
        PeriodNumbers(
            begin=one.begin, played=one.played, won=one.won, mean=one.mean_ms, **_interval(one.won, one.played)
        )
        for one in over_time(store, wanted)
    ]
    risks = [
        RiskNumbers(
            low=one.low, high=one.high, moves=one.moves, exploded=one.exploded, claimed=one.claimed,
            least=one.interval.low, most=one.interval.high,
        )
        for one in calibration(store, wanted)
    ]  # fmt: skip
    return _answer(
        found, over_time=periods, wins=wins, times=times, calibration=risks, best_times=_best_times(store, wanted),
        luck=_luck(store, wanted), skill=_skill(store, wanted),
    )  # fmt: skip


def _best_times(store: Store, wanted: Filter) -> list[KindBestTimes]:
    found = []
    for kind, games in best_times(store, wanted):
        fields = _kind(kind)
        del fields["start"]
        listed = [
            BestTimeData(
                game=one.key, time=one.time_ms, ended=one.ended, solved_bbbv=one.solved_bbbv, has_moves=one.has_record
            )
            for one in games
        ]
        found.append(KindBestTimes(**fields, games=listed))
    return found


def _luck(store: Store, wanted: Filter) -> list[LuckPeriod]:
    return [
        LuckPeriod(
            begin=one.begin, guesses=one.guesses, needless=one.needless, survived=one.survived, expected=one.expected
        )
        for one in luck_over_time(store, wanted)
    ]


def _skill(store: Store, wanted: Filter) -> list[BoardSkillData]:
    found = [] if wanted.player is None else skill_of(store, wanted.player)
    return [BoardSkillData(board=one.board, games=one.games, mean=one.mean, bound=one.bound) for one in found]


_NO_TIMES: Final = TimesHistogram(width=0, counts=[])


def _answer(
    found: Statistics,
    *,
    over_time: Sequence[PeriodNumbers] = (),
    wins: Sequence[tuple[int, int, bool]] = (),
    times: TimesHistogram = _NO_TIMES,
    calibration: Sequence[RiskNumbers] = (),
    best_times: Sequence[KindBestTimes] = (),
    luck: Sequence[LuckPeriod] = (),
    skill: Sequence[BoardSkillData] = (),
) -> StatisticsAnswer:
    return StatisticsAnswer(
        total=GameNumbers(**_numbers(found.total)),
        kinds=[KindNumbers(**_kind(kind), **_numbers(numbers)) for kind, numbers in found.kinds],
        kind_count=found.kind_count,
        streak=found.streak,
        best_streak=found.best_streak,
        over_time=list(over_time),
        times=times,
        wins=list(wins),
        calibration=list(calibration),
        best_times=list(best_times),
        luck=list(luck),
        skill=list(skill),
    )


def _numbers(numbers: StatisticsTotals) -> dict[str, Any]:
    """The fields of `GameNumbers`."""
    return {
        "played": numbers.played,
        "won": numbers.won,
        "lost": numbers.lost,
        "terminated": numbers.terminated,
        "unfinished": numbers.unfinished,
        "rate": numbers.rate,
        **_interval(numbers.won, numbers.ended),
        "best": numbers.best_ms,
        "median": numbers.median_ms,
        "bbbv_per_second": numbers.bbbv_per_second,
        "efficiency": numbers.efficiency,
    }


def _interval(won: int, played: int) -> dict[str, float | None]:
    if not played:
        return {"low": None, "high": None}
    low, high = wilson(won, played)
    return {"low": low, "high": high}


def _kind(kind: GameKind) -> dict[str, Any]:
    """The other fields of `KindNumbers`."""
    return {
        "title": title_of_kind(kind), "preset": kind.preset, "width": kind.width, "height": kind.height,
        "mine_count": kind.mine_count, "start": kind.rules.start, "no_guess": kind.no_guess,
    }  # fmt: skip


def _wins(games: Iterable[tuple[int, int]]) -> tuple[list[tuple[int, int, bool]], TimesHistogram]:
    """Of the games won, each with when it ended and its time, oldest first: the last ones, and how often which time."""
    last: deque[tuple[int, int, bool]] = deque(maxlen=MOST_WINS)
    times: list[int] = []
    best: int | None = None
    for ended, time in games:
        is_best = best is None or time < best
        best = time if best is None else min(best, time)
        times.append(time)
        last.append((ended, time, is_best))
    if not times:
        return [], _NO_TIMES
    width = _width(min(times), max(times))
    counts = Counter(time // width * width for time in times)
    return list(last), TimesHistogram(width=width, counts=sorted(counts.items()))


def _width(least: int, most: int) -> int:
    """A round number of milliseconds that makes few enough columns."""
    unit = 100
    while True:
        for factor in (1, 2, 5):
            width = unit * factor
            if most // width - least // width < MOST_COLUMNS:
                return width
        unit *= 10
