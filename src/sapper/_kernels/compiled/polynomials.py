"""How many layouts each state stands for, as polynomials in the number of mines: floats.

Every mine is weighted by a tilt, near the odds of a mine on this board, so that the coefficients
that matter are near the largest of their layer. Layers are scaled by powers of two, which is exact;
the tilt has five significant bits, so its first powers are exact too. Nothing is ever subtracted.

One pass forward gives each state its ways from the start. One pass back, seeded with the weight of
everything outside the component, gives every group's expected number of mines, and from the sets of
reachable numbers which numbers of mines in the group are possible at all.

Knows: layers, states, edges.
Does not know: where states come from, cells, other components.
"""

from math import frexp, ldexp

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import F64, F64S, I64, I64S, helper
from sapper._kernels.compiled.filling import fill_floats, fill_ints
from sapper._kernels.compiled.states import FULL, WORD
from sapper._kernels.compiled.workspace import SCRATCH, STATES, Floats, Ints, Scratch, States

FLOOR = 1e-200
"""Sums of products below this may have lost something to underflow: the greatest factors are kept
between 2 to the power of -260 and 260, where what is lost of either is below 1e-240."""
LAZY = 60
"""Powers of two that need no scaling."""


@helper(I64(I64, F64, F64S))
def move_weights(size: int, tilt: float, weights: Floats) -> int:
    """weights[k]: ways to choose k of `size` cells, times the tilt to the power k, up to 8; how many."""
    most = min(size, 8)
    ways = 1.0
    power = 1.0
    for k in range(most + 1):
        weights[k] = ways * power
        ways = ways * (size - k) / (k + 1)
        power *= tilt
    return most


@helper(I64(F64S, I64, I64))
def rescale(values: Floats, begin: int, end: int) -> int:
    """Divide by a power of two so that the greatest is at least 0.5 and below 1, if it is far from it.

    The power; 0 where nothing was done.
    """
    greatest = 0.0
    for at in range(begin, end):
        greatest = max(greatest, values[at])
    power = int(frexp(greatest)[1])
    if -LAZY <= power <= LAZY:
        return 0
    # In two steps, since 2 to the power may be out of range.
    one = ldexp(1.0, -(power // 2))
    two = ldexp(1.0, power // 2 - power)
    for at in range(begin, end):
        values[at] = values[at] * one * two
    return power


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, F64, F64S))
def count_part(
    ws: Scratch, st: States, begin: int, end: int, layer: int, final: int, tilt: float, weights: Floats
) -> int:
    """Fill `ways` for the component `order[begin:end]`; the power of two taken out of its last state.

    `final` is the number of states after it.
    """
    ways = st.real[f.WAYS]
    ways[st.state[f.WAYS_AT, ws.pair[f.LAYER_FIRST, layer]]] = 1.0
    steps = abs(frexp(tilt)[1]) * 8 + 8
    exponent = 0
    pending = 0
    for at in range(begin, end):
        size = ws.cell[f.GROUP_SIZE, ws.cell[f.ORDER, at]]
        move_weights(size, tilt, weights)
        first = ws.pair[f.LAYER_FIRST, layer]
        last = ws.pair[f.LAYER_FIRST, layer + 1]
        after = ws.pair[f.LAYER_FIRST, layer + 2] if at + 1 < end else final
        low = st.state[f.WAYS_AT, last]
        high = st.state[f.WAYS_AT, after - 1] + st.state[f.HIGH, after - 1] - st.state[f.LOW, after - 1] + 1
        fill_floats(ways, low, high, 0.0)
        for state in range(first, last):
            source = st.state[f.WAYS_AT, state]
            length = st.state[f.HIGH, state] - st.state[f.LOW, state] + 1
            mines = st.state[f.LOW, state]
            k = st.state[f.FEWEST, state]
            for edge in range(st.state[f.FIRST_EDGE, state], st.state[f.FIRST_EDGE, state + 1]):
                to = st.edge[f.EDGE_TO, edge]
                target = st.state[f.WAYS_AT, to] + mines + k - st.state[f.LOW, to]
                weight = weights[k]
                for j in range(length):
                    ways[target + j] += weight * ways[source + j]
                k += 1
        pending += steps
        if pending > 200 or at + 1 == end:
            pending = 0
            exponent += rescale(ways, low, high)
        layer += 1
    return exponent


@helper(I64(I64S, I64, I64, I64S, I64, I64, I64, I64))
def _meet(reach: Ints, place: int, words: int, back: Ints, source: int, old_words: int, shift: int, target: int) -> int:
    """Add to back[target:] what of back[source:], moved down by `shift`, is reachable; whether any is."""
    met = 0
    for i in range(old_words):
        bits = back[source + i]
        if bits == 0:
            continue
        at = i * WORD - shift
        word = at // WORD
        up = at - word * WORD
        if 0 <= word < words:
            found = (bits << up) & FULL & reach[place + word]
            back[target + word] |= found
            met |= found
        if 0 <= word + 1 < words:
            found = (bits >> (WORD - up)) & reach[place + word + 1]
            back[target + word + 1] |= found
            met |= found
    return met


@helper(F64(STATES, I64, I64, I64, I64, F64))
def _along(st: States, source: int, target: int, here: int, length: int, weight: float) -> float:
    """Add what lies beyond one edge to `rest` at `here`; the layouts that go along the edge, weighted."""
    total = 0.0
    for j in range(length):
        value = weight * st.real[f.REST, target + j]
        st.real[f.REST, here + j] += value
        total += value * st.real[f.WAYS, source + j]
    return total


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, I64, I64, F64S))
def _layer_back(
    ws: Scratch,
    st: States,
    layer: int,
    last: int,
    old: int,
    new: int,
    old_back: int,
    new_back: int,
    weights: Floats,
) -> int:
    """One layer of the pass back; the numbers of mines that the group can have, as bits.

    `old`, `new` are where `rest` of the layer after and of this one begin, `old_back` and `new_back`
    the same of `back`. weights[9] and weights[10] get the total and the expected mines times it.
    """
    first = ws.pair[f.LAYER_FIRST, layer]
    rest = st.real[f.REST]
    reach = st.edge[f.REACH]
    back = st.edge[f.BACK]
    words = ws.pair[f.LAYER_WORDS, layer]
    old_words = ws.pair[f.LAYER_WORDS, layer + 1]
    slide = ws.pair[f.LAYER_BASE, layer] - ws.pair[f.LAYER_BASE, layer + 1]
    place = ws.pair[f.LAYER_REACH, layer]
    ways_low = st.state[f.WAYS_AT, first]
    old_low = st.state[f.WAYS_AT, last]
    possible = 0
    total = 0.0
    mines = 0.0
    for state in range(first, last):
        source = st.state[f.WAYS_AT, state]
        here = new + source - ways_low
        low = st.state[f.LOW, state]
        length = st.state[f.HIGH, state] - low + 1
        k = st.state[f.FEWEST, state]
        bits_at = new_back + (state - first) * words
        fill_ints(back, bits_at, bits_at + words, 0)
        fill_floats(rest, here, here + length, 0.0)
        for edge in range(st.state[f.FIRST_EDGE, state], st.state[f.FIRST_EDGE, state + 1]):
            to = st.edge[f.EDGE_TO, edge]
            target = old + st.state[f.WAYS_AT, to] - old_low + low + k - st.state[f.LOW, to]
            shift = slide + k
            bits = old_back + (to - last) * old_words
            if words == 1 and old_words == 1:
                both = back[bits] >> shift if shift >= 0 else back[bits] << -shift
                both &= reach[place + state - first]
                back[bits_at] |= both
            else:
                both = _meet(reach, place + (state - first) * words, words, back, bits, old_words, shift, bits_at)
            if both:
                possible |= 1 << k
                sum_here = _along(st, source, target, here, length, weights[k])
                total += sum_here
                mines += k * sum_here
            k += 1
    weights[9] = total
    weights[10] = mines
    return possible


@helper(I64(SCRATCH, STATES, I64, I64, I64, F64, F64, F64S))
def expect_part(
    ws: Scratch,
    st: States,
    begin: int,
    end: int,
    layer: int,
    tilt: float,
    least: float,
    weights: Floats,
) -> int:
    """The chance of a mine in a cell of each group of the component, and what is certain of it.

    The last state's seeds are in st.real[f.REST, 0:] and its reachable numbers of mines in st.edge[f.BACK, 0:].
    A positive chance below `least` is not to be relied upon. 0 if something was lost, else 1.
    """
    half_rest = st.real.shape[1] // 2
    half_back = st.edge.shape[1] // 2
    old = 0
    old_back = 0
    good = 1
    layer += end - begin
    for at in range(end - 1, begin - 1, -1):
        group = ws.cell[f.ORDER, at]
        size = ws.cell[f.GROUP_SIZE, group]
        move_weights(size, tilt, weights)
        weights[9] = 0.0
        weights[10] = 0.0
        last = ws.pair[f.LAYER_FIRST, layer]
        layer -= 1
        new = half_rest - old
        new_back = half_back - old_back
        possible = _layer_back(ws, st, layer, last, old, new, old_back, new_back, weights)
        total = weights[9]
        mines = weights[10]
        if total < FLOOR or (possible > 1 and mines < max(FLOOR, least * total)):
            good = 0
        if possible == 1:
            ws.cell[f.GROUP_MARK, group] = 1
            ws.real[f.CHANCE, group + 1] = 0.0
        elif possible == 1 << size:
            ws.cell[f.GROUP_MARK, group] = 2
            ws.real[f.CHANCE, group + 1] = 1.0
        else:
            ws.cell[f.GROUP_MARK, group] = 0
            ws.real[f.CHANCE, group + 1] = min(mines / (total * size), 1.0)
        first = ws.pair[f.LAYER_FIRST, layer]
        low = st.state[f.WAYS_AT, first]
        rescale(
            st.real[f.REST],
            new,
            new + st.state[f.WAYS_AT, last - 1] + st.state[f.HIGH, last - 1] - st.state[f.LOW, last - 1] + 1 - low,
        )
        old = new
        old_back = new_back
    return good
