"""The twin of `reference.cascade`: what opens when a zero is revealed.

Knows: buffers of tiles and clues, a neighbour table that names the cells a zero opens.
Does not know: rules, games, what happens at a mine (the first cell is none, and a cascade meets none).
"""

from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.layout import MINE_CLUE
from sapper._kernels.compiled.workspace import Bytes, Indices

COVERED = 9
FLAGGED = 10
QUESTION = 11


@helper(I64(I32S, I32S, I64, U8S, U8S, I64, I32S, I64))
def cascade_table(
    starts: Indices,
    cells: Indices,
    clears_flags: int,
    clues: Bytes,
    tiles: Bytes,
    cell: int,
    opened: Indices,
    count: int,
) -> int:
    """Reveal `cell`, and on from every zero; the cells go into `opened` from `count` on, which it returns.

    `tiles` is changed in place. Clue 0-8 at `cell`.
    """
    tiles[cell] = clues[cell]
    opened[count] = cell
    at = count
    count += 1
    while at < count:
        zero = opened[at]
        at += 1
        if clues[zero]:
            continue
        for index in range(starts[zero], starts[zero + 1]):
            near = cells[index]
            tile = tiles[near]
            may_open = tile in (COVERED, QUESTION) or (tile == FLAGGED and clears_flags != 0)
            if may_open and clues[near] != MINE_CLUE:
                tiles[near] = clues[near]
                opened[count] = near
                count += 1
    return count
