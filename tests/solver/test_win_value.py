"""The estimate of what a board is worth: finite numbers, sensible order."""

import math

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.solver.analysis import analyse
from sapper.solver.win_value import numbers_of, value_at_start, value_of
from tests.census import positions


def _fresh(width: int, height: int, mines: int, start: Start) -> float:
    return value_at_start(Board.new(Grid(width, height), RULES["classic"].but(start=start), mines))


def test_fresh_boards_in_order() -> None:
    """Rates of the advised play: about 54, 89 and 97 % (open), less with a start that is only safe."""
    expert, intermediate, beginner = (_fresh(*one, Start.OPEN) for one in ((30, 16, 99), (16, 16, 40), (9, 9, 10)))
    assert 0.48 < expert < 0.60
    assert 0.84 < intermediate < 0.93
    assert intermediate < beginner < 0.99
    for width, height, mines in ((30, 16, 99), (16, 16, 40), (9, 9, 10)):
        safe = _fresh(width, height, mines, Start.SAFE)
        assert safe < _fresh(width, height, mines, Start.OPEN)
        assert _fresh(width, height, mines, Start.ANY) < safe


def test_values_lie_between_0_and_1_and_rise_with_the_score() -> None:
    for one in positions("expert-stuck")[::40]:
        board = Board(grid=one.grid, rules=RULES["modern"], mines=one.mines, tiles=one.tiles, status=Status.PLAYING)
        analysis = analyse(board)
        cells = [cell for group in analysis.groups for cell in group.cells if 0 < group.numerator < analysis.census]
        assert all(math.isfinite(number) for number in numbers_of(analysis, cells, 0.5))
        values = [value_of(analysis, cells, score) for score in (0.3, 0.6, 0.9)]
        assert 0 < values[0] < values[1] < values[2] < 1
        assert 0 < value_of(analysis, cells, None) < 1
