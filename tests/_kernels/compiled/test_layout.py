"""Layouts and clues, compiled: those of the generator, cell for cell."""

import numpy as np
import pytest

from sapper._kernels.compiled import layout as twin
from sapper.core.board import Board
from sapper.core.grid import PLANE, TORUS, Grid, Topology
from sapper.core.rules import RULES, Start
from sapper.generator import uniform
from sapper.generator.uniform import UniformSource
from tests.compiled import callable_from_python

clues_of_table, draw_mines, nearest_start = (
    callable_from_python(one) for one in (twin.clues_of_table, twin.draw_mines, twin.nearest_start)
)
STARTS = (Start.ANY, Start.SAFE, Start.OPEN)


@pytest.mark.parametrize("topology", [PLANE, TORUS], ids=lambda topology: topology.name)
@pytest.mark.parametrize(("width", "height"), [(30, 16), (3, 3), (1, 9), (5, 4), (2, 2), (1, 1)])
def test_layouts_and_clues_are_the_generators(width: int, height: int, topology: Topology) -> None:
    grid = Grid(width, height, topology)
    starts, cells = (np.array(part, np.int32) for part in grid.table)
    state = np.empty(4, np.uint64)
    mapped = np.empty(grid.size, np.uint8)
    clues = np.empty(grid.size, np.uint8)
    for code, start in enumerate(STARTS):
        for seed in range(40):
            first = seed * 7 % grid.size
            mines = seed * 5 % (grid.size + 1)
            source = UniformSource(grid, mines, seed, start)
            layout = source.start() or source.settle(Board.new(grid, RULES["modern"], mines), grid.check(first))
            assert draw_mines(starts, cells, mines, code, first, np.uint64(seed), state, mapped) == mines
            assert mapped.tolist() == [cell in layout.mines for cell in range(grid.size)]
            assert clues_of_table(starts, cells, mapped, clues) == mines
            assert clues.tobytes() == layout.clues
            kept = uniform.nearest_start(grid, mines, start, first)
            assert STARTS[nearest_start(starts, mines, code, first)] is kept
