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
from sapper.core.cells import Cell
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
    board = opening.board
    steps: list[ProofStep] = []
    if layout.is_mine(cell):
        return Attempt(None, 0, board)
    opening.reveal(cell)
    board = opening.board
    known = Knowledge(board)
    while len(opening.covered) > layout.mine_count:
        step = _next(known, up_to)
        if step is None:
            return Attempt(None, layout.grid.size - len(opening.covered), board)
        known.learn(step)
        steps.append(_proof_step(step))
        if step.safe:
            opened = [one for safe in step.safe for one in opening.reveal(safe)]
            board = opening.board
            known.go_on(board, opened)
    return Attempt(Certificate.of(cell, steps), layout.grid.size - layout.mine_count, board)


def _next(known: Knowledge, up_to: Technique) -> Step | None:
    """The cheapest step; the board is analysed only when nothing cheap is left."""
    step = cheapest(known, None, min(up_to, _NO_ANALYSIS))
    if step is not None or up_to < Technique.MINE_COUNT:
        return step
    return cheapest(known, analyse_what_can_be(known.board), min(up_to, Technique.CASES))


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
        self._tiles = bytearray([Tile.COVERED]) * layout.grid.size
        self.covered = set(range(layout.grid.size))

    @property
    def board(self) -> Board:
        """What is seen."""
        grid = self._layout.grid
        return Board(
            grid=grid,
            rules=RULES_OF_PROOF,
            mines=self._layout.mine_count,
            tiles=bytes(self._tiles),
            status=Status.READY if len(self.covered) == grid.size else Status.PLAYING,
        )

    def reveal(self, cell: int) -> list[Cell]:
        """Reveal a safe cell, if it is still covered; what is opened by it."""
        if cell not in self.covered:
            return []
        grid, clues = self._layout.grid, self._layout.clues
        if grid.is_plane:
            runs = _kernels.cascade_plane(grid.width, grid.height, 8, False, clues, self._tiles, cell)
        else:
            runs = _kernels.cascade_table(*grid.table, False, clues, self._tiles, cell)
        opened = [Cell(one) for start, end in runs for one in range(start, end)]
        self.covered.difference_update(opened)
        return opened
