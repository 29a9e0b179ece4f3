"""The truth: where the mines are."""

from dataclasses import dataclass, field

from sapper import _kernels
from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.errors import LayoutError


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the mines are on a grid; `LayoutError` for a mine off it.

    >>> layout = Layout(Grid(3, 3), CellSet.of([4]))
    >>> layout.clue(Cell(0)), layout.is_mine(Cell(4))
    (1, True)
    """

    grid: Grid
    mines: CellSet
    _clues: bytes | None = field(default=None, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_type("grid", self.grid, Grid)
        check_type("mines", self.mines, CellSet)
        if self.mines.mask >> self.grid.size:
            last = self.mines.mask.bit_length() - 1
            raise LayoutError(f"a mine at cell {last} is off the board: cells are 0 to {self.grid.size - 1}")

    @property
    def clues(self) -> bytes:
        """One byte a cell: the clue 0-8 of a safe cell, 9 at a mine. Counted when first asked for: who only lists layouts never does."""
        clues = self._clues
        if clues is None:
            grid, mapped = self.grid, self.mines.marks(self.grid.size)
            if grid.is_plane:
                clues = _kernels.clues_of_plane(grid.width, grid.height, mapped)
            else:
                clues = _kernels.clues_of_table(*grid.table, mapped)
            object.__setattr__(self, "_clues", clues)
        return clues

    @property
    def mine_count(self) -> int:
        """How many mines there are."""
        return len(self.mines)

    def is_mine(self, cell: int) -> bool:
        """True if there is a mine; `CellError` off the grid."""
        return self.clues[self.grid.check(cell)] == _kernels.MINE_CLUE

    def clue(self, cell: int) -> int:
        """The number of mines among the neighbours of a cell, 0-8, also where a mine is."""
        self.grid.check(cell)
        code = self.clues[cell]
        if code != _kernels.MINE_CLUE:
            return code
        return sum(self.is_mine(near) for near in self.grid.neighbours(Cell(cell)))

    def agrees_with(self, board: Board) -> bool:
        """True if a player who sees this board may be playing on this layout."""
        if board.grid != self.grid or board.mine_count != self.mine_count:
            return False
        # Few pairs are different, however large the board is.
        for code, truth in set(zip(board.tiles, self.clues, strict=True)):
            if code <= Tile.EIGHT and code != truth:
                return False
            if code in (Tile.MINE, Tile.EXPLODED) and truth != _kernels.MINE_CLUE:
                return False
            if code == Tile.WRONG_FLAG and truth == _kernels.MINE_CLUE:
                return False
        return True

    def __hash__(self) -> int:
        return hash((self.grid, self.mines.mask))
