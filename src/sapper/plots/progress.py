"""Results over time, and claimed risks against what happened."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter
from matplotlib.figure import Figure

from sapper.errors import InvalidValueError
from sapper.plots.figure import COLOURS, styled

if TYPE_CHECKING:
    from sapper.store.statistics import Bucket, Period


def plot_progress(spans: "Sequence[Period]", claims: "Sequence[Bucket]") -> Figure:
    """Games won over time, their mean times, and claimed against true risk where risks were claimed."""
    if not spans:
        raise InvalidValueError("nothing to plot: no games were played")
    with styled():
        figure = Figure(figsize=(8, 8.5 if claims else 5.5), layout="constrained", facecolor="white")
        parts = figure.subplots(3 if claims else 2, 1)
        _rates(parts[0], spans)
        _times(parts[1], spans)
        if claims:
            _calibration(parts[2], claims)
        for axes in parts:
            axes.spines[["top", "right"]].set_visible(False)
            axes.set_axisbelow(True)
            axes.grid(axis="y", color="#dddddd")
        return figure


def _days(span: "Period") -> float:
    return span.begin / 86_400_000


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", fontsize=11, fontweight="bold")


def _by_date(axes: Axes) -> None:
    locator = AutoDateLocator()  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]


def _rates(axes: Axes, spans: "Sequence[Period]") -> None:
    _title(axes, "Games won, %")
    dates = [_days(span) for span in spans]
    axes.plot(dates, [100 * span.won / span.played for span in spans], "o-", color=COLOURS[0], markersize=4)
    axes.set_ylim(0, 100)
    _by_date(axes)


def _times(axes: Axes, spans: "Sequence[Period]") -> None:
    _title(axes, "Mean time of games won, s")
    known = [(_days(span), span.mean_ms / 1000) for span in spans if span.mean_ms is not None]
    axes.plot([at for at, _ in known], [seconds for _, seconds in known], "o-", color=COLOURS[1], markersize=4)
    axes.set_ylim(bottom=0)
    axes.set_xlim(_days(spans[0]) - 0.01, _days(spans[-1]) + 0.01)
    _by_date(axes)


def _calibration(axes: Axes, claims: "Sequence[Bucket]") -> None:
    _title(axes, "Risk claimed, and how often the mine was there, %")
    axes.plot([0, 100], [0, 100], color="#999999", linewidth=1)
    rates = [one.exploded / one.moves for one in claims]
    axes.errorbar(
        [100 * one.claimed for one in claims],
        [100 * rate for rate in rates],
        yerr=[
            [100 * (rate - one.interval.low) for rate, one in zip(rates, claims, strict=True)],
            [100 * (one.interval.high - rate) for rate, one in zip(rates, claims, strict=True)],
        ],
        fmt="o",
        markersize=4,
        color=COLOURS[2],
        capsize=3,
    )
    axes.set_xlim(0, 100)
    axes.set_ylim(0, 100)
