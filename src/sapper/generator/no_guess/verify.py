"""Checking a certificate, trusting nothing in it.

The board is opened here as the certificate says, clues counted afresh from the mines, and each step is checked by
going through all ways to place mines beside its clues (`solver.deduce.check`), which shares no code with what
finds steps. A step must be of the technique that it says, so that a hard layout cannot pass for an easy one.
"""

from collections.abc import Iterator

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.game.layout import Layout
from sapper.generator.no_guess.certificate import PROOF_FIELDS, Certificate, ProofStep
from sapper.solver.deduce.check import check_step, mines_beside
from sapper.solver.deduce.step import Step, Technique

_RULES = RULES["modern"]
_MOST_OF_PATTERN = 4


def verify_certificate(layout: Layout, first: int, certificate: Certificate, *, cap: int = 1_000_000) -> bool:
    """True if the certificate proves that `layout` can be opened from `first` without a guess.

    `TooHardError` for a step that takes more than `cap` trials to check: nobody knows then.
    """
    return fault_of(layout, first, certificate, cap=cap) is None


def fault_of(layout: Layout, first: int, certificate: Certificate, *, cap: int = 1_000_000) -> str | None:
    """What is wrong with a certificate, in words; None if it proves what it should."""
    if certificate.first != first:
        return f"it is for first cell {certificate.first}, not {first}"
    if not 0 <= first < layout.grid.size or first in layout.mines:
        return f"the first cell {first} is not a safe cell of the layout"
    game = _Unfolding(layout)
    game.reveal(first)
    for number, claim in enumerate(certificate.steps, 1):
        fault = game.fault_of(claim, cap)
        if fault is not None:
            return f"step {number}: {fault}"
        game.take(claim)
    left = layout.grid.size - layout.mine_count - game.revealed
    if left:
        return f"it leaves {left} safe cells covered"
    summary = Certificate.of(certificate.first, certificate.steps)
    return None if summary == certificate else "its summary is not that of its steps"


def explain_certificate(layout: Layout, certificate: Certificate) -> Iterator[Step]:
    """The steps of a certificate that holds, with their boards and what they count on: for words and pictures."""
    game = _Unfolding(layout)
    game.reveal(certificate.first)
    for claim in certificate.steps:
        yield game.step_of(claim)
        game.take(claim)


class _Unfolding:
    """A layout, what is revealed of it so far, and the mines shown so far."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.tiles = bytearray([Tile.COVERED]) * layout.grid.size
        self.mined: set[int] = set()
        self.revealed = 0

    def reveal(self, cell: int) -> None:
        grid, mines = self.layout.grid, self.layout.mines
        todo = [cell]
        while todo:
            one = todo.pop()
            if self.tiles[one] != Tile.COVERED:
                continue
            near = grid.neighbours(one)
            self.tiles[one] = sum(other in mines for other in near)
            self.revealed += 1
            if not self.tiles[one]:
                todo += near

    def take(self, claim: ProofStep) -> None:
        self.mined.update(claim.mined)
        for cell in claim.safe:
            self.reveal(cell)

    def step_of(self, claim: ProofStep) -> Step:
        grid = self.layout.grid
        known: set[int] = self.mined
        if not claim.mine_count:
            known = known.intersection(*[{near for clue in claim.clues for near in grid.neighbours(clue)}])
        board = Board(
            grid=grid, rules=_RULES, mine_count=self.layout.mine_count, tiles=bytes(self.tiles), status=Status.PLAYING
        )
        said = {name: getattr(claim, name) for name in PROOF_FIELDS}
        return Step(board=board, known_mines=CellSet.of(known), **said)

    def fault_of(self, claim: ProofStep, cap: int) -> str | None:
        """Why a step does not hold; None if it does."""
        size = self.layout.grid.size
        if any(cell >= size for cells in (claim.clues, claim.safe, claim.mined) for cell in cells):
            return "it names cells off the board"
        if any(self.tiles[clue] > Tile.EIGHT for clue in claim.clues):
            return "it reads clues that are not revealed"
        if self.mined & claim.mined:
            return "it shows mines that were shown before"
        step = self.step_of(claim)
        if not check_step(step.board, step, cap=cap):
            return "its conclusion does not follow from its clues"
        return _wrong_technique(step, cap)


def _wrong_technique(step: Step, cap: int) -> str | None:
    """A step that is said to be easier than it is."""
    clues, technique = len(set(step.clues)), step.technique
    match technique:
        case Technique.ONE_CLUE:
            fits = clues == 1 and not step.mine_count
        case Technique.OVERLAP:
            fits = clues == 2 and not step.mine_count
        case Technique.PATTERN:
            fits = 2 < clues <= _MOST_OF_PATTERN and not step.mine_count and step.pattern is not None
        case Technique.MINE_COUNT:
            fits = step.mine_count and _is_at_a_bound(step, cap)
        case Technique.CASES:
            fits = True
        case _:
            fits = False
    return None if fits else f"it is not of the technique that it states, {technique.words}"


def _is_at_a_bound(step: Step, cap: int) -> bool:
    """True if the mines that are left are as few, or as many, as the clues allow, whichever the step says."""
    if step.bound is None:
        return False
    try:
        beside, outside = mines_beside(step.board, step, cap=cap)
    except TooHardError:  # the check of the step came before, and took as long
        return False
    left = step.board.mine_count - len(step.known_mines)
    return left == (min(beside) if step.bound == "fewest" else max(beside) + outside)
