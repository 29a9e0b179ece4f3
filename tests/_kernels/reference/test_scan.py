"""The scan of a rectangle and that over its neighbour table agree, and single clues settle what they say."""

import pytest

from sapper._kernels.reference.scan import (
    Constraint,
    Frontier,
    constraints_of,
    known_mines,
    open_cells,
    scan_constraints,
    scan_plane,
)
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from tests.census import positions, tiles_of

Plain = tuple[dict[int, int], dict[tuple[int, ...], list[int]], list[int], list[int], list[int]]


def _plain(frontier: Frontier) -> Plain:
    """A frontier whatever the order of its groups: by the cells of their clues."""
    groups = {
        tuple(sorted(frontier.clues[clue] for clue in key)): sorted(cells)
        for key, cells in zip(frontier.keys, frontier.groups, strict=True)
    }
    needs = dict(zip(frontier.clues, frontier.needs, strict=True))
    return needs, groups, frontier.interior, frontier.safe, frontier.mined


def _by_table(tiles: bytes, grid: Grid, trust_flags: bool = False) -> Frontier | int:
    return scan_constraints(constraints_of(tiles, *grid.table, trust_flags), open_cells(tiles, trust_flags))


def _check(tiles: bytes, grid: Grid, trust_flags: bool = False) -> bool:
    """Whether the tiles were accepted, by both scans, with one answer."""
    plane = scan_plane(tiles, grid.width, grid.height, trust_flags)
    table = _by_table(tiles, grid, trust_flags)
    assert (plane is None) == isinstance(table, int)
    if plane is None or isinstance(table, int):
        return False
    assert _plain(plane) == _plain(table)
    return True


@pytest.mark.parametrize("file", ["expert-stuck", "expert", "intermediate", "hard-50x50-500", "scatter-30x24"])
def test_both_scans_agree_on_boards(file: str) -> None:
    for position in positions(file)[:60]:
        assert _check(position.tiles, position.grid)


@pytest.mark.parametrize("trust_flags", [False, True])
def test_both_scans_agree_on_any_tiles(trust_flags: bool) -> None:
    rng = Rng(3)
    accepted = 0
    for _ in range(3000):
        grid = Grid(1 + rng.below(7), 1 + rng.below(7))
        codes = (bytes(range(15)), bytes([9] * 6 + [1, 2, 14]), bytes([9, 9, 9, 10, 1, 1, 12]))[rng.below(3)]
        tiles = bytes(codes[rng.below(len(codes))] for _ in range(grid.size))
        accepted += _check(tiles, grid, trust_flags)
    assert accepted > 300


@pytest.mark.parametrize("rows", [["8"], ["8#"], ["0#", "#2"], ["1"], ["#1#1#", "00000"]])
def test_single_clues_that_cannot_be_right(rows: list[str]) -> None:
    tiles = tiles_of(rows)
    assert scan_plane(tiles, len(rows[0]), len(rows), trust_flags=False) is None
    assert isinstance(_by_table(tiles, Grid(len(rows[0]), len(rows))), int)


def test_flags_are_an_opinion_or_mines() -> None:
    tiles = bytes([10, 1, 9])
    frontier = scan_plane(tiles, 3, 1, trust_flags=False)
    assert frontier is not None
    assert [sorted(cells) for cells in frontier.groups] == [[0, 2]]
    trusted = scan_plane(tiles, 3, 1, trust_flags=True)
    assert trusted is not None
    assert (trusted.groups, trusted.safe) == ([], [2])
    assert (known_mines(tiles, False), known_mines(tiles, True)) == (0, 1)
    assert known_mines(bytes([12, 13, 14, 11]), True) == 2


def test_constraints_leave_out_what_says_nothing() -> None:
    tiles = bytes([0, 1, 9, 9, 12, 1])
    constraints = constraints_of(tiles, *Grid(6, 1).table, False)
    assert constraints == [Constraint(1, 1, (2,))]
    assert constraints_of(bytes([1, 0]), *Grid(2, 1).table, False) == [Constraint(0, 1, ())]


@pytest.mark.parametrize("last", [0, 1])
def test_thousands_of_clues_that_settle_one_another_in_turn(last: int) -> None:
    """Too many for settling all at once, round by round: then it goes on clue by clue."""
    tiles = bytes([1, 9] * 1999 + [last, 9])
    frontier = scan_plane(tiles, 4000, 1, trust_flags=False)
    if last == 0:  # the cell before it is a mine
        assert frontier is None
    else:
        assert frontier is not None
        assert (frontier.safe, frontier.mined) == (list(range(3, 4000, 4)), list(range(1, 4000, 4)))
