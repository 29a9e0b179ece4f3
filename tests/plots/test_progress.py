"""Games over time, as a picture."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from sapper.errors import InvalidValueError
from sapper.plots.figure import written
from sapper.plots.progress import Claims, ProgressSpan, plot_progress

BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
SPANS = [
    ProgressSpan(begin=BEGIN + timedelta(days=day), games=10, won=day, seconds=100.0 - day if day else None)
    for day in range(5)
]
CLAIMS = [Claims(claimed=0.3, moves=10, exploded=3, low=0.1, high=0.6)]


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
