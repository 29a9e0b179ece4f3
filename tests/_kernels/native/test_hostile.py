"""Boards, marks and numbers that no game has: the library answers or refuses, and touches no memory that is not its own.

`scripts/sanitize.sh` runs this where every wrong access ends the process.
"""

from array import array

import pytest

from sapper._kernels import batch, library
from sapper._kernels.native.analysis import Analyser
from sapper._kernels.native.deciding import Decider
from sapper._kernels.native.endgames import solve_board
from sapper._kernels.native.playing import NativePlayer
from sapper.core.grid import TORUS, Grid
from sapper.core.rng import Rng

GRIDS = (Grid(1, 1), Grid(9, 1), Grid(6, 5), Grid(9, 7), Grid(62, 3), Grid(63, 2), Grid(7, 7, TORUS))
PARTS = batch.PLAYOUTS._replace(playouts=60, sets=500, layouts=200)


def _tiles(rng: Rng, size: int) -> bytes:
    """Any bytes; any codes; or boards of covered cells and some clues, which are read to the end."""
    kind = rng.below(4)
    if kind == 0:
        return bytes(rng.below(256) for _ in range(size))
    if kind == 1:
        return bytes(rng.below(15) for _ in range(size))
    return bytes(rng.below(4) if rng.below(4) == 0 else 9 for _ in range(size))


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_analyses(grid: Grid) -> None:
    rng = Rng(1)
    tables = [grid.table, None] if grid.is_plane else [grid.table]
    for table in tables:
        analyser = Analyser(grid.width, grid.height, table)
        for _ in range(300):
            mines = array("i", [rng.below(2 * grid.size + 2) - 1])
            cap = (0, 1, 40, 1 << 30)[rng.below(4)]
            tiles, trusts = _tiles(rng, grid.size), rng.below(2) == 0
            list(analyser.analyse(tiles, mines, trust_flags=trusts, cap=cap))
            analyser.smallest_region(library.Table(*grid.table, 0), tiles, mines[0], trusts, cap)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_endgames(grid: Grid) -> None:
    rng = Rng(2)
    for _ in range(100):
        marks = bytes(rng.below(4) for _ in range(grid.size))
        layouts, sets = rng.below(300), rng.below(300)
        tiles = _tiles(rng, grid.size)
        solve_board(*grid.table, tiles, marks, rng.below(grid.size + 3), layouts, sets, every=rng.below(2) == 0)


@pytest.mark.parametrize("grid", GRIDS, ids=str)
def test_decisions(grid: Grid) -> None:
    rng = Rng(3)
    decider = Decider(*grid.table, grid.width if grid.is_plane else 0, PARTS)
    for _ in range(40):
        decider.choose(_tiles(rng, grid.size), rng.below(grid.size + 3))
        decider.compare(
            _tiles(rng, grid.size),
            rng.below(grid.size + 3),
            [rng.below(grid.size + 4) - 2 for _ in range(rng.below(4))],
        )
        decider.play(1)
        decider.draw()
        decider.play(1)
        decider.settle(rng.below(20) - 2)


@pytest.mark.parametrize("strategy", ["random", "single", "subset", "least-risk", "best-reply"])
def test_games(strategy: str) -> None:
    rng = Rng(4)
    for grid in GRIDS:
        mines = tuple(rng.below(grid.size + 1) for _ in range(3))
        width = grid.width if grid.is_plane else 0
        series = batch.Series(*grid.table, width, mines, rng.below(3), rng.below(grid.size), rng.next())
        player = NativePlayer(strategy, series)
        assert len(player.play_moves(0, 20)) == 20
        maps = bytes(rng.below(256) if rng.below(3) == 0 else 0 for _ in range(20 * grid.size))
        assert len(player.play(0, 20, maps=maps, firsts=[rng.below(grid.size) for _ in range(20)])) == 20


def test_what_is_refused() -> None:
    series = batch.Series(*Grid(3, 2).table, 3, (2,), 0, 0, 7)
    for wrong in (
        series._replace(mine_counts=(7,)),
        series._replace(mine_counts=(-1,)),
        series._replace(first=6),
        series._replace(start=3),
    ):
        with pytest.raises(ValueError, match="out of its range"):
            NativePlayer("least-risk", wrong)
    player = NativePlayer("least-risk", series)
    with pytest.raises(ValueError, match="out of its range"):
        player.play(0, 1, maps=bytes(6), firsts=[6])
    with pytest.raises(ValueError, match="5 bytes and 1 first cells for 1 games of 6 cells"):
        player.play(0, 1, maps=bytes(5), firsts=[0])
