"""The estimate of what a board is worth: where it is known, and a sensible order there."""

import math

import pytest

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.solver.analysis import analyse
from sapper.solver.win import win_chance
from sapper.solver.win_value import hazards_of, reading_of, value_at_start, value_of, why_not_known
from tests.census import positions


def _fresh(width: int, height: int, mine_count: int, start: Start = Start.OPEN) -> float:
    found = value_at_start(Board.new(Grid(width, height), RULES["classic"].replace(start=start), mine_count))
    assert found is not None
    return found


def test_fresh_boards_in_order() -> None:
    """Rates of the advised play: about 54, 89 and 97 % (open), less with a start that is only safe."""
    expert, intermediate, beginner = (_fresh(*one) for one in ((30, 16, 99), (16, 16, 40), (9, 9, 10)))
    assert 0.48 < expert < 0.60
    assert 0.84 < intermediate < 0.93
    assert intermediate < beginner < 0.99
    for width, height, mines in ((30, 16, 99), (16, 16, 40), (9, 9, 10)):
        safe = _fresh(width, height, mines, Start.SAFE)
        assert safe < _fresh(width, height, mines, Start.OPEN)
        assert _fresh(width, height, mines, Start.ANY) < safe


@pytest.mark.parametrize(
    ("width", "height", "mines", "start", "won"),
    [
        (50, 50, 500, Start.OPEN, 0.350),
        (50, 50, 500, Start.SAFE, 0.249),
        (40, 10, 70, Start.OPEN, 0.707),
        (40, 10, 70, Start.SAFE, 0.580),
    ],
)
def test_boards_far_from_the_standard_ones(width: int, height: int, mines: int, start: Start, won: float) -> None:
    """What is said of a fresh board is the rate at which such games are won.

    `best-reply` won so many of 1,000 games of each.
    """
    assert _fresh(width, height, mines, start) == pytest.approx(won, abs=0.04)


def test_a_small_board_that_is_opened_is_searched() -> None:
    """So few layouts have a zero at the first cell that the chance after it is exact: `best-reply` won 923 of 1,000."""
    chance = win_chance(Board.new(Grid(5, 4), RULES["modern"], 5))
    assert chance.exact is None  # another first cell may be better
    assert chance.win == pytest.approx(0.93, abs=0.03)


def test_nothing_is_said_of_boards_that_were_not_checked() -> None:
    rules = RULES["classic"]
    for grid, mines in (
        (Grid(51, 50), 300), (Grid(7, 12), 10), (Grid(50, 12), 60), (Grid(9, 9, TORUS), 10), (Grid(16, 16), 57), (Grid(5, 4), 5),
        (Grid(100, 100), 1500), (Grid(100, 100), 2000), (Grid(60, 60), 720), (Grid(6, 6), 9),
    ):  # fmt: skip
        board = Board.new(grid, rules, mines)
        assert "is not known" in (why_not_known(board) or "")
        assert value_at_start(board) is None
    assert why_not_known(Board.new(Grid(16, 16), rules, 56)) is None


def test_values_lie_between_0_and_1_and_rise_with_the_score() -> None:
    for one in positions("expert-stuck")[::40]:
        board = Board(
            grid=one.grid, rules=RULES["modern"], mine_count=one.mines, tiles=one.tiles, status=Status.PLAYING
        )
        analysis = analyse(board)
        cells = [cell for group in analysis.groups for cell in group.cells if 0 < group.numerator < analysis.census]
        hazards = hazards_of(reading_of(analysis, cells, 0.5))
        assert all(math.isfinite(number) for hazard in hazards for number in hazard)
        values = [value_of(analysis, cells, score) or 0.0 for score in (0.3, 0.6, 0.9)]
        assert 0 < values[0] < values[1] < values[2] < 1
        assert 0 < (value_of(analysis, cells, None) or 0.0) < 1
