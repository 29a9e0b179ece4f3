"""Repair: dense boards without guesses, proven like any other."""

from dataclasses import replace

import pytest

from sapper._kernels import values_of
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.errors import LayoutNotFoundError
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec, Method, Range
from sapper.generator.no_guess.verify import verify_certificate
from sapper.generator.search_values import Budget, GeneratedLayout, SearchStats
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique
from tests.halves import by_reference

DENSE = LayoutSpec(
    grid=Grid(12, 12), mine_count=36, start=Start.OPEN, first=Cell(26), no_guess=True, method=Method.REPAIR
)


def _check(spec: LayoutSpec, found: GeneratedLayout) -> None:
    assert found.certificate is not None
    assert verify_certificate(found.layout, spec.first, found.certificate)
    assert found.layout.mine_count == spec.mine_count
    assert not found.layout.mines & CellSet.of({spec.first, *kept_free(spec.grid, spec.start, spec.first)})


@pytest.mark.parametrize("start", list(Start))
def test_it_finds_the_same_by_both_halves(start: Start) -> None:
    spec = replace(DENSE, start=start)
    found = generate_layout(spec, 1)
    with by_reference():
        assert generate_layout(spec, 1) == found
    _check(spec, found)


def test_it_finds_what_rejection_does_not() -> None:
    spec = replace(DENSE, mine_count=46)
    found = generate_layout(spec, 0)
    _check(spec, found)
    rejection = replace(spec, method=Method.REJECTION)
    with pytest.raises(LayoutNotFoundError):
        generate_layout(rejection, 0, budget=Budget(tries=5 * found.tries))


@pytest.mark.parametrize(("size", "mines"), [((30, 20), 130), ((50, 50), 500)])
def test_the_boards_that_players_call_evil(size: tuple[int, int], mines: int) -> None:
    grid = Grid(*size)
    spec = replace(DENSE, grid=grid, mine_count=mines, first=grid.cell(3, 3))
    found = generate_layout(spec, 1)
    assert found.certificate is not None
    assert found.layout.mine_count == mines
    if grid.size < 1000:  # the larger takes seconds to check
        _check(spec, found)


def test_wanted_numbers_and_techniques() -> None:
    spec = replace(DENSE, mine_count=28, up_to=Technique.OVERLAP, bbbv=Range(40, 70), difficulty=Range(2, 2))
    found = generate_layout(spec, 4)
    _check(spec, found)
    assert found.certificate is not None
    assert found.certificate.hardest in (Technique.OVERLAP, Technique.PATTERN)
    assert values_of(*spec.grid.table, found.layout.clues).bbbv in spec.bbbv


def test_a_spent_budget_says_so() -> None:
    stats = SearchStats()
    with pytest.raises(LayoutNotFoundError, match=r"found in 30 tries") as caught:
        generate_layout(replace(DENSE, mine_count=70), 0, budget=Budget(tries=30), stats=stats)
    assert caught.value.tries == stats.tried == 30
    assert "'repair'" not in str(caught.value)


def test_nothing_can_be_moved() -> None:
    """Three cells, two mines, the first safe: a guess on every layout but one."""
    spec = LayoutSpec(
        grid=Grid(2, 2), mine_count=2, start=Start.SAFE, first=Cell(0), no_guess=True, method=Method.REPAIR
    )
    with pytest.raises(LayoutNotFoundError):
        generate_layout(spec, 0, budget=Budget(tries=50))
