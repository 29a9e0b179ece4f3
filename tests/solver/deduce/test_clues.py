"""Steps from one clue, two clues, and patterns with a name."""

from collections.abc import Iterable

import pytest

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.notation import read_board, read_tiles
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.step import Technique

Places = set[tuple[int, int]]


def places(board: Board, cells: Iterable[int]) -> Places:
    return {board.grid.xy(cell) for cell in cells}


# Rows, mines, technique, pattern, clues, mines found, safe cells found. `!` says nothing and hides nothing.
STEPS = [
    ("#2#\n!!!", 2, Technique.ONE_CLUE, None, [(1, 0)], {(0, 0), (2, 0)}, set()),
    (".#!#", 1, Technique.ONE_CLUE, None, [(0, 0)], set(), {(1, 0)}),
    ("1#!\n*#!\n!!#", 2, Technique.ONE_CLUE, None, [(0, 0)], set(), {(1, 0), (1, 1)}),
    ("11!\n###\n!!!", 1, Technique.OVERLAP, "1-1", [(1, 0), (0, 0)], set(), {(2, 1)}),
    ("!12!\n####", 2, Technique.OVERLAP, "1-2", [(1, 0), (2, 0)], {(3, 1)}, {(0, 1)}),
    ("!#1\n#1#", 1, Technique.OVERLAP, "hole", [(1, 1), (2, 0)], set(), {(0, 1)}),
    # Mines that are known are taken off: a 2 beside one is a 1.
    ("12*\n###\n!!!", 2, Technique.OVERLAP, "1-1", [(1, 0), (0, 0)], set(), {(2, 1)}),
    ("121\n###", 2, Technique.PATTERN, "1-2-1", [(0, 0), (1, 0), (2, 0)], {(0, 1), (2, 1)}, {(1, 1)}),
    ("!1#\n!2#\n!1#\n!!#", 2, Technique.PATTERN, "1-2-1", [(1, 0), (1, 1), (1, 2)], {(2, 0), (2, 2)}, {(2, 1), (2, 3)}),
    ("1221\n####", 2, Technique.PATTERN, "1-2-2-1", [(0, 0), (1, 0), (2, 0), (3, 0)], {(1, 1), (2, 1)}, {(0, 1), (3, 1)}),
    # 2-3-2 with a mine above them is a 1-2-1.
    ("!*!\n232\n###", 3, Technique.PATTERN, "1-2-1", [(0, 1), (1, 1), (2, 1)], {(0, 2), (2, 2)}, {(1, 2)}),
]  # fmt: skip


@pytest.mark.parametrize("row", STEPS, ids=lambda row: repr(row[0]))
def test_the_first_step(row: tuple[str, int, Technique, str | None, list[tuple[int, int]], Places, Places]) -> None:
    text, mines, technique, pattern, clues, mined, safe = row
    board = read_board(text, mine_count=mines)
    step = all_steps(board, up_to=Technique.PATTERN)[0]
    assert (step.technique, step.pattern) == (technique, pattern)
    assert [board.grid.xy(clue) for clue in step.clues] == clues
    assert (places(board, step.mined), places(board, step.safe)) == (mined, safe)
    assert check_step(board, step)


def test_overlap_without_a_name() -> None:
    """A 3 beside a 1: the two cells that the 1 does not touch are mines, those that it alone touches are safe."""
    board = read_board("##!\n!3#\n!1#\n#!!\n", mine_count=3)
    (step, *_) = all_steps(board, up_to=Technique.OVERLAP)
    assert (step.technique, step.pattern) == (Technique.OVERLAP, None)
    assert (places(board, step.mined), places(board, step.safe)) == ({(0, 0), (1, 0)}, {(0, 3)})
    assert check_step(board, step)


@pytest.mark.parametrize(
    "text",
    [
        "!12!\n####",  # nothing beyond the 2
        "!122!\n#####",  # a 2 that is the last
        "!12!1\n#####",  # a gap
        "!#!!!\n!121!\n!###!",  # a 1 at the other end that misses two cells of the 2
    ],
)
def test_a_line_must_be_whole(text: str) -> None:
    board = read_board(text, mine_count=2)
    step = all_steps(board, up_to=Technique.OVERLAP)[0]
    assert (step.technique, step.pattern) == (Technique.OVERLAP, "1-2")
    assert check_step(board, step)


def test_patterns_across_the_seam_of_a_torus() -> None:
    rows = ["1!!12", "#!!##", "!!!!!", "!!!!!"]
    grid = Grid(5, 4, TORUS)
    board = Board(
        grid=grid, rules=RULES["modern"], mine_count=2, tiles=read_tiles("".join(rows)), status=Status.PLAYING
    )
    step = all_steps(board)[0]
    assert (step.technique, step.pattern) == (Technique.PATTERN, "1-2-1")
    assert {board.grid.xy(clue) for clue in step.clues} == {(3, 0), (4, 0), (0, 0)}
    assert places(board, step.mined) == {(3, 1), (0, 1)}
    assert places(board, step.safe) == {(4, 1)}
