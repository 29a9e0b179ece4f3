"""All that can be concluded from a board, step by step, the cheapest step first.

Complete: every cell that the exact analysis knows to be safe or a mine is concluded by some step.
Sound: no other is. Where no cell is safe the last step is the guess that wins most.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import DEFAULT_CAP, Analysis, PartialAnalysis, analyse_what_can_be
from sapper.solver.deduce.cases import by_all_layouts, by_cases, by_clues, clues_about
from sapper.solver.deduce.clues import by_mine_count, by_one_clue, by_overlap
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.win import win_chance_of


def all_steps(
    board: Board,
    *,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    up_to: Technique = Technique.GUESS,
    advisor: Advisor | None = None,
) -> tuple[Step, ...]:
    """Every step, each with what the earlier ones have concluded, until nothing new follows.

    Only techniques `up_to` one are used; below `MINE_COUNT` the board is not analysed at all. Above, a
    board that takes more than `cap` states gets the steps that can be had without its analysis. A guess is the one that
    `advisor` would make; without one, the guess that `win_chance` ranks first.

    Raises:
        ContradictionError: no layout fits the board.

    """
    return tuple(iterate_steps(board, trust_flags=trust_flags, cap=cap, up_to=up_to, advisor=advisor))


def iterate_steps(
    board: Board,
    *,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    up_to: Technique = Technique.GUESS,
    advisor: Advisor | None = None,
) -> Iterator[Step]:
    """The same, one after the other as they are asked for; before a protected first reveal that is all there is to say."""
    check_type("up_to", up_to, Technique)
    analysis = analyse_what_can_be(board, trust_flags=trust_flags, cap=cap) if up_to >= Technique.MINE_COUNT else None
    if board.status.ended:  # after the analysis: a board that cannot be is one when its game is over, too
        return
    protected = board.protected
    if protected:
        first = board.first_cell
        yield Step(
            board=board, technique=Technique.START, safe=CellSet.of([] if first is None else [first]), best=first
        )
        return
    if up_to < Technique.ONE_CLUE:
        return
    known = Knowledge(board, trust_flags=trust_flags)
    while (step := cheapest(known, analysis, up_to)) is not None:
        known.learn(step)
        yield step
    if up_to is Technique.GUESS and not known.safe and known.unknown:
        yield _guess(known, analysis, advisor)


def next_safe(board: Board, *, trust_flags: bool = False, cap: int = DEFAULT_CAP) -> tuple[Step, ...]:
    """The way to the first safe cell: the step that shows it, after those it builds on.

    Empty if no cell is certain to be safe: who reveals `steps[-1].safe` as long as there are steps stops where a guess is
    needed (`next_step` says which one), or the game has ended. Errors as in `all_steps`.
    """
    steps = next_step(board, trust_flags=trust_flags, cap=cap, up_to=Technique.CASES)
    return steps if steps and steps[-1].safe else ()


def next_step(
    board: Board,
    *,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    up_to: Technique = Technique.GUESS,
    advisor: Advisor | None = None,
) -> tuple[Step, ...]:
    """What to do next: the way to the first safe cell as `next_safe` gives it, or where there is none the guess alone.

    Empty if there is nothing to be told. Arguments and errors as in `all_steps`.
    """
    before: list[Step] = []
    for step in iterate_steps(board, trust_flags=trust_flags, cap=cap, up_to=up_to, advisor=advisor):
        if step.technique is Technique.GUESS:
            return (step,)
        before.append(step)
        if step.safe:
            return needed_for(before)
    return ()


_EFFORT: Final = {
    Technique.START: 0,
    Technique.ONE_CLUE: 1,
    Technique.OVERLAP: 2,
    Technique.PATTERN: 2,
    Technique.MINE_COUNT: 6,
    Technique.CASES: 4,
}
"""How hard a step is to follow, beside the next. Of cases each clue that has to be looked at counts, too."""
_EFFORT_OF_A_CLUE: Final = 2
_EFFORT_OF_ALL: Final = 20
"""From here on it is less to be told that all layouts of the board agree."""
_SHORT: Final = 2
"""Steps that are few enough: no shorter proof is looked for."""
_TRIED: Final = 8
"""Cells that a shorter proof is looked for of."""


def cheapest_proof(board: Board, cells: CellSet, *, near: Collection[int], cap: int = DEFAULT_CAP) -> tuple[Step, ...]:
    """The proof of what one of these cells is that takes least to follow: the steps that its last one builds on, and that one.

    Of several that take as much it is about the cell that is closest to those of `near`. Empty if nothing follows about any of
    them. Errors as in `all_steps`.
    """
    found: list[tuple[tuple[int, int], tuple[Step, ...]]] = []
    easiest = Technique.GUESS
    before: list[Step] = []
    for step in iterate_steps(board, cap=cap, up_to=Technique.CASES):
        if step.technique > easiest:
            break  # what is still to come builds on this, or is harder
        before.append(step)
        settled = (step.safe | step.mined) & cells
        if settled:
            proof = needed_for(before)
            easiest = min(easiest, max(one.technique for one in proof))
            found.append(((_effort(proof), min(distance(board, one, near) for one in settled)), proof))
    if found and len(min(found, key=lambda one: one[0])[1]) > _SHORT:
        for cell in sorted(cells, key=lambda one: (distance(board, one, near), one))[:_TRIED]:
            proof = _proof_by_few_clues(board, cell)
            if proof:
                found.append(((_effort(proof), distance(board, cell, near)), proof))
    if found and min(found, key=lambda one: one[0])[0][0] > _EFFORT_OF_ALL:
        # As where the number of mines decides: every mine that can be known is part of the proof.
        cell = min(cells, key=lambda one: (distance(board, one, near), one))
        whole = analyse_what_can_be(board, cap=cap)
        step_of_all = (
            by_all_layouts(
                Knowledge(board), whole.safe & CellSet.of([cell]), whole.mined & CellSet.of([cell]), whole.census
            )
            if isinstance(whole, Analysis)
            else None
        )
        if step_of_all is not None:
            return (step_of_all,)
    return min(found, key=lambda one: one[0], default=((0, 0), ()))[1]


def _effort(proof: Iterable[Step]) -> int:
    return sum(
        _EFFORT[step.technique] + (step.technique is Technique.CASES) * _EFFORT_OF_A_CLUE * len(step.clues)
        for step in proof
    )


def _proof_by_few_clues(board: Board, cell: int) -> tuple[Step, ...]:
    """A proof of what a cell is from as few clues beside it as settle it; empty if it takes too many."""
    known = Knowledge(board)
    clues = clues_about(known, cell)
    if not clues:
        return ()
    few = Knowledge(board, clues=clues)
    steps: list[Step] = []
    while (step := cheapest(few, None, Technique.PATTERN)) is not None:
        few.learn(step)
        steps.append(step)
        if cell in step.safe or cell in step.mined:
            return needed_for(steps)
    whole = by_clues(known, clues)
    return () if whole is None else (whole,)


def distance(board: Board, cell: int, cells: Iterable[int]) -> int:
    """How many steps a king needs from a cell to the nearest of some others; edges that wrap are not crossed."""
    x, y = board.grid.xy(cell)
    places = (board.grid.xy(other) for other in cells)
    return min((max(abs(x - column), abs(y - row)) for column, row in places), default=0)


def needed_for(steps: Iterable[Step]) -> tuple[Step, ...]:
    """Of some steps in order those that the last one builds on, and the last one."""
    kept: list[Step] = []
    wanted = CellSet()
    for step in reversed(list(steps)):
        if not kept or step.safe & wanted or step.mined & wanted:
            kept.append(step)
            wanted |= step.known_safe | step.known_mines
    return tuple(reversed(kept))


def hardest(steps: Iterable[Step]) -> Technique | None:
    return max((step.technique for step in steps), default=None)


def cheapest(known: Knowledge, analysis: Analysis | PartialAnalysis | None, up_to: Technique) -> Step | None:
    """The next step from what is known; None if nothing new follows. From `MINE_COUNT` on it needs the analysis."""
    step = by_one_clue(known)
    if step is None and up_to >= Technique.OVERLAP:
        step = by_overlap(known)
    if step is not None or up_to < Technique.MINE_COUNT:
        return step
    assert analysis is not None
    return cheapest_of_board(known, analysis, up_to)


def cheapest_of_board(known: Knowledge, analysis: Analysis | PartialAnalysis, up_to: Technique) -> Step | None:
    """The same where single clues and pairs say nothing more."""
    whole = analysis if isinstance(analysis, Analysis) else None
    step = by_mine_count(known, whole)
    if step is None and up_to >= Technique.CASES:
        step = by_cases(known, analysis.groups, analysis.components)
        if step is None and whole:
            step = by_all_layouts(known, whole.safe, whole.mined, whole.census)
    return step


def _guess(known: Knowledge, analysis: Analysis | PartialAnalysis | None, advisor: Advisor | None) -> Step:
    """The guess that wins most, or that the advisor would make; where the chance to win is not defined, the one that risks least."""
    board = known.board
    if not isinstance(analysis, Analysis):
        return Step(board=board, technique=Technique.GUESS, best=board.grid.check(min(known.unknown)))
    chance = win_chance_of(analysis, parts=(advisor or Advisor()).parts)
    if chance.best is None:
        return Step(board=board, technique=Technique.GUESS, best=analysis.least_risky, risk=analysis.least_risk)
    return Step(board=board, technique=Technique.GUESS, best=chance.best.cell, risk=chance.best.risk, chance=chance)
