"""What a benchmark says of two players: exact, and never a chance of 0."""

import sys
from math import comb

import pytest

from sapper.cli.benchmark_report import score_in_words, sign_test


def test_the_sign_test_is_exact_and_never_zero() -> None:
    assert sign_test(0, 0) == 1.0
    assert sign_test(10, 0) == 2 / 1024
    assert sign_test(3, 7) == 2 * sum(comb(10, count) for count in range(4)) / 1024
    assert sign_test(530, 520) == sign_test(520, 530) == pytest.approx(0.781, abs=0.001)
    assert 0 < sign_test(700, 500) < 1e-7
    assert sign_test(0, 1000) == 2 / 2**1000
    assert sign_test(10_000, 0) == sys.float_info.min


def test_a_set_that_was_not_begun_has_no_rate() -> None:
    score = {"set": "expert-open", "strategy": "mine", "games": 0, "requested": 1200, "faulted": 0, "pairs": [{}]}
    assert score_in_words(score) == "expert-open: mine was interrupted after 0 of 1,200 games"
