"""Techniques in order of cost, and steps as values."""

import pickle

from sapper.core.notation import read_board
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.step import Technique


def test_the_order_is_that_of_cost() -> None:
    assert [technique.words for technique in sorted(Technique)] == [
        "one clue",
        "overlap",
        "pattern",
        "mine count",
        "cases",
        "guess",
    ]


def test_a_step_is_a_value() -> None:
    board = read_board("121\n###", mines=2)
    (step,) = all_steps(board)
    assert step == all_steps(board)[0]
    assert hash(step) == hash(all_steps(board)[0])
    assert pickle.loads(pickle.dumps(step)) == step
