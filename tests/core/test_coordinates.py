"""Cells as they are said and typed."""

import pytest
from hypothesis import given, strategies as st

from sapper.core.coordinates import cell_name, column_name, column_of, read_cell
from sapper.core.grid import Grid
from sapper.errors import NotationError


@given(st.integers(0, 100_000))
def test_a_column_is_read_as_it_is_said(x: int) -> None:
    assert column_of(column_name(x)) == x


@given(st.integers(1, 900), st.integers(1, 40), st.data())
def test_a_cell_is_read_in_both_forms(width: int, height: int, data: st.DataObject) -> None:
    grid = Grid(width, height)
    cell = data.draw(st.integers(0, grid.size - 1))
    x, y = grid.xy(cell)
    assert read_cell(grid, cell_name(grid, cell).upper()) == read_cell(grid, f"({x}, {y})") == cell


@pytest.mark.parametrize("text", ["", "4c", "c", "c0", "j1", "a10", "9,0", "1;2", "c-1", "é4", "c٤"])
def test_what_is_no_cell_of_the_board_is_told(text: str) -> None:
    with pytest.raises(NotationError, match=r"a cell is a letter and a number|is off the board: cells are a1 to i9"):
        read_cell(Grid(9, 9), text)
