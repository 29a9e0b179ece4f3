"""Putting components together: every component's layouts, the interior's, and the mines of the board.

A component with n mines leaves the other components and the interior so many fewer; in how many
ways they can take the rest is its *weight* at n. Components that count alike share their weights:
a big board is full of equal small ones. The product of all polynomials without one of them is an
exact division of two ints (coefficients side by side, as in `count`).
"""

from collections.abc import Sequence
from math import comb
from operator import mul
from typing import NamedTuple

# Polynomials in the number of mines: coefficients side by side in one int (Kronecker's substitution).
#
# With slots wider than any coefficient of a result, a sum, a product or an exact quotient of polynomials is that of
# the ints.
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


_LARGE = 200_000


class Combined(NamedTuple):
    """The whole board.

    `census` layouts; `inside` of them have a mine at a given interior cell (0 if there is none);
    `weights[ways][i]` for a component of that polynomial with `i` mines above its least.
    """

    census: int
    inside: int
    weights: dict[Ways, tuple[int, ...]]


def combine(polynomials: Sequence[Ways], interior: int, mines: int) -> Combined:
    """Count the layouts with `mines` mines above every component's least, among components and `interior` cells."""
    times: dict[Ways, int] = {}
    for ways in polynomials:
        times[ways] = times.get(ways, 0) + 1
    scale = 1
    degree = 0
    bound = 1
    longer = []
    for ways, count in times.items():
        if len(ways) == 1:
            scale *= ways[0] ** count
        else:
            longer.append((ways, count))
            degree += (len(ways) - 1) * count
            bound *= sum(ways) ** count
    width = bound.bit_length() + 1
    packed = {ways: pack(ways, width) for ways, _ in longer}
    product = 1
    for ways, count in longer:
        product *= packed[ways] ** count
    rest = _binomials(interior, mines, degree)
    if scale != 1:
        rest = [scale * ways for ways in rest]
    every = unpack(product, width)
    census = sum(map(mul, every, rest))
    inside = 0
    if interior:
        inside = sum([ways * rest[used] * (mines - used) for used, ways in enumerate(every) if rest[used]]) // interior
    weights: dict[Ways, tuple[int, ...]] = {}
    for ways in times:
        if len(ways) == 1:
            weights[ways] = (census // ways[0],)
        else:
            others = unpack(product // packed[ways], width)
            weights[ways] = tuple([sum(map(mul, others, rest[above:])) for above in range(len(ways))])
    return Combined(census, inside, weights)


def _binomials(cells: int, mines: int, degree: int) -> list[int]:
    """In how many ways `cells` take `mines`, one less, ... `degree` less; 0 where it cannot be."""
    ways = []
    last = 0
    for count in range(mines, mines - degree - 1, -1):
        if not 0 <= count <= cells:
            last = 0
        elif last:
            last = last * (count + 1) // (cells - count)
        else:
            last = binomial(cells, count)
        ways.append(last)
    return ways


def binomial(total: int, chosen: int) -> int:
    """`math.comb`, whose long divisions take quadratic time, by its prime factors where the numbers are very large.

    A prime divides it as often as adding `chosen` and the rest carries, in the prime's base (Kummer).
    """
    if total < _LARGE:
        return comb(total, chosen)
    is_prime = bytearray([1]) * (total + 1)
    factors: list[int] = []
    for prime in range(2, total + 1):
        if not is_prime[prime]:
            continue
        if prime * prime <= total:
            is_prime[prime * prime :: prime] = bytes(len(range(prime * prime, total + 1, prime)))
        one, other, carry = chosen, total - chosen, False
        while one or other:
            carry = one % prime + other % prime + carry >= prime
            one //= prime
            other //= prime
            if carry:
                factors.append(prime)
    while len(factors) > 1:  # in pairs, so that factors are of one size
        paired = list(map(mul, factors[::2], factors[1::2]))
        if len(factors) % 2:
            paired.append(factors[-1])
        factors = paired
    return factors[0] if factors else 1
