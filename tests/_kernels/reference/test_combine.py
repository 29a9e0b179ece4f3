"""Components put together against plain sums over every number of mines of every component."""

import itertools
from math import comb, prod

import pytest

from sapper._kernels.reference import combine as module
from sapper._kernels.reference.combine import binomial, combine
from sapper.core.rng import Rng


def _plain(polynomials: list[tuple[int, ...]], interior: int, mine_count: int) -> tuple[int, int, list[list[int]]]:
    """The census, the layouts with a mine at an interior cell, the weights of each component."""
    census = inside = 0
    weights = [[0] * len(ways) for ways in polynomials]
    for used in itertools.product(*(range(len(ways)) for ways in polynomials)):
        rest = mine_count - sum(used)
        if not 0 <= rest <= interior:
            continue
        chosen = [ways[n] for ways, n in zip(polynomials, used, strict=True)]
        census += prod(chosen) * comb(interior, rest)
        inside += prod(chosen) * comb(interior - 1, rest - 1) if rest else 0
        for number, above in enumerate(used):
            others = prod(chosen[:number]) * prod(chosen[number + 1 :])
            weights[number][above] += others * comb(interior, rest)
    return census, inside, weights


@pytest.mark.parametrize("seed", range(60))
def test_combine(seed: int) -> None:
    rng = Rng(seed)
    pool = [(*(rng.below(9) for _ in range(rng.below(4))), 1 + rng.below(9)) for _ in range(1 + rng.below(3))]
    polynomials = [rng.choice(pool) for _ in range(rng.below(6))]
    interior = rng.below(7)
    mines = rng.below(12) - 1
    census, inside, weights = _plain(polynomials, interior, mines)
    found = combine(polynomials, interior, mines)
    assert (found.census, found.inside) == (census, inside)
    assert [list(found.weights[ways]) for ways in polynomials] == weights


def test_binomials_by_prime_factors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LARGE", 0)
    for total in range(40):
        assert [binomial(total, chosen) for chosen in range(total + 1)] == [comb(total, n) for n in range(total + 1)]
    assert binomial(1000, 137) == comb(1000, 137)
