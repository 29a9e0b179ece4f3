"""The analysis of a board in numbers, from either half: chances as floats, certain cells as masks."""

import math
from array import array
from typing import NamedTuple

from sapper._kernels.reference.analysis import INTERIOR, Analysed
from sapper.errors import ContradictionError, TooHardError

NOTHING = -1
TIE = 1e-9


class Chances(NamedTuple):
    """The analysis of one board in numbers.

    `chances` has P(mine) of every covered cell, NaN elsewhere; `safe` and `mined` are the certain cells, a bit each,
    `interior` the uncertain ones that no clue touches. `lowest` is the first covered cell within 1e-9 of the least, or
    `NOTHING`. `least` and `second` are the two smallest chances of uncertain cells (of one, the same; NaN where there is none).
    `inside` is P(mine) in a cell that no clue touches (NaN
    where there is none), `states` the work it took. Where no layout fits, or the cap was reached, `fault` says so and the rest
    is empty.
    """

    chances: "array[float]"
    safe: int
    mined: int
    interior: int
    lowest: int
    census_log10: float
    least: float
    second: float
    inside: float
    states: int
    fault: type[ContradictionError] | type[TooHardError] | None = None


CONTRADICTING = Chances(array("d"), 0, 0, 0, NOTHING, math.nan, math.nan, math.nan, math.nan, 0, ContradictionError)
TOO_HARD = CONTRADICTING._replace(fault=TooHardError)


def in_floats(found: Analysed, size: int) -> Chances:
    chances = array("d", [math.nan]) * size
    for cell in found.safe:
        chances[cell] = 0.0
    for cell in found.mined:
        chances[cell] = 1.0
    inside, interior = math.nan, 0
    for group in found.groups:
        chance = group.numerator / found.census  # int / int rounds correctly, however large
        if group.component == INTERIOR:
            inside, interior = chance, mask_of(group.cells) if 0 < group.numerator < found.census else 0
        for cell in group.cells:
            chances[cell] = chance
    covered = [(chance, cell) for cell, chance in enumerate(chances) if not math.isnan(chance)]
    least = min(covered)[0] if covered else math.nan
    certain = {*found.safe, *found.mined}
    uncertain = sorted(chance for chance, cell in covered if cell not in certain) or [math.nan]
    lowest = next((cell for chance, cell in covered if chance <= least + TIE), NOTHING)
    return Chances(
        chances,
        mask_of(found.safe),
        mask_of(found.mined),
        interior,
        lowest,
        math.log10(found.census),
        uncertain[0],
        uncertain[:2][-1],
        inside,
        found.states,
    )


def mask_of(cells: tuple[int, ...]) -> int:
    """The cells (ascending) as bits of an integer."""
    if not cells:
        return 0
    bits = bytearray(cells[-1] // 8 + 1)
    for cell in cells:
        bits[cell >> 3] |= 1 << (cell & 7)
    return int.from_bytes(bits, "little")
