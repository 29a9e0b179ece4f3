"""Wilson's interval."""

import pytest

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
