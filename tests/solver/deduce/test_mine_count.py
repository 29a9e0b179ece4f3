"""Steps from the number of mines that are left."""

from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.notation import read_board
from sapper.core.status import Status
from sapper.solver.analysis import analyse
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.clues import by_one_clue
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.mine_count import by_mine_count
from sapper.solver.deduce.step import Technique
from tests.solver_boards import board_of_seed

Places = set[tuple[int, int]]


@pytest.mark.parametrize(
    ("text", "mines", "bound", "mined", "safe", "sentence"),
    [
        ("##\n##", 0, "fewest", set(), {(0, 0), (1, 0), (0, 1), (1, 1)}, "no mine is left: "),
        ("#!\n!#", 2, "most", {(0, 0), (1, 1)}, set(), "2 mines are left, and as many covered cells: "),
        ("*#", 1, "fewest", set(), {(1, 0)}, "no mine is left: b1 is safe"),
        ("#1#!#", 1, "fewest", set(), {(4, 0)}, "1 mine is left, and b1 needs it: e1 is safe"),
        ("#1#!#1#!#", 2, "fewest", set(), {(8, 0)}, "2 mines are left, and b1 and f1 need all of them: "),
        (
            "#1#!#", 2, "most", {(4, 0)}, set(),
            "2 mines are left, at most 1 of them around b1, and only 1 covered cell is elsewhere: e1 is a mine",
        ),
        # The fewest mines are those that serve two clues at once; clues that share no cell do not show that.
        ("2#21\n####", 3, "fewest", {(0, 1)}, set(), "3 mines are left, the fewest that a1, c1 and d1 allow: "),
        ("#####\n#1#1#\n#####", 2, "most", set(), {(2, 0), (2, 1), (2, 2)}, "2 mines are left, the most that b2 and d2 "),
    ],
)  # fmt: skip
def test_a_step(text: str, mines: int, bound: str, mined: Places, safe: Places, sentence: str) -> None:
    board = replace(read_board(text, mine_count=mines), status=Status.PLAYING)
    (step, *_) = [step for step in all_steps(board) if step.technique is Technique.MINE_COUNT]
    assert (step.bound, step.mine_count) == (bound, True)
    assert {board.grid.xy(cell) for cell in step.mined} == mined
    assert {board.grid.xy(cell) for cell in step.safe} == safe
    assert step.sentence.startswith(sentence)
    assert check_step(board, step)


def test_it_has_nothing_to_say_of_a_board_without_unknown_cells() -> None:
    board = read_board("1*", mine_count=1)
    assert by_mine_count(Knowledge(board), None) is None


@given(st.integers(0, 2**32))
def test_it_agrees_with_the_analysis(seed: int) -> None:
    """Right after what single clues say, which it counts on."""
    board = board_of_seed(seed)
    analysis = analyse(board)
    for given_analysis in (None, analysis):
        known = Knowledge(board)
        while (single := by_one_clue(known)) is not None:
            known.learn(single)
        step = by_mine_count(known, given_analysis)
        if step is not None:
            assert step.safe <= analysis.safe
            assert step.mined <= analysis.mined
            assert check_step(board, step)
