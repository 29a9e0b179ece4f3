"""The checker accepts what follows, and nothing else."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.notation import read_board
from sapper.errors import TooHardError
from sapper.solver.analysis import analyse
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.step import Step, Technique
from tests.census import layouts_of
from tests.proof_checking import check_proof
from tests.solver_boards import board_of_seed

LINE = read_board("121\n###", mine_count=2)


def _step(board: Board, clues: str = "", *, safe: str = "", mined: str = "", **more: object) -> Step:
    """A step whose cells are written as digits."""

    def cells(text: str) -> CellSet:
        return CellSet.of(int(digit) for digit in text)

    step = Step(
        board=board,
        technique=Technique.CASES,
        clues=tuple(Cell(int(digit)) for digit in clues),
        safe=cells(safe),
        mined=cells(mined),
    )
    return replace(step, **more)  # type: ignore[arg-type]  # by name


@pytest.mark.parametrize(
    ("clues", "safe", "mined", "holds"),
    [
        ("012", "4", "35", True),
        ("01", "", "5", True),  # a 1-2 is enough for one side
        ("01", "4", "5", False),
        ("012", "3", "", False),
        ("012", "", "4", False),
        ("012", "45", "3", False),
        ("1", "4", "", False),
        ("", "4", "", False),  # no reason at all
        ("012", "", "", False),  # no conclusion
        ("014", "4", "", False),  # a clue that is none
        ("012", "0", "", False),  # a cell that is not covered
        ("012", "4", "4", False),  # both
    ],
)
def test_conclusions(clues: str, safe: str, mined: str, holds: bool) -> None:
    assert check_step(LINE, _step(LINE, clues, safe=safe, mined=mined)) is holds


@pytest.mark.parametrize(
    ("text", "mines", "clues", "safe", "mined", "mine_count", "holds"),
    [
        ("#1#!#", 1, "1", "4", "", True, True),
        ("#1#!#", 1, "1", "4", "", False, False),
        ("#1#!#", 2, "1", "", "4", True, True),
        ("#1#!#", 2, "1", "4", "", True, False),
        ("#1#!##", 2, "1", "", "4", True, False),
        ("#1#!##", 2, "1", "4", "", True, False),
        ("###", 0, "", "012", "", True, True),
        ("###", 3, "", "", "012", True, True),
        ("3##", 2, "0", "", "1", False, False),  # no layout fits: nothing is to be shown
    ],
)
def test_the_mine_count(
    text: str, mines: int, clues: str, safe: str, mined: str, mine_count: bool, holds: bool
) -> None:
    board = read_board(text, mine_count=mines)
    assert check_step(board, _step(board, clues, safe=safe, mined=mined, mine_count=mine_count)) is holds


def _variations(board: Board, step: Step) -> Iterator[Step]:
    """The step with one more cell concluded, or the opposite, or a clue less."""
    for cell in board.covered:
        yield replace(step, safe=step.safe | CellSet.of([cell]), mined=step.mined - CellSet.of([cell]))
        yield replace(step, mined=step.mined | CellSet.of([cell]), safe=step.safe - CellSet.of([cell]))
    for clue in step.clues:
        yield replace(step, clues=tuple(other for other in step.clues if other != clue))


@given(st.integers(0, 2**32))
def test_it_is_brute_force(seed: int) -> None:
    """Of changed steps too it says the same as going through all layouts of the cells that they are about."""
    board = board_of_seed(seed, most=9)
    for step in all_steps(board):
        for changed in (step, *_variations(board, step)):
            if changed.technique is not Technique.GUESS:
                assert check_step(board, changed) is _follows(board, changed)


def _follows(board: Board, step: Step) -> bool:
    tiles = bytes(
        12 if cell in step.known_mines else 14 if cell in step.known_safe else tile
        for cell, tile in enumerate(board.tiles)
    )
    layouts = layouts_of(tiles, board.grid, board.mine_count if step.mine_count else None, clues=step.clues)
    hidden = {cell for cell, tile in enumerate(tiles) if tile in (9, 10, 11)}
    return bool(layouts) and step.safe | step.mined <= hidden and all(
        step.mined <= layout and not step.safe & layout for layout in layouts
    )  # fmt: skip


def test_a_proof_counts_on_nothing_that_was_not_shown() -> None:
    board = read_board("#2#1#", mine_count=2)
    steps = all_steps(board)
    assert check_proof(board, steps) is None
    later = [step for step in steps if step.known_mines]
    assert later
    assert check_proof(board, later) == later[0]
    assert check_proof(board, [replace(steps[0], mined=CellSet.of([4]))]) is not None


def test_trusted_flags_are_shown_from_the_beginning() -> None:
    board = read_board("1F!\n##!\n!!#", mine_count=2)
    steps = all_steps(board, trust_flags=True)
    assert check_proof(board, steps, trust_flags=True) is None
    assert check_proof(board, steps) == steps[0]


def test_too_much_work_is_said() -> None:
    board = read_board("#1##1##1##1#\n############", mine_count=4)
    analysis = analyse(board)
    step = _step(board, "147", safe="0")
    assert not analysis.safe
    with pytest.raises(TooHardError, match="more than 2 trials"):
        check_step(board, step, cap=2)
