"""What is advised, in words."""

from fractions import Fraction

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.solver.advice import advice_of, best_reveal, board_words, candidate_words, chance_words
from sapper.solver.win import win_chance


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
    assert "certainly 0.0 to 100.0 %" in board_words(chance)


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
