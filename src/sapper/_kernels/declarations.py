"""The functions of the native library and their types, as its headers (`native/*.h`) declare them; a test compares them.

Every pointer is a `POINTER`, which takes an address, bytes or an array of ctypes.

Knows: names and types.
Does not know: what they mean: the headers say that.
"""

from ctypes import Structure, c_char_p, c_double, c_int32, c_int64, c_uint64, c_void_p
from typing import Any

POINTER = c_void_p
I32 = c_int32
I64 = c_int64
U64 = c_uint64
F64 = c_double


STRUCTURES: dict[str, Any] = {}
"""By the name that the headers have."""


def _structure(name: str, **fields: Any) -> Any:
    """A class of ctypes, its fields in this order."""
    STRUCTURES[name] = type(name, (Structure,), {"_fields_": tuple(fields.items())})
    return STRUCTURES[name]


GRID = _structure("sapper_grid", size=I32, width=I32, starts=POINTER, cells=POINTER)

FUNCTIONS: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "sapper_sources": (c_char_p, ()),
    "sapper_runs_here": (I32, ()),
    "sapper_grid_check": (I64, (POINTER, I64)),
}
"""What a function answers, and what it takes."""
