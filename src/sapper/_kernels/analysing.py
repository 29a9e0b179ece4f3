"""The analysis of many boards of one grid; compiled where that can be had, else one after the other.

Knows: both backends of the analysis, how to have the compiled one ready beforehand.
Does not know: boards as players have them, reasons, exact numbers (those are `analyse_plane`'s, of the reference).
"""

import math
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sapper._kernels._python.analysis import DEFAULT_CAP, Analysed, analyse_plane, analyse_table
from sapper._kernels.loading import Progress, load
from sapper.errors import ContradictionError, TooHardError

NOTHING = -1
TIE = 1e-9
_BATCH = 256
"""Boards a call: enough for the call to cost nothing, few enough for their chances to fit the cache."""


class Chances(NamedTuple):
    """What is to be known of one board in numbers.

    `chances` has P(mine) of every covered cell, NaN elsewhere; `lowest` is the first covered cell within 1e-9 of
    the least, or `NOTHING`. Where no layout fits, or the cap was reached, `fault` says so and the rest is empty.
    """

    chances: "array[float]"
    safe: tuple[int, ...]
    mined: tuple[int, ...]
    lowest: int
    census_log10: float
    fault: type[ContradictionError] | type[TooHardError] | None = None


def warm_up(progress: Progress | None = None) -> bool:
    """Load the compiled analysis now, compiling it if this machine has not yet; whether there is one."""
    return load("analysis", progress) is not None


def analyse_many(
    tiles: Sequence[bytes],
    mines: Sequence[int],
    width: int,
    height: int,
    table: tuple[Sequence[int], Sequence[int]] | None = None,
    *,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    compiled: bool = True,
) -> Iterator[Chances]:
    """Analyse boards of one grid: a rectangle with eight neighbours, or any that `table` describes.

    `compiled` asks for the quick backend. What it gives up (a range beyond floats) goes to the reference.
    """
    jit = load("analysis") if compiled else None
    if jit is None:
        for one, count in zip(tiles, mines, strict=True):
            yield _by_reference(one, count, width, height, table, trust_flags, cap)
        return
    for begin in range(0, len(tiles), _BATCH):
        some = tiles[begin : begin + _BATCH]
        counts = mines[begin : begin + _BATCH]
        rows = jit.analyse_rows(some, counts, width, height, trust_flags, cap, table)
        for one, count, row in zip(some, counts, rows, strict=True):
            if row is None:
                yield _by_reference(one, count, width, height, table, trust_flags, cap)
            else:
                yield Chances(*row)


def _by_reference(
    tiles: bytes,
    mines: int,
    width: int,
    height: int,
    table: tuple[Sequence[int], Sequence[int]] | None,
    trust_flags: bool,
    cap: int,
) -> Chances:
    try:
        if table is None:
            found = analyse_plane(tiles, width, height, mines, trust_flags, cap)
        else:
            found = analyse_table(tiles, *table, mines, trust_flags, cap)
    except (ContradictionError, TooHardError) as error:
        return Chances(array("d"), (), (), NOTHING, float("nan"), type(error))
    return _in_floats(found, len(tiles))


def _in_floats(found: Analysed, size: int) -> Chances:
    chances = array("d", [math.nan]) * size
    for cell in found.safe:
        chances[cell] = 0.0
    for cell in found.mined:
        chances[cell] = 1.0
    for group in found.groups:
        for cell in group.cells:
            chances[cell] = group.numerator / found.census
    covered = [(chance, cell) for cell, chance in enumerate(chances) if not math.isnan(chance)]
    least = min(covered)[0] if covered else math.nan
    lowest = next((cell for chance, cell in covered if chance <= least + TIE), NOTHING)
    return Chances(chances, found.safe, found.mined, lowest, math.log10(found.census))
