"""The strategies `best-reply` and `playouts`: what is certain, else the guess that wins most.

`playouts` searches larger endgames, and compares the candidates of 2 and 3 by playing on: layouts are drawn, and `best-reply` plays each of
them after each candidate. `_kernels/native/playouts.h` defines it.

The definition, for whatever plays the same game faster. Certain moves are those of `least-risk`. At a guess:

1. *Endgame.* With few layouts left (`GuessParts.layouts`), the lowest of the cells that win most of them by best play,
   unless finding it out takes more than `sets`.
2. *Opening.* As long as no zero is revealed, of the candidates below the one with the highest p / (1 - (s - p)), with p the
   chance of a zero and s the safety: the chance to come to a zero, if need be by more such guesses. If none reaches 1/3,
   it is a guess as any other.
3. *Best reply.* Else the candidates are the cells whose safety is at least `margin` of the safest one's, the safest first
   (risks compared in steps of 1e-9), of equals the one with the fewest undecided neighbours, then the lowest;
   `candidates` of them at most. Cells two steps or more from every clue are alike but for the number of their neighbours:
   of each number only the lowest is a candidate. A guess is worth the sum over its answers of the answer's chance times
   1 - (1 - s) * decay**k, where k cells are safe after the answer, and s is 0.8 of the best and 0.2 of the second best safety among
   the others (1 if none is undecided; 0**0 is 1). A cell that can show one number only is worth half. The lowest cell
   within 1e-9 of the best is taken.

Knows: the exact analysis, of the board and of what it may become; exact endgames.
Does not know: layouts; what the parts are worth (`bench/strength.py` measures that).
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
        return Best(cell, reason, risk, {cell: share})

    def _candidates(self, analysis: Analysis) -> list[Cell]:
        """The guesses to look at, see the top."""
        board, grid = analysis.board, analysis.board.grid
        risks = analysis.risks()
        least = (1 - min(risks.values())) * self._parts.margin / 1000 - TIE
        beside = {near for cell in board.revealed for near in grid.neighbours(cell)}
        near_clues = beside | {near for cell in beside for near in grid.neighbours(cell)}
        found = []
        far = set()
        for cell, risk in risks.items():
            if cell in analysis.mined or 1 - risk < least:
                continue
            undecided = sum(risks.get(near, 1) < 1 for near in grid.neighbours(cell))
            if cell not in near_clues:
                if undecided in far:
                    continue
                far.add(undecided)
            found.append((int(risk / TIE + 0.5), undecided, cell))
        return [cell for _, _, cell in sorted(found)[: self._parts.candidates]]

    def _best_reply(self, analysis: Analysis) -> Best:
        candidates = self._candidates(analysis)
        best, choice = 0.0, candidates[0]
        opening = self._opening(analysis, candidates) if self._parts.opening and len(candidates) > 1 else None
        if opening is not None:
            return opening
        if len(candidates) > 1:
            for cell in candidates:
                if 1 - analysis.risk(cell) < best - TIE:
                    break
                value = self._value(analysis, cell)
                if value > best + TIE or (value >= best - TIE and cell < choice):
                    choice = cell
                best = max(best, value)
        risk = analysis.risk(choice)
        reason = f"no safe cell; {at(analysis.board, choice)} has a risk of {percent(risk)} and the best answers"
        return Best(choice, reason, risk)

    def _opening(self, analysis: Analysis, candidates: list[Cell]) -> Best | None:
        """The guess most likely to end in a zero, if none is seen yet and that is likely enough: see the top."""
        board = analysis.board
        if Tile.ZERO in board.tiles:
            return None
        best, choice = 0.0, None
        for cell in candidates:
            zero = 10 ** (found.census_log10 - analysis.census_log10) if (found := self._after(board, cell, 0)) else 0.0
            value = zero / (analysis.risk(cell) + zero)
            if value > best + TIE or (value >= best - TIE and choice is not None and cell < choice):
                choice = cell
            best = max(best, value)
        if choice is None or best < batch.LEAST_OPENING:
            return None
        risk = analysis.risk(choice)
        return Best(
            choice, f"no safe cell; {at(board, choice)} has a risk of {percent(risk)} and may open the board", risk
        )

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
        value = sum(10 ** (one.census_log10 - analysis.census_log10) * self._prospect(one) for one in fitting)
        return value if len(fitting) > 1 else value / 2

    def _prospect(self, found: batch.Chances) -> float:
        if math.isnan(found.least):  # nothing is uncertain
            return 1.0
        guess = batch.FIRST * found.least + batch.SECOND * found.second
        return 1.0 - guess * (self._parts.decay / 1000) ** found.safe.bit_count()


class PlayoutsStrategy(BestReplyStrategy):
    """`best-reply`, whose guesses are compared by playouts (`_kernels/native/playouts.h`), within a budget a move.

    Playouts need the native half; without it, this is `best-reply` with larger endgames.
    """

    def __init__(self, rng: Rng, parts: batch.GuessParts = batch.PLAYOUTS) -> None:
        """There is nothing random about it: layouts are drawn by numbers that follow from the board."""
        super().__init__(rng, parts)
        self._decider: tuple[Grid, batch.GuessDecider | None] | None = None

    def _decide(self, analysis: Analysis) -> Best:
        board, grid = analysis.board, analysis.board.grid
        if self._decider is None or self._decider[0] != grid:
            width = grid.width if grid.is_plane else 0
            # It searches no endgame: what wins an endgame is known here, and how often.
            self._decider = grid, batch.make_decider(*grid.table, width, self._parts._replace(layouts=0))
        decider = self._decider[1]
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
        return Best(cell, reason, risk, {Cell(one): win for one, win in decider.wins().items()})


_UNMARKED = bytes(int(Tile.COVERED) if code in _COVERED else code for code in range(256))
"""Flags and question marks are covered cells."""
