"""Steps as values, techniques in order of cost, and the sentences that steps are told in."""

from dataclasses import replace

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.generator.new_game import new_game
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.step import Step, Technique

# --- sentences -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "mines", "number", "sentence"),
    [
        ("#2#\n!!!", 2, 0, "b1 says 2 and has only 2 covered neighbours left: a1 and c1 are mines"),
        ("#1!", 1, 0, "b1 says 1 and has only 1 covered neighbour left: a1 is a mine"),
        ("#2*", 2, 0, "b1 says 2 and beside c1 has only 1 other covered neighbour left: a1 is a mine"),
        (".#!#", 1, 0, "a1 says 0: b1 is safe"),
        ("*1#", 1, 0, "b1 says 1 and its mine is a1: c1 is safe"),
        ("*2*\n!#!", 2, 0, "b1 says 2 and its 2 mines are a1 and c1: b2 is safe"),
        (
            "11!\n###\n!!!", 1, 0,
            "1-1: a1 says 1, b1 says 1, and every undecided cell of a1 touches b1: c2 is safe",
        ),
        (
            "!12!\n####", 2, 0,
            ("1-2: c1 says 2, b1 says 1, and of the undecided cells of c1 only d2 does not touch b1: "
            "d2 is a mine, a2 is safe"),
        ),
        (
            "12*\n###\n!!!", 2, 0,
            ("1-1: a1 says 1, b1 needs 1 more besides c1, and every undecided cell of a1 touches b1: "
            "c2 is safe"),
        ),
        ("121\n###", 2, 0, "a1, b1 and c1 are a 1-2-1 in a line: a2 and c2 are mines, b2 is safe"),
        (
            "!*!\n232\n###", 3, 0,
            ("a2, b2 and c2 are a 1-2-1 in a line once b1 is taken off: a3 and c3 are mines, "
            "b3 is safe"),
        ),
        ("#1#", 1, 0, ("no safe cell; the least risk is 50.0 % at a1, and you win 1 in 2; "
        "a1 and c1 are a 50/50 that cannot be avoided")),
    ],
)  # fmt: skip
def test_a_sentence(text: str, mines: int, number: int, sentence: str) -> None:
    board = replace(read_board(text, mine_count=mines), status=Status.PLAYING)
    assert all_steps(board)[number].sentence == sentence


def _cases(**more: object) -> str:
    board = Board.new(Grid(4, 1), RULES["modern"], 2)
    step = Step(board=board, technique=Technique.CASES, clues=(Cell(0),), safe=CellSet.of([1]))
    return replace(step, **more).sentence  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("layouts", "mine_count", "begins"),
    [
        (1, False, "in the only way to lay the mines of a1, b1 is safe"),
        (2, False, "in both ways to lay the mines of a1, "),
        (1234, False, "in each of the 1,234 ways to lay"),
        (10**40, False, "in each of the 1.00 × 10^40 ways to lay"),
        (1, True, "the only layout with 2 mines that fits the board agrees: b1 is safe"),
        (2, True, "both layouts with 2 mines that fit the board agree: b1 is safe"),
        (3, True, "all 3 layouts with 2 mines"),
    ],
)
def test_numbers_of_layouts(layouts: int, mine_count: bool, begins: str) -> None:
    assert _cases(layouts=layouts, mine_count=mine_count).startswith(begins)


def test_very_many_cells_are_not_all_named() -> None:
    board = Board.new(Grid(30, 16), RULES["engine"], 0)
    (step,) = all_steps(board)
    assert step.sentence.endswith("k1 and 469 more are safe")
    assert len(step.safe) == 480


def test_nothing_to_choose() -> None:
    board = read_board("..", mine_count=0)
    assert Step(board=board, technique=Technique.GUESS).sentence == "no covered cell is left to choose"


def test_a_wrong_flag_is_said_to_be_in_the_way() -> None:
    """Beginner, seed 7: reveal e5, flag i1, which is safe."""
    game = new_game("beginner", seed=7)
    game.reveal(40)
    game.flag(8)
    step = next(step for step in all_steps(game.board) if 8 in step.safe)
    assert step.wrong_flags == {8}
    assert step.sentence.endswith("i1 is safe; the flag on i1 is wrong: remove it first")
    (other,) = [step for step in all_steps(read_board(".FF#", mine_count=0)) if step.safe and not step.clues]
    assert other.sentence.endswith("are safe; the flag on c1 is wrong: remove it first")


def test_a_flag_on_the_cell_to_guess_is_said_to_be_in_the_way() -> None:
    (step,) = all_steps(read_board("F1F", mine_count=1))
    assert step.sentence.startswith("no safe cell; the least risk is 50.0 % at a1, and you win 1 in 2")
    assert step.sentence.endswith("a 50/50 that cannot be avoided; the flag on a1 must be removed first")
