"""The strategy `least-risk`: what is certain, else the least likely mine.

The definition, for whatever plays the same game faster: the certain move of `subset` (the lowest cell that
one clue makes safe, else the lowest that pairs of clues do); without one, the lowest safe cell of the exact
analysis; if no cell is safe, the lowest of those whose chance to be a mine is within 1e-9 of the least. In what
order safe cells are revealed changes no game's result, and the exact analysis is seldom needed that way.
"""

from typing import NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.solver.analysis import Analysis, PartialAnalysis, analyse_what_can_be
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.simple import only_mines_left
from sapper.solver.strategies.subset import find_certain
from sapper.solver.words import at, percent


class LeastRiskStrategy:
    """Reveals a safe cell, else the lowest of the least likely mines. Flags are opinions, and count for nothing.

    Where a game is won by flags, it flags what is left when only mines are left. A board too hard to
    analyse gets a cell that is certain all the same, else the lowest that is not certain to be a mine.
    """

    def __init__(self, rng: Rng) -> None:
        """There is nothing random about it: `rng` is what every strategy is given."""

    def choose(self, board: Board) -> Choice:
        """The move; `ContradictionError` for a board that no layout fits, unless a few clues say enough for a move."""
        quick = only_mines_left(board) or find_certain(board)
        if quick is not None:
            return quick
        analysis = analyse_what_can_be(board)
        best = self.best(analysis) if isinstance(analysis, Analysis) else _best_known(analysis)
        if best is None:
            # A first move is all that such a board still needs to be won.
            unflagged = next(iter(board.covered - board.flagged), None)
            cell = next(iter(board.covered)) if unflagged is None else unflagged
            return Choice(Move.unflag(cell) if unflagged is None else Move.flag(cell), "only mines are covered", 0.0)
        move = Move.reveal(best.cell)
        if not board.is_legal(move):
            return Choice(Move.unflag(best.cell), f"{best.reason}: the flag must go first", 0.0)
        return Choice(move, best.reason, best.risk)

    def best(self, analysis: Analysis) -> "Best | None":
        """The cell to reveal; None if no covered cell can be safe."""
        return best_cell(analysis)


class Best(NamedTuple):
    """The cell to reveal, why, and its chance to be a mine (None: not known)."""

    cell: Cell
    reason: str
    risk: float | None


def best_cell(analysis: Analysis) -> Best | None:
    """The lowest safe cell (of a board that nothing is revealed on: its first cell), else the least likely mine; None if no covered cell can be safe."""
    board, cell, risk = analysis.board, analysis.least_risky, analysis.least_risk
    if cell is None or risk is None:
        return None
    if analysis.safe:
        return _certain(board, cell)
    if risk == 1.0:
        return None
    return Best(cell, f"no safe cell; the least risk is {percent(risk)} at {at(board, cell)}", risk)


def best_certain(partial: PartialAnalysis) -> Best | None:
    """The lowest cell that is safe whatever the rest of a board that is too hard; None if none is known."""
    board = partial.board
    if not partial.safe:
        return None
    first = board.first_cell
    return _certain(board, next(iter(partial.safe)) if first is None or first not in partial.safe else first)


def _certain(board: Board, cell: Cell) -> Best:
    if board.is_protected(cell):
        return Best(cell, "the first reveal is never a mine", 0.0)
    return Best(cell, f"{at(board, cell)} is safe: it is a mine in no layout that fits", 0.0)


def _best_known(partial: PartialAnalysis) -> Best:
    board = partial.board
    cell = next(iter(board.covered - partial.mined or board.covered))
    return best_certain(partial) or Best(cell, f"the board is too hard to analyse; {at(board, cell)} is a guess", None)
