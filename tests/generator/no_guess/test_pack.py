"""Packing: the densest boards without guesses, proven like any other."""

from dataclasses import replace

import pytest

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.errors import LayoutNotFoundError
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec, Method, Range
from sapper.generator.no_guess.pack import packed_layout
from sapper.generator.no_guess.verify import verify_certificate
from sapper.generator.search_values import Budget, SearchStats
from sapper.generator.uniform import kept_free
from tests.halves import by_reference

DENSE = LayoutSpec(
    grid=Grid(16, 16), mine_count=150, start=Start.OPEN, first=Cell(34), no_guess=True, method=Method.PACK
)
WIDE = replace(DENSE, grid=Grid(30, 16), mine_count=240, first=Cell(93))


@pytest.mark.parametrize("spec", [DENSE, WIDE], ids=["16x16/150", "30x16/240"])
def test_boards_that_repair_does_not_find_are_found_and_certified(spec: LayoutSpec) -> None:
    for seed in (4, 9):
        found = generate_layout(spec, seed)
        assert found.certificate is not None
        assert verify_certificate(found.layout, spec.first, found.certificate)
        assert found.layout.mine_count == spec.mine_count
        assert not found.layout.mines & CellSet.of(kept_free(spec.grid, spec.start, spec.first))


@pytest.mark.parametrize("start", list(Start))
def test_it_finds_the_same_by_both_halves(start: Start) -> None:
    spec = replace(DENSE, grid=Grid(10, 10), mine_count=45, first=Cell(22), start=start)
    found = generate_layout(spec, 1)
    with by_reference():
        assert generate_layout(spec, 1) == found
    assert spec.first not in found.layout.mines


def test_a_layout_is_one_region_with_mines_inside_and_nothing_but_mines_outside() -> None:
    layout = packed_layout(DENSE, Rng(1), 100)
    assert layout.mine_count == DENSE.mine_count
    safe = set(range(DENSE.grid.size)) - set(layout.mines)
    region, waiting = {int(DENSE.first)}, [int(DENSE.first)]
    while waiting:
        for near in DENSE.grid.neighbours(waiting.pop()):
            if near not in region and (near in safe or any(far in safe for far in DENSE.grid.neighbours(near))):
                region.add(near)
                waiting.append(near)
    assert safe <= region
    inside = [cell for cell in layout.mines if any(near in safe for near in DENSE.grid.neighbours(cell))]
    assert 0 < len(inside) < DENSE.mine_count


def test_known_answer() -> None:
    """A seed gives this board forever: codes of this method name it."""
    found = generate_layout(replace(DENSE, grid=Grid(8, 8), mine_count=36, first=Cell(18)), 5)
    assert (found.tries, sorted(found.layout.mines)) == KNOWN


KNOWN = (
    1,
    [
        *range(4, 8),
        *range(13, 16),
        *range(22, 25),
        *range(30, 33),
        *range(36, 40),
        41,
        43,
        *range(45, 49),
        *range(51, 64),
    ],
)


def test_a_spent_budget_says_so() -> None:
    stats = SearchStats()
    with pytest.raises(LayoutNotFoundError, match=r"found in 3 tries") as caught:
        generate_layout(replace(DENSE, bbbv=Range(95, 98)), 0, budget=Budget(tries=3), stats=stats)
    assert caught.value.tries == stats.tried == 3
