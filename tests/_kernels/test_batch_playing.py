"""The seam to whole games: which strategies it plays."""

from sapper._kernels import batch
from sapper.core.grid import Grid
from sapper.solver.strategies.registry import NATIVE, STRATEGIES


def test_the_native_half_plays_every_strategy_that_says_so() -> None:
    assert {"random", "single", "subset", "least-risk"} <= set(NATIVE) <= set(STRATEGIES)
    starts, cells = Grid(2, 1).table
    for name in NATIVE:
        series = batch.Series(starts, cells, 2, (1,), 1, 1, 0)
        assert batch.make_player(name, series).play(0, 1) == [batch.EndedGame(batch.WON, 1, 0, 1)]


def test_a_game_of_one_safe_cell() -> None:
    starts, cells = Grid(2, 1).table
    series = batch.Series(starts, cells, 2, (1,), 1, 1, 0)
    player = batch.make_player("random", series)
    # The first cell is safe, so it is the only safe one.
    assert player.play(7, 2) == [batch.EndedGame(batch.WON, 1, 0, 1)] * 2
