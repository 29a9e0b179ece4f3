"""The numbers of many layouts at once; compiled where that can be had.

Knows: both backends of the kernels that measure layouts.
Does not know: what the numbers are wanted for.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sapper._kernels._python.layout import clues_of_plane, clues_of_table
from sapper._kernels._python.measures import values_of, zini_of
from sapper._kernels.loading import load


class Measured(NamedTuple):
    """The numbers of one layout; the two of ZiNi are 0 where they were not asked for."""

    bbbv: int
    openings: int
    islands: int
    zini: int
    human_zini: int


def measure_many(
    starts: Sequence[int],
    cells: Sequence[int],
    width: int,
    maps: bytes,
    *,
    plane: bool,
    with_zini: bool = True,
    compiled: bool = True,
) -> list[Measured]:
    """The numbers of layouts on one grid, given by its neighbour table.

    `maps` has one byte a cell, 1 at a mine, layout after layout. `plane` says that the grid is a rectangle with
    eight neighbours. `compiled` asks for the quick backend, which is loaded then, if there is one.
    """
    if compiled and (jit := load("measures")) is not None:
        rows = jit.measure_many(starts, cells, width, plane, maps, with_zini)
        return [Measured(*row) for row in rows]
    size = len(starts) - 1
    found = []
    for begin in range(0, len(maps), size):
        mapped = maps[begin : begin + size]
        clues = clues_of_plane(width, size // width, mapped) if plane else clues_of_table(starts, cells, mapped)
        zini = [zini_of(starts, cells, clues, width, human) for human in (False, True)] if with_zini else [0, 0]
        found.append(Measured(*values_of(starts, cells, clues), *zini))
    return found
