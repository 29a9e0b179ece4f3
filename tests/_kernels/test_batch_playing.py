"""The seam to whole games: which strategies are compiled, and where that is kept."""

from pathlib import Path

from sapper._kernels import batch
from sapper.core.grid import Grid
from sapper.solver.strategies.registry import COMPILED, STRATEGIES


def test_there_are_kernels_for_every_strategy_that_says_so() -> None:
    assert batch.can_compile()
    assert {"random", "single", "subset", "exact"} <= set(COMPILED) <= set(STRATEGIES)
    assert all(batch.is_ready(name) for name in COMPILED)


def test_what_was_compiled_is_kept() -> None:
    starts, cells = Grid(2, 1).table
    series = batch.Series(starts, cells, 2, (1,), 1, 1, 0)
    player = batch.make_player("random", series)
    assert batch.is_kept("random")
    assert any(Path(batch.folder_of_cache()).rglob("games_random.play_random-*"))
    # The first cell is safe, so it is the only safe one.
    assert player.play(7, 2) == [batch.EndedGame(batch.WON, 1, 0, 1)] * 2
