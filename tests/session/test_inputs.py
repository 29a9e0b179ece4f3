"""Inputs as values, and as a saved game has them."""

import json

import pytest

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.errors import CellError, RecordError
from sapper.session.inputs import ACTIONS, VERBS, Input, Verb

GRID = Grid(3, 2)


@pytest.mark.parametrize("verb", Verb)
def test_there_and_back(verb: Verb) -> None:
    cells = CellSet.of([1, 5]) if verb is Verb.HINT else CellSet()
    one = Input(12, verb, Cell(0 if verb is Verb.HINT else 4), cells)
    assert Input.from_list(GRID, json.loads(json.dumps(one.to_list()))) == one


def test_every_action_is_a_verb() -> None:
    assert set(ACTIONS.values()) == set(Action)
    assert Input.of(3, Move.chord(2)) == Input(3, Verb.CHORD, Cell(2))
    assert all(ACTIONS[verb] is action for action, verb in VERBS.items())


@pytest.mark.parametrize(
    "values", [[-1, "left", 0], [1.0, "left", 0], [True, "left", 0], [0, "left", 1.0], [0, "hint", [True]]]
)
def test_numbers_are_whole(values: list[object]) -> None:
    with pytest.raises(RecordError):
        Input.from_list(GRID, values)


@pytest.mark.parametrize("values", [[0, "left", 6], [0, "left", -1], [0, "hint", [0, 6]]])
def test_cells_are_on_the_grid(values: list[object]) -> None:
    with pytest.raises(CellError):
        Input.from_list(GRID, values)
