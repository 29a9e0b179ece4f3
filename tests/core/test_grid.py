"""Geometry: indices, coordinates, neighbours on any topology."""

import pickle
import threading
from array import array
from typing import Any

import pytest
from hypothesis import given

from sapper.core.grid import EIGHT, MAX_SIZE, PLANE, TORUS, Grid, NeighbourTable, Topology
from sapper.errors import CellError, InvalidValueError
from tests.strategies import grids

KNIGHT = Topology(name="knight", offsets=((1, 2), (-1, -2), (2, 1), (-2, -1)))


@given(grids())
def test_cells_and_coordinates_are_each_other(grid: Grid) -> None:
    cells = [grid.cell(x, y) for y in range(grid.height) for x in range(grid.width)]
    assert cells == list(range(grid.size))
    assert [grid.cell(*grid.xy(cell)) for cell in cells] == cells


def _naive(grid: Grid, cell: int, *, edges: bool = False) -> list[int]:
    """Whoever is one step away, by walking over all cells."""
    x, y = cell % grid.width, cell // grid.width
    found = []
    for other in range(grid.size):
        a, b = other % grid.width, other // grid.width
        for dx, dy in grid.topology.offsets:
            if edges and dx and dy:
                continue
            column, row = x + dx, y + dy
            if grid.topology.wraps:
                column, row = column % grid.width, row % grid.height
            if (column, row) == (a, b) and other != cell:
                found.append(other)
                break
    return found


@given(grids(max_side=6))
def test_neighbours_are_those_one_step_away(grid: Grid) -> None:
    starts, cells = grid.table
    edge_starts, edge_cells = grid.edge_table
    for cell in range(grid.size):
        expected = _naive(grid, cell)
        assert list(grid.neighbours(cell)) == expected
        assert list(cells[starts[cell] : starts[cell + 1]]) == expected
        edges = _naive(grid, cell, edges=True)
        assert list(grid.edges(cell)) == edges
        assert list(edge_cells[edge_starts[cell] : edge_starts[cell + 1]]) == edges
        assert all(grid.are_neighbours(cell, near) and grid.are_neighbours(near, cell) for near in expected)
        assert not grid.are_neighbours(cell, cell)


@pytest.mark.parametrize(
    ("width", "height", "neighbours"), [(1, 1, 0), (1, 2, 1), (2, 2, 3), (1, 5, 2), (2, 5, 5), (3, 3, 8)]
)
def test_a_small_torus_has_no_cell_twice(width: int, height: int, neighbours: int) -> None:
    grid = Grid(width, height, TORUS)
    assert {len(grid.neighbours(cell)) for cell in range(grid.size)} == {neighbours}
    assert not grid.is_plane


def test_a_topology_of_ones_own() -> None:
    grid = Grid(5, 5, KNIGHT)
    assert grid.neighbours(12) == (1, 5, 19, 23)
    assert grid.edges(12) == ()
    assert grid.edge_table == NeighbourTable(array("i", [0] * 26), array("i")), "none share an edge"


def test_equal_grids_are_one_object() -> None:
    assert Grid(7, 5) is Grid(7, 5, PLANE)
    assert Grid(7, 5) is not Grid(7, 5, TORUS)
    assert Grid(7, 5) == Grid(7, 5)
    assert Grid(7, 5) != Grid(5, 7)
    assert Grid(7, 5) != (7, 5)
    assert len({Grid(7, 5), Grid(7, 5), Grid(5, 7)}) == 2
    assert pickle.loads(pickle.dumps(Grid(7, 5))) is Grid(7, 5)


def test_what_is_held_has_a_bound_and_old_grids_stay_equal() -> None:
    old = Grid(1, 1)
    for width in range(1, 1200):
        Grid(width, 3)
    assert len(Grid._known) <= 1001
    assert Grid(1, 1) == old
    assert hash(Grid(1, 1)) == hash(old)


def test_threads_get_the_same_grid() -> None:
    made: list[Grid] = []
    threads = [threading.Thread(target=lambda: made.append(Grid(1234, 17))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(grid) for grid in made}) == 1


def test_a_grid_is_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Grid(3, 3).width = 4


@pytest.mark.parametrize(("width", "height"), [(0, 5), (5, 0), (-3, 3), (0, 0)])
def test_a_grid_has_a_cell(width: int, height: int) -> None:
    with pytest.raises(InvalidValueError, match=f"at least 1x1 cells, not {width}x{height}"):
        Grid(width, height)


def test_a_grid_has_an_end() -> None:
    assert Grid(MAX_SIZE, 1).size == MAX_SIZE
    with pytest.raises(InvalidValueError, match="at most 100,000,000 cells; 10000x10001 are 100,010,000"):
        Grid(10_000, 10_001)


@pytest.mark.parametrize("size", [6.0, True, "6", None])
def test_sizes_are_integers(size: object) -> None:
    with pytest.raises(InvalidValueError, match="width and height are integers"):
        Grid(size, 11)  # type: ignore[arg-type]
    assert type(Grid(6, 11).width) is int
    assert type(Grid(1, 11).width) is int


@pytest.mark.parametrize(("x", "y"), [(-1, 0), (0, -1), (7, 0), (0, 5)])
def test_coordinates_off_the_board(x: int, y: int) -> None:
    with pytest.raises(CellError, match=rf"\({x}, {y}\) is off the board: x is 0 to 6, y is 0 to 4"):
        Grid(7, 5).cell(x, y)


@pytest.mark.parametrize("cell", [-1, 35])
def test_cells_off_the_board(cell: int) -> None:
    grid = Grid(7, 5)
    for ask in (grid.check, grid.xy, grid.neighbours, grid.edges, lambda one: grid.are_neighbours(0, one)):
        with pytest.raises(CellError, match=f"cell {cell} is off the board: cells are 0 to 34"):
            ask(cell)


@pytest.mark.parametrize(
    ("offsets", "message"),
    [
        ((), "1 to 8 different offsets, not 0"),
        ((*EIGHT, (2, 0), (-2, 0)), "1 to 8 different offsets, not 10"),
        (((1, 0), (1, 0)), "1 to 8 different offsets, not 2"),
        (((1, 0),), r"offset \(1, 0\) needs its opposite"),
        (((0, 0),), "no cell is its own neighbour"),
        (((1.5, 0), (-1.5, 0)), "a tuple of pairs of integers"),
        (((1, 0, 1),), "a tuple of pairs of integers"),
        (3, "a tuple of pairs of integers"),
    ],
)
def test_topologies_that_are_none(offsets: Any, message: str) -> None:
    with pytest.raises(InvalidValueError, match=message):
        Topology(name="odd", offsets=offsets)


@pytest.mark.parametrize("cell", [1.5, 1.0, None, (4, 4), "4", True, b"4", [4]])
def test_what_is_no_cell_is_told_what_one_is(cell: Any) -> None:
    with pytest.raises(CellError, match=r"a cell is an integer, row \* width \+ column \(Grid.cell makes it\), not "):
        Grid(9, 9).check(cell)
    with pytest.raises(CellError, match="column and row are integers, not "):
        Grid(9, 9).cell(cell, 1)
    with pytest.raises(CellError, match="column and row are integers, not "):
        Grid(9, 9).cell(1, cell)
