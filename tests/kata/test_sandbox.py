"""One game of the kata: steps, marks, forks, and getting to a board that is shown."""

from itertools import combinations

import pytest
from hypothesis import given, settings, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import PLANE, Grid
from sapper.core.move import Move
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.game.layout import Layout
from sapper.kata import sandbox as kata_layouts
from sapper.kata.drawing import read_drawing
from sapper.kata.messages import UATS
from sapper.kata.sandbox import Sandbox, agreeing_layouts, move_to
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


COVERED = int(Tile.COVERED)


def _all(grid: Grid, counts: list[int]) -> list[Layout]:
    return [Layout(grid, CellSet.of(mines)) for count in counts for mines in combinations(range(grid.size), count)]


@settings(max_examples=60)
@given(layout=layouts(Grid(3, 3)), shown=st.sets(st.integers(0, 8)), flags=st.sets(st.integers(0, 8)))
def test_they_are_those_that_brute_force_finds(layout: Layout, shown: set[int], flags: set[int]) -> None:
    tiles = bytearray([COVERED]) * 9
    for cell in flags:
        tiles[cell] = Tile.FLAGGED
    for cell in shown:
        tiles[cell] = Tile.EXPLODED if layout.is_mine(cell) else layout.clues[cell]
    counts = [layout.mine_count, (layout.mine_count + 1) % 10]
    expected = [
        other
        for other in _all(layout.grid, counts)
        if all(
            other.is_mine(cell) if layout.is_mine(cell) else other.clues[cell] == layout.clues[cell] for cell in shown
        )
    ]
    found = list(agreeing_layouts(layout.grid, bytes(tiles), counts))
    assert len(found) == len(set(found))
    assert set(found) == set(expected)
    assert layout in found


@pytest.mark.parametrize("clue", [0, 3])
def test_a_clue_that_cannot_be(clue: int) -> None:
    tiles = bytes([clue, COVERED, 8 if clue == 0 else COVERED])
    assert list(agreeing_layouts(Grid(3, 1), tiles, (0, 1, 2))) == []


def test_a_long_frontier_is_no_recursion() -> None:
    width = 3000
    tiles = bytes([1]) * width + bytes([COVERED]) * width
    assert list(agreeing_layouts(Grid(width, 2), tiles, (width // 3,))) != []


def test_too_many_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    tiles = bytes([COVERED]) * 9
    monkeypatch.setattr(kata_layouts, "MOST_LAYOUTS", 93)
    assert len(list(agreeing_layouts(Grid(3, 3), tiles, (1, 3)))) == 93
    monkeypatch.setattr(kata_layouts, "MOST_LAYOUTS", 92)
    with pytest.raises(
        TooHardError, match="more than 92 layouts agree with the board: say where the bombs are"
    ) as caught:
        list(agreeing_layouts(Grid(3, 3), tiles, (1, 3)))
    assert caught.value.cap == 92


def test_on_large_boards_fewer_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kata_layouts, "_MOST_SQUARES", 900 * 5)
    with pytest.raises(TooHardError, match="more than 5 layouts"):
        list(agreeing_layouts(Grid(30, 30), bytes([COVERED]) * 900, (3,)))


def test_too_many_ways_around_the_clues_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kata_layouts, "_MOST_STEPS", 1000)
    # Each clue's bomb can be above, below or beside it; but never four bombs in all.
    row = bytes([COVERED, 1, COVERED]) * 30
    with pytest.raises(TooHardError, match="too many ways"):
        list(agreeing_layouts(Grid(90, 3), bytes([COVERED]) * 90 + row + bytes([COVERED]) * 90, (4,)))
