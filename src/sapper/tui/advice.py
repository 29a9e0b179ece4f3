"""What the solver says to a player at this machine: hints, chances, whether to guess, and how the last move is judged.

Plain functions of boards, each capped so that it ends within a second or two; they may run on another thread.

Knows: the solver's steps and analysis, and the words for them.
Does not know: sessions (whoever asks marks the game as helped), screens.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.move import Action, Move
from sapper.core.update import Update
from sapper.errors import ContradictionError, TooHardError
from sapper.metrics.game import guesses_of
from sapper.solver.advice import bounds_words, chance_words
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, analyse, analyse_what_can_be
from sapper.solver.deduce.explain import next_step
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.win import win_chance_of
from sapper.solver.words import percent
from sapper.tui.look import MINED, PROPOSED, SAFE

CAP: Final = 200_000
"""States that one analysis may take."""
MOST_CELLS: Final = 10_000
"""Cells of the largest board whose chances are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HintAdvice:
    """The next step and the steps that it builds on."""

    sentences: tuple[str, ...]
    """One a step, the last is the hint itself."""
    safe: CellSet
    """The cells that the last step shows to be safe."""
    mined: CellSet
    """Those that it shows to be mines."""
    best: Cell | None
    """The cell that it proposes, where none is certain to be safe."""
    clues: tuple[Cell, ...]
    """The clues that it reads."""

    @property
    def cells(self) -> CellSet:
        """All that it is about."""
        return self.safe | self.mined | (CellSet() if self.best is None else CellSet.of([self.best]))

    @property
    def signs(self) -> dict[Cell, str]:
        """What is written beside them."""
        best = [] if self.best is None else [self.best]
        return dict.fromkeys(best, PROPOSED) | dict.fromkeys(self.safe, SAFE) | dict.fromkeys(self.mined, MINED)

    @property
    def target(self) -> Cell | None:
        """Where a player's cursor is to go: never to a mine."""
        return next(iter(self.safe), self.best)


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardChances:
    """The chance of a mine in each covered cell, and the chance to win."""

    risks: Mapping[Cell, float] = field(repr=False)
    words: str
    """The chance to win, in words."""
    short: str
    """The same where there is little room: `win 34.1 %`; nothing where it is not known."""


def advise(board: Board, advisor: Advisor | None = None) -> HintAdvice:
    """The next step on a board that has not ended. A board that contradicts itself is impossible here."""
    steps = next_step(board, cap=CAP, advisor=advisor)
    if not steps:
        return HintAdvice(
            sentences=("there is nothing that can be said",), safe=CellSet(), mined=CellSet(), best=None, clues=()
        )
    sentences = [f"{step.sentence}." for step in steps]
    last = steps[-1]
    # At the start all that a rule protects is safe: the one that is proposed says enough.
    safe = CellSet() if last.technique is Technique.START else last.safe
    return HintAdvice(
        sentences=(*sentences[:-1], sentences[-1] + _win(last)),
        safe=safe,
        mined=last.mined,
        best=last.best,
        clues=last.clues,
    )


def _win(step: Step) -> str:
    """The chance to win after the guess that is proposed, where it is known; the step's own words say where it is not."""
    best = None if step.chance is None else step.chance.best
    if best is None or best.win is None:
        return ""
    return f" The chance to win is {_between(best.win, best.win_low, best.win_high)}."


def _between(win: float, low: float, high: float) -> str:
    if high - low < 0.0005:
        return percent(win)
    return f"{chance_words(win, None)} ({bounds_words(low, high)})"


def may_guess(board: Board) -> str:
    """Whether a guess is all that is left, in a sentence. It says no more than that."""
    found = analyse_what_can_be(board, cap=CAP)
    if isinstance(found, Analysis):
        return (
            "You may guess: nothing is certain to be safe." if found.may_guess else "No need to guess: a cell is safe."
        )
    return "No need to guess: a cell is safe." if found.safe else "Whether you have to guess is too hard to say."


def chances_of(board: Board) -> BoardChances | None:
    """The chances on a board; None where that is too hard to say."""
    if board.grid.size > MOST_CELLS:
        return None
    try:
        found = analyse(board, cap=CAP)
    except TooHardError:
        return None
    chance = win_chance_of(found)
    if chance.win is None or chance.win_low is None or chance.win_high is None:
        words = chance.reason or "the chance to win is not known"
        short = ""
    else:
        words = f"chance to win {_between(chance.win, chance.win_low, chance.win_high)}"
        short = f"win {percent(chance.win) if chance.exact is not None else chance_words(chance.win, None)}"
    return BoardChances(risks=found.risks(), words=words, short=short)


def judge(before: Board, move: Move, update: Update) -> str | None:
    """What can be said of a move that ended a game, by the board before it; None where there is nothing to judge."""
    if move.action not in (Action.REVEAL, Action.CHORD) or before.protected:
        return None
    try:
        found = analyse_what_can_be(before, cap=CAP)
        guesses = guesses_of(before, move, update, CAP)
    except (TooHardError, ContradictionError):
        return None
    where = cell_name(before.grid, move.cell)
    if not guesses:
        return f"The last move, {where}, was certain to be safe."
    risk = guesses[0].risk
    risked = f"The last move, {where}, risked {percent(risk)}"
    if risk >= 1:
        risked = f"The last move, {where}, was certain to meet a mine"
    if not isinstance(found, Analysis):
        return f"{risked}."
    if found.safe:
        names = [cell_name(before.grid, cell) for cell in found.safe][:3]
        more = len(found.safe) - len(names)
        listed = ", ".join(names) + (f" and {more} more" if more else "")
        return f"{risked}, and it was needless: {listed} {'was' if len(found.safe) == 1 else 'were'} safe."
    least = found.least_risk
    if least is not None and risk > least + 1e-9:
        return f"{risked}, and no cell was safe; the least risk was {percent(least)}."
    return f"{risked}, and no cell was safer: that was bad luck." if update.status.value == "lost" else f"{risked}."
