"""How often strategies win, as points with their intervals."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

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
