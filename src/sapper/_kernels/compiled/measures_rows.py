"""3BV, openings and islands of rectangles up to 62 wide, a word a row: ten times as fast as cell by cell.

Knows: rows of bits.
Does not know: what the numbers mean (see `reference.measures`), grids that are no rectangle.
"""

from sapper._kernels.compiled.compiler import I64, I64S, U8S, bit_count, helper, lowest_bit
from sapper._kernels.compiled.workspace import Bytes, Ints

WIDEST = 62
"""The most columns a row of bits can have here, with room for a bit on either side."""


@helper(I64(I64, I64S, I64S, I64))
def widen(height: int, rows: Ints, wide: Ints, full: int) -> int:
    """Write into `wide` the cells of `rows` with their neighbours."""
    before = 0
    row = rows[0]
    row = (row | row << 1 | row >> 1) & full
    for y in range(height):
        after = 0
        if y + 1 < height:
            after = rows[y + 1]
            after = (after | after << 1 | after >> 1) & full
        wide[y] = before | row | after
        before = row
        row = after
    return 0


@helper(I64(I64, I64S, I64S))
def count_parts(height: int, rows: Ints, parents: Ints) -> int:
    """Parts of the set bits that are connected over eight neighbours.

    Runs of bits are joined with the runs of the row before that they touch (union by the lower number);
    each run adds a part, each joining of two takes one away.
    """
    parts = 0
    runs = 0
    before_first = 0
    for y in range(height):
        first = runs
        before_run = before_first
        before_bits = rows[y - 1] if y else 0
        bits = rows[y]
        while bits:
            start = lowest_bit(bits)
            length = lowest_bit(~(bits >> start))
            run = ((1 << length) - 1) << start
            bits &= ~run
            parents[runs] = runs
            parts += 1
            near = run | run << 1 | run >> 1
            # Both rows go from low to high: runs that end before this one begins are done with.
            while before_bits:
                other_start = lowest_bit(before_bits)
                other_length = lowest_bit(~(before_bits >> other_start))
                other = ((1 << other_length) - 1) << other_start
                if other & near:
                    one = runs
                    while parents[one] != one:
                        one = parents[one]
                    two = before_run
                    while parents[two] != two:
                        two = parents[two]
                    if one != two:
                        parts -= 1
                        parents[max(one, two)] = min(one, two)
                if other_start + other_length > start + length:
                    break  # it reaches beyond this run, and may touch the next one
                before_bits &= ~other
                before_run += 1
            runs += 1
        before_first = first
    return parts


@helper(I64(I64, I64, U8S, I64S, I64S, I64S, I64S, I64))
def values_of_rows(
    width: int, height: int, mapped: Bytes, mines: Ints, zeros: Ints, parents: Ints, values: Ints, at: int
) -> int:
    """Write 3BV, openings and islands of one layout into `values` from `at` on; scratch has a word a row or more."""
    full = (1 << width) - 1
    for y in range(height):
        bits = 0
        for x in range(width):
            bits |= mapped[y * width + x] << x
        mines[y] = bits
    widen(height, mines, zeros, full)
    for y in range(height):
        zeros[y] = ~zeros[y] & full
    openings = count_parts(height, zeros, parents)
    touching = parents[:height]
    widen(height, zeros, touching, full)
    alone = 0
    for y in range(height):
        mines[y] = ~mines[y] & ~touching[y] & full
        alone += bit_count(mines[y])
    values[at] = openings + alone
    values[at + 1] = openings
    values[at + 2] = count_parts(height, mines, parents)
    return 0
