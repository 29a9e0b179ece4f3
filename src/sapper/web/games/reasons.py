"""Why a cell is safe, a mine or the best guess, as techniques, cells and numbers: the page has the words (`static/reasons.js`)."""

from fractions import Fraction
from math import log10
from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rules import Promise
from sapper.core.tile import Tile
from sapper.solver.analysis import TIE, Analysis
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.playouts import can_play_out
from sapper.solver.win import Candidate, WinChance, why_undefined
from sapper.web.games.messages import CellPlace, GuessKind, GuessReason, HintStep, WinUnknown, place, places

MOST_DIGITS: Final = 15
"""A number of layouts with more digits is told by its logarithm alone."""
_PLAIN: Final = 12
"""Exact chances with denominators up to this are told as fractions, to be said as `2 in 3`."""


def shown(risk: float) -> float:
    """A chance as it is sent: four digits after the point, or all of it where so few would make a certainty of it."""
    rounded = round(risk, 4)
    return rounded if rounded not in (0.0, 1.0) or risk == rounded else risk


def step_data(grid: Grid, step: Step) -> HintStep:
    """A step as messages have it."""
    board, best = step.board, None if step.chance is None else step.chance.best
    counts_mines = step.mine_count or step.technique is Technique.MINE_COUNT
    is_large = step.layouts is not None and step.layouts >= 10**MOST_DIGITS
    return HintStep(
        technique=step.technique.words,
        pattern=step.pattern,
        clues=places(grid, step.clues),
        values=[board.clue(clue) or 0 for clue in step.clues],
        safe=places(grid, step.safe),
        mined=places(grid, step.mined),
        known=places(grid, step.known_mines),
        wrong_flags=places(grid, step.wrong_flags),
        unflag_first=not board.rules.click_reveals_flagged,
        mine_count=board.mine_count if counts_mines else None,
        bound=step.bound,
        layouts=None if step.layouts is None or is_large else step.layouts,
        layouts_log10=None if step.layouts is None or not is_large else log10(step.layouts),
        anywhere=step.technique is Technique.START and board.protected == board.covered,
        best=None if step.best is None else place(grid, step.best),
        risk=None if step.risk is None else shown(step.risk),
        win=None if best is None or best.win is None else shown(best.win),
        win_low=None if best is None else best.win_low,
        win_high=None if best is None else best.win_high,
        guess=_guess_of(step) if step.technique is Technique.GUESS else None,
    )


def _guess_of(step: Step) -> GuessReason | None:
    board = step.board
    if step.chance is not None and step.chance.best is not None:
        return guess_of(step.chance)
    if step.best is None:
        return GuessReason(kind="none")
    return GuessReason(
        kind="unknown" if step.risk is None else "least",
        cell=place(board.grid, step.best),
        risk=step.risk,
        is_blank=is_blank(board),
        unflag_first=_must_unflag(board, step.best),
    )


def win_unknown(board: Board) -> WinUnknown:
    """Why a board has no known chance to win."""
    if why_undefined(board) is not None:
        return "rules"
    return "size" if can_play_out() else "library"


def guess_of(chance: WinChance) -> GuessReason | None:
    """Why the best candidate is the one to reveal; None where there is none. One that is not the least risky is compared with that."""
    best, board = chance.best, chance.board
    if best is None:
        is_hopeless = board.status.ended or chance.analysis.least_risk in (None, 1.0)
        return None if is_hopeless else _least_risk(chance.analysis)
    if not best.risk:
        kaboom = board.promise is Promise.KABOOM and not chance.analysis.safe
        if kaboom:
            return _reason(chance, "kaboom", best)
        return _reason(chance, "first" if board.protected else "safe", best)
    least = None if chance.analysis.least_risky is None else chance.of(chance.analysis.least_risky)
    if least is None or least.cell == best.cell:
        return _reason(chance, "least", best)
    if best.win is not None and least.win is not None and (least.cell in chance.level or best.win <= least.win + TIE):
        return _reason(chance, "level", best)
    return _reason(chance, "better", best, least)


def _least_risk(analysis: Analysis) -> GuessReason:
    """The least risky cell, where no chance to win is known."""
    board, cell = analysis.board, analysis.least_risky
    if cell is None:
        return GuessReason(kind="none")
    kind: GuessKind = "least"
    if analysis.safe:
        kind = "first" if board.is_protected(cell) else "safe"
    return GuessReason(
        kind=kind,
        cell=place(board.grid, cell),
        risk=analysis.least_risk,
        is_blank=is_blank(board),
        unflag_first=_must_unflag(board, cell),
    )


def _reason(chance: WinChance, kind: GuessKind, best: Candidate, least: Candidate | None = None) -> GuessReason:
    board = chance.board
    return GuessReason(
        kind=kind,
        cell=place(board.grid, best.cell),
        risk=best.risk,
        win=best.win,
        win_fraction=_fraction(best.exact),
        is_exact=best.exact is not None,
        other=None if least is None else place(board.grid, least.cell),
        other_risk=None if least is None else least.risk,
        other_win=None if least is None else least.win,
        other_fraction=None if least is None else _fraction(least.exact),
        other_is_exact=least is not None and least.exact is not None,
        decides=places(board.grid, best.decides),
        even=even_data(chance) if best.risk else [],
        is_blank=is_blank(board),
        unflag_first=_must_unflag(board, best.cell),
    )


def even_data(chance: WinChance) -> list[list[CellPlace]]:
    """The cells of each 50/50 that cannot be avoided."""
    return [places(chance.board.grid, one.cells) for one in chance.forced if one.is_even]


def is_blank(board: Board) -> bool:
    """Whether nothing is revealed that could make a cell safe."""
    return not any(tile <= Tile.EIGHT for tile in board.tiles)


def _must_unflag(board: Board, cell: Cell) -> bool:
    return cell in board.flagged and not board.rules.click_reveals_flagged


def _fraction(exact: Fraction | None) -> tuple[int, int] | None:
    if exact is None or exact.denominator > _PLAIN or not 0 < exact < 1:
        return None
    return exact.numerator, exact.denominator
