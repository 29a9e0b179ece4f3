"""The plot of claims and rates."""

import pytest

from sapper.errors import InvalidValueError
from sapper.plots.calibration import ClaimedRate, plot_calibration
from sapper.plots.figure import written


def test_every_series_is_drawn() -> None:
    rates = [ClaimedRate(claimed=0.2, won=0.25, error=0.03), ClaimedRate(claimed=0.8, won=0.79, error=0.02)]
    figure = plot_calibration([("Expert", rates), ("9x9/10", rates[:1])])
    [axes] = figure.axes
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["Expert", "9x9/10"]
    assert written(figure, "svg").startswith(b"<?xml")


def test_nothing_is_no_plot() -> None:
    with pytest.raises(InvalidValueError):
        plot_calibration([("Expert", [])])
