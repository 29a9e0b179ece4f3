"""How 3BV is distributed over layouts, as a histogram."""

from collections import Counter
from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from sapper.errors import InvalidValueError
from sapper.plots.figure import COLOURS, new_figure, styled

_MOST_BARS = 80
_LINES = ("-", "--", "-.", ":")


def plot_bbbv(series: Mapping[str, Sequence[int]], *, title: str = "3BV: the least clicks that open a board") -> Figure:
    """A stepped line for each series by its name, with its mean: which share of its layouts has which 3BV."""
    found = {name: values for name, values in series.items() if values}
    if not found:
        raise InvalidValueError("nothing to plot: no layouts")
    with styled():
        return _plotted(found, title)


def _plotted(found: Mapping[str, Sequence[int]], title: str) -> Figure:
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
