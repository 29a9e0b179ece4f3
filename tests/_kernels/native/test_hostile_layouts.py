"""Numbers that nobody should give the native library about layouts: each is refused, or gives an answer; never anything else.

`scripts/sanitize.sh` runs this with every access to memory checked.
"""

import contextlib
import ctypes
from array import array

import numpy as np
import pytest
from hypothesis import given, strategies as st

from sapper._kernels import batch, library
from sapper._kernels.native import layouts, proving, search, stepping
from sapper._kernels.reference.search import Field, Search, Wanted
from sapper.core.grid import TORUS, Grid
from sapper.generator.search_values import field_of
from tests.strategies import grids, neighbour_tables

wild = st.one_of(st.integers(-3, 12), st.integers(-(2**31), 2**31 - 1))
tables = st.tuples(st.lists(wild, min_size=1, max_size=8), st.lists(wild, max_size=12))


@given(tables, wild)
def test_tables(table: tuple[list[int], list[int]], width: int) -> None:
    try:
        made = library.Table(*table, width)
    except ValueError:
        return
    size = made.grid.size
    assert made.grid.size == len(table[0]) - 1
    assert all(0 <= cell < size for cell in table[1])


@given(neighbour_tables(), wild, wild, wild, st.integers(0, 5))
def test_layouts(table: tuple[list[int], list[int]], mines: int, start: int, first: int, count: int) -> None:
    field = Field(*table, 0, 0)
    try:
        maps = layouts.draw_many(field, mines, start, first, 7, 0, count)
    except ValueError:
        assert not (0 <= mines <= field.size and 0 <= start <= 2 and 0 <= first < field.size)
        return
    assert [sum(maps[at : at + field.size]) for at in range(0, len(maps), field.size)] == [mines] * count


@given(neighbour_tables(), st.data())
def test_measures(table: tuple[list[int], list[int]], data: st.DataObject) -> None:
    size = len(table[0]) - 1
    maps = data.draw(st.binary(min_size=size, max_size=3 * size))
    width = data.draw(st.one_of(st.integers(1, size), wild))
    maps = maps[: len(maps) // size * size]
    try:
        found = layouts.measure_many(*table, width, False, maps, True)
    except ValueError:
        assert width < 1 or width > size or size % width
        return
    assert len(found) == len(maps) // size


@given(neighbour_tables(), neighbour_tables(), st.data())
def test_proofs(table: tuple[list[int], list[int]], edges: tuple[list[int], list[int]], data: st.DataObject) -> None:
    size = len(table[0]) - 1
    mapped = bytes(data.draw(st.lists(st.sampled_from((0, 0, 0, 1, 255)), min_size=size, max_size=size)))
    columns = data.draw(st.one_of(st.integers(1, size), wild))
    first = data.draw(st.one_of(st.integers(0, size - 1), wild))
    try:
        prover = proving.Prover(
            table, edges, columns=columns, wraps=data.draw(st.booleans()), mapped=mapped, first=first, hardest=4
        )
        if prover.meets_mine:
            return
        for _ in range(3):
            prover.go_on()
            with contextlib.suppress(ValueError):
                prover.conclude(data.draw(st.lists(wild, max_size=3)), data.draw(st.lists(wild, max_size=3)))
    except ValueError:
        return
    assert len(prover.tiles) == size


@given(grids(), st.data())
def test_searches(grid: Grid, data: st.DataObject) -> None:
    field = field_of(grid)
    few = st.one_of(st.integers(0, grid.size), wild)
    wanted = Wanted(*(data.draw(wild) for _ in range(4))) if data.draw(st.booleans()) else Wanted()
    mines, start, first, logic = (data.draw(one) for one in (few, st.integers(-1, 3), few, st.integers(-1, 3)))
    seeds = st.integers(0, 2**64 - 1)
    try:
        searcher = search.Searcher(Search(field, mines, start, first, logic, wanted, data.draw(seeds)))
    except ValueError:
        assert not (0 <= mines <= grid.size and 0 <= first < grid.size and 0 <= start <= 2 and 0 <= logic <= 2)
        return
    found = searcher.search(data.draw(seeds), 5)
    assert found.tried <= 5
    assert found.found < 0 or sum(found.mines) == mines
    wrong = data.draw(st.binary(min_size=grid.size, max_size=grid.size))
    for clues in (bytes(grid.size), bytes([9]) * grid.size, wrong):
        assert len(searcher.play_out(clues).tiles) == grid.size


@given(grids(topologies=(TORUS,)), st.data())
def test_games(grid: Grid, data: st.DataObject) -> None:
    games, size = 3, grid.size
    cells = games * size
    buffers = batch.StepBuffers(
        seeds=np.zeros(games, np.uint64),
        numbers=np.full(games, -1, np.int64),
        tiles=np.zeros(cells, np.uint8),
        mask=np.zeros(cells, np.uint8),
        final=np.zeros(cells, np.uint8),
        opened=np.zeros(games, np.int32),
        outcome=np.zeros(games, np.uint8),
        revealed=np.zeros(games, np.int32),
        steps=np.zeros(games, np.int32),
        clues=np.zeros(cells, np.uint8),
        stage=np.zeros(games, np.uint8),
    )
    mines, start, mode, limit = (data.draw(wild) for _ in range(4))
    stepper = stepping.NativeStepper(
        batch.Stepping(*grid.table, *grid.edge_table, mines, start, games, mode, limit), buffers
    )
    stepper.begin(bytes([1] * games))
    for _ in range(4):
        actions = array(
            "q", data.draw(st.lists(st.one_of(st.integers(0, size - 1), wild), min_size=games, max_size=games))
        )
        try:
            stepper.step(actions)
        except ValueError:
            assert not (0 <= mines <= size and 0 <= start <= 2 and all(0 <= cell < size for cell in actions))
    assert (buffers.revealed <= size).all()


def test_what_a_status_means() -> None:
    assert library.check(3) == 3
    with pytest.raises(ValueError, match="out of its range"):
        library.check(library.BAD)
    with pytest.raises(MemoryError):
        library.check(library.NO_MEMORY)


def test_an_empty_buffer_is_nowhere() -> None:
    assert library.address_of(bytearray()) is None
    buffer = bytearray(b"x")
    address = library.address_of(buffer)
    assert address is not None
    assert ctypes.string_at(address, 1) == b"x"
