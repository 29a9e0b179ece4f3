"""The truth, and whether it agrees with what is seen."""

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES
from sapper.errors import CellError, LayoutError
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from tests.playing import Script, play
from tests.strategies import layouts, scripts


@given(layouts())
def test_clues_count_mines_beside_a_cell(layout: Layout) -> None:
    for cell in range(layout.grid.size):
        assert layout.is_mine(cell) == (cell in layout.mines)
        assert layout.clue(cell) == sum(near in layout.mines for near in layout.grid.neighbours(cell))
        assert layout.clues[cell] == (9 if layout.is_mine(cell) else layout.clue(cell))
    assert layout.mine_count == len(layout.mines)


@given(layouts(), scripts())
def test_a_layout_agrees_with_every_board_of_its_games(layout: Layout, script: Script) -> None:
    referee = Referee(rules=RULES["engine"], source=FixedLayout(layout))
    assert layout.agrees_with(referee.board)
    assert all(layout.agrees_with(step.after) for step in play(referee, script))
    assert layout.agrees_with(referee.board.show(layout.mines))


@given(st.data(), scripts())
def test_another_layout_agrees_where_it_shows_the_same_clues(data: st.DataObject, script: Script) -> None:
    layout = data.draw(layouts())
    other = data.draw(layouts(layout.grid))
    referee = Referee(rules=RULES["engine"], source=FixedLayout(layout))
    for step in play(referee, script):
        revealed = step.after.revealed
        same = all(layout.clues[cell] == other.clues[cell] for cell in revealed)
        assert other.agrees_with(step.after) == (same and other.mine_count == layout.mine_count)


@pytest.mark.parametrize(
    ("rows", "agrees"),
    [
        *((rows, True) for rows in ("#1.", "F1.", "#F.", "*1.", "X1.", "#1!")),
        *((rows, False) for rows in ("1#.", "!1.", "#*.", "#X.", "#..", "#2.")),
    ],
)
def test_what_each_tile_says_of_the_layout(rows: str, agrees: bool) -> None:
    layout = Layout(Grid(3, 1), CellSet.of([0]))
    assert layout.agrees_with(read_board(rows, mine_count=1)) == agrees
    assert not layout.agrees_with(read_board(rows, mine_count=2))
    assert not layout.agrees_with(read_board(rows + "\n###", mine_count=1))


def test_cells_off_the_board() -> None:
    with pytest.raises(LayoutError, match="a mine at cell 9 is off the board: cells are 0 to 8"):
        Layout(Grid(3, 3), CellSet.of([1, 9]))
    layout = Layout(Grid(3, 3), CellSet.of([4]))
    for cell in (-1, 9):
        with pytest.raises(CellError, match="off the board"):
            layout.is_mine(cell)
        with pytest.raises(CellError, match="off the board"):
            layout.clue(cell)
