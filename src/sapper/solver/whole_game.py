"""The exact chance to win a whole game by best play, and the first cells that reach it.

Every layout that the start rule allows counts the same. The rule is kept as a game keeps it: where the mines leave no room for
it at a first cell, the nearest rule that can be kept there counts (`Start`). A game is won when every safe cell is revealed.
"""

from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb

from sapper._kernels import batch
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.errors import TooHardError

SETS = 500_000
"""Sets of layouts that may be looked at unless told otherwise: about ten seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactValue:
    """What best play wins of all games with so many mines."""

    width: int
    height: int
    mines: int
    start: Start
    layouts: int
    """How many the start rule allows when the first of `best` is revealed first."""
    wins: int
    """In how many of them best play wins."""
    best: tuple[Cell, ...]
    """The best first cells, ascending."""

    @property
    def win(self) -> Fraction:
        """The chance to win."""
        return Fraction(self.wins, self.layouts)

    def transposed(self) -> "ExactValue":
        """The same of the board with width and height exchanged."""
        turned = sorted(Cell(cell % self.width * self.height + cell // self.width) for cell in self.best)
        return replace(self, width=self.height, height=self.width, best=tuple(turned))


class WholeGame:
    """The games of one grid and number of mines, for all start rules; `close` it."""

    def __init__(self, grid: Grid, mines: int, sets: int = SETS) -> None:
        """`TooHardError` where there are too many cells or layouts to search."""
        self._grid, self._mines, self._sets = grid, mines, sets
        images = batch.symmetries_of(bytes(grid.size), grid.width, grid.height)
        self._alike = {cell: {Cell(cell), *(Cell(image[cell]) for image in images)} for cell in range(grid.size)}
        try:
            self._game = batch.whole_game(*grid.table, mines, [list(range(grid.size)), *images])
        except ValueError as error:
            raise TooHardError(f"the exact value of {self._name} cannot be worked out: {error}", cap=sets) from error

    @property
    def _name(self) -> str:
        return f"{self._grid.width}x{self._grid.height}/{self._mines}"

    @property
    def sets(self) -> int:
        return self._game.sets

    def value(self, start: Start) -> ExactValue:
        """The chance to win under a start rule; `TooHardError` if that takes more sets than it may."""
        wins, layouts = 0, 1
        best: dict[Cell, tuple[int, int]] = {}
        for first, alike in self._alike.items():
            if min(alike) < first:
                continue
            is_open, allowed = self._allowed(start, first)
            goal = -(-wins * allowed // layouts)
            found = self._game.wins(first, is_open=is_open, goal=goal, sets=self._sets - self._game.sets)
            if found is None:
                raise TooHardError(
                    f"the exact value of {self._name} is not known, and takes more than {self._sets:,} sets of layouts "
                    f"to work out: sets= allows more",
                    cap=self._sets,
                )
            if found * layouts < wins * allowed:
                continue
            if found * layouts > wins * allowed or not best:
                best = {}
                wins, layouts = found, allowed
            best |= dict.fromkeys(alike, (found, allowed))
        cells = tuple(sorted(best))
        wins, layouts = best[cells[0]]
        grid = self._grid
        return ExactValue(
            width=grid.width, height=grid.height, mines=self._mines, start=start, layouts=layouts, wins=wins, best=cells
        )

    def _allowed(self, start: Start, first: int) -> tuple[bool, int]:
        """Whether a first cell shows a zero by the rule, and how many layouts are allowed."""
        size = self._grid.size
        room = size - 1 - len(self._grid.neighbours(Cell(first)))
        if start is Start.ANY:
            return False, comb(size, self._mines)
        if start is Start.OPEN and self._mines <= room:
            return True, comb(room, self._mines)
        return False, comb(size - 1, self._mines)

    def close(self) -> None:
        self._game.close()
