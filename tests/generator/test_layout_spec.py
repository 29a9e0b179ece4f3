"""What a spec may ask for, and what is refused at a glance."""

from itertools import combinations

import pytest

from sapper._kernels import values_of
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.errors import CellError, LayoutError
from sapper.game.layout import Layout
from sapper.generator.layout_spec import LayoutSpec, Method, Range, chosen_method, difficulty_words
from sapper.generator.no_guess.certificate import Difficulty
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique


def _spec(**changes: object) -> LayoutSpec:
    values = {"grid": Grid(5, 5), "mine_count": 5, "start": Start.OPEN, "first": Cell(12), "no_guess": True}
    return LayoutSpec(**(values | changes))  # type: ignore[arg-type]  # as each test means it


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mine_count": 99}, "99 mines do not fit 5x5 cells: 0 to 25 are possible"),
        ({"mine_count": 17}, "17 mines do not fit 5x5 cells with start 'open' at c3: 16 cells are left"),
        ({"mine_count": 25, "start": Start.SAFE}, "24 cells are left"),
        ({"mine_count": 25, "start": Start.ANY}, "no first cell is safe"),
        ({"bbbv": Range(5, 4)}, "no 3BV is both 5 at least and 4 at most"),
        ({"openings": Range(2, 1)}, "no openings"),
        ({"difficulty": Range(3, 1)}, "no difficulty"),
        ({"bbbv": Range(13)}, "no layout of 5 mines on 5x5 cells has 3BV 13-: it can be 1 to 12"),
        ({"bbbv": Range(0, 0)}, "has 3BV 0: it can be 1 to 12"),
        ({"openings": Range(0, 0)}, "has openings 0: it can be 1 to 9"),
        ({"openings": Range(10)}, "has openings 10-: it can be 1 to 9"),
        ({"no_guess": False, "up_to": Technique.OVERLAP}, "a technique can be asked for only of layouts that need no guess"),
        ({"no_guess": False, "difficulty": Range(1, 1)}, "a difficulty can be asked for"),
        ({"no_guess": False, "method": Method.REPAIR}, "repair can be asked for"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said_at_once(changes: dict[str, object], message: str) -> None:
    with pytest.raises(LayoutError) as caught:
        _spec(**changes)
    assert message in str(caught.value)


def test_a_first_cell_off_the_grid() -> None:
    with pytest.raises(CellError):
        _spec(first=Cell(25))


def test_a_pattern_takes_no_more_than_an_overlap() -> None:
    assert _spec(up_to=Technique.PATTERN) == _spec(up_to=Technique.OVERLAP)
    assert _spec(up_to=Technique.GUESS) == _spec()


def test_ranges() -> None:
    assert 5 in Range(None, 5)
    assert 6 not in Range(None, 5)
    assert [str(one) for one in (Range(1, 2), Range(3), Range(None, 4), Range(5, 5))] == ["1-2", "3-", "-4", "5"]


def test_in_words() -> None:
    assert _spec(no_guess=False).properties == "anything"
    spec = _spec(bbbv=Range(3, 9), openings=Range(1, 1), up_to=Technique.ONE_CLUE, difficulty=Range(1, 2))
    assert spec.properties == "3BV 3-9, openings 1, no guess and no more than one clue, difficulty easy-medium"
    assert difficulty_words(Range(Difficulty.HARD, None)) == "hard-extreme"
    assert difficulty_words(Range(2, 2)) == "medium"


@pytest.mark.parametrize("start", [Start.SAFE, Start.OPEN])
@pytest.mark.parametrize("mines", [0, 1, 3, 7])
def test_nothing_is_refused_that_a_layout_has(mines: int, start: Start) -> None:
    """All layouts of a small grid: their numbers can be asked for."""
    grid, first = Grid(4, 4), Cell(5)
    room = [cell for cell in range(16) if cell not in kept_free(grid, start, first)]
    seen = set()
    for mined in combinations(room, mines):
        values = values_of(*grid.table, Layout(grid, CellSet.of(mined)).clues)
        seen.add((values.bbbv, values.openings))
    assert seen
    for bbbv, openings in seen:
        LayoutSpec(
            grid=grid,
            mine_count=mines,
            start=start,
            first=first,
            bbbv=Range(bbbv, bbbv),
            openings=Range(openings, openings),
        )


@pytest.mark.parametrize(
    ("size", "mines", "method"),
    [
        ((30, 16), 99, Method.REJECTION),
        ((16, 16), 57, Method.REPAIR),
        ((16, 16), 150, Method.PACK),
        ((2, 2), 2, Method.REJECTION),  # so few layouts that all of them are looked at
    ],
)
def test_how_boards_without_guesses_are_looked_for_depends_on_the_mines(
    size: tuple[int, int], mines: int, method: Method
) -> None:
    assert chosen_method(Grid(*size), mines, Start.SAFE, Cell(0)) is method
