"""Layouts drawn, opened and measured: the twins of functions of `reference.random`, `cascade`, `search` and `measures`."""

from array import array
from collections.abc import Sequence

from sapper._kernels.library import BATCH, SINGLE, Table, address_of, check
from sapper._kernels.reference.cascade import Run, changed_runs
from sapper._kernels.reference.search import Field

NUMBERS = 5


def choose(state: list[int], population: int, count: int) -> bytearray:
    """A byte for each number below `population`, 1 at the `count` of its sample; `state` is advanced."""
    words, chosen = array("Q", state), bytearray(population)
    check(SINGLE.sapper_choose(address_of(words), population, count, address_of(chosen)))
    state[:] = words
    return chosen


def cascade_plane(
    width: int, height: int, spread: int, clears_flags: bool, clues: bytes, tiles: bytearray, cell: int
) -> list[Run]:
    """See `reference`."""
    if not len(clues) == len(tiles) == width * height:
        raise ValueError("clues and tiles have a byte for each cell")
    before, opened, span = bytes(tiles), bytearray(4 * len(tiles)), array("i", (0, 0))
    check(
        SINGLE.sapper_cascade(
            width, height, spread, clears_flags, clues, address_of(tiles), cell, address_of(opened), address_of(span)
        )
    )
    low, high = span
    return [(low + begin, low + end) for begin, end in changed_runs(before[low:high], tiles[low:high])]


def draw_many(field: Field, mines: int, start: int, first: int, seed: int, begin: int, count: int) -> bytes:
    """See `reference`."""
    maps = bytearray(count * field.size)
    table = Table(field.starts, field.cells, field.width)
    check(BATCH.sapper_draw_many(table.address, mines, start, first, seed, begin, count, address_of(maps)))
    return bytes(maps)


def measure_many(
    starts: Sequence[int], cells: Sequence[int], width: int, plane: bool, maps: bytes, with_zini: bool
) -> list[list[int]]:
    """The numbers of many layouts, five each (the last two 0 without `with_zini`): 3BV, openings, islands, both kinds of ZiNi.

    `maps` has one byte a cell, 1 at a mine, layout after layout. `plane`: the table is that of a rectangle
    with eight neighbours.
    """
    table = Table(starts, cells, width if plane else 0)
    count = len(maps) // table.grid.size
    numbers = array("i", bytes(4 * NUMBERS * count))
    check(BATCH.sapper_measure_many(table.address, width, maps, count, with_zini, numbers.buffer_info()[0]))
    return [numbers[at : at + NUMBERS].tolist() for at in range(0, len(numbers), NUMBERS)]
