"""CellSet is a set of cells: the same answers as the built-in one."""

import pickle
from collections.abc import Set as AbstractSet
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet

SETS = st.frozensets(st.integers(0, 300), max_size=40)


@given(SETS, SETS)
def test_it_agrees_with_the_built_in_set(one: frozenset[int], other: frozenset[int]) -> None:
    a, b = CellSet.of(one), CellSet.of(other)
    assert list(a) == sorted(one)
    assert len(a) == len(one)
    assert bool(a) == bool(one)
    assert set(a | b) == one | other
    assert set(a & b) == one & other
    assert set(a - b) == one - other
    assert set(a ^ b) == one ^ other
    assert (a <= b, a < b, a >= b, a > b) == (one <= other, one < other, one >= other, one > other)
    assert (a == b) == (one == other)
    assert a.isdisjoint(b) == one.isdisjoint(other)


@given(SETS, SETS)
def test_it_mixes_with_the_built_in_set(one: frozenset[int], other: frozenset[int]) -> None:
    a = CellSet.of(one)
    assert a == one
    assert one == a
    assert hash(a) == hash(one)
    results: list[AbstractSet[object]] = [a | other, other | a, a & other, other & a]
    results += [a - other, other - a, a ^ other, other ^ a]
    assert all(isinstance(result, CellSet) for result in results)
    assert list(map(set, results)) == [
        *(one | other, one | other, one & other, one & other),
        *(one - other, other - one, one ^ other, one ^ other),
    ]
    assert (a <= other, other <= a) == (one <= other, other <= one)


@given(SETS)
def test_mask_marks_pickle_and_repr_round_trip(cells: frozenset[int]) -> None:
    held = CellSet.of(cells)
    assert held.mask == sum(1 << cell for cell in cells)
    assert CellSet(held.mask) == held
    assert CellSet.where(bytes(cell in cells for cell in range(301))) == held
    assert pickle.loads(pickle.dumps(held)) == held
    assert eval(repr(held), {"CellSet": CellSet}) == held


def test_membership() -> None:
    cells = CellSet.of([0, 7, 8, 64])
    assert [cell for cell in range(70) if cell in cells] == [0, 7, 8, 64]
    assert -1 not in cells
    names: list[object] = ["0", None]
    assert not any(name in cells for name in names)
    assert 10**30 not in cells


def test_of_a_set_of_cells_is_that_set() -> None:
    cells = CellSet.of([3])
    assert CellSet.of(cells) is cells
    assert CellSet() == CellSet.of([])
    assert list(CellSet.where(b"")) == []
    assert list(CellSet.where(b"\0\x05\xff")) == [1, 2]


def test_there_are_no_negative_cells() -> None:
    with pytest.raises(ValueError, match="an index from 0, not -2"):
        CellSet.of([3, -2])
    with pytest.raises(ValueError, match="an integer from 0, not -1"):
        CellSet(-1)
    with pytest.raises(ValueError, match="an index from 0"):
        CellSet.of([3]) | {-1}
    # What is no cell has nothing in common with cells, which is not an error.
    assert CellSet.of([3]) & {-1, 3} == {3}
    assert CellSet.of([3]) - {-1, "x"} == {3}
    assert CellSet.of([3]).isdisjoint({-1})


@pytest.mark.parametrize("cells", [[], [0], [7, 8, 9], [63, 64, 200]])
def test_marks_are_what_where_takes(cells: list[int]) -> None:
    marks = CellSet.of(cells).marks(201)
    assert [cell for cell, mark in enumerate(marks) if mark] == cells
    assert (len(marks), CellSet.where(marks)) == (201, CellSet.of(cells))


@pytest.mark.parametrize("cells", [[1.5], [None], [(1, 2)], ["1"], [1, None]])
def test_what_is_no_cell_is_in_no_set(cells: Any) -> None:
    with pytest.raises(ValueError, match="a set of cells is made of integers from 0"):
        CellSet.of(cells)
