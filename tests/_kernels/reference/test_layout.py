"""Clues: both ways of counting agree with counting."""

from hypothesis import given, strategies as st

from sapper._kernels.reference.layout import MINE_CLUE, clues_of_plane, clues_of_table, mine_map
from sapper.core.grid import PLANE
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
