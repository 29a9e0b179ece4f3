"""The codes of actions, states and tiles are part of every format: they never change."""

import pytest

from sapper import Action, Move, Status, Tile
from sapper.core.tile import CLUES


def test_codes_are_fixed() -> None:
    names = "reveal flag unflag question unquestion chord terminate"
    assert [action.name.lower() for action in Action] == names.split()
    assert [int(action) for action in Action] == list(range(7))
    assert {status.value: status.code for status in Status} == {
        "ready": 0,
        "playing": 1,
        "won": 2,
        "lost": 3,
        "terminated": 4,
    }
    names = "ZERO ONE TWO THREE FOUR FIVE SIX SEVEN EIGHT COVERED FLAGGED QUESTION MINE EXPLODED WRONG_FLAG"
    assert [tile.name for tile in Tile] == names.split()
    assert [int(tile) for tile in Tile] == list(range(15))


def test_what_they_say() -> None:
    assert [status for status in Status if status.ended] == [Status.WON, Status.LOST, Status.TERMINATED]
    assert [int(tile) for tile in Tile if tile.is_clue] == sorted(CLUES) == list(range(9))
    assert [tile for tile in Tile if tile.is_revealed and not tile.is_clue] == [Tile.EXPLODED]


@pytest.mark.parametrize("action", Action)
def test_a_move_is_written_as_it_is_made(action: Action) -> None:
    cells = () if action is Action.TERMINATE else (7,)
    move = getattr(Move, action.name.lower())(*cells)
    assert move == (action, *(cells or (0,)))
    assert eval(repr(move), {"Move": Move}) == move
