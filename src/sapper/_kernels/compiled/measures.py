"""3BV and openings inside the search of layouts.

Knows: clues, neighbour tables.
Does not know: games, players, times; what the numbers mean is said in `reference.measures`.
"""

from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.layout import MINE_CLUE
from sapper._kernels.compiled.workspace import Bytes, Indices

NO_OPENING = -1


@helper(I64(I32S, I32S, U8S, I32S, I32S))
def number_openings(starts: Indices, cells: Indices, clues: Bytes, of: Indices, stack: Indices) -> int:
    """Write the opening of each zero (`NO_OPENING` elsewhere) into `of`; the number of openings."""
    size = clues.size
    for cell in range(size):
        of[cell] = NO_OPENING
    count = 0
    for cell in range(size):
        if clues[cell] != 0 or of[cell] != NO_OPENING:
            continue
        of[cell] = count
        stack[0] = cell
        top = 1
        while top:
            top -= 1
            zero = stack[top]
            for at in range(starts[zero], starts[zero + 1]):
                near = cells[at]
                if clues[near] == 0 and of[near] == NO_OPENING:
                    of[near] = count
                    stack[top] = near
                    top += 1
        count += 1
    return count


@helper(I64(I32S, I32S, U8S, U8S))
def mark_alone(starts: Indices, cells: Indices, clues: Bytes, marks: Bytes) -> int:
    """Write 1 for each clue that touches no opening; how many there are."""
    count = 0
    for cell in range(clues.size):
        marks[cell] = 0
        if clues[cell] == 0 or clues[cell] == MINE_CLUE:
            continue
        touches = False
        for at in range(starts[cell], starts[cell + 1]):
            if clues[cells[at]] == 0:
                touches = True
                break
        if not touches:
            marks[cell] = 1
            count += 1
    return count
