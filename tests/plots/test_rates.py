"""Win rates: what is drawn is what was given."""

import numpy as np
import pytest
from matplotlib.container import ErrorbarContainer

from sapper.errors import InvalidValueError
from sapper.plots.figure import written
from sapper.plots.rates import WinRate, plot_rates

RATES = (
    WinRate(label="least-risk", rate=0.5, low=0.4, high=0.6, games=1000),
    WinRate(label="ran$dom", rate=0.0, low=0.0, high=0.25, games=1),
)


def test_points_and_bars_are_rates_and_intervals() -> None:
    (axes,) = plot_rates(RATES).axes
    (container,) = axes.containers
    assert isinstance(container, ErrorbarContainer)
    points, _, (bars,) = container.lines
    assert points is not None
    assert np.asarray(points.get_xdata()).tolist() == [50, 0]
    segments = bars.get_segments()
    assert [[float(x) for x in segment[:, 0]] for segment in segments] == [
        pytest.approx([40, 60]),
        pytest.approx([0, 25]),
    ]


def test_all_is_said_in_words_too() -> None:
    (axes,) = plot_rates(RATES, title="a title").axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["least-risk", "ran$dom"]
    assert [text.get_text() for text in axes.texts] == [
        "50.0 % (40.0–60.0) of 1,000 games",
        "0.0 % (0.0–25.0) of 1 game",
    ]
    assert axes.get_title(loc="left") == "a title"


def test_the_first_is_on_top_and_the_scale_begins_at_0() -> None:
    (axes,) = plot_rates(RATES).axes
    bottom, top = axes.get_ylim()
    assert bottom > top
    left, right = axes.get_xlim()
    assert left == 0
    assert 60 < right < 100


def test_it_can_be_written() -> None:
    assert written(plot_rates(RATES), "png").startswith(b"\x89PNG")


def test_no_games_are_no_plot() -> None:
    with pytest.raises(InvalidValueError, match=r"nothing to plot: no games"):
        plot_rates(())


@pytest.mark.parametrize(("rate", "low", "high"), [(0.5, 0.6, 0.7), (0.5, 0.1, 0.2), (1.2, 1.0, 1.3), (0.5, -1, 1)])
def test_a_rate_lies_in_its_interval(rate: float, low: float, high: float) -> None:
    with pytest.raises(InvalidValueError, match=r"^x: a rate lies in its interval, from 0 to 1, not "):
        WinRate(label="x", rate=rate, low=low, high=high, games=1)
