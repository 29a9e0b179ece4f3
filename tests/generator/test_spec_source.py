"""A game that keeps a spec from wherever its first reveal is."""

import pytest

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.errors import LayoutError, LayoutNotFoundError
from sapper.game.referee import Referee
from sapper.generator.budget import Budget
from sapper.generator.layout_spec import LayoutSpec, Range
from sapper.generator.no_guess.prove import prove
from sapper.generator.spec_source import SpecSource

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
