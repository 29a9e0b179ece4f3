"""Proving that a layout needs no guess: every cell that is shown to be safe is revealed at once.

The cheapest technique that says anything is taken each time (see `solver.deduce.explain`), on a board as far
revealed as it can be by then. What can be concluded only grows, so no other order needs less: the hardest
technique of the proof is the hardest that the layout needs.

Knows: layouts, steps, the board as it opens.
Does not know: how layouts are found; how a proof is checked.
"""

from typing import NamedTuple

from sapper import _kernels
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.generator.no_guess.certificate import Certificate, ProofStep
from sapper.solver.analysis import analyse_what_can_be
from sapper.solver.deduce.explain import cheapest
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique

RULES_OF_PROOF = RULES["modern"]
"""What the boards of a proof are played by: a zero opens its eight neighbours."""

_NO_ANALYSIS = Technique(Technique.MINE_COUNT - 1)


class Attempt(NamedTuple):
    """How far logic goes: the certificate if it goes all the way, and how many cells are revealed by then."""

    certificate: Certificate | None
    revealed: int
    stuck: Board


def prove(layout: Layout, first: int, up_to: Technique = Technique.CASES) -> Certificate | None:
    """The certificate of a layout from its first cell; None if techniques `up_to` one do not open all of it."""
    return attempt(layout, first, up_to).certificate


def attempt(layout: Layout, first: int, up_to: Technique = Technique.CASES) -> Attempt:
    """The same, and where logic ends if it does. `CellError` for a first cell off the grid."""
    cell = layout.grid.check(first)
    opening = _Opening(layout)
    steps: list[ProofStep] = []
    if layout.is_mine(cell):
        return Attempt(None, 0, opening.board)
    opening.reveal(cell)
    known = Knowledge(opening.board)
    mines = layout.mine_count
    while len(opening.covered) > mines:
        step = _single(known) or _next(known, opening.board, up_to)
        if step is None:
            return Attempt(None, layout.grid.size - len(opening.covered), opening.board)
        known.conclude(step.safe, step.mined)
        steps.append(step)
        if step.safe:
            known.go_on(opening.tiles, [one for safe in step.safe for one in opening.reveal(safe)])
    return Attempt(Certificate.of(cell, steps), layout.grid.size - mines, opening.board)


def _single(known: Knowledge) -> ProofStep | None:
    """The step of a single clue: what `by_one_clue` gives, without a board and words for it. Most steps are of this kind."""
    clue = known.next_single()
    if clue is None:
        return None
    cells, nothing = CellSet.of(known.open[clue]), CellSet()
    safe, mined = (nothing, cells) if known.need[clue] else (cells, nothing)
    return ProofStep(technique=Technique.ONE_CLUE, clues=(Cell(clue),), safe=safe, mined=mined)


def _next(known: Knowledge, board: Board, up_to: Technique) -> ProofStep | None:
    """The cheapest step; the board is analysed only when nothing cheap is left."""
    known.board = board
    step = cheapest(known, None, min(up_to, _NO_ANALYSIS))
    if step is None and up_to >= Technique.MINE_COUNT:
        step = cheapest(known, analyse_what_can_be(board), min(up_to, Technique.CASES))
    return None if step is None else _proof_step(step)


def _proof_step(step: Step) -> ProofStep:
    return ProofStep(
        technique=step.technique,
        clues=step.clues,
        safe=step.safe,
        mined=step.mined,
        mine_count=step.mine_count,
        pattern=step.pattern,
        bound=step.bound,
        layouts=step.layouts,
    )


class _Opening:
    """A layout as it is opened."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._is_plane = layout.grid.is_plane
        self.tiles = bytearray([Tile.COVERED]) * layout.grid.size
        self.covered = set(range(layout.grid.size))

    @property
    def board(self) -> Board:
        """What is seen."""
        grid = self._layout.grid
        return Board(
            grid=grid,
            rules=RULES_OF_PROOF,
            mines=self._layout.mine_count,
            tiles=bytes(self.tiles),
            status=Status.READY if len(self.covered) == grid.size else Status.PLAYING,
        )

    def reveal(self, cell: int) -> list[Cell]:
        """Reveal a safe cell, if it is still covered; what is opened by it."""
        if cell not in self.covered:
            return []
        clue = self._layout.clues[cell]
        if clue:  # it opens nothing else
            self.tiles[cell] = clue
            self.covered.discard(cell)
            return [Cell(cell)]
        grid, clues = self._layout.grid, self._layout.clues
        if self._is_plane:
            runs = _kernels.cascade_plane(grid.width, grid.height, 8, False, clues, self.tiles, cell)
        else:
            runs = _kernels.cascade_table(*grid.table, False, clues, self.tiles, cell)
        opened = [Cell(one) for start, end in runs for one in range(start, end)]
        self.covered.difference_update(opened)
        return opened
