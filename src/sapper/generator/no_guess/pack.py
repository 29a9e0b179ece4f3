"""Packing: boards that are too dense for logic, with most of their mines in solid blocks.

Where more than about a third of the cells are mines, a layout that is generated at random needs a guess at once, and moving mines
one by one does not mend that. Here a region is grown from the first cell, one neighbour after the other, each cell of its border as
likely. Every cell outside of it is a mine, and a few mines are drawn inside. All safe cells are in the region, so the clues at
its edge tell the mines around it, and what is further out need not be known: the game is won when the region is open.

Try n puts mines on a share of the region's cells: 14 % at first, 0.2 points less each time, 6 % at least. So the first boards
that are tried are packed least. The layout is proven from the first cell on like any other.

The bias: strong. Layouts are the more alike the denser they are; docs/generator.md has measurements.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from sapper._kernels.batch import SOLVED
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.errors import LayoutNotFoundError
from sapper.game.layout import Layout
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.no_guess.prove import prove
from sapper.generator.no_guess.repair import LayoutPlayer
from sapper.generator.search_values import Budget, GeneratedLayout, SearchStats
from sapper.generator.uniform import kept_free

MOST_INSIDE: Final = 140
"""Mines in a thousand cells of the region, at the first try."""
LEAST_INSIDE: Final = 60
"""The same from try 40 on."""
STEP: Final = 2
"""How much less it is with each try."""


def pack(spec: LayoutSpec, seed: int, *, budget: Budget, stats: SearchStats) -> GeneratedLayout:
    """The layout that a spec and a seed name, by packing; every layout played out counts as a try."""
    if spec.start is Start.ANY:  # the first cell must be safe all the same
        spec = replace(spec, start=Start.SAFE) if spec.mine_count < spec.grid.size else spec
    player = LayoutPlayer(spec, seed)
    tried = 0
    while budget.batch(tried, 1):
        share = max(LEAST_INSIDE, MOST_INSIDE - STEP * tried)
        layout = packed_layout(spec, Rng(seed).split(tried), share)
        played = player.play(layout)
        tried += 1
        stats.tried += 1
        stats.furthest = max(stats.furthest, played.revealed)
        if played.status != SOLVED or not player.has_numbers(layout):
            stats.measured += player.has_numbers(layout)
            continue
        stats.measured += 1
        certificate = prove(layout, spec.first, spec.up_to)
        assert certificate is not None  # it was opened by no more than that
        stats.solved += 1
        if certificate.difficulty in spec.difficulty:
            return GeneratedLayout(layout=layout, first=spec.first, certificate=certificate, tries=tried)
    raise LayoutNotFoundError(stats.told(spec), tries=tried)


def packed_layout(spec: LayoutSpec, rng: Rng, share: int) -> Layout:
    """One layout: mines everywhere outside a region around the first cell, and on `share` in a thousand cells of the region."""
    free = {spec.first, *kept_free(spec.grid, spec.start, spec.first)}
    safe = spec.grid.size - spec.mine_count
    size = min(spec.grid.size, safe * 1000 // (1000 - share))
    region = _grown(spec.grid, sorted(free), size, rng)
    room = sorted(region - free)
    inside = rng.sample(len(room), len(region) - safe)
    mines = (set(range(spec.grid.size)) - region) | {room[at] for at in inside}
    return Layout(spec.grid, CellSet.of(mines))


def _grown(grid: Grid, begin: Iterable[int], size: int, rng: Rng) -> set[int]:
    """A connected region of this size that contains `begin`; smaller if no more cells are connected."""
    region = set(begin)
    border = [near for cell in sorted(region) for near in grid.neighbours(cell)]
    while len(region) < size and border:
        at = rng.below(len(border))
        border[at], border[-1] = border[-1], border[at]
        cell = border.pop()
        if cell not in region:
            region.add(cell)
            border += grid.neighbours(cell)
    return region
