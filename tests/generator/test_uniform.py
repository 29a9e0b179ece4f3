"""Uniform layouts, shown by trying everything that can be generated; and which start rule is kept where."""

from collections import Counter
from functools import partial
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.errors import CellError, InvalidValueError, LayoutError
from sapper.generator.uniform import UniformSource, kept_free, nearest_start, place_mines
from tests.enumeration import every_draw
from tests.strategies import grids, seeds

SMALL = [Grid(3, 3), Grid(4, 2), Grid(1, 6), Grid(3, 3, TORUS), Grid(1, 1), Grid(2, 2)]


@pytest.mark.parametrize("grid", SMALL, ids=repr)
@pytest.mark.parametrize("start", list(Start))
def test_every_layout_that_the_rule_allows_is_exactly_as_likely(grid: Grid, start: Start) -> None:
    for first in {0, grid.size // 2, grid.size - 1}:
        kept = set(kept_free(grid, start, first))
        for mines in range(min(4, grid.size - len(kept) + 1)):
            seen: Counter[frozenset[int]] = Counter()
            draw = partial(place_mines, grid, mines, Rng(0), start=start, first=first)
            for weight, layout in every_draw(draw):
                seen[frozenset(layout.mines)] += weight
            allowed = {frozenset(chosen) for chosen in combinations(set(range(grid.size)) - kept, mines)}
            assert set(seen) == allowed
            assert len(set(seen.values())) == 1


@given(grids(), st.data())
def test_what_a_rule_keeps_free(grid: Grid, data: st.DataObject) -> None:
    first = data.draw(st.integers(0, grid.size - 1))
    assert kept_free(grid, Start.ANY, first) == ()
    assert kept_free(grid, Start.SAFE, first) == (first,)
    assert set(kept_free(grid, Start.OPEN, first)) == {first, *grid.neighbours(first)}


@given(grids(), seeds, st.sampled_from(Start), st.data())
def test_the_nearest_rule_that_can_be_kept_is_kept(grid: Grid, seed: int, start: Start, data: st.DataObject) -> None:
    mines = data.draw(st.integers(0, grid.size))
    first = Cell(data.draw(st.integers(0, grid.size - 1)))
    nearest = nearest_start(grid, mines, start, first)
    order = [Start.OPEN, Start.SAFE, Start.ANY]
    fits = [rule for rule in order[order.index(start) :] if mines <= grid.size - len(kept_free(grid, rule, first))]
    assert nearest is fits[0]
    source = UniformSource(grid, mines, seed, start)
    assert source.start_at(first) is nearest
    board = Board.new(grid, RULES["modern"], mines)
    layout = source.start() or source.generate(board, first)
    assert layout.mine_count == mines
    assert layout.mines.isdisjoint(kept_free(grid, nearest, first))
    if nearest is Start.OPEN:
        assert layout.clues[first] == 0
    if start is not Start.ANY:
        assert source.generate(board, first) == layout
        assert source.start() is None
    assert source.is_fixed
    assert (source.grid, source.mine_count) == (grid, mines)


@given(grids(), seeds, st.sampled_from(Start), st.data())
def test_what_is_drawn_ahead_is_the_same(grid: Grid, seed: int, start: Start, data: st.DataObject) -> None:
    mines = data.draw(st.integers(0, grid.size))
    source, ahead = (UniformSource(grid, mines, seed, start) for _ in range(2))
    ahead.prepare()
    assert ahead.start() == source.start()
    board = Board.new(grid, RULES["modern"], mines)
    middle = grid.cell(grid.width // 2, grid.height // 2)
    for first in (middle, Cell(data.draw(st.integers(0, grid.size - 1))), middle):
        assert ahead.generate(board, first) == source.generate(board, first)


def test_layouts_that_cannot_be_drawn() -> None:
    grid, rng = Grid(3, 3), Rng(1)
    with pytest.raises(LayoutError, match="10 mines do not fit 3x3 cells: 0 to 9 are possible"):
        place_mines(grid, 10, rng)
    with pytest.raises(LayoutError, match=r"9 mines do not fit 3x3 cells with start 'safe' at b1: 8 cells are left"):
        place_mines(grid, 9, rng, start=Start.SAFE, first=1)
    with pytest.raises(LayoutError, match=r"6 mines do not fit 3x3 cells with start 'open' at a1: 5 cells are left"):
        place_mines(grid, 6, rng, start=Start.OPEN, first=0)
    with pytest.raises(LayoutError, match="start 'open' needs the first cell"):
        place_mines(grid, 1, rng, start=Start.OPEN)
    with pytest.raises(CellError, match="cell 9 is off the board"):
        place_mines(grid, 1, rng, start=Start.SAFE, first=9)
    with pytest.raises(LayoutError, match="10 mines do not fit 3x3"):
        UniformSource(grid, 10, 1)
    with pytest.raises(InvalidValueError):
        UniformSource(grid, 1, -1)


def test_the_same_rule_on_a_torus() -> None:
    torus = Grid(5, 5, TORUS)
    assert len(kept_free(torus, Start.OPEN, 0)) == 9
    assert nearest_start(torus, 17, Start.OPEN, 0) is Start.SAFE
    assert nearest_start(Grid(5, 5, PLANE), 17, Start.OPEN, 0) is Start.OPEN
