"""A game's layout source that keeps a spec: no guess, a 3BV, a difficulty, from wherever the first reveal is."""

from dataclasses import replace

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
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

    __slots__ = ("_budget", "_seed", "_spec", "grid", "is_fixed", "mine_count", "promise", "safe_first")

    def __init__(self, spec: LayoutSpec, seed: int, *, budget: Budget = UNLIMITED) -> None:
        self._spec = spec
        self._seed = Rng(seed).seed
        self._budget = budget
        self.grid = spec.grid
        self.mine_count = spec.mine_count
        self.is_fixed = True
        # A layout without guesses is made for the cell that is revealed first, whichever that is.
        self.safe_first = CellSet((1 << spec.grid.size) - 1) if spec.no_guess else None
        self.promise = Promise.NO_GUESS if spec.no_guess else None

    def start(self) -> Layout | None:
        return None  # the layout depends on the first cell

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout of this seed for a game whose first reveal is `cell`."""
        return generate_layout(replace(self._spec, first=cell), self._seed, budget=self._budget).layout
