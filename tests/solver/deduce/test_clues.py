"""Steps from one clue, two clues, and patterns with a name."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.grid import TORUS, Grid
from sapper.core.notation import read_board, read_tiles
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.solver.analysis import analyse
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.clues import by_mine_count, by_one_clue
from sapper.solver.deduce.explain import all_steps
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Technique
from tests.solver_boards import board_of_seed

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


@pytest.mark.parametrize(
    ("text", "mines", "bound", "mined", "safe", "sentence"),
    [
        ("##\n##", 0, "fewest", set(), {(0, 0), (1, 0), (0, 1), (1, 1)}, "no mine is left: "),
        ("#!\n!#", 2, "most", {(0, 0), (1, 1)}, set(), "2 mines are left, and as many covered cells: "),
        ("*#", 1, "fewest", set(), {(1, 0)}, "no mine is left: b1 is safe"),
        ("#1#!#", 1, "fewest", set(), {(4, 0)}, "1 mine is left, and b1 needs it: e1 is safe"),
        ("#1#!#1#!#", 2, "fewest", set(), {(8, 0)}, "2 mines are left, and b1 and f1 need all of them: "),
        (
            "#1#!#", 2, "most", {(4, 0)}, set(),
            "2 mines are left, at most 1 of them around b1, and only 1 covered cell is elsewhere: e1 is a mine",
        ),
        # The fewest mines are those that serve two clues at once; clues that share no cell do not show that.
        ("2#21\n####", 3, "fewest", {(0, 1)}, set(), "3 mines are left, the fewest that a1, c1 and d1 allow: "),
        ("#####\n#1#1#\n#####", 2, "most", set(), {(2, 0), (2, 1), (2, 2)}, "2 mines are left, the most that b2 and d2 "),
    ],
)  # fmt: skip
def test_a_step(text: str, mines: int, bound: str, mined: Places, safe: Places, sentence: str) -> None:
    board = replace(read_board(text, mine_count=mines), status=Status.PLAYING)
    (step, *_) = [step for step in all_steps(board) if step.technique is Technique.MINE_COUNT]
    assert (step.bound, step.mine_count) == (bound, True)
    assert {board.grid.xy(cell) for cell in step.mined} == mined
    assert {board.grid.xy(cell) for cell in step.safe} == safe
    assert step.sentence.startswith(sentence)
    assert check_step(board, step)


def test_it_has_nothing_to_say_of_a_board_without_unknown_cells() -> None:
    board = read_board("1*", mine_count=1)
    assert by_mine_count(Knowledge(board), None) is None


@given(st.integers(0, 2**32))
def test_it_agrees_with_the_analysis(seed: int) -> None:
    """Right after what single clues say, which it counts on."""
    board = board_of_seed(seed)
    analysis = analyse(board)
    for given_analysis in (None, analysis):
        known = Knowledge(board)
        while (single := by_one_clue(known)) is not None:
            known.learn(single)
        step = by_mine_count(known, given_analysis)
        if step is not None:
            assert step.safe <= analysis.safe
            assert step.mined <= analysis.mined
            assert check_step(board, step)
