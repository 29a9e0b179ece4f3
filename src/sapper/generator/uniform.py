"""Uniform layouts: every layout that the start rule allows is exactly as likely."""

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.coordinates import cell_name
from sapper.core.grid import Grid
from sapper.core.preset import check_mines
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.core.words import counted, do_not
from sapper.errors import LayoutError
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable


def kept_free(grid: Grid, start: Start, first: int) -> tuple[Cell, ...]:
    """The cells that a start rule keeps free of mines when `first` is revealed first, ascending."""
    if start is Start.ANY:
        return ()
    if start is Start.SAFE:
        return (grid.check(first),)
    return tuple(sorted((grid.check(first), *grid.neighbours(first))))


def nearest_start(grid: Grid, mine_count: int, start: Start, first: int) -> Start:
    """The rule itself if `mines` fit outside the cells it keeps free, else the nearest that can be kept.

    `open` gives way to `safe`, and `safe` to `any`.
    """
    check_mines(grid, mine_count)
    order = (Start.OPEN, Start.SAFE)
    for rule in order[order.index(start) :] if start in order else ():
        if mine_count <= grid.size - len(kept_free(grid, rule, first)):
            return rule
    return Start.ANY


def place_mines(grid: Grid, mine_count: int, rng: Rng, *, start: Start = Start.ANY, first: int | None = None) -> Layout:
    """Draw a layout, every one that the start rule allows exactly as likely.

    `first` is the cell to be revealed first; `safe` and `open` need it. `LayoutError` if the mines
    do not fit outside the cells that the rule keeps free.
    """
    check_type("grid", grid, Grid)
    check_type("rng", rng, Rng)
    check_type("mine_count", mine_count, int)
    check_type("start", start, Start)
    check_mines(grid, mine_count)
    if start is not Start.ANY and first is None:
        raise LayoutError(f"start {start.value!r} needs the first cell")
    free = () if first is None else kept_free(grid, start, first)
    room = grid.size - len(free)
    if mine_count > room:
        raise LayoutError(
            f"{counted(mine_count, 'mine')} {do_not(mine_count)} fit {grid.width}x{grid.height} cells with start {start.value!r} at "
            f"{cell_name(grid, free[0] if first is None else first)}: {counted(room, 'cell')} {'is' if room == 1 else 'are'} left for them"
        )
    return _place(grid, rng.choose(room, mine_count), free)


def _place(grid: Grid, marks: bytearray, free: tuple[Cell, ...]) -> Layout:
    """The layout that has these marks on its cells but for the free ones, which come in between; the marks are used up."""
    for cell in free:  # ascending: each one pushes the cells from it on up by one
        marks.insert(cell, 0)
    return Layout(grid, CellSet.where(marks))


class UniformSource(Uncopyable):
    """A layout source that chooses from a seed: at once for start `any`, else at the first reveal.

    Where the start rule cannot be kept for the cell that is revealed first, the nearest rule that can
    is kept instead (`nearest_start`); whoever makes the game can tell so from `start_at`. The draw is a
    function of seed and first cell alone, so a game that is undone and played again is the same game.
    """

    __slots__ = ("_marks", "_seed", "_start", "grid", "is_fixed", "mine_count", "promise", "safe_first")

    def __init__(self, grid: Grid, mine_count: int, seed: int, start: Start = Start.ANY) -> None:
        """A source for `mines` mines on `grid`; `LayoutError` if they do not fit at all."""
        self.grid = grid
        self.mine_count = check_mines(grid, mine_count)
        self.is_fixed = True
        self.safe_first = None
        self.promise = None
        self._seed = Rng(seed).seed
        self._start = start
        self._marks: bytes | None = None

    def prepare(self) -> None:
        """Draw now what most first cells have in common, so that the first reveal takes less: the layout is the same.

        Cells at an edge have other neighbours, and are drawn for when they are revealed.
        """
        if self._start is not Start.ANY:
            middle = self.grid.cell(self.grid.width // 2, self.grid.height // 2)
            room = self.grid.size - len(kept_free(self.grid, self._start, middle))
            if self.mine_count <= room:
                self._marks = bytes(Rng(self._seed).choose(room, self.mine_count))

    def start_at(self, first: int) -> Start:
        """The start rule that is kept when `first` is revealed first."""
        return nearest_start(self.grid, self.mine_count, self._start, first)

    def start(self) -> Layout | None:
        """The layout, if the first reveal may meet anything."""
        if self._start is not Start.ANY:
            return None
        return place_mines(self.grid, self.mine_count, Rng(self._seed))

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout of this seed for a game whose first reveal is `cell`."""
        start = self.start_at(cell)
        if self._marks is not None:
            free = kept_free(self.grid, start, cell)
            if len(self._marks) + len(free) == self.grid.size:
                return _place(self.grid, bytearray(self._marks), free)
        return place_mines(self.grid, self.mine_count, Rng(self._seed), start=start, first=cell)
