"""All components and the interior together: what each looks like from the others.

The polynomials of the components are multiplied in a tree, two by two; then the weights of the rest
of the board are handed down it, from the interior's binomial at the root to every component. Leaves
are the nodes 0 to L - 1; node L + j is the product of nodes 2j and 2j + 1. Where a polynomial is
long, what is below 1e-140 of its greatest coefficient is cut off at its ends.

Knows: polynomials, the number of mines.
Does not know: states, groups, cells, which numbers of mines are possible (see totals).
"""

from math import exp, frexp, ldexp, lgamma, log

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import F64, F64S, I64, helper
from sapper._kernels.compiled.filling import fill_floats
from sapper._kernels.compiled.polynomials import FLOOR, rescale
from sapper._kernels.compiled.workspace import SCRATCH, STATES, Floats, Scratch, States

CUT = 1e-140
LONG = 64
LEAST = 1e-60
"""The least share of the greatest product that a sum may be where polynomials were cut."""


@helper(F64(F64))
def round_tilt(odds: float) -> float:
    """A number of five significant bits near `odds`, between 2 to the power of -40 and 40."""
    mantissa, power = frexp(min(max(odds, 1e-12), 1e12))
    return ldexp(float(round(mantissa * 32.0)), power - 5)


@helper(I64(SCRATCH, STATES, I64))
def leaf_nodes(ws: Scratch, st: States, parts: int) -> int:
    """Copy the polynomials of all components into the leaves of the tree; their end there, or -1."""
    end = 0
    for part in range(parts):
        size = ws.cell[f.PART_HIGH, part] - ws.cell[f.PART_LOW, part] + 1
        if end + size > st.real.shape[1]:
            return -1
        source = st.state[f.WAYS_AT, ws.cell[f.PART_FINAL, part] - 1]
        for j in range(size):
            st.real[f.TREE, end + j] = st.real[f.WAYS, source + j]
        ws.pair[f.NODE_LOW, part] = ws.cell[f.PART_LOW, part]
        ws.pair[f.NODE_SIZE, part] = size
        ws.pair[f.NODE_AT, part] = end
        end += size
    return end


@helper(I64(F64S, I64, I64))
def _flatten(values: Floats, begin: int, end: int) -> int:
    """Make what is positive 1.0; the power of two taken out, which is none."""
    for at in range(begin, end):
        values[at] = 1.0 if values[at] > 0.0 else 0.0
    return 0


@helper(I64(SCRATCH, F64S, I64))
def _cut(ws: Scratch, tree: Floats, node: int) -> int:
    """Leave out the ends of a node's polynomial that are too small to matter; its new size."""
    begin = ws.pair[f.NODE_AT, node]
    end = begin + ws.pair[f.NODE_SIZE, node]
    greatest = 0.0
    for at in range(begin, end):
        greatest = max(greatest, tree[at])
    bound = greatest * CUT
    while tree[begin] < bound:
        begin += 1
    while tree[end - 1] < bound:
        end -= 1
    ws.pair[f.NODE_LOW, node] += begin - ws.pair[f.NODE_AT, node]
    ws.pair[f.NODE_AT, node] = begin
    ws.pair[f.NODE_SIZE, node] = end - begin
    return int(end - begin)


@helper(I64(SCRATCH, STATES, I64, I64, I64))
def multiply_up(ws: Scratch, st: States, leaves: int, end: int, sets: int) -> int:
    """Fill the inner nodes; the sum of the powers of two taken out of them, or -1 << 60 for no room.

    Polynomials longer than LONG are cut. Not so where they stand for sets (`sets` is 1): then
    coefficients are 0.0 or 1.0.
    """
    tree = st.real[f.TREE]
    exponent = 0
    for node in range(leaves, 2 * leaves - 1):
        left = 2 * (node - leaves)
        right = left + 1
        if ws.pair[f.NODE_SIZE, left] < ws.pair[f.NODE_SIZE, right]:
            left, right = right, left
        a = ws.pair[f.NODE_AT, left]
        b = ws.pair[f.NODE_AT, right]
        long = ws.pair[f.NODE_SIZE, left]
        short = ws.pair[f.NODE_SIZE, right]
        size = long + short - 1
        if end + size > tree.size:
            return -1 << 60
        fill_floats(tree, end, end + size, 0.0)
        for j in range(short):
            factor = tree[b + j]
            if factor == 0.0:
                continue
            for i in range(long):
                tree[end + j + i] += factor * tree[a + i]
        exponent += _flatten(tree, end, end + size) if sets else rescale(tree, end, end + size)
        ws.pair[f.NODE_LOW, node] = ws.pair[f.NODE_LOW, left] + ws.pair[f.NODE_LOW, right]
        ws.pair[f.NODE_AT, node] = end
        ws.pair[f.NODE_SIZE, node] = size
        if size > LONG and not sets:
            _cut(ws, tree, node)
        end = ws.pair[f.NODE_AT, node] + ws.pair[f.NODE_SIZE, node]
    return exponent


@helper(I64(SCRATCH, STATES, I64, I64))
def hand_down(ws: Scratch, st: States, leaves: int, sets: int) -> int:
    """From the weights at the root to those at the leaves, in `tree_rest`; powers of two taken out."""
    tree = st.real[f.TREE]
    rest = st.real[f.TREE_REST]
    exponent = 0
    for node in range(2 * leaves - 2, leaves - 1, -1):
        pair = 2 * (node - leaves)
        source = ws.pair[f.NODE_AT, node]
        size = ws.pair[f.NODE_SIZE, node]
        for child in range(pair, pair + 2):
            other = 2 * pair + 1 - child
            at = ws.pair[f.NODE_AT, child]
            count = ws.pair[f.NODE_SIZE, child]
            fill_floats(rest, at, at + count, 0.0)
            slide = ws.pair[f.NODE_LOW, child] + ws.pair[f.NODE_LOW, other] - ws.pair[f.NODE_LOW, node]
            for j in range(ws.pair[f.NODE_SIZE, other]):
                factor = tree[ws.pair[f.NODE_AT, other] + j]
                if factor == 0.0:
                    continue
                first = max(0, -slide - j)
                last = min(count, size - slide - j)
                for i in range(first, last):
                    rest[at + i] += factor * rest[source + slide + j + i]
            exponent += _flatten(rest, at, at + count) if sets else rescale(rest, at, at + count)
    return exponent


@helper(F64(I64, I64))
def log_binomial(total: int, chosen: int) -> float:
    """The natural logarithm of a binomial coefficient, as good as `lgamma`: for the census only."""
    if chosen == 0 or chosen == total:
        return 0.0
    return lgamma(total + 1.0) - lgamma(chosen + 1.0) - lgamma(total - chosen + 1.0)


@helper(I64(SCRATCH, STATES, I64, I64, I64, I64, F64, F64S))
def weigh_interior(
    ws: Scratch, st: States, root: int, interior: int, mines: int, possible: int, tilt: float, facts: Floats
) -> int:
    """Weights of the interior at the root, by the mines that are left for it; 0 if the range is lost.

    The binomial comes by ratios from where it is greatest. facts[0]: the natural logarithm of the
    number of layouts, but for what was taken out of the root's polynomial; facts[1]: the chance of
    a mine in a cell of the interior, which has `possible` at the most.
    """
    low = ws.pair[f.NODE_LOW, root]
    size = ws.pair[f.NODE_SIZE, root]
    at = ws.pair[f.NODE_AT, root]
    rest = st.real[f.TREE_REST]
    fill_floats(rest, at, at + size, 0.0)
    least = max(0, mines - low - size + 1)
    most = min(interior, mines - low)
    if least > most:
        return 0
    middle = min(max(int((interior + 1) * (tilt / (1.0 + tilt))), least), most)
    place = at + mines - low
    weight = 1.0
    for j in range(middle, most + 1):
        rest[place - j] = weight
        weight *= tilt * (interior - j) / (j + 1)
    weight = 1.0
    for j in range(middle, least, -1):
        weight *= j / (tilt * (interior - j + 1))
        rest[place - j + 1] = weight
    total = 0.0
    inside = 0.0
    greatest = 0.0
    for i in range(size):
        term = st.real[f.TREE, at + i] * rest[at + i]
        total += term
        inside += term * (mines - low - i)
        greatest = max(greatest, st.real[f.TREE, at + i])
    floor = LEAST if size > LONG else FLOOR
    if total < max(floor * greatest, FLOOR):
        return 0
    facts[0] = log(total) + log_binomial(interior, middle) + (middle - mines) * log(tilt)
    facts[1] = min(inside / (total * interior), 1.0) if interior else 0.0
    return 1 if possible == 0 or inside >= total * floor else 0


@helper(F64(SCRATCH, STATES, I64, I64, I64, F64))
def better_tilt(ws: Scratch, st: States, parts: int, interior: int, mines: int, tilt: float) -> float:
    """The tilt under which the expected number of mines is `mines`, from polynomials made with `tilt`.

    By halving an interval of its logarithm: the mean grows with the tilt.
    """
    low = -28.0
    high = 28.0
    for _ in range(50):
        middle = (low + high) / 2
        odds = exp(middle)
        mean = interior * (odds / (1.0 + odds))
        step = middle - log(tilt)
        for part in range(parts):
            source = st.state[f.WAYS_AT, ws.cell[f.PART_FINAL, part] - 1]
            size = ws.cell[f.PART_HIGH, part] - ws.cell[f.PART_LOW, part] + 1
            peak = -1e300
            for j in range(size):
                if st.real[f.WAYS, source + j] > 0.0:
                    peak = max(peak, log(st.real[f.WAYS, source + j]) + j * step)
            total = 0.0
            sum_mines = 0.0
            for j in range(size):
                if st.real[f.WAYS, source + j] > 0.0:
                    value = exp(log(st.real[f.WAYS, source + j]) + j * step - peak)
                    total += value
                    sum_mines += value * j
            mean += ws.cell[f.PART_LOW, part] + (sum_mines / total if total > 0.0 else 0.0)
        if mean < mines:
            low = middle
        else:
            high = middle
    return round_tilt(exp((low + high) / 2))
