"""Numbers of layouts for people."""

import pytest

from sapper.cli.analysis_text import count


@pytest.mark.parametrize(
    ("factor", "exponent", "text"),
    [
        (1, 0, "1"),
        (17577, 0, "17,577"),
        (10**15 - 1, 0, "999,999,999,999,999"),
        (1, 15, "1.00 × 10^15"),
        (123456, 200, "1.23 × 10^205"),
        (9999, 97, "1.00 × 10^101"),
        (42, 6000, "4.20 × 10^6,001"),
    ],
)
def test_a_count(factor: int, exponent: int, text: str) -> None:
    assert count(factor * 10**exponent) == text
