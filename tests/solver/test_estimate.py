import math

import pytest

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.errors import ContradictionError, TooHardError
from sapper.generator.new_game import new_game
from sapper.solver.analysis import analyse
from sapper.solver.estimate import Estimate, estimate
from tests.census import CENSUS_FILES, positions


def _close(one: Estimate) -> None:
    exact = analyse(one.board)
    assert one.fault is None
    assert (one.safe, one.mined, one.least_risky) == (exact.safe, exact.mined, exact.least_risky)
    assert one.census_log10 == pytest.approx(exact.census_log10, rel=1e-12, abs=1e-12)
    risks = {int(cell): risk for cell, risk in exact.risks().items()}
    for cell, chance in enumerate(one.chances):
        assert math.isnan(chance) if cell not in risks else chance == pytest.approx(risks[cell], rel=1e-12, abs=0)


@pytest.mark.usefixtures("half")
@pytest.mark.parametrize("file", [file for file in CENSUS_FILES if not file.startswith("lattice")])
def test_estimates_are_the_exact_chances_as_floats(file: str) -> None:
    boards = [
        Board(grid=one.grid, rules=RULES["modern"], mine_count=one.mines, tiles=one.tiles)
        for one in positions(file)[:20]
    ]
    found = list(estimate(boards))
    assert [one.board for one in found] == boards
    for one in found:
        _close(one)


@pytest.mark.usefixtures("half")
def test_boards_of_several_grids_keep_their_order() -> None:
    boards = []
    for seed in range(3):
        for name in ("beginner", "expert"):
            game = new_game(name, seed=seed)
            game.reveal(0)
            boards.append(game.board)
    boards.append(Board.new(Grid(4, 4, TORUS), RULES["modern"], 3))
    found = list(estimate(boards))
    assert [one.board for one in found] == boards
    for one in found:
        _close(one)
    assert list(estimate([])) == []


@pytest.mark.usefixtures("half")
def test_faults_are_told_and_nothing_else() -> None:
    wrong = read_board("3x1/1\n1.1")
    hard = positions("lattice-6")[0]
    boards = [wrong, Board(grid=hard.grid, rules=RULES["modern"], mine_count=hard.mines, tiles=hard.tiles)]
    first, second = estimate(boards, cap=5)
    assert (first.fault, second.fault) == (ContradictionError, TooHardError)
    for one in (first, second):
        assert len(one.chances) == 0
        assert (one.least_risky, len(one.safe), len(one.mined)) == (None, 0, 0)


@pytest.mark.usefixtures("half")
def test_flags_are_opinions_unless_they_are_trusted() -> None:
    board = read_board("3x1/1\nF1#")
    [opinion] = estimate([board])
    [trusted] = estimate([board], trust_flags=True)
    assert [opinion.chances[0], opinion.chances[2]] == [0.5, 0.5]
    assert list(trusted.safe) == [2]
