"""A proof: steps that each hold, and that count only on what the steps before them have shown."""

from collections.abc import Iterable

from sapper.core.board import Board
from sapper.core.tile import Tile
from sapper.solver.deduce.check import check_step
from sapper.solver.deduce.step import Step, Technique

_MINES = frozenset({int(Tile.MINE), int(Tile.EXPLODED)})


def check_proof(board: Board, steps: Iterable[Step], *, trust_flags: bool = False) -> Step | None:
    """The first step that does not hold, or that counts on something not shown before it; None if all is well."""
    safe: set[int] = set()
    mined = {cell for cell, tile in enumerate(board.tiles) if tile in _MINES or (trust_flags and tile == Tile.FLAGGED)}
    for step in steps:
        if step.technique is Technique.GUESS:
            continue  # it claims no more than a chance
        if not (step.known_safe <= safe and step.known_mines <= mined and check_step(board, step)):
            return step
        safe.update(step.safe)
        mined.update(step.mined)
    return None
