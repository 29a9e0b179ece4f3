"""How often strategies win, as points with their intervals."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sapper.errors import InvalidValueError
from sapper.plots.figure import COLOURS, new_figure, styled


@dataclass(frozen=True, slots=True, kw_only=True)
class WinRate:
    """The share of games won, from 0 to 1, in an interval."""

    label: str
    rate: float
    low: float
    high: float
    games: int

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.rate <= self.high <= 1:
            raise InvalidValueError(
                f"{self.label}: a rate lies in its interval, from 0 to 1, not {self.rate!r} in {self.low!r} to {self.high!r}"
            )


def plot_rates(rates: Sequence[WinRate], *, title: str = "Games won, with 95 % intervals") -> Figure:
    """A line each, the first on top: the rate as a point, its interval as a bar, both in words at the right."""
    if not rates:
        raise InvalidValueError("nothing to plot: no games were played")
    with styled():
        return _plotted(rates, title)


def _plotted(rates: Sequence[WinRate], title: str) -> Figure:
    figure, axes = new_figure(8, 1.3 + 0.45 * len(rates), title)
    places = range(len(rates))
    percent = [100 * rate.rate for rate in rates]
    axes.errorbar(
        percent,
        places,
        xerr=[[100 * (rate.rate - rate.low) for rate in rates], [100 * (rate.high - rate.rate) for rate in rates]],
        fmt="o",
        markersize=6,
        color=COLOURS[0],
        ecolor=COLOURS[0],
        elinewidth=2,
        capsize=5,
        capthick=2,
        clip_on=False,
        zorder=3,
    )
    axes.set_yticks(places, [rate.label for rate in rates])
    axes.set_ylim(len(rates) - 0.5, -0.5)
    # From 0, or small differences would look large.
    axes.set_xlim(0, min(100.0, 1.08 * max(100 * rate.high for rate in rates) + 1))
    axes.set_xlabel("games won, %")
    axes.grid(axis="x", color="#dddddd")
    axes.tick_params(axis="y", length=0)
    for place, rate in zip(places, rates, strict=True):
        axes.annotate(
            f"{100 * rate.rate:.1f} % ({100 * rate.low:.1f}–{100 * rate.high:.1f}) of {rate.games:,} game{'' if rate.games == 1 else 's'}",
            (1.02, place),
            xycoords=("axes fraction", "data"),
            va="center",
            fontsize=9,
        )
    return figure


_MOST_BARS = 80
_LINES = ("-", "--", "-.", ":")


def plot_bbbv(series: Mapping[str, Sequence[int]], *, title: str = "3BV: the least clicks that open a board") -> Figure:
    """A stepped line for each series by its name, with its mean: which share of its layouts has which 3BV."""
    found = {name: values for name, values in series.items() if values}
    if not found:
        raise InvalidValueError("nothing to plot: no layouts")
    with styled():
        return _bars(found, title)


def _bars(found: Mapping[str, Sequence[int]], title: str) -> Figure:
    figure, axes = new_figure(7.5, 4, title)
    low = min(min(values) for values in found.values())
    high = max(max(values) for values in found.values())
    step = max(1, -(-(high - low + 1) // _MOST_BARS))
    for number, (name, values) in enumerate(found.items()):
        colour, line = COLOURS[number % len(COLOURS)], _LINES[number % len(_LINES)]
        edges, shares = shares_of(values, low=low, high=high, step=step)
        mean = sum(values) / len(values)
        label = f" {name}" if name.startswith("_") else name  # matplotlib hides what begins with _
        layouts = f"{len(values):,} layout{'' if len(values) == 1 else 's'}"
        axes.stairs(
            [100 * share for share in shares],
            edges,
            color=colour,
            linestyle=line,
            linewidth=1.6,
            label=f"{label}: {layouts}, mean {mean:.1f}",
        )
        axes.stairs([100 * share for share in shares], edges, color=colour, fill=True, alpha=0.15)
        axes.axvline(mean, color=colour, linestyle=line, linewidth=1)
    axes.set_xlabel("3BV" if step == 1 else f"3BV, in steps of {step}")
    axes.set_ylabel("layouts, %")
    axes.set_ylim(bottom=0)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color="#dddddd")
    axes.legend(fontsize=9, edgecolor="none")
    return figure


def shares_of(values: Sequence[int], *, low: int, high: int, step: int) -> tuple[list[float], list[float]]:
    """The edges of bars from `low` to `high` and the share of values in each.

    >>> shares_of([1, 2, 2, 4], low=1, high=4, step=1)
    ([0.5, 1.5, 2.5, 3.5, 4.5], [0.25, 0.5, 0.0, 0.25])
    """
    bars = (high - low) // step + 1
    counts = Counter((value - low) // step for value in values)
    edges = [low - 0.5 + step * bar for bar in range(bars + 1)]
    return edges, [counts[bar] / len(values) for bar in range(bars)]
