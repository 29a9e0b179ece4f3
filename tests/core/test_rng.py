"""The generator as an object: explicit, splittable, to be saved and gone on with."""

from collections import Counter

import pytest
from hypothesis import given

from sapper.core.rng import Rng
from sapper.errors import InvalidValueError
from tests.enumeration import every_draw
from tests.strategies import seeds

# Version 1 of what seed 2026 gives. These numbers are promised: they never change.
NEXT = [10583478199052185109, 5232962402658359512, 14988153452874227418]
BELOW = [57, 28, 81, 89, 81, 78, 83, 82, 86, 23]
SAMPLE = [135, 273, 388, 389, 428]
SHUFFLED = "agcdfhbe"
CHILDREN = [7959393617856205470, 554938614540728688, 8640704879996045744]


def test_one_seed_gives_the_same_numbers_for_ever() -> None:
    rng = Rng(2026)
    assert [rng.next() for _ in range(3)] == NEXT
    rng = Rng(2026)
    assert [rng.below(100) for _ in range(10)] == BELOW
    assert sorted(Rng(2026).sample(480, 5)) == SAMPLE
    items = list("abcdefgh")
    Rng(2026).shuffle(items)
    assert "".join(items) == SHUFFLED
    assert [Rng(2026).split(key).seed for key in (0, 1, 2**64 - 1)] == CHILDREN


@given(seeds, seeds)
def test_a_child_does_not_depend_on_what_was_drawn(seed: int, key: int) -> None:
    rng = Rng(seed)
    before = rng.split(key)
    own = [rng.next() for _ in range(3)]
    after = rng.split(key)
    drawn = [after.next() for _ in range(3)]
    assert after.seed == before.seed
    assert drawn == [before.next() for _ in range(3)] != own


def test_every_order_and_every_item_is_exactly_as_likely() -> None:
    def order() -> str:
        items = list("abcd")
        Rng(0).shuffle(items)
        return "".join(items)

    orders = Counter[str]()
    for weight, shuffled in every_draw(order):
        orders[shuffled] += weight
    assert len(orders) == 24
    assert len(set(orders.values())) == 1
    assert [item for _, item in every_draw(lambda: Rng(0).choice("abc"))] == ["a", "b", "c"]


def test_repr_and_errors() -> None:
    assert repr(Rng(7)) == "Rng(7)"
    for seed in (-1, 2**64):
        with pytest.raises(InvalidValueError, match="a seed is an integer from 0"):
            Rng(seed)
        with pytest.raises(InvalidValueError, match="a key is an integer from 0"):
            Rng(7).split(seed)
    with pytest.raises(InvalidValueError, match="a bound is an integer from 1"):
        Rng(7).below(0)
    with pytest.raises(InvalidValueError, match="cannot draw 3 different numbers out of 2"):
        Rng(7).sample(2, 3)
