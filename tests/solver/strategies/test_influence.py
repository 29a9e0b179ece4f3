"""The influence of forced guesses: equal to the share of the layouts counted one by one."""

from itertools import combinations

import pytest

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.analysis import analyse
from sapper.solver.strategies.influence import influence_of


def _layouts(board: Board) -> list[frozenset[int]]:
    """All that fit, by trying every set of mines."""
    near = board.grid.neighbours
    return [
        frozenset(mines)
        for mines in combinations(board.covered, board.mine_count)
        if all(sum(other in mines for other in near(cell)) == board.tiles[cell] for cell in board.revealed)
    ]


def _share(layouts: list[frozenset[int]], mined: set[int], safe: set[int]) -> float:
    return sum(mined <= one and not safe & one for one in layouts) / len(layouts)


def test_a_pair_at_the_end_of_a_row() -> None:
    """One cell could tell: where it is a mine, the two beside it are a coin."""
    board = read_board("6x1/3\n######")
    layouts = _layouts(board)
    found = influence_of(analyse(board))
    pairs = [({0, 2}, {1}), ({1, 0, 3}, {2}), ({2, 1, 4}, {3}), ({3, 2, 5}, {4}), ({4, 3}, {5})]
    for cell in range(6):
        # It is in the pairs that begin at it or before it, and could tell about those next to them.
        share = sum(_share(layouts, *pairs[at]) for at in range(cell - 2, cell + 2) if 0 <= at < 5)
        assert found[cell] == pytest.approx(min(share, 0.5))


def test_a_square_in_a_corner() -> None:
    board = read_board("3x3/3\n###\n###\n###")
    layouts = _layouts(board)
    found = influence_of(analyse(board))
    square = _share(layouts, {8, 0, 4}, {1, 3})
    pairs = _share(layouts, {0, 2, 5}, {1}) + _share(layouts, {0, 6, 7}, {3})
    told = _share(layouts, {1, 0, 3}, {2}) + _share(layouts, {3, 0, 1}, {6}) + _share(layouts, {4, 8, 0}, {5, 7})
    assert found[0] == pytest.approx(min(square + pairs + told, 1 / 3))


def test_none_where_something_can_tell_or_the_grid_is_another() -> None:
    assert influence_of(analyse(read_board("4x1/1\n##1#"))) == {}
    torus = Game(rules=RULES["classic"], source=UniformSource(Grid(5, 5, TORUS), 5, 1))
    assert influence_of(analyse(torus.board)) == {}


def test_a_coin_counts_half() -> None:
    """Two cells that one clue sees, walled in: either may be the mine, and nothing will tell."""
    board = read_board("2x2/1\n##\n11")
    assert influence_of(analyse(board)) == {0: pytest.approx(0.5), 1: pytest.approx(0.5)}
