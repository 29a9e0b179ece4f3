"""The layout source of a played game: it never searches.

A layout that takes a search (no guess, wanted numbers) is found by a job (`jobs.generate`) before the first reveal is played, and
handed in with `prepare`.
"""

from typing import Final

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Promise
from sapper.errors import LayoutError
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable
from sapper.generator.game_code import CodedGame
from sapper.generator.new_game import LAYOUT_KEY
from sapper.generator.uniform import UniformSource

MOST_AHEAD: Final = 200
"""Mines that are drawn in advance: many people begin Expert at once."""


class PreparedSource(Uncopyable):
    """The source of a coded game's layout; `layout`, if it took a search and was drawn already."""

    __slots__ = ("_inner", "_layout", "game", "grid", "is_fixed", "mine_count")

    def __init__(self, game: CodedGame, layout: Layout | None = None) -> None:
        self.game = game
        self.grid: Grid = game.grid
        self.mine_count = game.mine_count
        self.is_fixed = True
        self._inner = None if game.spec is not None else game.source()
        self._layout: tuple[Cell | None, Layout] | None = None
        if layout is not None:
            self._layout = (None, layout)
        elif game.spec is not None and game.mine_count in (0, game.grid.size):
            # There is one such layout only, and flags alone can win on it.
            self._layout = (None, Layout(game.grid, CellSet((1 << game.mine_count) - 1)))

    @property
    def seed(self) -> int:
        """The seed of the search."""
        assert self.game.seed is not None
        return Rng(self.game.seed).split(LAYOUT_KEY).seed

    def lacks(self, cell: Cell) -> bool:
        """True if a layout has to be prepared before `cell` can be revealed first."""
        return self._inner is None and (self._layout is None or self._layout[0] not in (None, cell))

    def first_of(self, cell: Cell) -> Cell:
        """The cell that the layout is to be made for when `cell` is revealed first."""
        return cell if self.game.first is None else self.game.first

    def prepare(self, cell: Cell, layout: Layout) -> None:
        """Take the layout for a first reveal of `cell`."""
        self._layout = (cell, layout)

    def generate_ahead(self) -> None:
        """Draw what can be drawn before the first reveal, of a game that nobody has begun yet; nothing if that is much."""
        if isinstance(self._inner, UniformSource) and self.mine_count <= MOST_AHEAD:
            self._inner.prepare()

    @property
    def safe_first(self) -> CellSet | None:
        """The cells that a first reveal meets no mine at, by the spec; None: as the start rule says."""
        return self.game.safe_first if self._inner is None else self._inner.safe_first

    @property
    def promise(self) -> Promise | None:
        """What is known of the layout, if anything."""
        return self.game.promise

    def start(self) -> Layout | None:
        """The layout, if it was drawn before the first reveal."""
        return None if self._inner is None else self._inner.start()

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout of a game whose first reveal is `cell`; `LayoutError` for one that was not prepared."""
        if self._inner is not None:
            return self._inner.generate(board, cell)
        if self._layout is not None and self._layout[0] in (None, cell):
            return self._layout[1]
        raise LayoutError("the layout for this first reveal has not been prepared")
