"""The first cell where none is given."""

import pytest

from sapper.core.first_cell import first_cell
from sapper.core.grid import Grid
from sapper.core.rules import Start


@pytest.mark.parametrize(
    ("size", "start", "place"),
    [
        ((30, 16), Start.OPEN, (3, 3)),
        ((50, 50), Start.OPEN, (3, 3)),
        ((16, 16), Start.OPEN, (2, 2)),
        ((9, 9), Start.OPEN, (2, 2)),
        ((2, 1), Start.OPEN, (1, 0)),
        ((30, 16), Start.SAFE, (0, 0)),
        ((9, 9), Start.ANY, (0, 0)),
    ],
)
def test_it_depends_on_size_and_start(size: tuple[int, int], start: Start, place: tuple[int, int]) -> None:
    grid = Grid(*size)
    assert grid.xy(first_cell(grid, start)) == place
