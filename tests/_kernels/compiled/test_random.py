"""The compiled generator gives the numbers of the reference."""

import numpy as np
import pytest

from sapper._kernels.compiled import random as twin
from sapper._kernels.reference import random as reference
from tests.compiled import callable_from_python

seed_state, child_seed, next_word, below, sample = (
    callable_from_python(one) for one in (twin.seed_state, twin.child_seed, twin.next_word, twin.below, twin.sample)
)

SEEDS = (0, 1, 2026, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 12345678901234567890)


@pytest.mark.parametrize("seed", SEEDS)
def test_states_children_and_words(seed: int) -> None:
    state = np.empty(4, np.uint64)
    seed_state(np.uint64(seed), state)
    expected = reference.seed_state(seed)
    assert state.tolist() == expected
    assert [int(next_word(state)) for _ in range(100)] == [reference.next_word(expected) for _ in range(100)]
    for key in (0, 1, 7, (1 << 64) - 1):
        assert int(child_seed(np.uint64(seed), np.uint64(key))) == reference.child_seed(seed, key)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_below_a_bound_and_samples(seed: int) -> None:
    state = np.empty(4, np.uint64)
    seed_state(np.uint64(seed), state)
    expected = reference.seed_state(seed)
    # Bounds near 2**32 reject most often of those that it takes: one word in 2**32.
    for bound in (1, 2, 3, 9, 480, (1 << 31) + 1, (1 << 32) - 1) * 30:
        assert below(state, bound) == reference.below(expected, bound)
    for population, count in ((1, 0), (1, 1), (9, 4), (9, 5), (480, 99), (480, 400), (100, 100)):
        chosen = np.full(population + 1, 7, np.uint8)
        sample(state, population, count, chosen)
        assert set(np.flatnonzero(chosen[:population]).tolist()) == reference.sample(expected, population, count)
        assert chosen[population] == 7
    assert state.tolist() == expected


def test_a_draw_that_is_rejected() -> None:
    """A state whose next word lies in the part that cannot be shared out evenly."""
    bound = (1 << 32) - 1
    word = next(w for w in range(0, 1 << 40, 1 << 32) if (w * bound) % (1 << 64) < (1 << 64) % bound)
    # The next word is rotl(5·s1, 7)·9: run that backwards.
    mask = (1 << 64) - 1
    turned = word * pow(9, -1, 1 << 64) & mask
    s1 = ((turned >> 7) | (turned << 57)) * pow(5, -1, 1 << 64) & mask
    start = [11, s1, 13, 17]
    probe = list(start)
    assert reference.next_word(probe) == word
    expected = list(start)
    state = np.array(start, np.uint64)
    assert below(state, bound) == reference.below(expected, bound)
    assert state.tolist() == expected != probe
