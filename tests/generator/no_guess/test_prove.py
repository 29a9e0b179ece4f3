"""Proofs: found for exactly the layouts that need no guess, with the easiest techniques that will do."""

import pickle

import pytest
from hypothesis import given

from sapper._kernels import loading
from sapper._kernels.reference.search import EXACT, SOLVED, play_out
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.errors import CellError
from sapper.game.layout import Layout
from sapper.generator.generate import generate_layout
from sapper.generator.layout_spec import LayoutSpec
from sapper.generator.no_guess.certificate import Certificate
from sapper.generator.no_guess.prove import _step_by_step, attempt, board_of, prove
from sapper.generator.no_guess.verify import fault_of
from sapper.generator.search_values import field_of
from sapper.generator.uniform import place_mines
from sapper.solver.analysis import analyse
from sapper.solver.deduce.step import Technique
from tests.strategies import grids, seeds


@given(grids(topologies=(PLANE, TORUS)), seeds)
def test_a_proof_is_found_exactly_where_logic_opens_everything(grid: Grid, seed: int) -> None:
    """The other side is the exact analysis alone, which knows no techniques; the checker knows neither."""
    rng = Rng(seed)
    layout = place_mines(grid, rng.below(1 + grid.size // 3), rng)
    first = rng.below(grid.size)
    played = play_out(field_of(grid), layout.clues, first, EXACT)
    tried = attempt(layout, first)
    assert (tried.certificate is not None) == (played.status == SOLVED)
    assert tried.revealed == played.revealed
    if tried.certificate is None:
        assert tried.tiles == played.tiles
        assert layout.is_mine(first) or not analyse(board_of(layout, tried.tiles)).safe
    else:
        assert fault_of(layout, first, tried.certificate) is None


@given(seeds)
def test_the_hardest_technique_is_needed(seed: int) -> None:
    grid = Grid(8, 8)
    layout = place_mines(grid, 10, Rng(seed), start=Start.OPEN, first=27)
    whole = prove(layout, 27)
    for up_to in (Technique.ONE_CLUE, Technique.OVERLAP, Technique.MINE_COUNT, Technique.CASES):
        limited = prove(layout, 27, up_to)
        if whole is None or whole.hardest is None:
            assert (limited is None) == (whole is None)
        elif up_to >= whole.hardest:
            assert limited is not None
            assert limited.hardest == whole.hardest
        elif (up_to, whole.hardest) != (Technique.OVERLAP, Technique.PATTERN):
            assert limited is None


@pytest.mark.parametrize(
    ("width", "height", "mines", "first", "hardest", "mine_count"),
    [
        (3, 3, [], 0, None, False),  # one reveal
        (4, 1, [3], 0, None, False),
        (5, 1, [1, 4], 2, Technique.MINE_COUNT, True),
        (3, 1, [0, 2], 1, None, False),
    ],
)
def test_small_ones(
    width: int, height: int, mines: list[int], first: int, hardest: Technique | None, mine_count: bool
) -> None:
    layout = Layout(Grid(width, height), CellSet.of(mines))
    certificate = prove(layout, first)
    if hardest is Technique.MINE_COUNT:
        assert certificate is None  # a coin flip: the 1 has a mine on either side
        return
    assert certificate is not None
    assert (certificate.hardest, certificate.mine_count) == (hardest, mine_count)


def test_the_mine_count_can_be_needed() -> None:
    """1-1 at the end of a board with one mine left: only its number says where the mine is not."""
    found = []
    for seed in range(60):
        layout = place_mines(Grid(8, 8), 10, Rng(seed), start=Start.OPEN, first=27)
        certificate = prove(layout, 27)
        if certificate is not None and certificate.mine_count:
            found.append(certificate)
            assert prove(layout, 27, Technique.PATTERN) is None
    assert found


def test_a_first_cell_that_is_a_mine_or_nowhere() -> None:
    layout = Layout(Grid(3, 3), CellSet.of([4]))
    assert attempt(layout, 4).revealed == 0
    assert prove(layout, 4) is None
    with pytest.raises(CellError):
        prove(layout, 9)


TECHNIQUES = [one for one in Technique if Technique.ONE_CLUE <= one <= Technique.CASES]


@pytest.mark.parametrize(
    ("grid", "mines", "count"),
    [
        (Grid(9, 9), 10, 150),
        (Grid(16, 16), 40, 60),
        (Grid(30, 16), 99, 40),
        (Grid(8, 7, TORUS), 8, 100),
        (Grid(2, 9, TORUS), 3, 40),
        (Grid(12, 1), 3, 60),
        (Grid(1, 14, TORUS), 2, 60),
    ],
    ids=str,
)
def test_both_halves_find_the_same_steps(grid: Grid, mines: int, count: int) -> None:
    assert loading.is_native()
    for seed in range(count):
        first = grid.check(grid.size // 2)
        layout = place_mines(grid, mines, Rng(seed), start=Start.OPEN, first=first)
        up_to = TECHNIQUES[seed % len(TECHNIQUES)]
        quick = attempt(layout, first, up_to)
        assert quick == _step_by_step(layout, first, up_to)
        if quick.certificate is not None:
            assert quick.certificate == Certificate.of(first, tuple(quick.certificate.steps))
            assert pickle.loads(pickle.dumps(quick.certificate)) == quick.certificate


def test_both_halves_prove_expert_layouts_alike() -> None:
    spec = LayoutSpec(grid=Grid(30, 16), mine_count=99, start=Start.OPEN, first=Cell(93), no_guess=True)
    techniques = set()
    for seed in range(25):
        found = generate_layout(spec, seed)
        assert found.certificate == _step_by_step(found.layout, Cell(93), Technique.CASES).certificate
        assert found.certificate is not None
        techniques |= {step.technique for step in found.certificate.steps}
    assert techniques == set(TECHNIQUES)
