"""What is simulated: seeds of games, boards of a list, chunks."""

import pytest

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.preset import find_preset
from sapper.core.rng import Rng
from sapper.errors import CellError, InvalidValueError, LayoutError
from sapper.game.layout import Layout
from sapper.generator.board_file import ListedGame
from sapper.generator.new_game import new_referee
from sapper.simulate.plan import Chunk, Plan

BEGINNER = find_preset("beginner")


def _listed(width: int, first: int) -> ListedGame:
    return ListedGame(Layout(Grid(width, 2), CellSet.of([width])), Cell(first))


def test_a_game_is_the_one_that_new_game_makes_of_its_seed() -> None:
    plan = Plan(preset=BEGINNER, games=3, first=Cell(20), seed=8)
    for index in range(3):
        seed = plan.seed_of(index)
        assert seed == Rng(8).split(index).seed
        referee, first = plan.referee(index)
        other = new_referee("beginner", seed=seed)
        for one in (referee, other):
            one.play(next(move for move in one.board.legal_moves if move.cell == 20))
        assert first == 20
        assert referee.layout == other.layout
        assert plan.strategy_rng(index).seed == Rng(seed).split(2).seed


def test_listed_games() -> None:
    boards = (_listed(3, 0), _listed(3, 1), _listed(4, 2), _listed(3, 0))
    plan = Plan(preset=BEGINNER, games=4, first=Cell(0), boards=boards)
    assert [plan.referee(index)[1] for index in range(4)] == [0, 1, 2, 0]
    assert plan.referee(2)[0].layout == boards[2].layout
    grids = [Grid(3, 2), Grid(4, 2), Grid(3, 2)]
    chunks = [Chunk(0, 2, grids[0]), Chunk(2, 1, grids[1]), Chunk(3, 1, grids[2])]
    assert list(plan.chunks(1000, 10)) == chunks
    assert [chunk.games for chunk in plan.chunks(6, 10)] == [1, 1, 1, 1]


def test_chunks_hold_all_games_once() -> None:
    plan = Plan(preset=BEGINNER, games=23, first=Cell(0))
    for cells, games in ((1, 5), (810, 50), (10**6, 7), (10**6, 100)):
        chunks = list(plan.chunks(cells, games))
        assert [number for chunk in chunks for number in range(chunk.begin, chunk.begin + chunk.games)] == list(
            range(23)
        )
        assert max(chunk.games for chunk in chunks) <= max(1, min(games, cells // 81))


def test_what_cannot_be() -> None:
    with pytest.raises(LayoutError, match="at least one game"):
        Plan(preset=BEGINNER, games=0, first=Cell(0))
    with pytest.raises(CellError):
        Plan(preset=BEGINNER, games=1, first=Cell(81))
    with pytest.raises(InvalidValueError):
        Plan(preset=BEGINNER, games=1, first=Cell(0), seed=-1)
    with pytest.raises(LayoutError, match="2 games to play, but only 1 board in the list"):
        Plan(preset=BEGINNER, games=2, first=Cell(0), boards=(_listed(3, 0),))
