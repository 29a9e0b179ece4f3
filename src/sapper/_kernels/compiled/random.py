"""The twin of `reference.random`: the same numbers from the same seed.

Every word is an uint64 and so is every constant: numba makes a float of an uint64 and an int.

Knows: SplitMix64, xoshiro256**, Lemire's method, Floyd's sample (described, with sources, in the twin).
Does not know: what the numbers are for.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from sapper._kernels.compiled.compiler import I64, U8S, helper
from sapper._kernels.compiled.workspace import Bytes

U64 = types.uint64
U64S = types.uint64[::1]
Words = NDArray[np.uint64]
Word = np.uint64

_GAMMA = Word(0x9E3779B97F4A7C15)
_MIX_1 = Word(0xBF58476D1CE4E5B9)
_MIX_2 = Word(0x94D049BB133111EB)
_LOW = Word(0xFFFFFFFF)
_ZERO = Word(0)
_ONE = Word(1)
_FIVE = Word(5)
_SEVEN = Word(7)
_NINE = Word(9)
_17 = Word(17)
_19 = Word(19)
_27 = Word(27)
_30 = Word(30)
_31 = Word(31)
_32 = Word(32)
_45 = Word(45)
_57 = Word(57)


@helper(U64(U64))
def mix(value: Word) -> Word:
    """SplitMix64's finaliser."""
    value = (value ^ (value >> _30)) * _MIX_1
    value = (value ^ (value >> _27)) * _MIX_2
    return value ^ (value >> _31)


@helper(I64(U64, U64S))
def seed_state(seed: Word, state: Words) -> int:
    """Fill the four words of a generator seeded by `seed`."""
    for i in range(4):
        seed = seed + _GAMMA
        state[i] = mix(seed)
    return 0


@helper(U64(U64, U64))
def child_seed(seed: Word, key: Word) -> Word:
    """The seed of child `key` of the generator seeded by `seed`."""
    return mix(mix(seed + _GAMMA) + (key + _ONE) * _GAMMA)


@helper(U64(U64S))
def next_word(state: Words) -> Word:
    """The next 64-bit number; `state` is advanced in place."""
    s0 = state[0]
    s1 = state[1]
    s2 = state[2] ^ s0
    s3 = state[3] ^ s1
    product = s1 * _FIVE
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ (s1 << _17)
    state[3] = (s3 << _45) | (s3 >> _19)
    return ((product << _SEVEN) | (product >> _57)) * _NINE


@helper(I64(U64S, I64))
def below(state: Words, bound: int) -> int:
    """A number from 0 to `bound` - 1, exactly uniform. 1 <= bound < 2**32."""
    limit = Word(bound)
    word = next_word(state)
    low = word * limit
    if low < limit:
        threshold = (_ZERO - limit) % limit
        while low < threshold:
            word = next_word(state)
            low = word * limit
    # The upper half of the 128 bits of the product, by halves: nothing overflows, as bound < 2**32.
    return I64(((word >> _32) * limit + (((word & _LOW) * limit) >> _32)) >> _32)  # type: ignore[return-value]  # inside kernels an int


@helper(I64(U64S, I64, I64, U8S))
def sample(state: Words, population: int, count: int, chosen: Bytes) -> int:
    """Set `chosen` to 1 at `count` different numbers below `population`, to 0 at the others."""
    whole = 2 * count <= population
    fresh = 1 if whole else 0
    chosen[:population] = 1 - fresh
    for top in range(population - (count if whole else population - count), population):
        number = below(state, top + 1)
        chosen[top if chosen[number] == fresh else number] = fresh
    return count
