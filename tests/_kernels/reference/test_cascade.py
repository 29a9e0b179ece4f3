"""The cascade by runs, the cascade by cells, and a plain one written here, agree on every board."""

import itertools
import random
from collections.abc import Iterable

import pytest
from hypothesis import given, strategies as st

from sapper._kernels.reference.cascade import _first_of_run, cascade_plane, cascade_table, changed_runs, merge_runs
from sapper.core.grid import PLANE, Grid
from sapper.core.rng import Rng
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.generator.uniform import place_mines
from tests.strategies import grids, layouts, tiles

COVERED = (Tile.COVERED, Tile.FLAGGED, Tile.QUESTION)


def _plain(layout: Layout, before: bytes, cell: int, *, spread: int, clears: bool) -> bytes:
    """The rule as a sentence: reveal a cell; if it is a zero, do the same with each covered neighbour."""
    after = bytearray(before)
    todo = [cell]
    while todo:
        here = todo.pop()
        if after[here] not in COVERED or (after[here] == Tile.FLAGGED and not clears):
            continue
        after[here] = layout.clues[here]
        if after[here] == 0:
            todo += layout.grid.neighbours(here) if spread == 8 else layout.grid.edges(here)
    return bytes(after)


def _cells(runs: Iterable[tuple[int, int]]) -> list[int]:
    return [cell for start, end in runs for cell in range(start, end)]


def _check(layout: Layout, before: bytes, cell: int) -> None:
    grid = layout.grid
    for spread, clears in ((8, True), (8, False), (4, True), (4, False)):
        want = _plain(layout, before, cell, spread=spread, clears=clears)
        changed = [index for index in range(grid.size) if want[index] != before[index]]
        table = grid.table if spread == 8 else grid.edge_table
        by_table = bytearray(before)
        table_runs = cascade_table(*table, clears, layout.clues, by_table, cell)
        assert by_table == want
        assert _cells(table_runs) == changed
        if grid.is_plane:
            by_runs = bytearray(before)
            runs = cascade_plane(grid.width, grid.height, spread, clears, layout.clues, by_runs, cell)
            assert by_runs == want
            assert runs == table_runs


@given(st.data())
def test_all_three_agree(data: st.DataObject) -> None:
    layout = data.draw(layouts(data.draw(grids())))
    _compare_on(layout, data)


@given(st.data())
def test_all_three_agree_where_much_opens(data: st.DataObject) -> None:
    grid = data.draw(grids(max_side=16, topologies=(PLANE,)))
    mines = data.draw(st.integers(0, grid.size // 8))
    _compare_on(place_mines(grid, mines, Rng(data.draw(st.integers(0, 2**32)))), data)


def _compare_on(layout: Layout, data: st.DataObject) -> None:
    grid = layout.grid
    rows = bytearray(data.draw(tiles(grid, (Tile.COVERED,) * 6 + (Tile.FLAGGED, Tile.QUESTION, Tile.ZERO))))
    for index, code in enumerate(rows):  # a revealed cell shows its own clue, and a mine is covered
        if code == Tile.ZERO:
            rows[index] = layout.clues[index] if layout.clues[index] <= 8 else Tile.COVERED
    safe = [index for index in range(grid.size) if layout.clues[index] <= 8 and rows[index] > 8]
    if safe:
        cell = data.draw(st.sampled_from(safe))
        rows[cell] = Tile.COVERED
        _check(layout, bytes(rows), cell)


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (1, 9), (9, 1), (1, 700), (700, 1), (300, 3), (3, 300), (40, 40)]
)
@pytest.mark.parametrize("mines", [0, 1])
def test_long_and_small_grids(width: int, height: int, mines: int) -> None:
    grid = Grid(width, height)
    layout = place_mines(grid, mines, Rng(5))
    before = bytes([Tile.COVERED]) * grid.size
    safe = [cell for cell in range(grid.size) if layout.clues[cell] <= 8]
    for cell in {safe[0], safe[len(safe) // 2], safe[-1]} if safe else ():
        _check(layout, before, cell)


@pytest.mark.parametrize("length", [1, 63, 64, 65, 319, 320, 321, 1344, 1345, 5000])
@pytest.mark.parametrize("first", [0, 1, 2, 62, 63, 64, 65, 66, 300, 1279, 1280, 1281])
def test_the_first_of_a_run_is_found_at_any_distance(length: int, first: int) -> None:
    todo = bytearray(b"\1" * first + b"\0" * length + b"\1")
    for cell in {first, first + length // 2, first + length - 1}:
        assert _first_of_run(todo, cell) == first


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=40))
def test_changed_runs_are_where_two_buffers_differ(pairs: list[tuple[int, int]]) -> None:
    before, after = bytes(a for a, _ in pairs), bytes(b for _, b in pairs)
    runs = changed_runs(before, after)
    assert _cells(runs) == [index for index, (a, b) in enumerate(pairs) if a != b]
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(runs))


@given(st.sets(st.integers(0, 60)), st.randoms())
def test_merged_runs_are_sorted_and_apart(cells: set[int], order: random.Random) -> None:
    singles = [(cell, cell + 1) for cell in cells]
    order.shuffle(singles)
    runs = merge_runs(singles)
    assert _cells(runs) == sorted(cells)
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(runs))
