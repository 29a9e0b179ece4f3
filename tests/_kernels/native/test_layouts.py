"""What the library does on one board is what the reference does; and bytes that no board has are no danger."""

import pytest
from hypothesis import given, strategies as st

from sapper import _kernels
from sapper._kernels import large
from sapper._kernels.native import layouts
from sapper._kernels.reference import cascade, random
from sapper.core.rng import Rng


@given(st.integers(0, 2**64 - 1), st.integers(0, 3000), st.data())
def test_the_same_numbers_are_chosen_and_the_generator_goes_on(seed: int, population: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(0, population))
    native, reference, either = (random.seed_state(seed) for _ in range(3))
    chosen = layouts.choose(native, population, count)
    drawn = random.sample(reference, population, count)
    assert [one for one in range(population) if chosen[one]] == sorted(drawn)
    assert chosen.count(1) == count
    assert large.choose(either, population, count) == chosen
    assert native == reference == either


def test_more_than_there_are_cannot_be_chosen() -> None:
    state = random.seed_state(1)
    for population, count in ((3, 4), (3, -1), (2**31, 1)):
        with pytest.raises((ValueError, MemoryError)):
            layouts.choose(state, population, count)
    assert state == random.seed_state(1)


def _board(rng: Rng, width: int, height: int, mine_count: int) -> tuple[bytes, bytes]:
    """The clues of a layout, and tiles of which some are flags, question marks or open."""
    clues = _kernels.clues_of_plane(width, height, bytes(rng.choose(width * height, mine_count)))
    kinds = (9, 9, 9, 9, 10, 11, 0)
    tiles = bytearray(kinds[rng.below(len(kinds) - 1)] for _ in range(width * height))
    for cell in range(width * height):
        if clues[cell] != _kernels.MINE_CLUE and rng.below(8) == 0:
            tiles[cell] = clues[cell]
    return clues, bytes(tiles)


@pytest.mark.parametrize(("width", "height"), [(1, 1), (1, 40), (40, 1), (2, 2), (9, 9), (30, 16), (64, 50)])
def test_the_same_cells_are_opened(width: int, height: int) -> None:
    rng = Rng(width)
    for share in (0, 1, 5, 12, 20):
        clues, tiles = _board(rng, width, height, width * height * share // 100)
        for _ in range(10):
            cell = rng.below(width * height)
            if clues[cell] == _kernels.MINE_CLUE:
                continue
            for spread, clears in ((8, True), (8, False), (4, True), (4, False)):
                covered = bytearray(tiles)
                covered[cell] = 9
                native, reference, either = (bytearray(covered) for _ in range(3))
                order = (width, height, spread, clears, clues)
                runs = layouts.cascade_plane(*order, native, cell)
                assert runs == cascade.cascade_plane(*order, reference, cell)
                assert runs == large.cascade_plane(*order, either, cell)
                assert native == reference == either


def test_what_is_no_board_is_no_danger() -> None:
    rng = Rng(3)
    for _ in range(300):
        width, height = 1 + rng.below(12), 1 + rng.below(12)
        size = width * height
        clues, tiles = (bytes(rng.below(13) for _ in range(size)) for _ in range(2))
        opened = bytearray(tiles)
        layouts.cascade_plane(width, height, (8, 4)[rng.below(2)], rng.below(2) == 0, clues, opened, rng.below(size))
        assert len(opened) == size
    for width, height, spread, cell in ((0, 0, 8, 0), (3, 2, 8, 6), (3, 2, 8, -1), (3, 2, 5, 0), (2, 2, 8, 0)):
        with pytest.raises(ValueError, match=r"out of its range|a byte for each cell"):
            layouts.cascade_plane(width, height, spread, True, bytes(6), bytearray(6), cell)
