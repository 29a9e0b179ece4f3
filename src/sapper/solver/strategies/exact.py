"""The strategy `exact`: what is certain, else the least likely mine.

The definition, for whatever plays the same game faster: the lowest safe cell of the exact analysis; if no
cell is safe, the lowest of those whose chance to be a mine is within 1e-9 of the least.

Knows: the exact analysis.
Does not know: chances to win (a guess that opens more may be better than one that risks least).
"""

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.solver.analysis import Analysis, PartialAnalysis, analyse_what_can_be
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.simple import only_mines_left
from sapper.solver.words import at, percent


class ExactStrategy:
    """Reveals the lowest safe cell, else the lowest of the least likely mines. Flags are opinions, and count for nothing.

    Where a game is won by flags, it flags what is left when only mines are left. A board too hard to
    analyse gets a cell that is certain all the same, else the lowest that is not certain to be a mine.
    """

    def __init__(self, rng: Rng) -> None:
        """There is nothing random about it: `rng` is what every strategy is given."""

    def choose(self, board: Board) -> Choice:
        """The move; `ContradictionError` for a board that no layout fits."""
        last = only_mines_left(board)
        if last is not None:
            return last
        analysis = analyse_what_can_be(board)
        cell, reason, risk = best_cell(analysis) if isinstance(analysis, Analysis) else _best_known(analysis)
        if risk is not None and board.rules.start is not Start.ANY and not board.revealed_count:
            reason, risk = "the first reveal is never a mine", 0.0
        move = Move.reveal(cell)
        if not board.is_legal(move):
            return Choice(Move.unflag(cell), f"{reason}: the flag must go first", 0.0)
        return Choice(move, reason, risk)


def best_cell(analysis: Analysis) -> tuple[Cell, str, float | None]:
    """The cell to reveal, why, and its chance to be a mine; some cell must be covered."""
    cell, risk = analysis.least_risky, analysis.least_risk
    assert cell is not None
    assert risk is not None
    where = at(analysis.board, cell)
    if cell in analysis.safe:
        return cell, f"{where} is safe: it is a mine in no layout that fits", 0.0
    return cell, f"no safe cell; the least risk is {percent(risk)} at {where}", risk


def _best_known(partial: PartialAnalysis) -> tuple[Cell, str, float | None]:
    board = partial.board
    cell = min(partial.safe or board.covered - partial.mined or board.covered)
    where = at(board, cell)
    if cell in partial.safe:
        return cell, f"{where} is safe: it is a mine in no layout that fits", 0.0
    return cell, f"the board is too hard to analyse; {where} is a guess", None
