"""The numbers of many layouts: the twin of `reference.measures`.

Knows: the library's function for it.
Does not know: games, players, times.
"""

from array import array
from collections.abc import Sequence

from sapper._kernels.library import BATCH, Table, check

NUMBERS = 5


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
