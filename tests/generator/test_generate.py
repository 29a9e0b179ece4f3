"""Finding layouts: reproducible, strict, honest about what was not found."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest

from sapper._kernels import values_of
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.errors import InvalidValueError, LayoutError, LayoutNotFoundError, NoSuchLayoutError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.generator.generate import SpecSource, generate_layout, uniform_layouts
from sapper.generator.layout_spec import LayoutSpec, Range
from sapper.generator.new_game import new_referee
from sapper.generator.no_guess.certificate import Difficulty
from sapper.generator.no_guess.prove import prove
from sapper.generator.no_guess.verify import verify_certificate
from sapper.generator.search_values import Budget, SearchStats
from sapper.generator.uniform import kept_free
from sapper.solver.deduce.step import Technique
from tests.halves import by_reference

BEGINNER = LayoutSpec(grid=Grid(9, 9), mine_count=10, start=Start.OPEN, first=Cell(20), no_guess=True)


@pytest.mark.parametrize(
    "spec",
    [
        BEGINNER,
        replace(BEGINNER, start=Start.SAFE, first=Cell(0), up_to=Technique.OVERLAP),
        replace(BEGINNER, start=Start.ANY, first=Cell(0), up_to=Technique.MINE_COUNT),
        replace(BEGINNER, bbbv=Range(12, 20), openings=Range(2, 3), difficulty=Range(2, 3)),
        replace(BEGINNER, grid=Grid(9, 9, TORUS), up_to=Technique.ONE_CLUE),
        replace(BEGINNER, grid=Grid(30, 16), mine_count=99, first=Cell(93)),
    ],
    ids=lambda spec: spec.properties,
)
def test_what_is_found_is_what_was_specified_by_both_halves(spec: LayoutSpec) -> None:
    for seed in range(3):
        found = generate_layout(spec, seed)
        layout, certificate = found.layout, found.certificate
        with by_reference():
            assert generate_layout(spec, seed) == found
        assert (layout.grid, layout.mine_count, found.first) == (spec.grid, spec.mine_count, spec.first)
        assert not layout.mines & CellSet.of(kept_free(spec.grid, spec.start, spec.first))
        assert certificate is not None
        assert verify_certificate(layout, spec.first, certificate)
        assert certificate.hardest is None or certificate.hardest <= max(spec.up_to, Technique.PATTERN)
        assert certificate.difficulty in spec.difficulty
        values = values_of(*spec.grid.table, layout.clues)
        assert values.bbbv in spec.bbbv
        assert values.openings in spec.openings


def test_rejection_is_uniform() -> None:
    """4x3 with 3 mines, start safe: every layout that needs no guess comes up, each as often."""
    spec = LayoutSpec(grid=Grid(4, 3), mine_count=3, start=Start.SAFE, first=Cell(0), no_guess=True)
    every = [Layout(spec.grid, CellSet.of(mines)) for mines in combinations(range(1, 12), 3)]
    good = {layout.mines.mask for layout in every if prove(layout, 0) is not None}
    draws = 60 * len(good)
    seen = Counter(generate_layout(spec, seed).layout.mines.mask for seed in range(draws))
    assert set(seen) == good
    square = sum((count - 60) ** 2 / 60 for count in seen.values())
    assert abs(square - (len(good) - 1)) < 4 * (2 * (len(good) - 1)) ** 0.5


def test_a_spent_budget_says_what_was_tried() -> None:
    stats = SearchStats()
    with pytest.raises(LayoutNotFoundError) as caught:
        generate_layout(replace(BEGINNER, mine_count=45), 1, budget=Budget(tries=40), stats=stats)
    assert caught.value.tries == stats.tried == 40
    assert str(caught.value).startswith(
        "no layout with no guess found in 40 tries; 0 needed no guess; the furthest got "
    )
    assert "method 'repair'" in str(caught.value)
    with pytest.raises(LayoutNotFoundError, match="3BV 62- found in 1 try; 0 had the wanted numbers"):
        generate_layout(replace(BEGINNER, no_guess=False, bbbv=Range(62)), 1, budget=Budget(tries=1))
    with pytest.raises(LayoutNotFoundError, match="0 tries"):
        generate_layout(BEGINNER, 1, budget=Budget(go_on=lambda: False))


@pytest.mark.parametrize(
    "spec",
    [
        LayoutSpec(grid=Grid(6, 1), mine_count=2, start=Start.ANY, first=Cell(0), no_guess=True, difficulty=Range(Difficulty.EXTREME)),
        LayoutSpec(grid=Grid(2, 2), mine_count=2, start=Start.SAFE, first=Cell(0), no_guess=True),
        LayoutSpec(grid=Grid(3, 3), mine_count=1, start=Start.OPEN, first=Cell(0), bbbv=Range(5)),
    ],
    ids=lambda spec: spec.properties,
)  # fmt: skip
def test_where_there_is_none_that_is_proven(spec: LayoutSpec) -> None:
    with pytest.raises(NoSuchLayoutError, match=r"no layout exists with .*: all \d+ layouts"):
        generate_layout(spec, 3)


def test_a_rare_one_among_few_is_found_by_looking_at_all() -> None:
    """12 of 792 layouts, which 200 tries may well miss."""
    spec = LayoutSpec(grid=Grid(4, 3), mine_count=5, start=Start.ANY, first=Cell(0), bbbv=Range(None, 2))
    seeds = range(30)
    found = [generate_layout(spec, seed) for seed in seeds]
    assert all(values_of(*spec.grid.table, one.layout.clues).bbbv <= 2 for one in found)


def test_what_was_tried_before_makes_no_difference() -> None:
    """A seed and a spec name one layout, also where all are looked at."""
    spec = LayoutSpec(grid=Grid(5, 5), mine_count=2, start=Start.ANY, first=Cell(0), bbbv=Range(8, 8))
    for seed in range(12):
        stats = SearchStats()
        stats.tried = 1_000
        one, other = generate_layout(spec, seed, stats=stats), generate_layout(spec, seed)
        assert (one.layout, one.tries) == (other.layout, other.tries)


def test_the_layouts_of_a_run_are_those_of_its_games() -> None:
    spec = LayoutSpec(grid=Grid(30, 16), mine_count=99, start=Start.OPEN, first=Cell(93))
    for number, layout in enumerate(uniform_layouts(spec, 7, 5, 3), 5):
        referee = new_referee("expert", seed=Rng(7).split(number).seed)
        referee.play(Move.reveal(Cell(93)))
        assert referee.layout == layout


def test_a_seed_that_is_none() -> None:
    with pytest.raises(InvalidValueError):
        generate_layout(BEGINNER, -1)


SPEC = LayoutSpec(grid=Grid(9, 9), mine_count=10, start=Start.OPEN, first=Cell(0), no_guess=True)


@pytest.mark.parametrize("first", [0, 40, 80])
def test_no_guess_from_the_cell_that_is_revealed(first: int) -> None:
    referee = Referee(rules=RULES["modern"], source=SpecSource(SPEC, 5))
    assert referee.board.revealed_count == 0
    referee.play(Move.reveal(Cell(first)))
    assert referee.layout is not None
    assert prove(referee.layout, first) is not None
    again = Referee(rules=RULES["modern"], source=SpecSource(SPEC, 5))
    again.play(Move.reveal(Cell(first)))
    assert again.layout == referee.layout


def test_what_is_not_found_leaves_the_game_as_it_was() -> None:
    spec = LayoutSpec(grid=Grid(9, 9), mine_count=10, start=Start.OPEN, first=Cell(0), bbbv=Range(62))
    referee = Referee(rules=RULES["modern"], source=SpecSource(spec, 5, budget=Budget(tries=3)))
    with pytest.raises(LayoutNotFoundError):
        referee.play(Move.reveal(Cell(0)))
    assert (referee.status, referee.board.revealed_count, referee.layout) == (Status.READY, 0, None)


def test_a_start_that_cannot_be_kept_there_is_an_error() -> None:
    spec = LayoutSpec(grid=Grid(3, 3), mine_count=5, start=Start.OPEN, first=Cell(0), no_guess=True)
    source = SpecSource(spec, 1)
    assert (source.grid, source.mine_count, source.is_fixed) == (Grid(3, 3), 5, True)
    with pytest.raises(LayoutError):
        Referee(rules=RULES["modern"], source=source).play(Move.reveal(Cell(4)))
