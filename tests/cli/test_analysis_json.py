"""Fractions as text: in lowest terms, and none too long."""

import pytest

from sapper.cli.analysis_json import MOST_DIGITS, _fraction


@pytest.mark.parametrize(
    ("numerator", "denominator", "text"), [(0, 7, "0/1"), (7, 7, "1/1"), (6, 9, "2/3"), (10**30, 4 * 10**30, "1/4")]
)
def test_lowest_terms(numerator: int, denominator: int, text: str) -> None:
    assert _fraction(numerator, denominator) == text


def test_what_is_short_in_lowest_terms_is_short() -> None:
    assert _fraction(2 * 10**5000, 4 * 10**5000) == "1/2"


@pytest.mark.parametrize(("digits", "fits"), [(MOST_DIGITS - 2, True), (MOST_DIGITS - 1, False), (9000, False)])
def test_a_fraction_of_many_digits(digits: int, fits: bool) -> None:
    """Numerator and denominator have one digit more than there are zeros, and one."""
    assert _fraction(1, 10**digits) == ("1/1" + "0" * digits if fits else None)
