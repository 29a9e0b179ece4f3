"""All layouts that agree with a board, and no others."""

from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.game.layout import Layout
from sapper.kata import layouts as kata_layouts
from sapper.kata.layouts import agreeing_layouts
from tests.strategies import layouts

COVERED = int(Tile.COVERED)


def _all(grid: Grid, counts: list[int]) -> list[Layout]:
    return [Layout(grid, CellSet.of(mines)) for count in counts for mines in combinations(range(grid.size), count)]


@settings(max_examples=60)
@given(layout=layouts(Grid(3, 3)), shown=st.sets(st.integers(0, 8)), flags=st.sets(st.integers(0, 8)))
def test_they_are_those_that_brute_force_finds(layout: Layout, shown: set[int], flags: set[int]) -> None:
    tiles = bytearray([COVERED]) * 9
    for cell in flags:
        tiles[cell] = Tile.FLAGGED
    for cell in shown:
        tiles[cell] = Tile.EXPLODED if layout.is_mine(cell) else layout.clues[cell]
    counts = [layout.mine_count, (layout.mine_count + 1) % 10]
    expected = [
        other
        for other in _all(layout.grid, counts)
        if all(
            other.is_mine(cell) if layout.is_mine(cell) else other.clues[cell] == layout.clues[cell] for cell in shown
        )
    ]
    found = list(agreeing_layouts(layout.grid, bytes(tiles), counts))
    assert len(found) == len(set(found))
    assert set(found) == set(expected)
    assert layout in found


@pytest.mark.parametrize("clue", [0, 3])
def test_a_clue_that_cannot_be(clue: int) -> None:
    tiles = bytes([clue, COVERED, 8 if clue == 0 else COVERED])
    assert list(agreeing_layouts(Grid(3, 1), tiles, (0, 1, 2))) == []


def test_a_long_frontier_is_no_recursion() -> None:
    width = 3000
    tiles = bytes([1]) * width + bytes([COVERED]) * width
    assert list(agreeing_layouts(Grid(width, 2), tiles, (width // 3,))) != []


def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tiles = bytes([COVERED]) * 9
    monkeypatch.setattr(kata_layouts, "MOST_LAYOUTS", 93)
    assert len(list(agreeing_layouts(Grid(3, 3), tiles, (1, 3)))) == 93
    monkeypatch.setattr(kata_layouts, "MOST_LAYOUTS", 92)
    with pytest.raises(
        TooHardError, match="more than 92 layouts agree with the board: say where the bombs are"
    ) as caught:
        list(agreeing_layouts(Grid(3, 3), tiles, (1, 3)))
    assert caught.value.cap == 92


def test_on_large_boards_fewer_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kata_layouts, "_MOST_SQUARES", 900 * 5)
    with pytest.raises(TooHardError, match="more than 5 layouts"):
        list(agreeing_layouts(Grid(30, 30), bytes([COVERED]) * 900, (3,)))


def test_too_many_ways_around_the_clues_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kata_layouts, "_MOST_STEPS", 1000)
    # Each clue's bomb can be above, below or beside it; but never four bombs in all.
    row = bytes([COVERED, 1, COVERED]) * 30
    with pytest.raises(TooHardError, match="too many ways"):
        list(agreeing_layouts(Grid(90, 3), bytes([COVERED]) * 90 + row + bytes([COVERED]) * 90, (4,)))
