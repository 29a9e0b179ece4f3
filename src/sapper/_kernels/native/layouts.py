"""Many layouts drawn in one call: the twin of `reference.search.draw_many`.

Knows: the library's functions for layouts.
Does not know: games, what a layout is good for.
"""

from sapper._kernels.library import BATCH, Table, address_of, check
from sapper._kernels.reference.search import Field


def draw_many(field: Field, mines: int, start: int, first: int, seed: int, begin: int, count: int) -> bytes:
    """As the twin."""
    maps = bytearray(count * field.size)
    table = Table(field.starts, field.cells, field.width)
    check(BATCH.sapper_draw_many(table.address, mines, start, first, seed, begin, count, address_of(maps)))
    return bytes(maps)
