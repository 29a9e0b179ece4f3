"""The exact endgame of one board, or of one of its regions, by the library."""

from array import array
from collections.abc import Sequence
from typing import NamedTuple

from sapper._kernels.interruptible import run_interruptibly
from sapper._kernels.library import BATCH, Table
from sapper._kernels.reference.analysis import Analysed
from sapper._kernels.reference.endgame import EndgameMove, EndgameRegion
from sapper._kernels.reference.layouts import Region
from sapper._kernels.reference.scan import EXPLODED, MINE

SAFE, MINED = 1, 2
WRONG_FLAG = 14
_QUICK_LAYOUTS, _QUICK_SETS = 2_000, 100_000
"""Searches that are over in about a second, as those are that nobody asks to be larger."""


class SolvedList(NamedTuple):
    """The result of a search: for each cell that is not certainly mined, between how many of the layouts revealing it wins."""

    layouts: int
    sets: int
    """Sets of layouts that were looked at."""
    is_done: bool
    """True if the budget was enough: then the bounds of the best are equal, and with `every` those of all cells."""
    best: int
    """The lowest cell of those that win most; -1 if there is none."""
    cells: tuple[int, ...]
    safe: tuple[int, ...]
    """In how many of the layouts each is."""
    low: tuple[int, ...]
    high: tuple[int, ...]


def solve_board(
    starts: Sequence[int],
    cells: Sequence[int],
    tiles: bytes,
    marks: bytes,
    mines: int,
    layouts: int,
    sets: int,
    *,
    every: bool,
) -> SolvedList | None:
    """Search a board that has `layouts` layouts, looking at so many `sets` of them at most; None if listing them takes too long.

    `marks` has 1 at cells that are certainly safe, 2 at those certainly mined, 0 elsewhere. `mines`: of the whole board.
    `every` has the chance of every cell searched, not only the best.
    """
    table = Table(starts, cells, 0)
    size = table.grid.size
    if not len(tiles) == len(marks) == size:
        raise ValueError(f"{len(tiles)} tiles and {len(marks)} marks for {size} cells")
    places = sum(9 <= tile <= 11 and mark != 2 for tile, mark in zip(tiles, marks, strict=True))
    endgame = BATCH.sapper_endgame_new(table.address, max(places, 1), max(layouts, 1), sets)
    if not endgame:
        raise MemoryError(f"there is not enough memory to search {layouts:,} layouts")
    try:

        def search(stop: int | None) -> tuple[int, int]:
            if stop is not None:
                BATCH.sapper_endgame_heed(endgame, stop)
            count = BATCH.sapper_endgame_list(endgame, tiles, marks, mines, layouts)
            return count, BATCH.sapper_endgame_search(endgame, sets, every) if count > 0 and places else -1

        is_long = layouts > _QUICK_LAYOUTS or sets > _QUICK_SETS
        count, best = run_interruptibly(search) if is_long else search(None)
        if count < 0:
            return None
        numbers = array("i", bytes(16 * max(places, 1)))
        looked_at = array("q", [0])
        at, each = numbers.buffer_info()[0], 4 * places
        BATCH.sapper_endgame_places(endgame, at, at + each, at + 2 * each, at + 3 * each, looked_at.buffer_info()[0])
    finally:
        BATCH.sapper_endgame_free(endgame)
    listed, safe, low, high = (tuple(numbers[places * row : places * (row + 1)]) for row in range(4))
    is_done = best >= 0 or not places
    place = best if is_done else ~best
    return SolvedList(count, looked_at[0], is_done, listed[place] if place >= 0 else -1, listed, safe, low, high)


def solve_region(
    found: Analysed, region: Region, tiles: bytes, starts: Sequence[int], cells: Sequence[int], sets: int
) -> tuple[EndgameRegion, int] | None:
    """A region of an analysed board, and how many sets of layouts were looked at; None if listing them takes too long."""
    own, count = set(region.cells), len(found.components)
    units = {*region.components, count} if region.interior else {*region.components}
    alone, marks = bytearray(tiles), bytearray(len(tiles))
    for cell in found.safe:
        marks[cell] = SAFE
    for cell in found.mined:
        marks[cell] = MINED
    mines = region.mines + len(found.mined) + tiles.count(MINE) + tiles.count(EXPLODED)
    for group in found.groups:
        if group.numerator == found.census:
            if (group.component if group.component >= 0 else count) in units:
                mines -= len(group.cells)  # they are counted twice
        elif group.numerator and group.cells[0] not in own:
            for cell in group.cells:
                alone[cell] = WRONG_FLAG  # no place, and what it shows is of another region
    solved = solve_board(starts, cells, bytes(alone), bytes(marks), mines, region.layouts, sets, every=True)
    if solved is None or solved.layouts != region.layouts:
        return None
    moves = tuple(
        EndgameMove(cell, solved.layouts, safe, low, high)
        for cell, safe, low, high in zip(solved.cells, solved.safe, solved.low, solved.high, strict=True)
        if cell in own
    )
    low, high = max(solved.low), max(solved.high)
    return EndgameRegion(region.cells, region.layouts, True, low, high, moves), solved.sets
