from hypothesis import given

from sapper.core.cells import CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from sapper.generator.uniform import place_mines
from sapper.metrics.layout import bbbv_of, measure, measure_many
from tests.strategies import layouts


def test_the_numbers_of_a_layout() -> None:
    # 1*1.
    # 111.   the zeros on the right are one opening, with the clues beside them; three clues are left over
    found = measure(Layout(Grid(4, 2), CellSet.of([1])))
    assert (found.bbbv, found.openings, found.islands, found.zeros) == (4, 1, 1, 2)
    assert found.density == 1 / 8


def test_many_layouts_of_several_grids_keep_their_order() -> None:
    mixed = [
        place_mines(grid, 8, Rng(seed)) for seed in range(4) for grid in (Grid(6, 6), Grid(9, 5), Grid(6, 6, TORUS))
    ]
    assert measure_many(mixed) == [measure(layout) for layout in mixed]
    assert measure_many([]) == []


@given(layouts())
def test_3bv_alone_is_the_same_number(layout: Layout) -> None:
    assert bbbv_of(layout) == measure(layout).bbbv
