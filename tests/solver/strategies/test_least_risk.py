"""The strategy `least-risk`: certain cells first, else the least likely mine."""

from dataclasses import replace

import pytest

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.errors import ContradictionError
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.analysis import PartialAnalysis, analyse, analyse_what_can_be
from sapper.solver.strategies import least_risk
from sapper.solver.strategies.least_risk import LeastRiskStrategy, best_cell
from sapper.solver.strategies.subset import find_certain
from tests.census import positions
from tests.solver_boards import board_at, middle_game

STRATEGY = LeastRiskStrategy(Rng(0))


def _board(text: str, mine_count: int, rules: str = "engine") -> Board:
    return replace(read_board(text, mine_count=mine_count, rules=RULES[rules]), status=Status.PLAYING)


@pytest.mark.parametrize("file", ["expert", "intermediate"])
def test_what_few_clues_say_else_the_lowest_safe_cell_else_the_least_risk(file: str) -> None:
    for position in positions(file):
        board = board_at(position)
        choice = STRATEGY.choose(board)
        least = min(position.chances.values())
        expected = min(cell for cell, chance in position.chances.items() if chance <= least + 1e-9)
        quick = find_certain(board)
        if quick is not None:
            assert quick.move.cell in position.safe
        wanted = position.safe[0] if position.safe else expected
        assert choice.move == (Move.reveal(wanted) if quick is None else quick.move)
        assert choice.risk == pytest.approx(least, rel=1e-12)
        assert cell_name(position.grid, choice.move.cell) in choice.reason


@pytest.mark.parametrize(
    ("text", "mines", "rules", "move", "risk", "reason"),
    [
        ("121\n###", 2, "engine", Move.reveal(4), 0.0, "with what is known, c1 says where the mines are: b2 is safe"),
        ("#1#", 1, "engine", Move.reveal(0), 0.5, "no safe cell; the least risk is 50.0 % at a1"),
        ("###", 1, "engine", Move.reveal(0), 1 / 3, "no safe cell; the least risk is 33.3 % at a1"),
        ("###", 1, "classic", Move.reveal(0), 0.0, "the first reveal is never a mine"),
        ("###", 1, "modern", Move.reveal(2), 0.0, "the first reveal is never a mine"),
        # A wrong flag goes first, where the rules have it so.
        ("121\n#F#", 2, "engine", Move.unflag(4), 0.0, "with what is known, c1 says where the mines are: b2 is safe"),
        ("121\n#F#", 2, "kata", Move.reveal(4), 0.0, "with what is known, c1 says where the mines are: b2 is safe"),
        # Only mines are left: flags win, or the first move of all does.
        ("#2#", 2, "jminesweeper", Move.flag(0), 0.0, "only mines are left: flag them all"),
        ("F2#", 2, "jminesweeper", Move.flag(2), 0.0, "only mines are left: flag them all"),
        ("##", 2, "engine", Move.flag(0), 0.0, "only mines are covered"),
        ("FF", 2, "engine", Move.unflag(0), 0.0, "only mines are covered"),
    ],
)  # fmt: skip
def test_a_choice(text: str, mines: int, rules: str, move: Move, risk: float, reason: str) -> None:
    board = _board(text, mines, rules)
    choice = STRATEGY.choose(board)
    assert (choice.move, choice.risk, choice.reason) == (move, risk, reason)
    assert board.is_legal(move)


def test_a_contradictory_board_is_an_error() -> None:
    with pytest.raises(ContradictionError):
        STRATEGY.choose(_board("131\n###", 2))


def test_a_board_too_hard_gets_what_is_certain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(least_risk, "find_certain", lambda board: None)
    monkeypatch.setattr(least_risk, "analyse_what_can_be", lambda board: analyse_what_can_be(board, cap=2))
    seen = set()
    boards = [middle_game(seed) for seed in range(20)] + [board_at(position) for position in positions("expert")[:20]]
    for board in boards:
        partial = analyse_what_can_be(board, cap=2)
        if isinstance(partial, PartialAnalysis):
            choice = STRATEGY.choose(board)
            seen.add(bool(partial.safe))
            if partial.safe:
                assert (choice.move.cell, choice.risk) == (min(partial.safe), 0.0)
            else:
                assert choice.move.cell == min(board.covered - partial.mined)
                assert choice.risk is None
                assert choice.reason.startswith("the board is too hard to analyse; ")
    assert seen == {False, True}


def test_best_cell_of_boards_without_a_choice() -> None:
    assert best_cell(analyse(_board("..", 0))) is None
    assert best_cell(analyse(_board("#2#", 2))) is None
    best = best_cell(analyse(_board("#1#", 1)))
    assert best is not None
    assert (best.cell, best.risk) == (0, 0.5)


@pytest.mark.parametrize("rules", RULES)
def test_it_never_steps_on_a_mine_where_it_says_it_cannot(rules: str) -> None:
    """Whole games of every rule set: each move legal, and each one without a risk survived."""
    won = 0
    for seed in range(12):
        grid = Grid(8, 8)
        game = Game(rules=RULES[rules], source=UniformSource(grid, 8, seed, RULES[rules].start))
        for _ in range(400):
            if game.board.status.ended:
                break
            choice = STRATEGY.choose(game.board)
            game.play(choice.move)
            assert choice.risk or game.board.status is not Status.LOST
        assert game.board.status.ended
        won += game.board.status is Status.WON
        assert game.board.flagged <= CellSet.of(range(64))
    assert won >= 4
