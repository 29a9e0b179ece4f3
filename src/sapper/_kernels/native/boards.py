"""What one large board needs: the twins of `reference.random.sample` and `reference.cascade.cascade_plane`.

Knows: the library's functions for them.
Does not know: from which size on they are worth a call.
"""

from array import array

from sapper._kernels.library import SINGLE, address_of, check
from sapper._kernels.reference.cascade import Run, changed_runs


def choose(state: list[int], population: int, count: int) -> bytearray:
    """A byte for each number below `population`, 1 at the `count` of its sample; `state` is advanced."""
    words, chosen = array("Q", state), bytearray(population)
    check(SINGLE.sapper_choose(address_of(words), population, count, address_of(chosen)))
    state[:] = words
    return chosen


def cascade_plane(
    width: int, height: int, spread: int, clears_flags: bool, clues: bytes, tiles: bytearray, cell: int
) -> list[Run]:
    """As the twin."""
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
