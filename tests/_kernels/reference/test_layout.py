"""Clues: both ways of counting agree with counting."""

from hypothesis import given, strategies as st

from sapper._kernels.reference.layout import MINE_CLUE, clues_of_plane, clues_of_table, mine_map
from sapper.core.grid import PLANE, Grid
from sapper.game.layout import Layout
from tests.strategies import grids, layouts


def _counted(layout: Layout) -> bytes:
    grid = layout.grid
    return bytes(
        MINE_CLUE if cell in layout.mines else sum(near in layout.mines for near in grid.neighbours(cell))
        for cell in range(grid.size)
    )


@given(layouts())
def test_a_table_gives_the_clues_of_any_grid(layout: Layout) -> None:
    mapped = mine_map(layout.grid.size, layout.mines)
    assert clues_of_table(*layout.grid.table, mapped) == _counted(layout)


@given(st.data())
def test_shifted_additions_give_the_clues_of_a_plane(data: st.DataObject) -> None:
    grid = data.draw(grids(max_side=12, topologies=(PLANE,)))
    layout = data.draw(layouts(grid))
    mapped = mine_map(grid.size, layout.mines)
    assert clues_of_plane(grid.width, grid.height, mapped) == _counted(layout)
    assert clues_of_plane(grid.width, grid.height, bytes(mapped)) == _counted(layout)


def test_nothing_but_mines() -> None:
    for width, height in ((1, 1), (1, 9), (9, 1), (5, 5)):
        grid = Grid(width, height)
        mapped = mine_map(grid.size, range(grid.size))
        assert clues_of_plane(width, height, mapped) == bytes([MINE_CLUE]) * grid.size
        assert clues_of_table(*grid.table, mapped) == bytes([MINE_CLUE]) * grid.size


def test_a_clue_of_eight_is_no_mine() -> None:
    mapped = mine_map(9, [0, 1, 2, 3, 5, 6, 7, 8])
    assert clues_of_plane(3, 3, mapped) == bytes([9, 9, 9, 9, 8, 9, 9, 9, 9])


def test_a_row_does_not_see_the_next_ones_edge() -> None:
    mapped = mine_map(9, [2])
    assert clues_of_plane(3, 3, mapped) == bytes([0, 1, 9, 0, 1, 1, 0, 0, 0])


def test_the_map_of_mines() -> None:
    assert mine_map(5, [0, 3]) == bytearray([1, 0, 0, 1, 0])
    assert mine_map(2, []) == bytearray(2)
