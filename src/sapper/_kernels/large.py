"""Single large boards by the native half, where there is one: drawing mines, and cascades.

Where a cell is no zero, and for few mines, the reference is as quick as a call.
"""

from sapper._kernels import loading
from sapper._kernels.reference import cascade, random

LEAST_DRAWN = 100
"""Draws from which on a call is worth it."""
MOST_CELLS = 250_000
"""Cells up to which a call for a cascade is worth it: it copies the board, which the reference does not."""


def choose(state: list[int], population: int, count: int) -> bytearray:
    """A byte for each number below `population`, 1 at the `count` of `reference.random.sample`; `state` is advanced."""
    if LEAST_DRAWN <= count <= population <= (1 << 31) - 1 and (library := loading.native("layouts")) is not None:
        chosen: bytearray = library.choose(state, population, count)
        return chosen
    chosen = bytearray(population)
    for one in random.sample(state, population, count):
        chosen[one] = 1
    return chosen


def cascade_plane(
    width: int, height: int, spread: int, clears_flags: bool, clues: bytes, tiles: bytearray, cell: int
) -> list[cascade.Run]:
    """See `reference.cascade.cascade_plane`."""
    if not clues[cell] and len(tiles) <= MOST_CELLS and (library := loading.native("layouts")) is not None:
        runs: list[cascade.Run] = library.cascade_plane(width, height, spread, clears_flags, clues, tiles, cell)
        return runs
    return cascade.cascade_plane(width, height, spread, clears_flags, clues, tiles, cell)
