"""What is known of a board, and what is left of its clues."""

import pytest

from sapper.core.notation import read_board
from sapper.errors import ContradictionError
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Technique

BOARD = read_board("F2#\n*1?\n.X!", mine_count=4)


@pytest.mark.parametrize(
    ("trust", "mined", "unknown", "needs"), [(False, {3, 7}, {0, 2, 5}, {1: 1}), (True, {0, 3, 7}, {2, 5}, {1: 0})]
)
def test_flags_are_opinions_unless_trusted(
    trust: bool, mined: set[int], unknown: set[int], needs: dict[int, int]
) -> None:
    board = read_board("F2#\n*!?\n!X!", mine_count=4)
    known = Knowledge(board, trust_flags=trust)
    assert (known.mined, known.unknown, known.need) == (mined, unknown, needs)
    assert known.mines_left == 4 - len(mined)


def test_a_clue_that_cannot_be_right_is_named() -> None:
    with pytest.raises(ContradictionError, match=r"the clue at b2 needs -1 mines among 3 covered cells") as caught:
        Knowledge(BOARD)
    assert caught.value.clues == (4,)


def test_learning_takes_off_what_is_known() -> None:
    board = read_board("#2#\n!1!\n###", mine_count=3)
    known = Knowledge(board)
    assert known.need == {1: 2, 4: 1}
    with pytest.raises(ContradictionError, match="the clue at b2"):
        known.learn(known.step(Technique.ONE_CLUE, (1,), mined=(0, 2)))
    known = Knowledge(read_board("#2#\n!3!\n###", mine_count=3))
    known.learn(known.step(Technique.ONE_CLUE, (1,), mined=(0, 2)))
    assert (known.need, known.open) == ({4: 1}, {4: {6, 7, 8}})
    known.learn(known.step(Technique.ONE_CLUE, (4,), safe=(7,)))
    step = known.step(Technique.ONE_CLUE, (4,), mined=(6, 8))
    assert set(step.known_mines) == {0, 2}
    assert set(step.known_safe) == {7}
