"""The strategies `best-reply`, `second-opinion` and `playouts`: what is certain, else the guess that wins most.

`second-opinion` asks `best-reply` and other heuristics (`batch.OTHER_OPINIONS`). Their guesses, and the best other candidates of 2,
are compared by playing on: layouts are drawn, and `best-reply` plays each of them out after each guess.
`playouts` does the same with a larger budget, larger endgames, and more candidates.
`_kernels/native/playouts.h` defines it.

The definition, for whatever plays the same game faster. Certain moves are those of `least-risk`. At a guess:

1. *Endgame.* With few layouts left (`GuessParts.layouts`), the lowest of the cells that win most of them by best play,
   unless finding it out takes more than `sets`.
2. *Best reply.* Else the candidates are the cells whose safety is at least `margin` of the safest one's, the safest first
   (risks compared in steps of 1e-9), of equals the one with the fewest undecided neighbours, then the lowest;
   `candidates` of them at most. Cells two steps or more from every clue are alike but for the number of their neighbours:
   of each number only the lowest is a candidate. A guess is worth the sum over its answers of the answer's chance times
   1 - (1 - s) * decay**k, where k cells are safe after the answer, and s is 0.8 of the best and 0.2 of the second best safety among
   the others (1 if none is undecided; 0**0 is 1). A cell that can show one number only is worth half. The lowest cell
   within 1e-9 of the best is taken.
3. *Influence.* With `influence` w, w times a guess's influence (`influence`) is added to its safety where that is compared, and its
   value grows in the same proportion.
4. *Opening.* As long as no zero is revealed, a zero is worth 1 instead, and every other answer `opening` of the above.
"""

import math
from fractions import Fraction

from sapper._kernels import batch
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Win
from sapper.core.tile import Tile
from sapper.solver.advice import chance_words
from sapper.solver.analysis import TIE, Analysis
from sapper.solver.strategies.influence import influence_of
from sapper.solver.strategies.least_risk import Best, LeastRiskStrategy
from sapper.solver.words import at, percent

_COVERED = frozenset({int(Tile.COVERED), int(Tile.FLAGGED), int(Tile.QUESTION)})
_SETS_IN_PYTHON = 100_000
"""Sets that an endgame's search may look at without the native half, which looks at as many in a second as Python in minutes."""


class BestReplyStrategy(LeastRiskStrategy):
    """Reveals a safe cell, else the guess with the best prospects. Flags are opinions, and count for nothing.

    Where a game is not won by revealing, and on a board too hard to analyse, it plays as `least-risk` does.
    """

    def __init__(self, rng: Rng, parts: batch.GuessParts = batch.BEST_REPLY) -> None:
        """There is nothing random about it. `parts` leaves some of it out, to see what they are worth."""
        super().__init__(rng)
        self._parts = parts

    def best(self, analysis: Analysis) -> Best | None:
        """The cell to reveal; None if no covered cell can be safe."""
        least = super().best(analysis)
        if least is None or analysis.safe or analysis.board.rules.win is Win.FLAGGED:
            return least
        return self._decide(analysis)

    def _decide(self, analysis: Analysis) -> Best:
        """The guess."""
        return self._endgame(analysis) or self._best_reply(analysis)

    def _endgame(self, analysis: Analysis) -> Best | None:
        board, most = analysis.board, self._parts.layouts
        if (
            analysis.census_log10 > math.log10(most + 0.5)
            or len(board.covered) - len(analysis.mined) > batch.MOST_PLACES
        ):
            return None
        best = batch.best_of_layouts(analysis.exact, board.tiles, board.mine_count, board.grid.table, self._parts.sets)
        if best is None:
            return None
        cell, risk = Cell(best[0]), analysis.risk(best[0])
        share = best[1] / analysis.census
        wins = chance_words(share, Fraction(best[1], analysis.census))
        reason = f"no safe cell; {at(board, cell)} has a risk of {percent(risk)}, and wins {wins}"
        return Best(cell, reason, risk)

    def _safeties(self, analysis: Analysis) -> dict[Cell, float]:
        """The safety of each cell, with what it is worth not to be forced to that guess later."""
        influence = influence_of(analysis) if self._parts.influence else {}
        weight = self._parts.influence / 1000
        return {cell: 1 - risk + weight * influence.get(cell, 0.0) for cell, risk in analysis.risks().items()}

    def _candidates(self, analysis: Analysis, safeties: dict[Cell, float]) -> list[Cell]:
        """The guesses to look at, see the top."""
        board, grid = analysis.board, analysis.board.grid
        risks = analysis.risks()
        least = max(safeties.values()) * self._parts.margin / 1000 - TIE
        beside = {near for cell in board.revealed for near in grid.neighbours(cell)}
        near_clues = beside | {near for cell in beside for near in grid.neighbours(cell)}
        found = []
        far = set()
        for cell in risks:
            if cell in analysis.mined or safeties[cell] < least:
                continue
            undecided = sum(risks.get(near, 1) < 1 for near in grid.neighbours(cell))
            if cell not in near_clues:
                if undecided in far:
                    continue
                far.add(undecided)
            found.append((int((1 - safeties[cell]) / TIE + 0.5), undecided, cell))
        return [cell for _, _, cell in sorted(found)[: self._parts.candidates]]

    def _best_reply(self, analysis: Analysis) -> Best:
        safeties = self._safeties(analysis)
        candidates = self._candidates(analysis, safeties)
        best, choice = 0.0, candidates[0]
        if len(candidates) > 1:
            for cell in candidates:
                if safeties[cell] < best - TIE:
                    break
                value = self._value(analysis, cell) * safeties[cell] / (1 - analysis.risk(cell))
                if value > best + TIE or (value >= best - TIE and cell < choice):
                    choice = cell
                best = max(best, value)
        risk = analysis.risk(choice)
        reason = f"no safe cell; {at(analysis.board, choice)} has a risk of {percent(risk)} and the best answers"
        return Best(choice, reason, risk)

    @staticmethod
    def _after(board: Board, cell: Cell, clue: int) -> batch.Chances | None:
        """The analysis of the board with that answer; None if it cannot be."""
        grid = board.grid
        tiles = board.tiles[:cell] + bytes([clue]) + board.tiles[cell + 1 :]
        table = None if grid.is_plane else grid.table
        found = batch.analyse_many([tiles], [board.mine_count], grid.width, grid.height, table)
        return next((one for one in found if one.fault is None), None)

    def _value(self, analysis: Analysis, cell: Cell) -> float:
        """What a guess is worth: see the top."""
        board = analysis.board
        grid, tiles = board.grid, board.tiles
        near = [other for other in grid.neighbours(cell) if tiles[other] in _COVERED]
        known = sum(other in analysis.mined for other in near)
        found = [self._after(board, cell, clue) for clue in range(known, len(near) + 1)]
        fitting = [one for one in found if one is not None]
        shares = [10 ** (one.census_log10 - analysis.census_log10) for one in fitting]
        prospects = [self._prospect(one) for one in fitting]
        if self._parts.opening and Tile.ZERO not in tiles:
            prospects = [prospect * self._parts.opening / 1000 for prospect in prospects]
            if not known and found[0] is not None:
                prospects[0] = 1.0
        value = sum(share * prospect for share, prospect in zip(shares, prospects, strict=True))
        return value if len(fitting) > 1 else value / 2

    def _prospect(self, found: batch.Chances) -> float:
        if math.isnan(found.least):  # nothing is uncertain
            return 1.0
        guess = batch.FIRST * found.least + batch.SECOND * found.second
        return 1.0 - guess * (self._parts.decay / 1000) ** found.safe.bit_count()


class SecondOpinionStrategy(BestReplyStrategy):
    """Of the guesses of `best-reply` and other heuristics, and some rivals, the one that wins most of some layouts played out.

    With other parts it is `playouts`, which has a larger budget, larger endgames and more rivals.

    Playouts need the native half; without it, this is `best-reply`.
    """

    def __init__(self, rng: Rng, parts: batch.GuessParts = batch.SECOND_OPINION) -> None:
        """There is nothing random about it: layouts are drawn by numbers that follow from the board."""
        super().__init__(rng, parts)
        self._decider: tuple[Grid, batch.Decider | None] | None = None

    def _decider_of(self, grid: Grid) -> "batch.Decider | None":
        if self._decider is None or self._decider[0] != grid:
            width = grid.width if grid.is_plane else 0
            # It searches no endgame: what wins an endgame is known here, and how often.
            self._decider = grid, batch.make_decider(*grid.table, width, self._parts._replace(layouts=0))
        return self._decider[1]

    def _decide(self, analysis: Analysis) -> Best:
        board, decider = analysis.board, self._decider_of(analysis.board.grid)
        if decider is None:
            self._parts = self._parts._replace(sets=min(self._parts.sets, _SETS_IN_PYTHON))
        endgame = self._endgame(analysis)
        if endgame is not None:
            return endgame
        chosen = decider.choose(board.tiles.translate(_UNMARKED), board.mine_count) if decider is not None else -1
        if decider is None or chosen < 0:
            return self._best_reply(analysis)
        cell, risk = Cell(chosen), analysis.risk(chosen)
        reason = f"no safe cell; {at(board, cell)} has a risk of {percent(risk)} and the best prospects"
        return Best(cell, reason, risk)


_UNMARKED = bytes(int(Tile.COVERED) if code in _COVERED else code for code in range(256))
"""Flags and question marks are covered cells."""
