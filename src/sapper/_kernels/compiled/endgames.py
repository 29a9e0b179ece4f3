"""The exact endgame of one board, for callers outside.

Knows: buffers of tiles, neighbour tables, marks of certain cells, how much scratch a search needs.
Does not know: rules, games, fractions, the analysis that the marks come from.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sapper._kernels.compiled.compiler import I32S, I64, I64S, U8S, kernel
from sapper._kernels.compiled.endgame import BUDGET, NODES, TREE, SearchTree, make_tree, solve_list, table_size
from sapper._kernels.compiled.layouts import LIST, VARIABLE, LayoutList, list_layouts, make_list
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints


class SolvedList(NamedTuple):
    """What a search found: for each cell that is not certainly mined, between how many of the layouts revealing it wins."""

    layouts: int
    sets: int
    """Sets of layouts that were looked at."""
    is_done: bool
    """Whether the budget was enough: then the bounds of the best are equal, and with `every` those of all cells."""
    best: int
    """The lowest cell of those that win most; -1 if there is none."""
    cells: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]


@kernel(I64(LIST, I32S, I32S, U8S, U8S, I64, I64))
def fill_list(
    found: LayoutList, starts: Indices, cells: Indices, tiles: Bytes, mark: Bytes, mines: int, most: int
) -> int:
    """See `layouts.list_layouts`."""
    return list_layouts(found, starts, cells, tiles, mark, mines, most)


@kernel(I64(TREE, LIST, I64, I64, I64, I64S, I64S))
def search_list(
    tree: SearchTree, found: LayoutList, places: int, layouts: int, every: int, low: Ints, high: Ints
) -> int:
    """See `endgame.solve_list`."""
    return solve_list(tree, found, places, layouts, every, low, high)


def solve_board(
    starts: Sequence[int],
    cells: Sequence[int],
    tiles: bytes,
    marks: bytes,
    mines: int,
    layouts: int,
    sets: int,
    *,
    every: bool,
) -> SolvedList | None:
    """Search a board that has `layouts` layouts, looking at so many `sets` of them at most; None if listing them takes too long.

    `marks` has 1 at cells that are certainly safe, 2 at those certainly mined, 0 elsewhere. `mines`: of the whole board.
    `every` has the chance of every cell searched, not only the best.
    """
    size = len(tiles)
    table = np.array(starts, np.int32), np.array(cells, np.int32)
    found = make_list(size, size, layouts)
    read = np.frombuffer(tiles, np.uint8).copy(), np.frombuffer(marks, np.uint8).copy()
    count = fill_list(found, *table, *read, mines, layouts)
    if count < 0:
        return None
    places = int(found.work[VARIABLE, size])
    tree = make_tree(max(places, 1), max(count, 1), table_size(sets))
    tree.tally[BUDGET] = sets
    low, high = np.zeros(max(places, 1), np.int64), np.zeros(max(places, 1), np.int64)
    best = int(search_list(tree, found, places, count, int(every), low, high)) if count > 0 and places else -1
    is_done = best >= 0 or not places
    place = best if is_done else ~best
    return SolvedList(
        count,
        int(tree.tally[NODES]),
        is_done,
        int(found.place[place]) if place >= 0 else -1,
        tuple(found.place[:places].tolist()),
        tuple(low[:places].tolist()),
        tuple(high[:places].tolist()),
    )
