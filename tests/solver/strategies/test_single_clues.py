"""What is kept from move to move is what working it all out afresh gives."""

import pytest

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.strategies.simple import SingleStrategy, by_single_clues
from sapper.solver.strategies.single_clues import SingleClues


def _agree(kept: SingleClues, board: Board) -> None:
    safe, mines = by_single_clues(board)
    assert kept.safe_cell(board) == ((min(safe), safe[min(safe)]) if safe else None)
    assert {cell for cell in board.covered if cell in kept.mines} == set(mines)


@pytest.mark.parametrize("grid", [Grid(9, 9), Grid(30, 4), Grid(8, 8, TORUS), Grid(3, 1)], ids=repr)
def test_move_after_move(grid: Grid) -> None:
    safe = 0
    for seed in range(12):
        game = Game(rules=RULES["classic"], source=UniformSource(grid, grid.size // 7, seed))
        kept, strategy, rng = SingleClues(), SingleStrategy(Rng(seed)), Rng(seed)
        boards = []
        while not game.status.ended:
            boards.append(game.board)
            _agree(kept, game.board)
            safe += kept.safe_cell(game.board) is not None
            covered = [cell for cell in game.board.covered if game.is_legal(Move.flag(cell))]
            if covered and rng.below(4) == 0:  # flags are opinions, right or wrong
                game.flag(rng.choice(covered))
            else:
                game.play(strategy.choose(game.board).move)
        for _ in range(10):  # and back and forth, as after an undo, or in another game
            _agree(kept, rng.choice(boards))
    assert safe > 20 or grid.size < 10


def test_mines_that_are_shown_count_too() -> None:
    board = read_board("*1#", mine_count=1)
    choice = SingleStrategy(Rng(1)).choose(board)
    assert (choice.move, choice.risk) == (Move.reveal(2), 0.0)
