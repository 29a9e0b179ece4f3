"""Polynomials in the number of mines: coefficients side by side in one int (Kronecker's substitution).

With slots wider than any coefficient of a result, a sum, a product or an exact quotient of polynomials
is that of the ints.
"""

from collections.abc import Sequence

Ways = tuple[int, ...]
"""Coefficients, the lowest first."""

_CHUNK = 64  # coefficients unpacked at a time: shifting the whole int for each takes quadratic time


def pack(ways: Sequence[int], width: int) -> int:
    """Coefficients side by side in slots of `width` bits."""
    packed = 0
    for coefficient in reversed(ways):
        packed = packed << width | coefficient
    return packed


def unpack(packed: int, width: int) -> Ways:
    """The coefficients of a packed polynomial, up to the last that is not 0 (0 alone is kept)."""
    if packed.bit_length() <= width:
        return (packed,)
    mask = (1 << width) - 1
    coefficients = []
    while packed.bit_length() > _CHUNK * width:
        chunk = packed & ((1 << _CHUNK * width) - 1)
        packed >>= _CHUNK * width
        for _ in range(_CHUNK):
            coefficients.append(chunk & mask)
            chunk >>= width
    while packed:
        coefficients.append(packed & mask)
        packed >>= width
    return tuple(coefficients)
