"""Numbers of a layout, as the field defines them: what it asks of any player."""

from collections.abc import Sequence
from dataclasses import dataclass

from sapper import _kernels
from sapper._kernels import batch
from sapper.core.arguments import check_type
from sapper.core.grid import Grid
from sapper.game.layout import Layout


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutMetrics:
    """The numbers of one layout."""

    bbbv: int
    """3BV: the least number of left clicks that opens every safe cell (S. Bechtel, 2002)."""
    openings: int
    """Groups of connected zeros."""
    islands: int
    """Groups of connected clues that touch no opening."""
    zini: int
    """Greedy ZiNi: the clicks of a heuristic player who flags and chords (E. Zimmermann, 2009)."""
    human_zini: int
    """The same for a player who opens all openings first and chords open cells only."""
    zeros: int
    """Safe cells with no mine beside them."""
    density: float
    """Mines a cell."""


def measure(layout: Layout) -> LayoutMetrics:
    """All numbers of a layout; formulas and sources are in `_kernels.reference.measures`."""
    check_type("layout", layout, Layout)
    return measure_many([layout])[0]


def bbbv_of(layout: Layout) -> int:
    return _kernels.values_of(*layout.grid.table, layout.clues).bbbv


def measure_many(layouts: Sequence[Layout]) -> list[LayoutMetrics]:
    """All numbers of many layouts, in their order."""
    by_grid: dict[Grid, list[int]] = {}
    for number, layout in enumerate(layouts):
        by_grid.setdefault(layout.grid, []).append(number)
    found: dict[int, LayoutMetrics] = {}
    for grid, numbers in by_grid.items():
        maps = b"".join(_kernels.mine_map(grid.size, layouts[number].mines) for number in numbers)
        rows = batch.measure_many(*grid.table, grid.width, maps, plane=grid.is_plane)
        for number, row in zip(numbers, rows, strict=True):
            layout = layouts[number]
            density = layout.mine_count / grid.size
            found[number] = LayoutMetrics(**row._asdict(), zeros=layout.clues.count(0), density=density)
    return [found[number] for number in range(len(layouts))]
