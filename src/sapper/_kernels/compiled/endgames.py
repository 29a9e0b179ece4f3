"""The exact endgame of one board, for callers outside.

Knows: buffers of tiles, neighbour tables, the analysis, scratch that is kept and grows.
Does not know: rules, games, fractions.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import types

from sapper._kernels.compiled.compiler import I32S, I64, I64S, U8S, kernel
from sapper._kernels.compiled.endgame import BUDGET, NODES, TREE, SearchTree, make_tree, solve_list
from sapper._kernels.compiled.layouts import LIST, TOO_MANY, VARIABLE, LayoutList, list_layouts, make_list
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints


@kernel(I64(LIST, I32S, I32S, U8S, U8S, I64, I64))
def count_layouts(
    found: LayoutList, starts: Indices, cells: Indices, tiles: Bytes, mark: Bytes, mines: int, most: int
) -> int:
    """See `layouts.list_layouts`."""
    return list_layouts(found, starts, cells, tiles, mark, mines, most)


@kernel(I64(TREE, LIST, I64, I64, I64, I64S, I64S))
def solve_endgame(
    tree: SearchTree, found: LayoutList, places: int, layouts: int, every: int, low: Ints, high: Ints
) -> int:
    """See `endgame.solve_list`."""
    return solve_list(tree, found, places, layouts, every, low, high)
