"""A game's layout source that keeps a spec: no guess, a 3BV, a difficulty, from wherever the first reveal is."""

from dataclasses import replace

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.promise import Promise
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable
from sapper.generator.budget import UNLIMITED, Budget
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec


class SpecSource(Uncopyable):
    """Finds the layout at the first reveal: the spec's own first cell does not count, that one does.

    `generate` raises what `generate_layout` raises, and `LayoutError` where the start rule cannot be kept; the game is then
    as it was before. The layout is a function of seed and first cell alone.
    """

    __slots__ = ("_budget", "_seed", "_spec")

    def __init__(self, spec: LayoutSpec, seed: int, *, budget: Budget = UNLIMITED) -> None:
        self._spec = spec
        self._seed = Rng(seed).seed
        self._budget = budget

    @property
    def grid(self) -> Grid:
        """The grid."""
        return self._spec.grid

    @property
    def mine_count(self) -> int:
        """The number of mines."""
        return self._spec.mine_count

    @property
    def is_fixed(self) -> bool:
        """Always: it is found once, and stays."""
        return True

    @property
    def safe_first(self) -> CellSet | None:
        """Every cell where no guess may be needed: the layout is made for the one that is revealed first."""
        return CellSet((1 << self.grid.size) - 1) if self._spec.no_guess else None

    @property
    def promise(self) -> Promise | None:
        """That no guess is needed, where that is specified."""
        return Promise.NO_GUESS if self._spec.no_guess else None

    def start(self) -> Layout | None:
        """Nothing yet: a spec depends on the first cell."""
        return None

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout of this seed for a game whose first reveal is `cell`."""
        return generate_layout(replace(self._spec, first=cell), self._seed, budget=self._budget).layout
