"""A given layout as a source."""

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rules import RULES
from sapper.game.layout import Layout
from sapper.game.source import FixedLayout, LayoutSource


def test_a_fixed_layout_is_there_from_the_start() -> None:
    layout = Layout(Grid(3, 2), CellSet.of([1, 5]))
    source: LayoutSource = FixedLayout(layout)
    assert (source.grid, source.mine_count, source.is_fixed) == (layout.grid, 2, True)
    assert source.start() is layout
    assert source.generate(Board.new(layout.grid, RULES["engine"], 2), Cell(0)) is layout
