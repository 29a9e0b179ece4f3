"""Where a game's layout comes from, and when."""

from typing import Protocol

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rules import Promise
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable


class LayoutSource(Protocol):
    """Gives a game its layout: at the start, at the first reveal, or as late as it can.

    A source serves one game.
    """

    @property
    def grid(self) -> Grid:
        """The grid the layout will be on."""

    @property
    def mine_count(self) -> int:
        """How many mines it will have."""

    @property
    def is_fixed(self) -> bool:
        """True if the layout given last is final; while it is not, `generate` is asked before every reveal."""

    @property
    def safe_first(self) -> CellSet | None:
        """The cells that a first reveal would meet no mine at now, whatever the rules say; None: as their start rule says."""

    @property
    def promise(self) -> Promise | None:
        """The promise about the layouts that it gives, if there is one."""

    def start(self) -> Layout | None:
        """The layout at the start of the game, or None if it is generated at the first reveal."""

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout to reveal `cell` on, given what the player sees. It must agree with the board."""


class FixedLayout(Uncopyable):
    """The source of a layout that is there from the start; `first` is the cell that it is promised to be safe at, if one is."""

    __slots__ = ("_layout", "grid", "is_fixed", "mine_count", "promise", "safe_first")

    def __init__(self, layout: Layout, *, first: Cell | None = None, promise: Promise | None = None) -> None:
        """`promise` is what is said of playing it from `first`."""
        self._layout = layout
        self.grid = layout.grid
        self.mine_count = layout.mine_count
        self.is_fixed = True
        self.promise = promise
        # No start rule keeps any other cell safe.
        self.safe_first: CellSet | None = CellSet() if first is None or layout.is_mine(first) else CellSet.of((first,))

    def start(self) -> Layout | None:
        """The layout."""
        return self._layout

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The same layout, whatever is revealed."""
        return self._layout
