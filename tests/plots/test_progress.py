"""Games over time, as a picture."""

import numpy as np
import pytest

from sapper.errors import InvalidValueError
from sapper.plots.figure import written
from sapper.plots.progress import plot_progress
from sapper.store.statistics import Bucket, Period

DAY = 86_400_000
SPANS = [
    Period(begin=day * DAY, played=10, won=day, mean_ms=100_000.0 - 1000 * day if day else None) for day in range(5)
]
CLAIMS = [Bucket(low=0.25, high=0.35, moves=10, exploded=3, needless=0, claimed=0.3)]


def test_it_shows_what_it_was_given() -> None:
    figure = plot_progress(SPANS, CLAIMS)
    rates, times, claims = figure.axes
    assert np.asarray(rates.lines[0].get_ydata()).tolist() == [0, 10, 20, 30, 40]
    assert np.asarray(times.lines[0].get_ydata()).tolist() == [99, 98, 97, 96]
    assert claims.get_title(loc="left").startswith("Risk claimed")
    assert written(figure, "svg") == written(plot_progress(SPANS, CLAIMS), "svg")


def test_without_claims_there_are_two_parts() -> None:
    assert len(plot_progress(SPANS[:1], []).axes) == 2


def test_nothing_to_plot() -> None:
    with pytest.raises(InvalidValueError, match="no games were played"):
        plot_progress([], CLAIMS)
