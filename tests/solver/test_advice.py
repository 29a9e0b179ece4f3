"""What is advised, in words."""

import re
from fractions import Fraction

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.solver.advice import advice_of, best_reveal, board_words, candidate_words, chance_words, chances_apart
from sapper.solver.analysis import TIE
from sapper.solver.win import win_chance
from sapper.solver.words import percent
from tests.census import positions
from tests.halves import by_reference


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3x2/2\n121\n###\n", "b2 is safe: it is a mine in no layout that fits; you win for certain"),
        ("2x1/1\n##\n", ("nothing is revealed that could make a cell safe; the least risk is 50.0 % at a1, and you win 1 in 2; "
         "a1 and b1 are a 50/50 that cannot be avoided")),
        ("6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n",
         "b6: as risky as f1, but it decides c6 and e6: you win 2 in 3 instead of 1 in 3"),
    ],
)  # fmt: skip
def test_sentences(text: str, sentence: str) -> None:
    assert advice_of(win_chance(read_board(text))) == sentence


def test_a_protected_start_is_no_guess() -> None:
    chance = win_chance(Board.new(Grid(9, 9), RULES["modern"], 10))
    said = advice_of(chance)
    assert said is not None
    assert said.startswith("c3 is safe, as the first reveal; you win about 9")
    assert re.search(
        r"you win about 9\d % \(played out, ± \d points\)$", board_words(chance)
    )  # of the bounds, 0 and 100 %, nothing is said


def test_where_winning_is_not_defined_the_least_risk_is_advised() -> None:
    chance = win_chance(read_board("3x1/1\n#1#\n", rules=RULES["jminesweeper"]))
    assert advice_of(chance) is None
    assert "flagging" in board_words(chance)
    best = best_reveal(chance)
    assert best is not None
    assert "the least risk is 50.0 %" in best[1]


def test_candidates_in_a_few_words() -> None:
    chance = win_chance(read_board("2x1/1\n##\n"))
    assert candidate_words(chance.board, chance.candidates[0]) == (
        "a1: a risk of 50.0 %, you win 1 in 2; no clue will tell more, so it need not wait"
    )


def test_chances_in_words() -> None:
    assert chance_words(0.4612, None) == "about 46 %"
    assert chance_words(0.4612, Fraction(4612, 10000)) == "46.1 %"
    assert chance_words(0.75, Fraction(3, 4)) == "3 in 4"


def test_chances_that_differ_are_said_in_digits_that_differ() -> None:
    assert chances_apart((0.44, None), (0.31, None)) == ("about 44 %", "about 31 %")
    assert chances_apart((0.4431, None), (0.4388, None)) == ("about 44.3 %", "about 43.9 %")
    assert chances_apart((0.0004, None), (0.00031, None)) == ("about 0.04 %", "about 0.03 %")
    assert chances_apart((1.0, Fraction(1)), (0.9999, None)) == ("100.0 %", "more than 99 %")
    assert [chance_words(win, None) for win in (0.001, 0.999)] == ["less than 1 %", "more than 99 %"]


def test_no_more_risk_is_advised_for_less_than_the_estimate_can_tell_apart() -> None:
    """On stuck Expert boards: a riskier guess wins so much more that the words of the two chances differ."""
    riskier = 0
    for one in positions("expert-stuck")[::12]:
        board = Board(
            grid=one.grid, rules=RULES["modern"], mine_count=one.mines, tiles=one.tiles, status=Status.PLAYING
        )
        chance = win_chance(board)
        best, least = chance.best, chance.of(chance.analysis.least_risky or 0)
        assert best is not None
        assert least is not None
        if best.risk <= least.risk + TIE or best.exact is not None:
            continue
        riskier += 1
        if least.cell in chance.level:
            assert f"has a risk of {percent(best.risk)}, and you win" in (advice_of(chance) or "")
            continue
        if least.win is None:
            continue
        assert best.win is not None
        assert least.win < best.win
        said = (advice_of(chance) or "").partition(": you win ")[2].partition(" instead of ")
        assert said[0] != said[2].partition(";")[0]
    assert riskier > 1


def test_where_the_chance_is_not_known_the_words_say_so() -> None:
    """Without the native library: the bounds are proved, and no chance is named."""
    rows = ["#" * 120] * 30
    rows[10] = "#" * 10 + "12" + "#" * 108
    with by_reference():
        chance = win_chance(read_board("\n".join(["120x30/600", *rows]) + "\n"))
    assert chance.win is None
    assert (chance.win_low or 0) < (chance.win_high or 0) < 1
    assert all(one.win is None for one in chance.candidates)
    assert "is not known" in board_words(chance)
    assert "%" not in (advice_of(chance) or "").partition("wins")[2]
    assert "how often that wins is not known" in (advice_of(chance) or "")
