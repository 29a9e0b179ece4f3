"""One step of reasoning, as a person would take it: what was read, what follows, how hard that is.

Knows: techniques, and what a step carries.
Does not know: how steps are found, the words they are told in (see `words`).
"""

from dataclasses import dataclass, field
from enum import IntEnum, unique
from typing import Literal

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet

_NO_CELLS = CellSet()


@unique
class Technique(IntEnum):
    """How hard a step is, cheapest first; the hardest step says how hard a board is.

    A pattern of two clues (1-1, 1-2, a hole) takes no more than `OVERLAP` and is one that has a name;
    `PATTERN` is a shape of three clues or more that is seen at once, and reported whole.
    """

    ONE_CLUE = 1
    """A clue that has all its mines, or that needs every covered cell it has left."""
    OVERLAP = 2
    """Two clues that share cells."""
    PATTERN = 3
    """A named shape of several clues: 1-2-1, 1-2-2-1."""
    MINE_COUNT = 4
    """The number of mines that are left on the board."""
    CASES = 5
    """Every layout of some clues, or of the whole board, agrees."""
    GUESS = 6
    """Nothing is certain to be safe: the least likely mine."""

    @property
    def words(self) -> str:
        """Its name in words."""
        return self.name.lower().replace("_", " ")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: from `clues`, and from cells known before, it follows that some cells are safe and some are mines."""

    board: Board = field(repr=False)
    technique: Technique
    pattern: str | None = None
    """What players call it, as `1-2-1`."""
    clues: tuple[Cell, ...] = ()
    """The clues it reads; the pattern's in their order, of two that overlap the one with the smaller need first."""
    safe: CellSet = _NO_CELLS
    """Cells that it shows to be safe, not known before."""
    mined: CellSet = _NO_CELLS
    """Cells that it shows to be mines, not known before."""
    known_mines: CellSet = _NO_CELLS
    """Mines that it counts on: shown earlier, trusted flags, or seen on the board."""
    known_safe: CellSet = _NO_CELLS
    """Covered cells that earlier steps have shown to be safe and it counts on."""
    mine_count: bool = False
    """Whether the number of mines on the board is part of it; `known_mines` and `known_safe` are then all there are."""
    bound: Literal["fewest", "most"] | None = None
    """Of `MINE_COUNT`: with so many mines left, those beside the clues must be the fewest, or the most, that can be."""
    layouts: int | None = None
    """Of `CASES`: how many layouts were looked at, the mines of those clues, or of the board with `mine_count`."""
    best: Cell | None = None
    """Of `GUESS`: the cell least likely to be a mine."""
    risk: float | None = None
    """Of `GUESS`: the chance that it is one; None if that took more work than was allowed."""

    @property
    def sentence(self) -> str:
        """What a person would say, every cell as (x, y)."""
        from sapper.solver.deduce.words import sentence_of  # noqa: PLC0415  # words are about steps

        return sentence_of(self)
