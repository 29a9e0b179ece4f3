"""One game of the kata: steps, marks, forks, and getting to a board that is shown."""

import pytest
from hypothesis import given

from sapper.core.grid import PLANE, Grid
from sapper.core.move import Move
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.kata.drawing import read_drawing
from sapper.kata.messages import UATS
from sapper.kata.sandbox import Sandbox, move_to
from sapper.render.kata import bare
from tests.playing import Script, play
from tests.strategies import layouts, scripts


def _sandbox(*bombs: str) -> Sandbox:
    drawing = read_drawing(1, list(bombs))
    return Sandbox(Layout(drawing.grid, drawing.bombs()), UATS)


def _tiles(*rows: str) -> bytes:
    return read_drawing(1, list(rows)).tiles()


@pytest.mark.parametrize(
    ("bombs", "board"),
    [
        ("--b --- ---", "_1* _11 ___"),  # won at once: the mark must come first
        ("-bb --- b--", "1-- *32 -1_"),  # a zero opens others, a mark is on a safe square
        ("--- bb- -b-", "221 **2 3*2"),  # won, all bombs marked
        ("--b b-- -b-", "--- X-2 --*"),  # lost: the bomb comes last
        ("--- -b- ---", "--- --- ---"),
    ],
)
def test_a_board_that_a_game_can_lead_to(bombs: str, board: str) -> None:
    game = _sandbox(*bombs.split())
    assert game.set_up(_tiles(*board.split()))
    assert bare(game.board).split() == board.split()
    assert game.has_won == (not set(board) & set("-X"))


@pytest.mark.parametrize(
    ("bombs", "board"),
    [
        ("--b --- ---", "__- --- ---"),  # a zero that did not open its neighbours
        ("--b --- ---", "--- 1-- ---"),  # a clue that is another
        ("--b --- ---", "--1 --- ---"),  # a bomb that is none
        ("--b --- ---", "X-- --- ---"),  # none that is a bomb
        ("bb- b-- -b-", "XX- --- ---"),  # two bombs
    ],
)
def test_a_board_that_no_game_leads_to(bombs: str, board: str) -> None:
    assert not _sandbox(*bombs.split()).set_up(_tiles(*board.split()))


@given(layout=layouts(Grid(4, 4, PLANE)), script=scripts())
def test_every_board_of_a_game_can_be_set_up(layout: Layout, script: Script) -> None:
    game = Sandbox(layout)
    if layout.mine_count == layout.grid.size:
        return  # won with the first mark, wherever it is: no order of marks leads to two
    boards = [step.after for step in play(game._referee, script)]
    assert all(Sandbox(layout).set_up(board.tiles) for board in boards)


@pytest.mark.parametrize(
    ("now", "then", "move"),
    [
        (Tile.COVERED, Tile.FLAGGED, Move.flag(0)),
        (Tile.FLAGGED, Tile.COVERED, Move.unflag(0)),
        (Tile.COVERED, Tile.ZERO, Move.reveal(0)),
        (Tile.FLAGGED, Tile.EIGHT, Move.reveal(0)),
        (Tile.COVERED, Tile.EXPLODED, Move.reveal(0)),
        (Tile.COVERED, Tile.COVERED, None),
        (Tile.ONE, Tile.COVERED, None),
        (Tile.ONE, Tile.TWO, None),
        (Tile.EXPLODED, Tile.FLAGGED, None),
    ],
)
def test_the_move_that_makes_a_square_show_something(now: Tile, then: Tile, move: Move | None) -> None:
    assert move_to(bytes([now]), bytes([then]), 0) == move
