from hypothesis import given

from sapper._kernels.reference.layout import MINE_CLUE
from sapper._kernels.reference.measures import values_of, zini_of
from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.game.layout import Layout
from tests.strategies import layouts

KNOWN = Layout(
    Grid(8, 8),
    CellSet.of(
        row * 8 + column
        for row, column in ((1, 3), (2, 3), (2, 6), (3, 1), (3, 4), (4, 2), (4, 7), (5, 3), (6, 6), (7, 7))
    ),
)
"""The layout that the rankings give to check a 3BV counter with."""


def test_the_published_example_has_a_3bv_of_23() -> None:
    assert values_of(*KNOWN.grid.table, KNOWN.clues).bbbv == 23


def test_a_board_without_mines_is_one_opening_and_one_click() -> None:
    layout = Layout(Grid(5, 4), CellSet())
    assert values_of(*layout.grid.table, layout.clues) == (1, 1, 0)
    assert [zini_of(*layout.grid.table, layout.clues, 5, human) for human in (False, True)] == [1, 1]


def test_islands_are_counted_over_corners() -> None:
    # A diagonal of mines on 4x4: two corners far from it are zeros, the rest of the clues touch them or not.
    layout = Layout(Grid(5, 5), CellSet.of([12]))  # a mine in the middle: eight ones around it, zeros at the edge
    assert values_of(*layout.grid.table, layout.clues) == (1, 1, 0)
    layout = Layout(Grid(7, 1), CellSet.of([1, 5]))  # 1*1.1*1: an opening between two lone ones
    assert values_of(*layout.grid.table, layout.clues) == (3, 1, 2)


@given(layouts())
def test_3bv_is_the_least_number_of_clicks_of_a_player_who_knows(layout: Layout) -> None:
    """Click a zero of each opening, then what is left: exactly 3BV clicks, and each opens something no other does."""
    starts, cells = layout.grid.table
    revealed: set[int] = set()
    clicks = 0
    for cell in sorted(range(layout.grid.size), key=lambda one: layout.clues[one] != 0):
        if layout.clues[cell] == MINE_CLUE or cell in revealed:
            continue
        clicks += 1
        stack = [cell]
        while stack:
            one = stack.pop()
            if one not in revealed:
                revealed.add(one)
                stack += cells[starts[one] : starts[one + 1]] if layout.clues[one] == 0 else []
    assert values_of(starts, cells, layout.clues).bbbv == clicks
