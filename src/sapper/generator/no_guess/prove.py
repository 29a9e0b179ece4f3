"""Proving that a layout needs no guess: every cell that is shown to be safe is revealed at once.

The cheapest technique that says anything is taken each time (see `solver.deduce.explain`), on a board as far
revealed as it can be by then. What can be concluded only grows, so no other order needs less: the hardest
technique of the proof is the hardest that the layout needs.
"""

from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

from sapper import _kernels
from sapper._kernels import batch
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.generator.no_guess.certificate import PROOF_FIELDS, Certificate, LazySteps, ProofStep
from sapper.solver.analysis import analyse_what_can_be
from sapper.solver.deduce.explain import cheapest, cheapest_of_board
from sapper.solver.deduce.knowledge import Knowledge
from sapper.solver.deduce.step import Step, Technique

RULES_OF_PROOF = RULES["modern"]
"""The rules of the boards in a proof: a zero opens its eight neighbours."""

_NO_ANALYSIS = Technique(Technique.MINE_COUNT - 1)


class Attempt(NamedTuple):
    """How far logic goes: the certificate if it goes all the way, and the last tiles."""

    certificate: Certificate | None
    tiles: bytes

    @property
    def revealed(self) -> int:
        return len(self.tiles) - self.tiles.count(Tile.COVERED)


def prove(layout: Layout, first: int, up_to: Technique = Technique.CASES) -> Certificate | None:
    """The certificate of a layout from its first cell; None if techniques `up_to` one do not open all of it."""
    return attempt(layout, first, up_to).certificate


def attempt(layout: Layout, first: int, up_to: Technique = Technique.CASES) -> Attempt:
    """The same, and where logic ends if it does. `CellError` for a first cell off the grid."""
    cell = layout.grid.check(first)
    grid = layout.grid
    prover = batch.make_prover(
        grid.table,
        grid.edge_table,
        columns=grid.width,
        wraps=grid.topology.wraps,
        mapped=_kernels.mine_map(grid.size, layout.mines),
        first=cell,
        hardest=up_to,
    )
    return _step_by_step(layout, cell, up_to) if prover is None else _by_prover(prover, layout, cell, up_to)


def _by_prover(prover: "batch.Prover", layout: Layout, first: Cell, up_to: Technique) -> Attempt:
    """The native half takes the steps that need no analysis; what it writes down is read when somebody looks at the proof."""
    parts: list[batch.ProofPart | ProofStep] = []
    hardest, mine_count = 0, False
    while not prover.meets_mine:
        is_open, technique, written = prover.go_on()
        parts += written
        hardest, mine_count = max(hardest, technique), mine_count or technique == Technique.MINE_COUNT
        if is_open:
            steps = LazySteps(partial(_read_parts, parts))
            worst = Technique(hardest) if hardest else None
            found = Certificate(first=first, steps=steps, hardest=worst, mine_count=mine_count)
            return Attempt(found, prover.tiles)
        board = board_of(layout, prover.tiles)
        known = Knowledge(board)
        known.conclude((), prover.mined)
        step = None
        if up_to >= Technique.MINE_COUNT:
            step = cheapest_of_board(known, analyse_what_can_be(board), min(up_to, Technique.CASES))
        if step is None:
            break
        prover.conclude(step.safe, step.mined)
        parts.append(_proof_step(step))
        hardest, mine_count = max(hardest, step.technique), mine_count or step.mine_count
    return Attempt(None, prover.tiles)


def _read_parts(parts: Iterable[batch.ProofPart | ProofStep]) -> Iterator[ProofStep]:
    for part in parts:
        if isinstance(part, ProofStep):
            yield part
            continue
        for technique, pattern, bound, clues, safe, mined in batch.proof_steps_of(part):
            yield ProofStep(
                technique=Technique(technique),
                clues=tuple(map(Cell, clues)),
                safe=CellSet.of(safe),
                mined=CellSet.of(mined),
                mine_count=technique == Technique.MINE_COUNT,
                pattern=pattern,
                bound=bound,
            )


def board_of(layout: Layout, tiles: bytes | bytearray) -> Board:
    is_covered = tiles.count(Tile.COVERED) == len(tiles)
    return Board(
        grid=layout.grid,
        rules=RULES_OF_PROOF,
        mine_count=layout.mine_count,
        tiles=bytes(tiles),
        status=Status.READY if is_covered else Status.PLAYING,
    )


# --- without the native half ---


def _step_by_step(layout: Layout, cell: Cell, up_to: Technique) -> Attempt:
    opening = _Opening(layout)
    steps: list[ProofStep] = []
    if layout.is_mine(cell):
        return Attempt(None, bytes(opening.tiles))
    opening.reveal(cell)
    known = Knowledge(opening.board)
    mines = layout.mine_count
    while len(opening.covered) > mines:
        step = _single(known) or _next(known, opening.board, up_to)
        if step is None:
            return Attempt(None, bytes(opening.tiles))
        known.conclude(step.safe, step.mined)
        steps.append(step)
        if step.safe:
            known.go_on(opening.tiles, [one for safe in step.safe for one in opening.reveal(safe)])
    return Attempt(Certificate.of(cell, steps), bytes(opening.tiles))


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
    return ProofStep(**{name: getattr(step, name) for name in PROOF_FIELDS})


class _Opening:
    """A layout as it is opened."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._is_plane = layout.grid.is_plane
        self.tiles = bytearray([Tile.COVERED]) * layout.grid.size
        self.covered = set(range(layout.grid.size))

    @property
    def board(self) -> Board:
        return board_of(self._layout, self.tiles)

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
