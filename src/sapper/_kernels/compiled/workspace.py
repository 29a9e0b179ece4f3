"""Scratch memory for the analysis of boards, made once and used for any number of them.

`Scratch` is sized by the board and its neighbour table, `States` by the work. Nothing in either
outlives a call: a board's analysis never depends on the board before it. Every field is a row of
one of a few arrays, since a kernel takes time to compile, and to call, for every array it is given.

Knows: sizes and types of arrays.
Does not know: what is written there.
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from sapper._kernels.compiled import fields as f
from sapper._kernels.compiled.compiler import I64, kernel

Ints = NDArray[np.int64]
Indices = NDArray[np.int32]
Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

SLOTS = 32
"""Clues that may be open at once: 4 bits each in two words of 64."""
PLANE_PAIRS = 4
"""Pairs of a clue and a covered neighbour that a rectangle can have, a cell: 8 for every clue and at
most 8 for every covered cell, and a cell is not both."""
STATES_AT_FIRST = 20_000
"""States for which scratch is made before anybody knows how many there are."""


class Scratch(NamedTuple):
    """Two-dimensional: a row for each field of `fields`."""

    cell: Ints
    pair: Ints
    real: Floats


class States(NamedTuple):
    """Two-dimensional: a row for each field of `fields`."""

    state: Ints
    edge: Ints
    real: Floats


def make_scratch(cells: int, pairs: int) -> Scratch:
    """Scratch for boards of up to `cells` cells.

    `pairs` is PLANE_PAIRS for every cell, or the number of entries in the neighbour table.
    """
    long = max(pairs, 5 * cells) + 64
    return Scratch(
        np.empty((f.CELL_FIELDS, cells + 128), np.int64),
        np.empty((f.PAIR_FIELDS, long), np.int64),
        np.empty((f.REAL_FIELDS, cells + 128), np.float64),
    )


@kernel((I64,))
def make_states(states: int) -> States:
    """Scratch for about `states` states in all components together."""
    return States(
        np.empty((f.STATE_FIELDS, states), np.int64),
        np.empty((f.EDGE_FIELDS, 4 * states), np.int64),
        np.empty((f.WAYS_FIELDS, 8 * states), np.float64),
    )


SCRATCH = numba.typeof(make_scratch(1, 1))
STATES = numba.typeof(make_states(1))
