"""The compiled cascade opens what the reference opens."""

import numpy as np
import pytest

from sapper import _kernels
from sapper._kernels.compiled import cascade as twin
from sapper.core.cells import CellSet
from sapper.core.grid import PLANE, TORUS, Grid, Topology
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from tests.compiled import callable_from_python

cascade_table = callable_from_python(twin.cascade_table)


@pytest.mark.parametrize("clears", [False, True])
@pytest.mark.parametrize("edges", [False, True], ids=["8", "4"])
@pytest.mark.parametrize("topology", [PLANE, TORUS], ids=lambda topology: topology.name)
def test_it_opens_the_same_cells(topology: Topology, edges: bool, clears: bool) -> None:
    rng = Rng(3)
    opened = 0
    for width, height in ((9, 7), (1, 12), (6, 6)):
        grid = Grid(width, height, topology)
        table = grid.edge_table if edges else grid.table
        for _ in range(30):
            layout = Layout(grid, CellSet.of(rng.sample(grid.size, 1 + rng.below(grid.size // 4))))
            tiles = bytearray(rng.choice((9, 9, 9, 10, 11)) for _ in range(grid.size))
            cell = rng.choice([cell for cell in range(grid.size) if cell not in layout.mines])
            found = np.frombuffer(bytes(tiles), np.uint8).copy()
            order = np.full(grid.size, -1, np.int32)
            clues = np.frombuffer(layout.clues, np.uint8).copy()
            count = cascade_table(
                *(np.array(part, np.int32) for part in table), int(clears), clues, found, cell, order, 0
            )
            runs = _kernels.cascade_table(*table, clears, layout.clues, tiles, cell)
            assert found.tobytes() == tiles
            assert sorted(order[:count]) == [at for start, end in runs for at in range(start, end)]
            opened += count
    assert opened > 300
