"""Cells and chances in words."""

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.rules import RULES
from sapper.solver.words import at, count_words, listed, percent, points

BOARD = Board.new(Grid(5, 5), RULES["modern"], 3)


def test_cells() -> None:
    assert at(BOARD, 7) == "c2"
    assert listed(BOARD, []) == ""
    assert listed(BOARD, [7, 3]) == "d1 and c2"
    assert listed(BOARD, range(4), most=4) == "a1, b1, c1 and d1"
    assert listed(BOARD, range(9), most=4) == "a1, b1, c1 and 6 more"


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (0.0, "0.0 %"),
        (1e-300, "less than 0.1 %"),
        (0.0005, "0.1 %"),
        (0.1238, "12.4 %"),
        (0.9994, "99.9 %"),
        (0.9996, "more than 99.9 %"),
        (1.0, "100.0 %"),
    ],
)
def test_a_chance_never_reads_as_certain(chance: float, text: str) -> None:
    assert percent(chance) == text


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
def test_a_count_words(factor: int, exponent: int, text: str) -> None:
    assert count_words(factor * 10**exponent) == text


def test_a_change_that_is_nothing_as_it_is_shown_has_no_sign() -> None:
    assert [points(change) for change in (-0.0, 0.0004, -0.0004, 0.0006, -0.5)] == [
        "0.0",
        "0.0",
        "0.0",
        "+0.1",
        "-50.0",
    ]
