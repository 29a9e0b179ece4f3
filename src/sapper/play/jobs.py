"""What takes thought in a played game: plain functions of values that can be sent to another process.

Each is capped, so that it ends within a second or two on boards that people play.
"""

from typing import Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Action, Move
from sapper.core.update import Update
from sapper.errors import ContradictionError, RequestError, SapperError, TooHardError
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.search_values import Budget
from sapper.metrics.game import guess_of
from sapper.session.clock import system_clock
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, analyse, analyse_what_can_be
from sapper.solver.deduce.explain import next_step
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.win import win_chance_of

CAP: Final = 200_000
"""States that one analysis may take."""
SEARCH_TIME: Final = 4_000
"""Milliseconds that a layout is looked for."""
LAYOUTS: Final = 1_000
NODES: Final = 2_000
"""Layouts and positions that the chance to win may take where chances are shown after every move: some milliseconds."""


class FoundHint(NamedTuple):
    """The next step and the steps that it builds on."""

    steps: tuple[Step, ...]
    """The last is the hint itself."""
    may_guess: bool | None
    """True if nothing is certain to be safe; None if that is too hard to say."""

    @property
    def cells(self) -> CellSet:
        """Those that the hint is about."""
        return self.steps[-1].cells if self.steps else CellSet()


class FoundChances(NamedTuple):
    """Chances of a mine, and the chance to win with its bounds; what is not known is None."""

    risks: dict[Cell, float] | None
    """Of all covered cells; None where the board is too hard."""
    win: float | None = None
    win_low: float | None = None
    win_high: float | None = None
    is_exact: bool = False
    """True if `win` is exact."""
    reason: str | None = None
    """Why the chance to win is not known."""


class LastMoveVerdict(NamedTuple):
    """A move that ended a game, judged by the board before it."""

    safe: CellSet
    """Cells that were certain to be safe."""
    mined: CellSet
    """Cells that were certain to be mines."""
    risk: float | None
    """The move's chance to have met a mine; None if it took none, or that is not known."""
    least: float | None
    """The least chance of any cell."""
    forced: bool | None
    """True if nothing was certain to be safe."""
    is_protected: bool = False
    """True of a first reveal that the start rule protected: no cell had to be known, and none was a risk."""


def hint(board: Board, advisor: Advisor | None = None) -> FoundHint:
    """The steps to the next safe cell, and whether a guess is all that is left: the one that `advisor` would make."""
    steps = next_step(board, cap=CAP, advisor=advisor)
    last = steps[-1] if steps else None
    if last is None or last.technique is not Technique.GUESS:
        return FoundHint(steps, False)
    return FoundHint(steps, None if last.risk is None else True)


def may_guess(board: Board) -> bool | None:
    """True if nothing is certain to be safe; None if that is too hard to say."""
    found = analyse_what_can_be(board, cap=CAP)
    if isinstance(found, Analysis):
        return found.may_guess
    return False if found.safe else None


def chances(board: Board, advisor: Advisor) -> FoundChances:
    """The chance of every covered cell to be a mine, and the chance to win, as `advisor` sees it."""
    try:
        analysis = analyse(board, cap=CAP)
    except TooHardError:
        return FoundChances(None, reason="this board takes too much work to be counted")
    win = win_chance_of(analysis, most_layouts=LAYOUTS, nodes=NODES, safe_listed=False, parts=advisor.parts)
    return FoundChances(
        dict(analysis.risks()), win.win, win.win_low, win.win_high, is_exact=win.exact is not None, reason=win.reason
    )


def generate(spec: LayoutSpec, seed: int) -> CellSet:
    """The mines of the layout that a spec and a seed name. `RequestError` (`failed`) if it is not found in time."""
    end = system_clock() + SEARCH_TIME
    try:
        return generate_layout(spec, seed, budget=Budget(go_on=lambda: system_clock() < end)).layout.mines
    except SapperError as error:
        raise RequestError("failed", f"no such board was found: {error}") from None


def judge(before: Board, move: Move, update: Update) -> LastMoveVerdict | None:
    """The last move of a game, judged by the board before it; None if nothing at all is known of that.

    `before` is a board that has not ended, `update` what the move changed.
    """
    try:
        found = analyse_what_can_be(before, cap=CAP)
    except ContradictionError:
        return None
    if before.protected:
        return LastMoveVerdict(CellSet(), CellSet(), risk=None, least=0.0, forced=False, is_protected=True)
    whole = found if isinstance(found, Analysis) else None
    return LastMoveVerdict(
        found.safe,
        found.mined,
        risk=None if whole is None else _risk(before, move, update),
        least=None if whole is None else whole.least_risk,
        forced=None if whole is None else whole.may_guess,
    )


def _risk(before: Board, move: Move, update: Update) -> float | None:
    """The chance that the move met a mine; None if it revealed nothing."""
    if move.action not in (Action.REVEAL, Action.CHORD):
        return None
    try:
        guess = guess_of(before, move, update, cap=CAP)
    except TooHardError:
        return None
    return 0.0 if guess is None else guess.risk
