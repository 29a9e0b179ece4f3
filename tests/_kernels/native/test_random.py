"""The native generator gives the numbers of the reference.

It has no functions that Python calls: a few lines of C are compiled that do.
"""

import ctypes
import os
import shlex
import shutil
import subprocess
from typing import Any

import pytest

from sapper._kernels import library_file
from sapper._kernels.reference import random as reference

SEEDS = (0, 1, 2026, (1 << 63) - 1, 1 << 63, (1 << 64) - 1, 12345678901234567890)
SOURCE = """
#include "random.h"
void seed_state(uint64_t seed, sapper_rng *rng) { *rng = sapper_seeded(seed); }
uint64_t child_seed(uint64_t seed, uint64_t key) { return sapper_child_seed(seed, key); }
uint64_t next_word(sapper_rng *rng) { return sapper_next(rng); }
uint32_t below(sapper_rng *rng, uint32_t bound) { return sapper_below(rng, bound); }
void sample(sapper_rng *rng, uint32_t population, uint32_t count, uint8_t *chosen) {
    sapper_sample(rng, population, count, chosen);
}
"""
State = ctypes.c_uint64 * 4


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Any:
    folder = tmp_path_factory.mktemp("random")
    source, made = folder / "twin.c", folder / "twin.so"
    source.write_text(SOURCE, encoding="utf-8")
    compiler = next(
        name for name in (*shlex.split(os.environ.get("CC", ""))[:1], "cc", "gcc", "clang") if shutil.which(name)
    )
    words = [compiler, "-std=c11", "-O2", "-fPIC", "-shared", f"-I{library_file.SOURCES}", "-o", str(made), str(source)]
    subprocess.run(words, check=True)
    library = ctypes.CDLL(str(made))
    library.seed_state.argtypes = [ctypes.c_uint64, ctypes.c_void_p]
    library.child_seed.argtypes = [ctypes.c_uint64, ctypes.c_uint64]
    library.child_seed.restype = library.next_word.restype = ctypes.c_uint64
    library.below.argtypes = [ctypes.c_void_p, ctypes.c_uint32]
    library.below.restype = ctypes.c_uint32
    return library


@pytest.mark.parametrize("seed", SEEDS)
def test_states_children_and_words(twin: Any, seed: int) -> None:
    state = State()
    twin.seed_state(seed, state)
    expected = reference.seed_state(seed)
    assert list(state) == expected
    assert [twin.next_word(state) for _ in range(100)] == [reference.next_word(expected) for _ in range(100)]
    for key in (0, 1, 7, (1 << 64) - 1):
        assert twin.child_seed(seed, key) == reference.child_seed(seed, key)


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_below_a_bound_and_samples(twin: Any, seed: int) -> None:
    state = State()
    twin.seed_state(seed, state)
    expected = reference.seed_state(seed)
    # Bounds near 2**32 reject most often of those that it takes: one word in 2**32.
    for bound in (1, 2, 3, 9, 480, (1 << 31) + 1, (1 << 32) - 1) * 30:
        assert twin.below(state, bound) == reference.below(expected, bound)
    for population, count in ((1, 0), (1, 1), (9, 4), (9, 5), (480, 99), (480, 400), (100, 100)):
        chosen = (ctypes.c_uint8 * (population + 1))(*[7] * (population + 1))
        twin.sample(state, population, count, chosen)
        assert {at for at in range(population) if chosen[at]} == reference.sample(expected, population, count)
        assert chosen[population] == 7
    assert list(state) == expected


def test_a_draw_that_is_rejected(twin: Any) -> None:
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
    state = State(*start)
    assert twin.below(state, bound) == reference.below(expected, bound)
    assert list(state) == expected != probe
