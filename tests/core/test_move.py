"""Moves are an action and a cell."""

import pickle

import pytest

from sapper.core.move import Action, Move


def test_codes_are_fixed() -> None:
    assert [action.name.lower() for action in Action] == [
        *("reveal", "flag", "unflag", "question", "unquestion", "chord", "terminate")
    ]
    assert [int(action) for action in Action] == list(range(7))


@pytest.mark.parametrize("action", [action for action in Action if action is not Action.TERMINATE])
def test_each_action_has_its_maker(action: Action) -> None:
    move = getattr(Move, action.name.lower())(7)
    assert (move.action, move.cell) == (action, 7)
    assert repr(move) == f"Move.{action.name.lower()}(7)"
    assert eval(repr(move), {"Move": Move}) == move


def test_terminating_has_no_cell_of_its_own() -> None:
    assert Move.terminate() == (Action.TERMINATE, 0)
    assert repr(Move.terminate()) == "Move.terminate()"


def test_a_move_is_a_value() -> None:
    assert Move.flag(3) == Move.flag(3) != Move.unflag(3)
    assert len({Move.flag(3), Move.flag(3), Move.flag(4)}) == 2
    assert pickle.loads(pickle.dumps(Move.chord(5))) == Move.chord(5)
