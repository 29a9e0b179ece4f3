"""Random numbers, specified: xoshiro256** seeded by SplitMix64.

The generator is *xoshiro256*** 1.0 of D. Blackman and S. Vigna, "Scrambled linear pseudorandom
number generators", ACM Trans. Math. Softw. 47 (2021); its four words of state are filled by
*SplitMix64* (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators",
OOPSLA 2014), as its authors advise. Numbers below a bound come from D. Lemire's multiplication
method with rejection ("Fast random integer generation in an interval", ACM Trans. Model. Comput.
Simul. 29 (2019)), which is exactly uniform.

This file *is* the specification of version 1: one seed gives the same numbers forever, on every
machine, Python and backend. A change of any number it gives would be a new version beside this one.
"""

from sapper.errors import InvalidValueError

VERSION = 1
"""The version of the numbers that a seed gives."""

SEED_LIMIT = 1 << 64
"""Seeds are integers from 0 up to, not including, this."""

_MASK = SEED_LIMIT - 1
_GAMMA = 0x9E3779B97F4A7C15  # SplitMix64's increment: 2**64 / golden ratio, odd


def mix(value: int) -> int:
    """SplitMix64's finaliser: a bijection of 64-bit words that scatters near ones."""
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
    return value ^ (value >> 31)


def splitmix(state: int) -> tuple[int, int]:
    """SplitMix64: the next state and the number it gives."""
    state = (state + _GAMMA) & _MASK
    return state, mix(state)


def seed_state(seed: int) -> list[int]:
    """The state of a generator seeded by `seed`: four outputs of SplitMix64."""
    if not 0 <= seed < SEED_LIMIT:
        raise InvalidValueError(f"a seed is an integer from 0 to 2**64 - 1, not {seed}")
    words = []
    for _ in range(4):
        seed, word = splitmix(seed)
        words.append(word)
    return words


def child_seed(seed: int, key: int) -> int:
    """The seed of child `key` of the generator seeded by `seed`.

    It depends on the two numbers alone, not on what was drawn before, so game 7 of a simulation is
    the same whoever plays it: mix(mix(seed + γ) + (key + 1)·γ), with both steps bijective in
    the word that varies, so that the children of one seed never share a seed.
    """
    if not 0 <= key < SEED_LIMIT:
        raise InvalidValueError(f"a key is an integer from 0 to 2**64 - 1, not {key}")
    parent = mix((seed + _GAMMA) & _MASK)
    return mix((parent + (key + 1) * _GAMMA) & _MASK)


def next_word(state: list[int]) -> int:
    """The next 64-bit number; `state` is advanced in place."""
    s0, s1, s2, s3 = state
    product = (s1 * 5) & _MASK
    result = (((product << 7) | (product >> 57)) * 9) & _MASK
    s2 ^= s0
    s3 ^= s1
    state[0] = s0 ^ s3
    state[1] = s1 ^ s2
    state[2] = s2 ^ ((s1 << 17) & _MASK)
    state[3] = ((s3 << 45) | (s3 >> 19)) & _MASK
    return result


def below(state: list[int], bound: int) -> int:
    """A number from 0 to `bound` - 1, exactly uniform. 1 <= bound <= 2**64."""
    if not 1 <= bound <= SEED_LIMIT:
        raise InvalidValueError(f"a bound is an integer from 1 to 2**64, not {bound}")
    product = next_word(state) * bound
    low = product & _MASK
    if low < bound:
        # 2**64 mod bound products are too many to share out evenly: draw those again.
        threshold = SEED_LIMIT % bound
        while low < threshold:
            product = next_word(state) * bound
            low = product & _MASK
    return product >> 64


def sample(state: list[int], population: int, count: int) -> set[int]:
    """`count` different numbers below `population`, every set equally likely.

    R. Floyd's method (J. Bentley, "Programming pearls: a sample of brilliance", CACM 30 (1987)):
    `count` draws and no rejection. More than half are drawn as their complement.
    """
    if not 0 <= count <= population:
        raise InvalidValueError(f"cannot draw {count} different numbers out of {population}")
    if 2 * count > population:
        return set(range(population)).difference(sample(state, population, population - count))
    chosen: set[int] = set()
    for top in range(population - count, population):
        number = below(state, top + 1)
        chosen.add(top if number in chosen else number)
    return chosen
