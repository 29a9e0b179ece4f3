"""The strategy `subset`: right where it is certain, and it finds what two clues say."""

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.analysis import analyse
from sapper.solver.strategies.simple import by_single_clues
from sapper.solver.strategies.subset import Pairs, SubsetStrategy, find_certain
from tests.solver_boards import board_of_seed, middle_game


def _board(rows: str, mine_count: int, rules: str = "modern") -> Board:
    return read_board(rows.replace("/", "\n"), mine_count=mine_count, rules=RULES[rules])


@pytest.mark.parametrize(
    ("rows", "mines", "move", "reason"),
    [
        # One clue is enough.
        ("#1#/11#", 1, Move.reveal(2), "b2 has all its mines: c1 is safe"),
        # 1-1 at an edge: the second sees all that the first sees, and one more.
        ("###/11#", 1, Move.reveal(2), "a2 and b2 together say where the mines are: c1 is safe"),
        # 1-2-1: pairs say where the mines are, and then one clue does.
        ("121/###", 2, Move.reveal(4), "with what is known, c1 says where the mines are: b2 is safe"),
    ],
)
def test_what_is_certain(rows: str, mines: int, move: Move, reason: str) -> None:
    board = _board(rows, mines)
    choice = SubsetStrategy(Rng(0)).choose(board)
    assert (choice.move, choice.risk) == (move, 0.0)
    assert choice.reason == reason
    assert find_certain(board) == choice


def test_a_guess_is_no_known_mine() -> None:
    """1-2 in a corner: c2 is a mine, the other two are as likely."""
    board = _board("12/##/##"[:2] + "#/###", 2)
    mined = Pairs(board).mined
    seen = {SubsetStrategy(Rng(seed)).choose(board).move.cell for seed in range(60)}
    assert seen == set(board.covered) - mined
    assert SubsetStrategy(Rng(0)).choose(board).risk is None


def test_where_flags_win_and_where_they_are_in_the_way() -> None:
    assert SubsetStrategy(Rng(0)).choose(_board("F2#/231", 2, "jminesweeper")).move == Move.flag(2)
    assert SubsetStrategy(Rng(0)).choose(_board("121/#F#", 2)).move == Move.unflag(4)


def test_a_board_that_contradicts_itself() -> None:
    board = _board("131/###", 2)
    assert not Pairs(board).is_consistent
    assert find_certain(board) is None
    assert SubsetStrategy(Rng(0)).choose(board).move.action is Action.REVEAL


@given(st.integers(0, 1 << 32), st.booleans())
def test_what_it_proves_is_so(seed: int, torus: bool) -> None:
    for board in (board_of_seed(seed), middle_game(seed, torus=torus)):
        analysis = analyse(board)
        pairs = Pairs(board)
        assert pairs.is_consistent
        assert set(pairs.safe) <= set(analysis.safe)
        assert pairs.mined <= set(analysis.mined)
        safe, mines = by_single_clues(board)
        assert safe.keys() <= pairs.safe.keys()
        assert mines.keys() <= pairs.mined


@given(st.integers(0, 1 << 32))
def test_revealing_more_hides_no_conclusion(seed: int) -> None:
    """Kernels count on it: they keep what they have proven."""
    game = Game(rules=RULES["modern"], source=UniformSource(Grid(8, 8), 12, seed))
    rng = Rng(seed)
    safe: set[int] = set()
    mined: set[int] = set()
    while not game.status.ended:
        pairs = Pairs(game.board)
        covered = set(game.board.covered)
        assert safe & covered <= set(pairs.safe)
        assert mined <= pairs.mined
        safe, mined = set(pairs.safe), set(pairs.mined)
        game.reveal(rng.choice(sorted(covered - mined)))


def test_it_is_stronger_than_single_clues_and_weaker_than_all() -> None:
    counts = [0, 0, 0]
    for seed in range(60):
        board = middle_game(seed)
        counts[0] += len(by_single_clues(board)[0])
        counts[1] += len(Pairs(board).safe)
        counts[2] += len(analyse(board).safe)
    assert counts[0] < counts[1] < counts[2]
