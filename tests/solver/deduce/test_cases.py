"""Steps by case distinction: few clues, the right number of layouts, the whole component if it must be."""

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.notation import read_board
from sapper.solver.analysis import analyse
from sapper.solver.deduce import cases
from sapper.solver.deduce.cases import by_all_layouts, by_cases
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique
from tests.census import layouts_of, positions
from tests.solver_boards import board_at, board_of_seed


def _cases_of(board: Board) -> list[Step]:
    return [step for step in all_steps(board) if step.technique is Technique.CASES]


def test_a_few_clues_suffice() -> None:
    board = read_board("##1#\n23##\n#2##", mine_count=4)
    (step,) = _cases_of(board)
    assert step.sentence == "in each of the 4 ways to lay the mines of a2, b2 and b3, a3 is a mine"
    assert step.layouts == 4
    assert check_step(board, step)


def test_all_layouts_of_the_board() -> None:
    board = read_board("#1#\n##2\n2##\n###", mine_count=3)
    step = _cases_of(board)[-1]
    assert step.mine_count
    assert step.sentence == f"all {analyse(board).census} layouts with 3 mines that fit the board agree: a1 is safe"
    assert check_step(board, step)


@given(st.integers(0, 2**32))
def test_the_layouts_are_those_of_the_clues(seed: int) -> None:
    """Brute force over the cells of the clues that a step names, what it takes as known being known."""
    board = board_of_seed(seed)
    for step in _cases_of(board):
        tiles = bytes(
            12 if cell in step.known_mines else 14 if cell in step.known_safe else tile
            for cell, tile in enumerate(board.tiles)
        )
        near = {cell for clue in step.clues for cell in board.grid.neighbours(clue)}
        if not step.mine_count:  # cells that none of the clues touches do not count
            tiles = bytes(14 if tile in (9, 10, 11) and cell not in near else tile for cell, tile in enumerate(tiles))
        layouts = layouts_of(tiles, board.grid, board.mine_count if step.mine_count else None, clues=step.clues)
        assert step.layouts == len(layouts)
        assert all(step.mined <= layout and not step.safe & layout for layout in layouts)


@given(st.integers(0, 2**32))
def test_no_clue_is_superfluous(seed: int) -> None:
    board = board_of_seed(seed)
    for step in _cases_of(board):
        if step.mine_count:
            continue
        for left_out in step.clues:
            fewer = [clue for clue in step.clues if clue != left_out]
            known = Knowledge(board)
            known.learn(known.step(Technique.CASES, (), safe=step.known_safe, mined=step.known_mines))
            found = cases._forced(known, fewer)
            assert found is not None
            assert not found.safe
            assert not found.mined


def test_what_no_few_clues_settle_is_settled_by_the_component(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where counting a handful of clues is too much, the analysis has the answer."""
    monkeypatch.setattr(cases, "_LOCAL_CAP", 1)
    tried = 0
    for position in positions("expert-stuck")[:60]:
        board = board_at(position)
        analysis = analyse(board)
        known = Knowledge(board)
        step = by_cases(known, analysis.groups, analysis.components)
        if step is not None and len(step.clues) > 4:
            assert step.clues in [component.clues for component in analysis.components]
            assert step.safe <= analysis.safe
            assert step.mined <= analysis.mined
            assert step.layouts is not None
            assert step.layouts > 1
            tried += 1
    assert tried > 5


def test_nothing_to_say() -> None:
    board = read_board("#1#", mine_count=1)
    analysis = analyse(board)
    known = Knowledge(board)
    assert by_cases(known, analysis.groups, analysis.components) is None
    assert by_all_layouts(known, analysis.safe, analysis.mined, analysis.census) is None
