"""What follows from a board, exactly: the census, and the chance of a mine in every covered cell.

Inside are integers: how many layouts fit the board, and in how many of them a cell is a mine. Fractions
and floats are views of those, made when asked for.

Knows: boards, and the analysis kernels.
Does not know: reasons in words (see `deduce`), which move is best for winning, layouts.
"""

import math
from dataclasses import dataclass, field
from fractions import Fraction

from sapper import _kernels
from sapper._kernels import AnalysedComponent, AnalysedGroup
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.errors import CellError

TIE = 1e-9
"""Chances that differ by no more count as equal; the lowest cell is taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Analysis:
    """The exact analysis of one board; `analyse` makes it."""

    board: Board = field(repr=False)
    census: int
    """How many layouts are consistent with the board, from 1."""
    safe: CellSet
    """The covered cells that are a mine in none of those layouts."""
    mined: CellSet
    """The covered cells that are a mine in all of them."""
    groups: tuple[AnalysedGroup, ...] = field(repr=False)
    """The cells that single clues do not settle, by the clues they touch, with the layouts that mine them."""
    components: tuple[AnalysedComponent, ...] = field(repr=False)
    """Clues that share cells: each can be counted alone, but for the number of mines."""
    mines_left: int
    """How many mines are in `groups`."""
    states: int
    """The work it took, for limits and statistics."""
    _group_of: dict[int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        of = {cell: number for number, group in enumerate(self.groups) for cell in group.cells}
        object.__setattr__(self, "_group_of", of)

    def layouts_with_mine(self, cell: int) -> int:
        """In how many of the consistent layouts a covered cell is a mine; `CellError` for a revealed one."""
        self.board.grid.check(cell)
        number = self._group_of.get(cell)
        if number is not None:
            return self.groups[number].numerator
        if cell in self.mined:
            return self.census
        if cell in self.safe:
            return 0
        x, y = self.board.grid.xy(cell)
        raise CellError(f"({x}, {y}) is revealed: only covered cells have a chance to be a mine")

    def probability(self, cell: int) -> Fraction:
        """The exact chance that a covered cell is a mine; `CellError` for a revealed one."""
        return Fraction(self.layouts_with_mine(cell), self.census)

    def risk(self, cell: int) -> float:
        """The same as the nearest float."""
        return self.layouts_with_mine(cell) / self.census  # int / int rounds correctly, however large

    def risks(self) -> dict[Cell, float]:
        """The chance to be a mine of every covered cell, as floats, in index order."""
        census = self.census
        of_group = [group.numerator / census for group in self.groups]
        found = {cell: of_group[number] for cell, number in self._group_of.items()}
        found |= dict.fromkeys(self.safe, 0.0)
        found |= dict.fromkeys(self.mined, 1.0)
        return {Cell(cell): found[cell] for cell in sorted(found)}

    @property
    def census_log10(self) -> float:
        """The decimal logarithm of the census."""
        return math.log10(self.census)

    @property
    def least_risk(self) -> float | None:
        """The smallest chance to be a mine among the covered cells; None if none is covered."""
        if self.safe:
            return 0.0
        if self.groups:
            return min(group.numerator for group in self.groups) / self.census
        return 1.0 if self.mined else None

    @property
    def least_risky(self) -> Cell | None:
        """The lowest cell whose chance to be a mine is least (ties within 1e-9); None if none is covered."""
        if self.safe:
            return next(iter(self.safe))
        least = self.least_risk
        if least is None:
            return None
        tied = [group.cells[0] for group in self.groups if group.numerator / self.census <= least + TIE]
        return Cell(min(tied)) if tied else next(iter(self.mined))

    @property
    def may_guess(self) -> bool:
        """Whether a guess is all that is left: no covered cell is certain to be safe."""
        return not self.safe and not self.board.status.ended


def analyse(board: Board, *, trust_flags: bool = False, cap: int = _kernels.DEFAULT_CAP) -> Analysis:
    """Analyse a board exactly.

    A flag is the player's opinion and counts as a covered cell, unless `trust_flags`: then it is a mine.
    `cap` is the number of states that counting may take.

    Raises:
        ContradictionError: no layout fits the board; it names clues that contradict each other.
        TooHardError: the cap was reached; it carries what is exact all the same.

    """
    grid = board.grid
    if grid.is_plane:
        found = _kernels.analyse_plane(board.tiles, grid.width, grid.height, board.mines, trust_flags, cap)
    else:
        found = _kernels.analyse_table(board.tiles, *grid.table, board.mines, trust_flags, cap)
    return Analysis(
        board=board,
        census=found.census,
        safe=CellSet.of(found.safe),
        mined=CellSet.of(found.mined),
        groups=found.groups,
        components=found.components,
        mines_left=found.mines_left,
        states=found.states,
    )
