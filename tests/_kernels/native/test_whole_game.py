"""Whole games searched by both halves: the same numbers of layouts won, bounds below a goal, and what a budget leaves."""

from array import array
from math import comb

import pytest

from sapper._kernels.library import BATCH, Table
from sapper._kernels.native.whole_game import NativeWholeGame
from sapper._kernels.reference.endgame import symmetries_of
from sapper._kernels.reference.scan import plane_table
from sapper._kernels.reference.whole_game import ReferenceWholeGame

PLENTY = 10**9


def _both(width: int, height: int, mines: int) -> tuple[NativeWholeGame, ReferenceWholeGame]:
    table = plane_table(width, height)
    forms = [list(range(width * height)), *symmetries_of(bytes(width * height), width, height)]
    return NativeWholeGame(*table, mines, forms), ReferenceWholeGame(*table, mines)


@pytest.mark.parametrize(
    ("width", "height", "mines"),
    [(2, 1, 1), (4, 1, 2), (3, 3, 2), (3, 3, 5), (4, 3, 3), (5, 2, 4), (4, 4, 3), (4, 4, 12), (8, 1, 3), (5, 5, 2)],
)
def test_both_halves_win_the_same_layouts_after_each_first_reveal(width: int, height: int, mines: int) -> None:
    native, reference = _both(width, height, mines)
    for first in range(width * height):
        for is_open in (False, True):
            found = native.wins(first, is_open=is_open, goal=0, sets=PLENTY)
            assert found == reference.wins(first, is_open=is_open, goal=0, sets=PLENTY), (first, is_open)


def test_what_is_below_the_goal_is_a_bound_and_leaves_nothing_wrong_behind() -> None:
    for goal in range(0, 600, 25):
        native, _ = _both(4, 4, 4)
        bound = native.wins(5, is_open=False, goal=goal, sets=PLENTY)
        exact = native.wins(5, is_open=False, goal=0, sets=PLENTY)
        fresh, _ = _both(4, 4, 4)
        assert exact == fresh.wins(5, is_open=False, goal=0, sets=PLENTY)
        assert bound is not None
        assert exact is not None
        assert bound == exact if bound >= goal else exact <= bound < goal


def test_a_game_without_symmetries_is_the_same_game() -> None:
    plain = NativeWholeGame(*plane_table(4, 4), 5, [list(range(16))])
    native, _ = _both(4, 4, 5)
    found = [native.wins(first, is_open=False, goal=0, sets=PLENTY) for first in range(16)]
    assert found == [plain.wins(first, is_open=False, goal=0, sets=PLENTY) for first in range(16)]
    assert native.sets < plain.sets


def test_a_budget_that_is_spent_is_told_and_more_of_it_goes_on() -> None:
    native, reference = _both(4, 4, 5)
    assert native.wins(0, is_open=False, goal=0, sets=100) is None
    assert native.sets == 101
    assert reference.wins(0, is_open=False, goal=0, sets=100) is None
    assert native.wins(0, is_open=False, goal=0, sets=PLENTY) == _both(4, 4, 5)[0].wins(
        0, is_open=False, goal=0, sets=PLENTY
    )


def test_what_cannot_be_searched_is_refused() -> None:
    table = plane_table(5, 5)
    forms = [list(range(25))]
    native = NativeWholeGame(*table, 2, forms)
    for first in (-1, 25):
        with pytest.raises(ValueError, match="is no cell"):
            native.wins(first, is_open=False, goal=0, sets=1)
    with pytest.raises(ValueError, match="20,000"):
        ReferenceWholeGame(*table, 6)
    with pytest.raises(ValueError, match="65 cells"):
        NativeWholeGame(*plane_table(13, 5), 2, [list(range(65))])
    with pytest.raises(ValueError, match="layouts"):
        NativeWholeGame(*plane_table(8, 8), 32, [list(range(64))])
    native.close()
    native.close()


@pytest.mark.parametrize(
    ("mines", "image", "count", "bits"),
    [
        (0, range(25), 1, 10),
        (25, range(25), 1, 10),
        (2, [0] * 25, 1, 10),
        (2, [*range(24), 25], 1, 10),
        (2, range(25), 0, 10),
        (2, range(25), 9, 10),
        (2, range(25), 1, 7),
        (2, range(25), 1, 33),
    ],
)
def test_the_library_checks_what_it_is_given(mines: int, image: "range | list[int]", count: int, bits: int) -> None:
    table = Table(*plane_table(5, 5), 0)
    images = array("i", [*image] * max(count, 1))
    assert comb(25, mines) < 1 << 24
    assert not BATCH.sapper_exact_new(table.address, mines, images.buffer_info()[0], count, bits)
