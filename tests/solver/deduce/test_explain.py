"""Steps are sound, complete, in order of cost, and their proofs hold; on boards of all kinds."""

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.errors import ContradictionError
from sapper.generator.new_game import new_game
from sapper.solver.analysis import PartialAnalysis, analyse, analyse_what_can_be
from sapper.solver.deduce.explain import all_steps, cheapest_proof, hardest, needed_for, next_safe, next_step
from sapper.solver.deduce.step import Step, Technique
from tests.census import positions, some_board
from tests.proof_checking import check_proof
from tests.solver_boards import board_at, board_of, middle_game


def check(board: Board, *, trust_flags: bool = False) -> tuple[Step, ...]:
    """The steps of a board, after everything that is promised about them has been looked at."""
    steps = all_steps(board, trust_flags=trust_flags)
    analysis = analyse(board, trust_flags=trust_flags)
    safe = mined = CellSet()
    for step in steps:
        assert not (step.safe | step.mined) & (safe | mined)  # each tells something new
        assert bool(step.safe or step.mined) is not (step.technique is Technique.GUESS)
        for cell in step.safe | step.mined | CellSet.of(step.clues):
            if not step.mine_count and step.technique is not Technique.CASES and len(step.safe | step.mined) < 12:
                assert cell_name(board.grid, cell) in step.sentence
        safe |= step.safe
        mined |= step.mined
    given_mines = CellSet.of(c for c, t in enumerate(board.tiles) if trust_flags and t == 10)
    assert (safe, mined | given_mines) == (analysis.safe, analysis.mined)
    assert check_proof(board, steps, trust_flags=trust_flags) is None
    guess = steps and steps[-1].technique is Technique.GUESS
    if analysis.safe or not analysis.groups:
        assert not guess
    elif any(group.numerator < analysis.census for group in analysis.groups):
        best, risk, chance = steps[-1].best, steps[-1].risk, steps[-1].chance
        assert best is not None
        assert chance is not None
        assert chance.best is not None
        assert (best, risk) == (chance.best.cell, analysis.risk(best))
    return steps


@pytest.mark.parametrize("file", ["expert-stuck", "intermediate", "hard-30x24-158"])
def test_census_boards(file: str) -> None:
    for position in positions(file)[:40]:
        check(board_at(position))


@given(st.integers(0, 2**32), st.booleans())
def test_tiny_boards(seed: int, trust_flags: bool) -> None:
    tiles, grid, mines = some_board(seed)
    board = board_of(tiles, grid, mines)
    try:
        analyse(board, trust_flags=trust_flags)
    except ContradictionError:  # flags that are wrong
        with pytest.raises(ContradictionError):
            all_steps(board, trust_flags=trust_flags)
    else:
        check(board, trust_flags=trust_flags)


@given(st.integers(0, 2**32), st.booleans())
def test_middle_games(seed: int, torus: bool) -> None:
    check(middle_game(seed, torus=torus))


@given(st.integers(0, 2**32), st.sampled_from(list(Technique)))
def test_fewer_techniques_are_a_beginning_of_all(seed: int, up_to: Technique) -> None:
    board = middle_game(seed)
    every = {cell for step in all_steps(board) for cell in step.safe | step.mined}
    steps = all_steps(board, up_to=up_to)
    assert all(
        step.technique <= max(up_to, Technique.PATTERN if up_to >= Technique.OVERLAP else up_to) for step in steps
    )
    assert {cell for step in steps for cell in step.safe | step.mined} <= every
    if up_to is Technique.GUESS:
        assert steps == all_steps(board)


@given(st.integers(0, 2**32))
def test_the_way_to_a_safe_cell_is_a_proof_without_detours(seed: int) -> None:
    board = middle_game(seed)
    steps = next_safe(board)
    assert steps  # it is not won
    assert check_proof(board, steps) is None
    if analyse(board).safe:
        assert steps[-1].safe
        assert not any(step.safe for step in steps[:-1])
        for left_out in range(len(steps) - 1):  # each is needed
            rest = [step for number, step in enumerate(steps) if number != left_out]
            assert check_proof(board, rest) is not None
    else:
        assert [step.technique for step in steps] == [Technique.GUESS]


@given(st.integers(0, 2**32), st.integers(0, 2**16))
def test_the_cheapest_proof_of_some_cells(seed: int, at: int) -> None:
    """It holds by itself, and is about a cell that was asked for."""
    board = middle_game(seed)
    analysis = analyse(board)
    near = [at % board.grid.size]
    for cells in (analysis.safe, analysis.mined):
        proof = cheapest_proof(board, cells, near=near)
        assert bool(proof) is bool(cells)
        if proof:
            assert check_proof(board, proof) is None
            assert (proof[-1].safe | proof[-1].mined) & cells
    settled = analysis.safe | analysis.mined
    for cell in list(settled)[:3]:
        proof = cheapest_proof(board, CellSet.of([cell]), near=near)
        assert cell in proof[-1].safe | proof[-1].mined
        assert check_proof(board, proof) is None


def test_a_proof_is_about_the_cell_that_is_near() -> None:
    """Both ends of this row are as easily told."""
    board = read_board("12x2/2\n#1.......1##\n11.......111")
    for near, wanted in ((0, 0), (11, 10)):
        (step,) = cheapest_proof(board, CellSet.of([0, 10]), near=[near])
        assert wanted in step.mined | step.safe


def test_cheap_steps_come_first() -> None:
    board = read_board("1#1.\n#11.\n....", mine_count=1)
    # Told from its second row alone, the first step needs one clue and not the pattern beside it.
    steps = all_steps(board)
    assert [step.technique for step in steps] == sorted(step.technique for step in steps)
    assert steps[0].technique is Technique.ONE_CLUE


def test_an_ended_game_has_no_steps() -> None:
    for text, mines in (("1#", 1), ("X#", 1), ("..", 0)):
        board = read_board(text, mine_count=mines)
        assert board.status.ended
        assert all_steps(board) == next_safe(board) == ()


def test_a_fresh_board_is_a_guess() -> None:
    least = "nothing is revealed that could make a cell safe; the least risk is 20.0 % at a1, and "
    for size in (10, 5):
        (step,) = all_steps(Board.new(Grid(size, size), RULES["engine"], size * size // 5))
        assert (step.technique, step.best, step.risk) == (Technique.GUESS, 0, 0.2)
        assert step.sentence.startswith(f"{least}you win about ")


def test_a_contradictory_board_is_refused_at_once() -> None:
    with pytest.raises(ContradictionError, match="3 at b1"):
        all_steps(read_board("131\n###", mine_count=2))
    with pytest.raises(ContradictionError, match=r"the clue at [a-c]1"):
        all_steps(read_board("131\n###", mine_count=2), up_to=Technique.ONE_CLUE)


def test_a_board_too_hard_still_gets_steps() -> None:
    position = next(one for one in positions("expert-stuck") if not one.safe)
    board = board_at(position)
    assert isinstance(analyse_what_can_be(board, cap=2), PartialAnalysis)
    steps = all_steps(board, cap=2)
    assert len(steps) > 10
    assert check_proof(board, steps) is None
    assert steps[-1].technique is Technique.GUESS
    assert steps[-1].risk is None
    assert "not known" in steps[-1].sentence


def test_what_is_needed_of_some_steps() -> None:
    board = read_board("#1.1#\n11.11\n!....\n11.11\n#1.1#", mine_count=4)
    steps = all_steps(board)
    assert len(steps) == 4
    assert needed_for(steps[:1]) == steps[:1]
    assert needed_for(steps) == steps[-1:]  # the corners have nothing to do with each other
    assert needed_for(()) == ()
    assert hardest(steps) is Technique.ONE_CLUE
    assert hardest(()) is None


def test_a_protected_first_reveal_is_the_only_step() -> None:
    board = Board.new(Grid(9, 9), RULES["modern"], 10)
    (step,) = next_safe(board)
    assert all_steps(board) == (step,)
    assert (step.technique, step.best, step.safe) == (Technique.START, 20, CellSet.of([20]))
    assert step.sentence == "the first reveal is never a mine, wherever it is: begin at c3"
    assert check_proof(board, [step]) is None
    assert check_proof(replace(board, rules=RULES["engine"]), [step]) == step
    named = replace(board, safe_first=CellSet.of([30]))
    (step,) = next_safe(named)
    assert (step.best, step.safe) == (30, CellSet.of([30]))
    assert step.sentence == "the game begins at d4, which is not a mine"


def test_whoever_opens_all_that_is_safe_comes_to_an_end() -> None:
    """`next_safe` ends where a guess is needed; `next_step` names it."""
    ended = Counter[Status]()
    for seed in range(12):
        game = new_game("intermediate", seed=seed)
        while steps := next_safe(game.board):
            assert steps[-1].safe
            for cell in steps[-1].safe:
                if game.is_legal(Move.reveal(cell)):
                    game.reveal(cell)
            assert game.status is not Status.LOST
        ended[game.status] += 1
        if not game.status.ended:
            (guess,) = next_step(game.board)
            assert guess.technique is Technique.GUESS
            assert guess.best is not None
        else:
            assert next_step(game.board) == ()
    assert ended[Status.WON]
    assert ended[Status.PLAYING]
