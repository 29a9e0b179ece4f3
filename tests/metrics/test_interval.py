"""Wilson's interval."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sapper.metrics.interval import wilson


def test_known_values() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I.
    assert wilson(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(15, 148) == pytest.approx((0.0624, 0.1605), abs=5e-5)
    assert wilson(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson(1, 29) == pytest.approx((0.0061, 0.1718), abs=5e-5)


def test_the_ends() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 5).low == 0.0
    assert wilson(5, 5).high == 1.0


@given(st.integers(1, 10**7), st.data())
def test_wilson_holds_the_rate_and_its_bounds_solve_the_equation(games: int, data: st.DataObject) -> None:
    won = data.draw(st.integers(0, games))
    low, high = wilson(won, games)
    rate = won / games
    assert 0 <= low <= rate <= high <= 1
    for bound in {low, high} - {0.0, 1.0}:  # |rate - p| = z·√(p(1-p)/n)
        assert abs(rate - bound) == pytest.approx(
            1.959963984540054 * math.sqrt(bound * (1 - bound) / games), rel=1e-6, abs=1e-12
        )
    assert wilson(games - won, games) == pytest.approx((1 - high, 1 - low), abs=1e-12)
