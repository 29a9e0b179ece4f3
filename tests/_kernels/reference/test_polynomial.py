"""Packing polynomials into ints and back."""

import pytest

from sapper._kernels.reference.polynomial import pack, unpack
from sapper.core.rng import Rng


@pytest.mark.parametrize("length", [1, 2, 63, 64, 65, 128, 129, 500])
def test_unpack_takes_back_what_pack_did(length: int) -> None:
    rng = Rng(length)
    ways = tuple(rng.below(1 << 40) + 1 for _ in range(length))
    assert unpack(pack(ways, 41), 41) == ways


def test_zeros_at_the_end_are_left_out_and_one_is_kept() -> None:
    assert unpack(pack((0, 5, 0, 0), 8), 8) == (0, 5)
    assert unpack(pack((0, 0), 8), 8) == (0,)
    assert unpack(pack((*[0] * 100, 3), 8), 8) == (*[0] * 100, 3)


def test_a_product_of_ints_is_the_product_of_polynomials() -> None:
    first, second = (1, 2, 3), (4, 0, 5, 6)
    product = [0] * 6
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    packed = pack(first, 16) * pack(second, 16)
    assert unpack(packed, 16) == tuple(product)
    assert unpack(packed // pack(first, 16), 16) == second
