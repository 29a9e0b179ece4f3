"""The layouts of a board's regions are those that trying all finds, each once."""

import itertools

from sapper._kernels.reference.analysis import Analysed, analyse_table
from sapper._kernels.reference.layouts import layouts_of_region, regions_of
from sapper.errors import ContradictionError
from tests.census import layouts_of, some_board

_SPLIT = (768, 1472)
"""More boards of two regions (21 is the first)."""


def _listed(found: Analysed, starts: "list[int]", cells: "list[int]") -> tuple[set[frozenset[int]], int]:
    """All combinations of the regions' layouts, with the certain mines; and how many regions there are."""
    regions = regions_of(found, starts, cells)
    every = [layouts_of_region(found, region) for region in regions]
    for region, some in zip(regions, every, strict=True):
        assert len(some) == len(set(some)) == region.layouts
    certain = sum(1 << cell for cell in found.mined)
    masks = [sum(chosen) | certain for chosen in itertools.product(*every)]
    return {frozenset(cell for cell in range(mask.bit_length()) if mask >> cell & 1) for mask in masks}, len(regions)


def test_regions_together_have_the_layouts_of_the_board() -> None:
    split = 0
    for seed in (*range(300), *_SPLIT):
        tiles, grid, mines = some_board(seed)
        shown = {cell for cell, tile in enumerate(tiles) if tile in (12, 13)}
        expected = {frozenset(one) - shown for one in map(set, layouts_of(tiles, grid, mines))}
        starts, cells = list(grid.table.starts), list(grid.table.cells)
        try:
            found = analyse_table(tiles, starts, cells, mines)
        except ContradictionError:
            assert not expected
            continue
        listed, count = _listed(found, starts, cells)
        assert listed == expected, seed
        split += count > 1
    assert split == 3
