"""How sure a share is, and a difference of two."""

import math
import sys
from math import comb

import pytest
from hypothesis import given, strategies as st

from sapper.metrics.interval import mean_at_most, p_in_words, sign_test, wilson


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


def test_the_bound_of_a_mean() -> None:
    # Without anything lost it is exact: 1 − 0.05^(1/n).
    for count in (1, 30, 100):
        assert mean_at_most(0.0, count) == pytest.approx(1 - 0.05 ** (1 / count))
    assert (mean_at_most(0.5, 0), mean_at_most(1.0, 30)) == (1.0, 1.0)
    # Where two of 100 lose everything, it is above the exact bound of a share (Clopper and Pearson: 6.16 %).
    assert 0.0616 < mean_at_most(0.02, 100) < 0.075


@given(st.floats(0, 1), st.integers(1, 1000))
def test_the_bound_of_a_mean_solves_its_equation(mean: float, count: int) -> None:
    bound = mean_at_most(mean, count)
    assert mean <= bound <= 1
    assert bound >= mean_at_most(mean, count + 1)
    # What floats have of a bound close to 1 says little of its distance from 1.
    nearby = min(bound, 1 - 2.0**-24)
    if mean < nearby:
        lower = mean * math.log(mean / nearby) if mean else 0.0
        said = count * (lower + (1 - mean) * math.log((1 - mean) / (1 - nearby)))
        assert said == pytest.approx(math.log(20), rel=1e-6) if nearby == bound else said < math.log(20) * (1 + 1e-6)


def test_the_bound_of_a_mean_is_wrong_once_in_twenty_at_most() -> None:
    # Values of 0 and 1 are the worst there are: of all samples of 30, by their exact chances.
    for share in (0.02, 0.1, 0.3, 0.7):
        wrong = sum(
            comb(30, ones) * share**ones * (1 - share) ** (30 - ones)
            for ones in range(31)
            if mean_at_most(ones / 30, 30) < share
        )
        assert wrong <= 0.05


def test_the_sign_test_is_exact_and_never_zero() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(10, 0) == 2 / 1024
    assert sign_test(3, 7) == 2 * sum(comb(10, count) for count in range(4)) / 1024
    assert sign_test(530, 520) == sign_test(520, 530) == pytest.approx(0.781, abs=0.001)
    assert 0 < sign_test(700, 500) < 1e-7
    assert sign_test(0, 1000) == 2 / 2**1000
    assert sign_test(10_000, 0) == sys.float_info.min
    assert (p_in_words(0.0004), p_in_words(0.03)) == ("p < 0.001", "p = 0.030")
