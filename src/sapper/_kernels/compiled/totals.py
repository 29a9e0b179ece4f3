"""Which numbers of mines each component can have, given the others, the interior and the board's mines.

Exact integers: mostly every component can have any number between its least and its most, and sums
of intervals are intervals. Where one cannot (1 or 3, say, but not 2), the tree of `combine` is run
over 0.0 and 1.0 alone, where floats are exact, and never cut.

Knows: sets of numbers of mines.
Does not know: layouts, chances, states, cells.
"""

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.combine import hand_down, multiply_up
from sapper._kernels.compiled.compiler import I64, I64S, helper
from sapper._kernels.compiled.filling import fill_ints
from sapper._kernels.compiled.states import FULL, WORD
from sapper._kernels.compiled.workspace import SCRATCH, STATES, Ints, Scratch, States

NOTHING_FITS = -1
NO_ROOM = -3


@helper(I64(SCRATCH, STATES, I64))
def _is_interval(ws: Scratch, st: States, part: int) -> int:
    """1 if the component can have every number of mines from its least to its most, else 0."""
    at = ws.pair[f.LAYER_REACH, ws.cell[f.PART_LAST, part]]
    size = ws.cell[f.PART_HIGH, part] - ws.cell[f.PART_LOW, part] + 1
    while size > 0:
        if st.edge[f.REACH, at] != FULL >> (WORD - min(size, WORD)):
            return 0
        at += 1
        size -= WORD
    return 1


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64S))
def _by_tree(ws: Scratch, st: States, parts: int, interior: int, mines: int, bounds: Ints) -> int:
    """The same where some component's numbers have gaps."""
    end = 0
    for part in range(parts):
        size = ws.cell[f.PART_HIGH, part] - ws.cell[f.PART_LOW, part] + 1
        if end + size > st.real.shape[1]:
            return NO_ROOM
        ws.pair[f.NODE_LOW, part] = ws.cell[f.PART_LOW, part]
        ws.pair[f.NODE_SIZE, part] = size
        ws.pair[f.NODE_AT, part] = end
        at = ws.pair[f.LAYER_REACH, ws.cell[f.PART_LAST, part]]
        for i in range(size):
            st.real[f.TREE, end + i] = float((st.edge[f.REACH, at + i // WORD] >> (i % WORD)) & 1)
        end += size
    if multiply_up(ws, st, parts, end, 1) == -1 << 60:
        return NO_ROOM
    root = 2 * parts - 2
    least = interior + 1
    most = -1
    for i in range(ws.pair[f.NODE_SIZE, root]):
        left = mines - ws.pair[f.NODE_LOW, root] - i
        fits = 0 <= left <= interior and st.real[f.TREE, ws.pair[f.NODE_AT, root] + i] > 0.0
        st.real[f.TREE_REST, ws.pair[f.NODE_AT, root] + i] = 1.0 if fits else 0.0
        if fits:
            least = min(least, left)
            most = max(most, left)
    if most < 0:
        return NOTHING_FITS
    bounds[0] = least
    bounds[1] = most
    hand_down(ws, st, parts, 1)
    end = 0
    for part in range(parts):
        size = ws.pair[f.NODE_SIZE, part]
        words = (size - 1) // WORD + 1
        fill_ints(ws.cell[f.WIDE], end, end + words, 0)
        for i in range(size):
            if st.real[f.TREE_REST, ws.pair[f.NODE_AT, part] + i] > 0.0:
                ws.cell[f.WIDE, end + i // WORD] |= 1 << (i % WORD)
        end += words
    return 0


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64S))
def possible_totals(ws: Scratch, st: States, parts: int, interior: int, mines: int, bounds: Ints) -> int:
    """Fill `wide` with what each component can have; bounds[0:2] the least and most of the interior.

    0, NOTHING_FITS or NO_ROOM.
    """
    low = 0
    high = 0
    whole = 1
    for part in range(parts):
        low += ws.cell[f.PART_LOW, part]
        high += ws.cell[f.PART_HIGH, part]
        whole &= _is_interval(ws, st, part)
    bounds[0] = max(0, mines - high)
    bounds[1] = min(interior, mines - low)
    if bounds[0] > bounds[1]:
        return NOTHING_FITS
    if not whole:
        return _by_tree(ws, st, parts, interior, mines, bounds)
    end = 0
    for part in range(parts):
        base = ws.cell[f.PART_LOW, part]
        first = max(base, mines - interior - (high - ws.cell[f.PART_HIGH, part])) - base
        last = min(ws.cell[f.PART_HIGH, part], mines - (low - base)) - base
        words = (ws.cell[f.PART_HIGH, part] - base) // WORD + 1
        for word in range(words):
            begin = max(first - word * WORD, 0)
            stop = min(last + 1 - word * WORD, WORD)
            ws.cell[f.WIDE, end + word] = FULL >> (WORD - stop) & ~((1 << begin) - 1) if begin < stop else 0
        end += words
    return 0
