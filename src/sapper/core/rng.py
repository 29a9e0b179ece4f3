"""Random numbers that are the same everywhere and forever."""

from collections.abc import MutableSequence, Sequence
from typing import TypeVar

from sapper import _kernels
from sapper.core.arguments import check_type

T = TypeVar("T")


class Rng:
    """A generator of random numbers: xoshiro256** seeded by SplitMix64 (see `_kernels`).

    It is explicit (handed from caller to callee), and it splits: `split(key)` gives an independent
    child that depends on this generator's *seed* and the key only, not on what was drawn before.

    >>> Rng(2026).below(100) == Rng(2026).below(100)
    True
    """

    __slots__ = ("_seed", "_state")

    def __init__(self, seed: int) -> None:
        """`seed` is an integer from 0 to 2**64 - 1; `InvalidValueError` otherwise."""
        check_type("seed", seed, int)
        self._state = _kernels.seed_state(seed)
        self._seed = seed

    @property
    def seed(self) -> int:
        """The seed it was made from."""
        return self._seed

    def next(self) -> int:
        """The next number of 64 bits."""
        return _kernels.next_word(self._state)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each exactly as likely; `InvalidValueError` unless 1 <= bound <= 2**64."""
        return _kernels.below(self._state, bound)

    def sample(self, population: int, count: int) -> set[int]:
        """`count` different numbers from 0 to `population` - 1, every set of them exactly as likely."""
        return _kernels.sample(self._state, population, count)

    def choose(self, population: int, count: int) -> bytearray:
        """The same as a map: a byte for each number, 1 at those that were drawn."""
        return _kernels.choose(self._state, population, count)

    def choice(self, items: Sequence[T]) -> T:
        """One of the items, each as likely."""
        return items[self.below(len(items))]

    def shuffle(self, items: MutableSequence[T]) -> None:
        """Put the items in random order, every order as likely (Fisher and Yates, from the end)."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]

    def split(self, key: int) -> "Rng":
        """The child of this generator's seed with that key (0 to 2**64 - 1)."""
        return Rng(_kernels.child_seed(self._seed, key))

    def __repr__(self) -> str:
        return f"Rng({self._seed})"
