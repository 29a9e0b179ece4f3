"""Layouts drawn to fit a board: all of them, each as often, under any condition."""

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.errors import CellError, ContradictionError, TooHardError
from sapper.game.layout import Layout
from sapper.generator.sample import below, sample_layout
from tests.enumeration import every_draw

BOARDS = [
    "7x3/5\n#######\n#2##1##\n#######\n",
    "3x2/1\nF#1\n##?\n",
    "5x1/3\n#2#*#\n",
    "4x2/2\n#1##\n####\n",
    "3x2/2\n###\n###\n",
]


NONE = CellSet()


def _consistent(board: Board, mined: CellSet = NONE, safe: CellSet = NONE) -> set[int]:
    layouts = (
        Layout(board.grid, CellSet.of(mines)) for mines in combinations(range(board.grid.size), board.mine_count)
    )
    return {one.mines.mask for one in layouts if one.agrees_with(board) and mined <= one.mines and not safe & one.mines}


@pytest.mark.parametrize("text", BOARDS[1:])
def test_every_layout_that_fits_is_exactly_as_likely(text: str) -> None:
    """By going through every number that can be drawn."""
    board = read_board(text)
    seen: Counter[int] = Counter()
    for weight, mask in every_draw(lambda: sample_layout(board, Rng(0)).mines.mask):
        seen[mask] += weight
    assert set(seen) == _consistent(board)
    assert len(set(seen.values())) == 1


def test_real_numbers_are_spread_evenly_over_the_layouts() -> None:
    board = read_board(BOARDS[0])
    fitting = _consistent(board)
    draws = 6 * len(fitting)
    rng = Rng(3)
    seen = Counter(sample_layout(board, rng).mines.mask for _ in range(draws))
    assert set(seen) <= fitting
    square = sum((count - 6) ** 2 / 6 for count in (seen[mask] for mask in fitting))
    assert abs(square - (len(fitting) - 1)) <= 4 * (2 * (len(fitting) - 1)) ** 0.5


def test_conditions_are_kept() -> None:
    board = read_board(BOARDS[3])
    mined, safe = CellSet.of([3]), CellSet.of([0, 5])
    rng = Rng(1)
    seen = {sample_layout(board, rng, mined=mined, safe=safe).mines.mask for _ in range(100)}
    assert seen == _consistent(board, mined, safe)


def test_what_cannot_be() -> None:
    board = read_board(BOARDS[0])
    for mined, safe in (([8], []), ([0], [0]), ([99], [])):
        with pytest.raises(CellError):
            sample_layout(board, Rng(0), mined=CellSet.of(mined), safe=CellSet.of(safe))
    with pytest.raises(ContradictionError):
        sample_layout(board, Rng(0), mined=CellSet.of([0, 1, 2]))
    with pytest.raises(TooHardError):
        sample_layout(read_board("5x2/2\n#####\n#1#1#\n"), Rng(0), cap=1)


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_any_board_of_a_game(seed: int, mines: int) -> None:
    board = read_board("#" * 8 + "\n" + "########\n" * 6, mine_count=mines)
    first = sample_layout(board, Rng(seed))
    assert first.mine_count == mines
    tiles = bytearray(board.tiles)
    for cell in range(0, board.grid.size, 3):
        if not first.is_mine(cell):
            tiles[cell] = first.clues[cell]
    seen = Board(grid=board.grid, rules=board.rules, mine_count=mines, tiles=bytes(tiles))
    assert sample_layout(seen, Rng(seed + 1)).agrees_with(seen)


def test_a_very_large_board_is_no_trouble() -> None:
    grid = Grid(300, 200)
    board = Board(grid=grid, rules=read_board(BOARDS[0]).rules, mine_count=12_000, tiles=bytes([9]) * grid.size)
    assert sample_layout(board, Rng(0)).mine_count == 12_000


def test_numbers_below_any_bound() -> None:
    rng = Rng(5)
    bound = (1 << 64) + 3
    drawn = [below(rng, bound) for _ in range(200)]
    assert all(0 <= number < bound for number in drawn)
    assert len(set(drawn)) == 200
    assert sum(drawn) / 200 / bound == pytest.approx(0.5, abs=0.1)
    assert sorted(number for _, number in every_draw(lambda: below(Rng(0), 5))) == [0, 1, 2, 3, 4]
