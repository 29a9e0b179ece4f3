"""The twin of `reference.layout` and of the uniform generator: from a seed to mines and clues.

Knows: start rules by number, neighbour tables, one byte a cell.
Does not know: tiles, strategies, how a game is played.
"""

from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.random import U64, U64S, Word, Words, sample, seed_state
from sapper._kernels.compiled.workspace import Bytes, Indices

MINE_CLUE = 9

START_ANY = 0
START_SAFE = 1
START_OPEN = 2
"""Start rules; the codes are the places in `core.rules.Start`."""


@helper(I64(I32S, I32S, U8S, U8S))
def clues_of_table(starts: Indices, cells: Indices, mapped: Bytes, clues: Bytes) -> int:
    """Fill `clues` (0-8, `MINE_CLUE` at a mine) from a map of the mines; the number of mines."""
    size = starts.size - 1
    for cell in range(size):
        clues[cell] = 0
    mines = 0
    for cell in range(size):
        if mapped[cell]:
            mines += 1
            for at in range(starts[cell], starts[cell + 1]):
                clues[cells[at]] += 1
    for cell in range(size):
        if mapped[cell]:
            clues[cell] = MINE_CLUE
    return mines


@helper(I64(I32S, I64, I64, I64))
def nearest_start(starts: Indices, mines: int, start: int, first: int) -> int:
    """The start rule, or the nearest that leaves room for the mines."""
    size = starts.size - 1
    if start == START_OPEN and mines > size - 1 - (starts[first + 1] - starts[first]):
        start = START_SAFE
    if start == START_SAFE and mines > size - 1:
        start = START_ANY
    return start


@helper(I64(I32S, I32S, I64, I64, I64, U64, U64S, U8S))
def draw_mines(
    starts: Indices, cells: Indices, mines: int, start: int, first: int, seed: Word, state: Words, mapped: Bytes
) -> int:
    """Map the mines of the layout that this seed gives; 1 at a mine. `state` and the old map are scratch.

    The cells kept free push those from them on up by one: the drawn numbers, in order, are the cells
    that are left, in order.
    """
    size = starts.size - 1
    start = nearest_start(starts, mines, start, first)
    seed_state(seed, state)
    if start == START_ANY:
        return sample(state, size, mines, mapped)
    begin = I64(starts[first])
    end = I64(starts[first + 1]) if start == START_OPEN else begin
    sample(state, size - 1 - (end - begin), mines, mapped)
    # From the end: a cell never reads what was already written. `free` are those kept free up to here.
    free = 1 + end - begin
    near = end - 1
    first_left = True
    for cell in range(size - 1, -1, -1):
        if first_left and cell == first:
            first_left = False
            free -= 1
            mapped[cell] = 0
        elif near >= begin and cells[near] == cell:
            near -= 1
            free -= 1
            mapped[cell] = 0
        elif free == 0:
            break
        else:
            mapped[cell] = mapped[cell - free]
    return mines
