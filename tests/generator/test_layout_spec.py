"""What may be wished for, and what is refused at a glance."""

import pytest

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.errors import CellError, LayoutError
from sapper.generator.layout_spec import LayoutSpec, Method, Range, difficulty_words
from sapper.generator.no_guess.certificate import Difficulty
from sapper.solver.deduce.step import Technique


def _wish(**changes: object) -> LayoutSpec:
    values = {"grid": Grid(5, 5), "mines": 5, "start": Start.OPEN, "first": Cell(12), "no_guess": True}
    return LayoutSpec(**(values | changes))  # type: ignore[arg-type]  # as each test means it


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mines": 99}, "99 mines do not fit 5x5 cells: 0 to 25 are possible"),
        ({"mines": 17}, "17 mines do not fit 5x5 cells with start 'open' at c3: 16 cells are left"),
        ({"mines": 25, "start": Start.SAFE}, "24 cells are left"),
        ({"mines": 25, "start": Start.ANY}, "no first cell is safe"),
        ({"bbbv": Range(5, 4)}, "no 3BV is both 5 at least and 4 at most"),
        ({"openings": Range(2, 1)}, "no openings"),
        ({"difficulty": Range(3, 1)}, "no difficulty"),
        ({"no_guess": False, "up_to": Technique.OVERLAP}, "a technique can be asked for only of layouts that need no guess"),
        ({"no_guess": False, "difficulty": Range(1, 1)}, "a difficulty can be asked for"),
        ({"no_guess": False, "method": Method.REPAIR}, "repair can be asked for"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_at_once(changes: dict[str, object], message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        _wish(**changes)
    assert message in str(caught.value)


def test_a_first_cell_off_the_grid() -> None:
    with pytest.raises(CellError):
        _wish(first=Cell(25))


def test_a_pattern_takes_no_more_than_an_overlap() -> None:
    assert _wish(up_to=Technique.PATTERN) == _wish(up_to=Technique.OVERLAP)
    assert _wish(up_to=Technique.GUESS) == _wish()


def test_ranges() -> None:
    assert 5 in Range(None, 5)
    assert 6 not in Range(None, 5)
    assert [str(one) for one in (Range(1, 2), Range(3), Range(None, 4), Range(5, 5))] == ["1-2", "3-", "-4", "5"]


def test_in_words() -> None:
    assert _wish(no_guess=False).properties == "anything"
    wish = _wish(bbbv=Range(3, 9), openings=Range(1, 1), up_to=Technique.ONE_CLUE, difficulty=Range(1, 2))
    assert wish.properties == "3BV 3-9, openings 1, no guess and no more than one clue, difficulty easy-medium"
    assert difficulty_words(Range(Difficulty.HARD, None)) == "hard-extreme"
    assert difficulty_words(Range(2, 2)) == "medium"
