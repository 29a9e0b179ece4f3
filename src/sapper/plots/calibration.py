"""Claimed chances to win against the share of such games that were won."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from sapper.errors import InvalidValueError
from sapper.plots.figure import COLOURS, new_figure, styled


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedRate:
    """The mean claim and the share won, from 0 to 1, with the standard error of the share."""

    claimed: float
    won: float
    error: float


def plot_calibration(series: Sequence[tuple[str, Sequence[ClaimedRate]]]) -> Figure:
    """A colour for each named series; bars are 95 % intervals, and the line is where claim and rate are the same."""
    if not any(rates for _, rates in series):
        raise InvalidValueError("nothing to plot: no chances were claimed")
    with styled():
        figure, axes = new_figure(6, 6, "Claimed chance to win, and games won")
        axes.plot([0, 100], [0, 100], color="#999999", linewidth=1)
        for number, (label, rates) in enumerate(series):
            colour = COLOURS[number % len(COLOURS)]
            axes.errorbar(
                [100 * one.claimed for one in rates],
                [100 * one.won for one in rates],
                yerr=[196 * one.error for one in rates],
                fmt="o",
                markersize=5,
                color=colour,
                ecolor=colour,
                elinewidth=1.5,
                capsize=3,
                label=label,
            )
        axes.set_xlim(0, 100)
        axes.set_ylim(0, 100)
        axes.set_aspect("equal")
        axes.set_xlabel("claimed chance to win, %")
        axes.set_ylabel("games won, %")
        axes.grid(color="#dddddd")
        axes.legend(frameon=False, loc="upper left")
    return figure
