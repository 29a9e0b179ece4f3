"""Geometry: how many cells there are, and which are neighbours."""

from array import array
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, ClassVar, NamedTuple, Self

from sapper.core.arguments import check_type
from sapper.core.cells import Cell
from sapper.errors import CellError, InvalidValueError

MAX_SIZE = 100_000_000
"""The most cells a grid may have: a board of one byte a cell must fit in memory, many times over."""

Offset = tuple[int, int]


def _is_offset(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(type(step) is int for step in value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topology:
    """Which cells are neighbours: offsets `(dx, dy)`, at most eight, and whether the edges are joined.

    With each offset its opposite must be there too, so that being neighbours is mutual.
    """

    name: str
    offsets: tuple[Offset, ...]
    wraps: bool = False

    def __post_init__(self) -> None:
        check_type("name", self.name, str)
        offsets: object = self.offsets
        if not isinstance(offsets, tuple) or not all(map(_is_offset, offsets)):
            raise InvalidValueError(
                f"offsets are a tuple of pairs of integers, as ((1, 0), (-1, 0)), not {offsets!r:.60}"
            )
        if len(set(self.offsets)) != len(self.offsets) or not 1 <= len(self.offsets) <= 8:
            raise InvalidValueError(f"a topology has 1 to 8 different offsets, not {len(self.offsets)}: {self.offsets}")
        for dx, dy in self.offsets:
            if (dx, dy) == (0, 0) or (-dx, -dy) not in self.offsets:
                raise InvalidValueError(
                    f"offset ({dx}, {dy}) needs its opposite among the offsets, and no cell is its own neighbour"
                )


EIGHT: tuple[Offset, ...] = ((-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1))

PLANE = Topology(name="plane", offsets=EIGHT)
"""The usual board: eight neighbours, fewer at the edges."""

TORUS = Topology(name="torus", offsets=EIGHT, wraps=True)
"""Eight neighbours everywhere: the left edge meets the right, the top the bottom."""


class NeighbourTable(NamedTuple):
    """The neighbours of all cells, for kernels: cell *i* has `cells[starts[i]:starts[i + 1]]`, ascending."""

    starts: "array[int]"
    cells: "array[int]"


class Grid:
    """A grid of `width` × `height` cells. Immutable; equal grids are one object.

    >>> grid = Grid(30, 16)
    >>> grid.cell(3, 2), grid.xy(63), grid.neighbours(0)
    (63, (3, 2), (1, 30, 31))
    """

    __slots__ = ("_edge_table", "_table", "height", "size", "topology", "width")
    _known: ClassVar[dict[tuple[int, int, Topology], Any]] = {}

    width: int
    height: int
    size: int
    topology: Topology
    _table: NeighbourTable | None
    _edge_table: NeighbourTable | None

    def __new__(cls, width: int, height: int, topology: Topology = PLANE) -> Self:
        """The grid of that size; `InvalidValueError` if there is none."""
        # 3.0 and True equal integers, and would stay in the table of known grids for everyone.
        if type(width) is not int or type(height) is not int:
            raise InvalidValueError(f"width and height are integers, not {width!r} and {height!r}")
        known: Self | None = cls._known.get((width, height, topology))
        if known is not None:
            return known
        check_type("topology", topology, Topology)
        if width < 1 or height < 1:
            raise InvalidValueError(f"a grid has at least 1x1 cells, not {width}x{height}")
        if width * height > MAX_SIZE:
            raise InvalidValueError(f"a grid has at most {MAX_SIZE:,} cells; {width}x{height} are {width * height:,}")
        self = super().__new__(cls)
        for name, value in (("width", width), ("height", height), ("size", width * height)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "topology", topology)
        object.__setattr__(self, "_table", None)
        object.__setattr__(self, "_edge_table", None)
        if len(cls._known) > 1000:  # sizes come from outside; what is held must have a bound
            cls._known.clear()
        # setdefault is atomic: of two threads that make the same grid, both get the first.
        shared: Self = cls._known.setdefault((width, height, topology), self)
        return shared

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Grid is immutable: cannot set {name!r}")

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Grid) and self._key == other._key)

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[int, int, Topology]:
        return (self.width, self.height, self.topology)

    def __reduce__(self) -> tuple[type[Self], tuple[int, int, Topology]]:
        return (type(self), self._key)

    def __repr__(self) -> str:
        extra = "" if self.topology == PLANE else f", topology={self.topology.name}"
        return f"Grid({self.width}, {self.height}{extra})"

    @property
    def is_plane(self) -> bool:
        """True if it is the usual rectangle with eight neighbours, for which kernels have a fast path."""
        return self.topology == PLANE

    def cell(self, x: int, y: int) -> Cell:
        """The cell in column `x` of row `y`, both from 0 at the top left; `CellError` off the grid."""
        if type(x) is not int or type(y) is not int:
            raise CellError(f"column and row are integers, not {x!r:.40} and {y!r:.40}")
        if not (0 <= x < self.width and 0 <= y < self.height):
            raise CellError(f"({x}, {y}) is off the board: x is 0 to {self.width - 1}, y is 0 to {self.height - 1}")
        return Cell(y * self.width + x)

    def xy(self, cell: int) -> tuple[int, int]:
        """Column and row of a cell."""
        self.check(cell)
        return cell % self.width, cell // self.width

    def check(self, cell: int) -> Cell:
        """The cell itself, or `CellError` if it is not on the grid, or no integer at all."""
        if type(cell) is not int and (isinstance(cell, bool) or not isinstance(cell, int)):
            raise CellError(f"a cell is an integer, row * width + column (Grid.cell makes it), not {cell!r:.40}")
        if not 0 <= cell < self.size:
            raise CellError(f"cell {cell} is off the board: cells are 0 to {self.size - 1}")
        return Cell(cell)

    def neighbours(self, cell: int) -> tuple[Cell, ...]:
        """The cells beside this one, ascending."""
        return self._beside(cell, self.topology.offsets)

    def edges(self, cell: int) -> tuple[Cell, ...]:
        """The neighbours that share an edge with this cell, ascending."""
        return self._beside(cell, tuple(step for step in self.topology.offsets if 0 in step))

    def are_neighbours(self, one: int, other: int) -> bool:
        """True if two cells are neighbours; no cell is its own."""
        self.check(other)
        return other in self.neighbours(one)

    @property
    def table(self) -> NeighbourTable:
        """The neighbour table of the whole grid, made when first asked for."""
        if self._table is None:
            object.__setattr__(self, "_table", self._make_table(self.topology.offsets))
        assert self._table is not None
        return self._table

    @property
    def edge_table(self) -> NeighbourTable:
        """The same for the neighbours that share an edge."""
        if self._edge_table is None:
            edges = tuple(step for step in self.topology.offsets if 0 in step)
            object.__setattr__(self, "_edge_table", self._make_table(edges))
        assert self._edge_table is not None
        return self._edge_table

    def _beside(self, cell: int, offsets: tuple[Offset, ...]) -> tuple[Cell, ...]:
        x, y = self.xy(cell)
        width, height = self.width, self.height
        found = set()
        for dx, dy in offsets:
            column, row = x + dx, y + dy
            if self.topology.wraps:
                column, row = column % width, row % height
            if 0 <= column < width and 0 <= row < height:
                found.add(Cell(row * width + column))
        found.discard(Cell(cell))  # on a torus one or two cells wide, a step can lead home
        return tuple(sorted(found))

    def _make_table(self, offsets: tuple[Offset, ...]) -> NeighbourTable:
        starts = array("i", [0])
        cells = array("i")
        width, height = self.width, self.height
        reach = max((abs(dy) for _, dy in offsets), default=0)  # a topology may have no neighbours that share an edge
        inside: tuple[list[int], list[int]] | None = None
        for row in range(height):
            if not reach <= row < height - reach:
                for cell in range(row * width, (row + 1) * width):
                    cells.extend(self._beside(cell, offsets))
                    starts.append(len(cells))
                continue
            # Rows away from the upper and the lower edge are alike: the first of them is looked at, the others are shifted.
            if inside is None:
                beside = [self._beside(cell, offsets) for cell in range(row * width, (row + 1) * width)]
                near = [cell - row * width for some in beside for cell in some]
                inside = near, list(accumulate(map(len, beside)))
            shift, so_far = row * width, len(cells)
            cells.extend([cell + shift for cell in inside[0]])
            starts.extend([so_far + end for end in inside[1]])
        return NeighbourTable(starts, cells)
