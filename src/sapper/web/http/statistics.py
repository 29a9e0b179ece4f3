"""A player's statistics as the page has them.

Knows: what may be asked for, the form of the answer.
Does not know: counting (`store.statistics`), how plots look (that is the page's).
"""

import re
from collections import Counter, deque
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, Final

from sapper.core.grid import Grid
from sapper.errors import RequestError
from sapper.metrics.interval import wilson
from sapper.store.filters import Filter
from sapper.store.models import Category, GameKind
from sapper.store.repository import Store
from sapper.store.statistics import Statistics, StatisticsTotals, calibration, over_time, statistics
from sapper.store.wins import win_times
from sapper.web.games.new_game import preset_of

CATEGORIES: Final = {"plain": Category.PLAIN, "assisted": Category.ASSISTED}
FIELDS: Final = ("category", "preset", "kind", "since", "until")
MOST_WINS: Final = 500
MOST_COLUMNS: Final = 40
"""Of the histogram of times."""
LATEST: Final = 253_402_300_799_000
"""The end of the year 9999: no calendar here goes further."""

_KIND = re.compile(r"(\d{1,7})x(\d{1,7})x(\d{1,7})")


def read_query(values: Mapping[str, str], player: str) -> Filter:
    """Which games a query asks about; `RequestError` for what cannot be asked."""
    for name in values:
        if name not in FIELDS:
            raise RequestError("bad-request", f"statistics have no {name!r:.40}; they have {', '.join(FIELDS)}")
    category = values.get("category", "plain")
    if category not in CATEGORIES:
        raise RequestError("bad-request", f"category is one of {', '.join(CATEGORIES)}")
    preset = values.get("preset")
    if preset is not None and (len(preset) > 200 or "\0" in preset):
        raise RequestError("bad-request", "preset is the name of a preset")
    size = mines = None
    if (kind := values.get("kind")) is not None:
        match = _KIND.fullmatch(kind)
        if match is None:
            raise RequestError("bad-request", "kind is WIDTHxHEIGHTxMINES, as 30x16x99")
        size, mines = (int(match[1]), int(match[2])), int(match[3])
    return Filter(
        category=CATEGORIES[category], preset=preset, size=size, mines=mines, player=player,
        since=_moment(values, "since"), until=_moment(values, "until"),
    )  # fmt: skip


def _moment(values: Mapping[str, str], name: str) -> datetime | None:
    text = values.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,15}", text, re.ASCII) or int(text) > LATEST:
        raise RequestError("bad-request", f"{name} is in milliseconds since 1970")
    return datetime.fromtimestamp(int(text) / 1000, UTC)


def statistics_data(store: Store | None, wanted: Filter) -> dict[str, Any]:
    """The answer. `StoreError` where the store does not give it."""
    if store is None:
        return _data(Statistics(total=StatisticsTotals(), kinds=(), kind_count=0, streak=0, best_streak=0))
    found = statistics(store, wanted)
    is_one = found.kind_count == 1
    wins = _wins(win_times(store, wanted)) if is_one else {}
    return _data(found) | wins | {
        "over_time": [
            {"begin": one.begin, "played": one.played, "won": one.won, "mean": one.mean_ms, **_interval(one.won, one.played)}
            for one in over_time(store, wanted)
        ],
        "calibration": [
            {
                "low": one.low, "high": one.high, "moves": one.moves, "exploded": one.exploded, "claimed": one.claimed,
                "least": one.interval.low, "most": one.interval.high,
            }
            for one in calibration(store, wanted)
        ],
    }  # fmt: skip


def _data(found: Statistics) -> dict[str, Any]:
    return {
        "total": _numbers(found.total),
        "kinds": [{**_kind(kind), **_numbers(numbers)} for kind, numbers in found.kinds],
        "kind_count": found.kind_count,
        "streak": found.streak,
        "best_streak": found.best_streak,
        "over_time": [],
        "times": {"width": 0, "counts": []},
        "wins": [],
        "calibration": [],
    }


def _numbers(numbers: StatisticsTotals) -> dict[str, Any]:
    return {
        "played": numbers.played,
        "won": numbers.won,
        "lost": numbers.lost,
        "terminated": numbers.terminated,
        "unfinished": numbers.unfinished,
        "rate": numbers.rate,
        **_interval(numbers.won, numbers.played),
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
    return {
        "title": title_of_kind(kind), "preset": kind.preset, "width": kind.width, "height": kind.height,
        "mines": kind.mines, "start": kind.rules.start.value, "no_guess": kind.no_guess,
    }  # fmt: skip


def title_of_kind(kind: GameKind) -> str:
    """What to call a kind of games, as `new_game.title_of` calls one."""
    name = kind.preset or preset_of(kind.rules, Grid(kind.width, kind.height), kind.mines)
    mines = "1 mine" if kind.mines == 1 else f"{kind.mines} mines"
    title = f"{kind.width}×{kind.height}, {mines}" if name is None else name.capitalize()
    return f"{title}, no guess" if kind.no_guess else title


def _wins(games: Iterable[tuple[int, int]]) -> dict[str, Any]:
    """Of the games won, each with when it ended and its time, oldest first: the last ones, and how often which time."""
    last: deque[list[int | bool]] = deque(maxlen=MOST_WINS)
    times: list[int] = []
    best: int | None = None
    for ended, time in games:
        is_best = best is None or time < best
        best = time if best is None else min(best, time)
        times.append(time)
        last.append([ended, time, is_best])
    if not times:
        return {}
    width = _width(min(times), max(times))
    counts = Counter(time // width * width for time in times)
    return {"wins": list(last), "times": {"width": width, "counts": sorted([begin, games] for begin, games in counts.items())}}  # fmt: skip


def _width(least: int, most: int) -> int:
    """A round number of milliseconds that makes few enough columns."""
    unit = 100
    while True:
        for factor in (1, 2, 5):
            width = unit * factor
            if most // width - least // width < MOST_COLUMNS:
                return width
        unit *= 10
