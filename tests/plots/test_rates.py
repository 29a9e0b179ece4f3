"""Win rates: what is drawn is what was given."""

import numpy as np
import pytest
from matplotlib.container import ErrorbarContainer
from matplotlib.patches import StepPatch

from sapper.errors import InvalidValueError
from sapper.plots.figure import written
from sapper.plots.rates import WinRate, plot_bbbv, plot_rates, shares_of

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


def _lines(series: dict[str, list[int]]) -> list[StepPatch]:
    (axes,) = plot_bbbv(series).axes
    return [patch for patch in axes.patches if isinstance(patch, StepPatch) and not patch.fill]


def _values(line: StepPatch) -> list[float]:
    return [float(value) for value in line.get_data()[0]]


def _edges(line: StepPatch) -> list[float]:
    return [float(edge) for edge in line.get_data()[1]]


def test_each_series_is_a_line_of_shares() -> None:
    one, two = _lines({"one": [1, 2, 2, 4], "two": [3]})
    assert _values(one) == [25, 50, 0, 25]
    assert _values(two) == [0, 0, 100, 0]
    assert _edges(one) == [0.5, 1.5, 2.5, 3.5, 4.5]


def test_the_legend_says_how_many_and_the_mean() -> None:
    (axes,) = plot_bbbv({"one": [1, 2, 2, 4], "_two": [3], "none": []}).axes
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["one: 4 layouts, mean 2.2", " _two: 1 layout, mean 3.0"]


def test_lines_differ_by_more_than_colour() -> None:
    lines = _lines({str(number): [number] for number in range(4)})
    assert len({str(line.get_linestyle()) for line in lines}) == 4


def test_a_wide_range_has_wider_bars() -> None:
    (line,) = _lines({"one": [0, 399]})
    values = _values(line)
    assert len(values) == 80
    assert (values[0], values[-1], sum(values)) == (50, 50, 100)


@pytest.mark.parametrize("step", [1, 2, 3, 7])
def test_shares_are_of_all_values(step: int) -> None:
    values = [3, 5, 5, 9, 12]
    edges, shares = shares_of(values, low=3, high=12, step=step)
    assert sum(shares) == pytest.approx(1)
    assert edges[0] < 3
    assert edges[-1] > 12
    assert len(edges) == len(shares) + 1


def test_bbbv_it_can_be_written() -> None:
    assert written(plot_bbbv({"one": [1, 2]}), "svg").startswith(b"<?xml")


@pytest.mark.parametrize("series", [{}, {"none": []}])
def test_no_layouts_are_no_plot(series: dict[str, list[int]]) -> None:
    with pytest.raises(InvalidValueError, match=r"nothing to plot: no layouts"):
        plot_bbbv(series)
