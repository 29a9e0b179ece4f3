"""Filling and copying parts of arrays in kernels.

Loops, and not slices: numba's assignment to a slice takes seconds to compile wherever it is used.

Knows: arrays and places in them.
Does not know: what they hold.
"""

from sapper._kernels.compiled.compiler import F64, F64S, I64, I64S, helper
from sapper._kernels.compiled.workspace import Floats, Ints


@helper(I64(I64S, I64, I64, I64))
def fill_ints(values: Ints, begin: int, end: int, value: int) -> int:
    """Set the entries from `begin` up to, not including, `end`; `end`."""
    for at in range(begin, end):
        values[at] = value
    return end


@helper(I64(F64S, I64, I64, F64))
def fill_floats(values: Floats, begin: int, end: int, value: float) -> int:
    """Set the entries from `begin` up to, not including, `end`; `end`."""
    for at in range(begin, end):
        values[at] = value
    return end
