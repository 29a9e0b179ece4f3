import json
import subprocess
import sys

import pytest
from hypothesis import given, settings

from sapper import _kernels
from sapper._kernels.batch import Measured, measure_many
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.game.layout import Layout
from sapper.generator.uniform import place_mines
from tests.halves import by
from tests.sizes import sized
from tests.strategies import layouts


def _measured(layout: Layout, half: str, *, with_zini: bool = True) -> Measured:
    grid = layout.grid
    maps = bytes(_kernels.mine_map(grid.size, layout.mines))
    with by(half):
        [found] = measure_many(*grid.table, grid.width, maps, plane=grid.is_plane, with_zini=with_zini)
    return found


@settings(deadline=None)
@given(layouts())
def test_both_halves_measure_the_same_on_any_grid(layout: Layout) -> None:
    assert _measured(layout, "native") == _measured(layout, "reference")


@pytest.mark.parametrize(
    ("width", "height", "mines"),
    [
        (30, 16, 99),
        (16, 16, 40),
        (62, 7, 80),
        (63, 7, 80),
        (7, 70, 90),
        (1, 40, 9),
        (40, 1, 9),
        pytest.param(100, 100, 2000, marks=pytest.mark.full),
    ],
)
def test_both_halves_measure_the_same_on_wide_and_tall_boards(width: int, height: int, mines: int) -> None:
    for seed in range(5):
        layout = place_mines(Grid(width, height), mines, Rng(seed))
        assert _measured(layout, "native") == _measured(layout, "reference")


@pytest.mark.parametrize("half", ["native", "reference"])
def test_zini_is_left_out_when_nobody_asks_for_it(half: str) -> None:
    layout = place_mines(Grid(9, 9), 10, Rng(1))
    whole = _measured(layout, half)
    assert whole.zini > 0
    assert _measured(layout, half, with_zini=False) == whole._replace(zini=0, human_zini=0)


PEER = """
import json, sys, ms_toollib
for line in sys.stdin:
    board = ms_toollib.Board(json.loads(line))
    print(json.dumps([board.bbbv, board.op, board.isl, board.zini, board.hzini]), flush=False)
"""


def test_thousands_of_layouts_agree_with_ms_toollib() -> None:
    """In a process of its own: the peer ends the interpreter where it finds something wrong."""
    boards = []
    ours: list[list[int]] = []
    for width, height, mines, count in (
        (9, 9, 10, sized(400, 4000)),
        (16, 16, 40, sized(300, 3000)),
        (30, 16, 99, sized(260, 2600)),
        (7, 13, 40, 400),
    ):
        grid = Grid(width, height)
        drawn = [place_mines(grid, mines, Rng(seed)) for seed in range(count)]
        maps = b"".join(_kernels.mine_map(grid.size, layout.mines) for layout in drawn)
        ours += [list(row) for row in measure_many(*grid.table, width, maps, plane=True)]
        for layout in drawn:
            rows = [layout.clues[begin : begin + width] for begin in range(0, grid.size, width)]
            boards.append(json.dumps([[-1 if clue == _kernels.MINE_CLUE else clue for clue in row] for row in rows]))
    done = subprocess.run(
        [sys.executable, "-c", PEER], input="\n".join(boards), capture_output=True, text=True, check=True, timeout=300
    )
    theirs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(theirs) == len(ours)
    assert theirs == ours
