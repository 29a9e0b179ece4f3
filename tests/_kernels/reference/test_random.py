"""The numbers are those of the published generators, uniform, and the same forever."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb

import pytest

from sapper._kernels.reference import random as kernel
from sapper.errors import InvalidValueError
from tests.enumeration import every_draw

WORD = 2**64


def test_splitmix64_gives_the_published_numbers() -> None:
    state, numbers = 1234567, []
    for _ in range(5):
        state, number = kernel.splitmix(state)
        numbers.append(number)
    assert numbers == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


def test_xoshiro256_starstar_gives_the_published_numbers() -> None:
    state = [1, 2, 3, 4]
    assert [kernel.next_word(state) for _ in range(10)] == [
        11520,
        0,
        1509978240,
        1215971899390074240,
        1216172134540287360,
        607988272756665600,
        16172922978634559625,
        8476171486693032832,
        10595114339597558777,
        2904607092377533576,
    ]


def test_a_seed_is_mixed_into_the_state() -> None:
    assert kernel.seed_state(1234567) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
    ]


@pytest.mark.parametrize("seed", [-1, WORD])
def test_seeds_and_keys_have_64_bits(seed: int) -> None:
    with pytest.raises(InvalidValueError, match=r"a seed is an integer from 0 to 2\*\*64 - 1, not"):
        kernel.seed_state(seed)
    with pytest.raises(InvalidValueError, match=r"a key is an integer from 0 to 2\*\*64 - 1, not"):
        kernel.child_seed(0, seed)


# --- numbers below a bound are exactly uniform ------------------------------------------------


def _feed(monkeypatch: pytest.MonkeyPatch, words: list[int]) -> None:
    feed: Iterator[int] = iter(words)
    monkeypatch.setattr(kernel, "next_word", lambda state: next(feed))


@pytest.mark.parametrize("bound", [1, 2, 3, 6, 7, 10, 480, 2**32, 3 * 2**62, 2**63 + 1, WORD - 1, WORD])
def test_each_number_below_a_bound_comes_from_as_many_words(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The words that give a number lie side by side: check both ends of its range, and count it."""
    unfair = WORD % bound  # so many products at the start of each number's range are refused
    for number in sorted({0, 1 % bound, bound // 2, bound - 1}):
        first = -(-(number * WORD + unfair) // bound)
        last = -(-(number + 1) * WORD // bound) - 1
        assert last - first + 1 == WORD // bound
        for word in (first, last):
            _feed(monkeypatch, [word])
            assert kernel.below([], bound) == number
        if first and (first - 1) * bound // WORD == number:  # refused: the next word decides
            _feed(monkeypatch, [first - 1, first - 1, last])
            assert kernel.below([], bound) == number
            _feed(monkeypatch, [first - 1, WORD - 1])
            assert kernel.below([], bound) == bound - 1


@pytest.mark.parametrize("bound", [0, -1, WORD + 1])
def test_bounds_have_bounds(bound: int) -> None:
    with pytest.raises(InvalidValueError, match=r"a bound is an integer from 1 to 2\*\*64, not"):
        kernel.below([1, 2, 3, 4], bound)


# --- samples are exactly uniform ----------------------------------------------------------------


@pytest.mark.parametrize(("population", "count"), [(n, k) for n in range(7) for k in range(n + 1)])
def test_every_sample_is_exactly_as_likely(population: int, count: int) -> None:
    seen: Counter[frozenset[int]] = Counter()
    for weight, drawn in every_draw(lambda: frozenset(kernel.sample([], population, count))):
        seen[drawn] += weight
    assert set(seen) == {frozenset(chosen) for chosen in combinations(range(population), count)}
    assert len(set(seen.values())) == 1
    assert len(seen) == comb(population, count)


@pytest.mark.parametrize(("population", "count"), [(3, 4), (3, -1), (0, 1)])
def test_a_sample_cannot_be_larger_than_what_there_is(population: int, count: int) -> None:
    with pytest.raises(InvalidValueError, match=f"cannot draw {count} different numbers out of {population}"):
        kernel.sample([1, 2, 3, 4], population, count)
