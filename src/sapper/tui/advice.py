"""Words for what the solver says to a player at this machine: hints, chances, whether to guess, how the last move is judged."""

from typing import Final

from sapper.core.cells import Cell
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.status import Status
from sapper.core.words import joined
from sapper.play.jobs import FoundChances, FoundHint, LastMoveVerdict
from sapper.solver.advice import bounds_words, chance_words
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.words import percent
from sapper.tui.look import MINED, PROPOSED, SAFE
from sapper.tui.playing import GameShown

MOST_CELLS: Final = 10_000
"""Cells of the largest board whose chances are shown."""
TOO_MANY: Final = f"chances are shown on boards of at most {MOST_CELLS:,} cells; sapper analyse says them"
TOO_HARD: Final = "the chances on this board are too hard to say"


def hint_words(found: FoundHint) -> list[str]:
    """A sentence a step; the last is the hint itself."""
    if not found.steps:
        return ["there is nothing that can be said"]
    sentences = [f"{step.sentence}." for step in found.steps]
    sentences[-1] += _win(found.steps[-1])
    return sentences


def hint_signs(found: FoundHint) -> dict[Cell, str]:
    if not found.steps:
        return {}
    last = found.steps[-1]
    best = [] if last.best is None else [last.best]
    # At the start all that a rule protects is safe: the one that is proposed says enough.
    safe = () if last.technique is Technique.START else last.safe
    return dict.fromkeys(best, PROPOSED) | dict.fromkeys(safe, SAFE) | dict.fromkeys(last.mined, MINED)


def hint_target(found: FoundHint) -> Cell | None:
    """Where a player's cursor is to go: never to a mine."""
    return next((cell for cell, sign in hint_signs(found).items() if sign != MINED), None)


def _win(step: Step) -> str:
    """The chance to win after the guess that is proposed, where it is known; the step's own words say where it is not."""
    best = None if step.chance is None else step.chance.best
    if best is None or best.win is None:
        return ""
    return f" The chance to win is {_between(best.win, best.win_low, best.win_high)}."


def _between(win: float, low: float, high: float) -> str:
    if high - low < 0.0005:
        return percent(win)
    bounds = bounds_words(low, high)
    return f"{chance_words(win, None)} ({bounds})" if bounds else chance_words(win, None)


def may_guess_words(answer: bool | None) -> str:
    """Whether a guess is all that is left, in a sentence. It says no more than that."""
    if answer is None:
        return "Whether you have to guess is too hard to say."
    return "You may guess: nothing is certain to be safe." if answer else "No need to guess: a cell is safe."


def win_words(found: FoundChances) -> str:
    if found.win is None or found.win_low is None or found.win_high is None:
        return found.reason or "the chance to win is not known"
    return f"chance to win {_between(found.win, found.win_low, found.win_high)}"


def short_win_words(found: FoundChances) -> str:
    """The same where there is little room: `win 34.1 %`; nothing where it is not known."""
    if found.risks is None:
        return "chances: too hard"
    if found.win is None:
        return ""
    return f"win {percent(found.win) if found.is_exact else chance_words(found.win, None)}"


def last_move_words(game: GameShown) -> str | None:
    """What can be said of the move that ended a game; None where there is nothing to judge, or it is not judged yet."""
    verdict, played = game.verdict, game.session.played
    if verdict is None or not played:
        return None
    return _judged(verdict, game.grid, played[-1].move.cell, is_lost=game.session.status is Status.LOST)


def _judged(verdict: LastMoveVerdict, grid: Grid, cell: Cell, *, is_lost: bool) -> str | None:
    risk, where = verdict.risk, cell_name(grid, cell)
    if risk is None:
        return None
    if risk == 0:
        return f"The last move, {where}, was certain to be safe."
    risked = f"The last move, {where}, risked {percent(risk)}"
    if risk >= 1:
        risked = f"The last move, {where}, was certain to meet a mine"
    if verdict.safe:
        listed = joined([cell_name(grid, one) for one in verdict.safe], most=4)
        return f"{risked}, and it was needless: {listed} {'was' if len(verdict.safe) == 1 else 'were'} safe."
    if verdict.least is not None and risk > verdict.least + 1e-9:
        return f"{risked}, and no cell was safe; the least risk was {percent(verdict.least)}."
    return f"{risked}, and no cell was safer: that was bad luck." if is_lost else f"{risked}."


_HELPED: Final = "your attempt: it no longer counts. {again}"
_ENDED: Final = "your attempt: it counts as not won, and there is no second one. {again}"
_GIVEN_UP: Final = f"Giving up ends {_ENDED} to give up."
ENDS_ATTEMPT: Final = {
    "hint": f"A hint ends {_HELPED} to get it.",
    "guess": f"The answer ends {_HELPED} to get it.",
    "chances": f"Chances end {_HELPED} to get them.",
    "undo": f"An undo ends {_HELPED} to undo.",
    "restart": f"A restart ends {_ENDED} to restart.",
    "end": _GIVEN_UP,
    "giveup": _GIVEN_UP,
}
"""What is said before an action of the screen, or a command of the lines, ends an attempt at a board of the day; `again` is how to have it."""
