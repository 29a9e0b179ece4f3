"""The distribution of 3BV: what is drawn is what was given."""

import pytest
from matplotlib.patches import StepPatch

from sapper.errors import InvalidValueError
from sapper.plots.bbbv import plot_bbbv, shares_of
from sapper.plots.figure import written


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


def test_it_can_be_written() -> None:
    assert written(plot_bbbv({"one": [1, 2]}), "svg").startswith(b"<?xml")


@pytest.mark.parametrize("series", [{}, {"none": []}])
def test_no_layouts_are_no_plot(series: dict[str, list[int]]) -> None:
    with pytest.raises(InvalidValueError, match=r"nothing to plot: no layouts"):
        plot_bbbv(series)
