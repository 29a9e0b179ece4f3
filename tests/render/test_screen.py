"""The screen: what a terminal shows of it, and that redrawing what changed is as good as drawing all."""

import pyte
import pytest
from hypothesis import given, strategies as st

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.render.screen import LOOKS, MARKED_MINE, MINE, WRONG_MARK, Screen, draw_notice


def _board(width: int, height: int, tiles: bytes | None = None) -> Board:
    covered = bytes([Tile.COVERED]) * (width * height)
    return Board(grid=Grid(width, height), rules=RULES["jminesweeper"], mine_count=1, tiles=tiles or covered)


def _emulated(content: bytes, width: int = 40, height: int = 10) -> pyte.Screen:
    screen = pyte.Screen(width, height)
    pyte.Stream(screen).feed("left over from before\r\n" * 4 + content.decode())
    return screen


def _shown(screen: pyte.Screen, width: int, height: int) -> list[str]:
    return [line[:width] for line in screen.display[:height]]


def test_a_new_board_is_covered_with_the_cursor_at_the_top_left() -> None:
    screen = _emulated(Screen(_board(5, 3)).draw(Cell(0), ["below", "and more"]))
    assert [line.rstrip() for line in screen.display[:6]] == ["?????", "?????", "?????", "below", "and more", ""]
    assert (screen.cursor.x, screen.cursor.y) == (0, 0)


def test_every_tile_has_its_character() -> None:
    tiles = bytes(range(len(Tile)))
    screen = _emulated(Screen(_board(15, 1, tiles)).draw(Cell(0)))
    assert _shown(screen, 15, 1) == [".12345678?F?BX!"]


def test_the_four_ways_a_mine_can_end_and_a_wrong_mark_differ_without_colour() -> None:
    # struck, marked, not marked; a mark on no mine; covered, revealed
    tiles = bytes([Tile.EXPLODED, Tile.FLAGGED, Tile.COVERED, Tile.FLAGGED, Tile.COVERED, Tile.ONE])
    screen = Screen(_board(6, 1, tiles))
    screen.show(CellSet.of([0, 1, 2]))
    assert _shown(_emulated(screen.draw(Cell(0), active=False)), 6, 1) == ["XMB!?1"]
    characters = [MARKED_MINE[0], WRONG_MARK[0], MINE[0], *(look[0] for tile, look in LOOKS.items() if tile <= 10), "X"]
    assert len(set(characters)) == len(characters)


def test_what_a_board_shows_itself_at_the_end_is_drawn_the_same() -> None:
    board = _board(6, 1, bytes([Tile.EXPLODED, Tile.FLAGGED, Tile.COVERED, Tile.FLAGGED, Tile.COVERED, Tile.ONE]))
    mines = CellSet.of([0, 1, 2])
    shown = Screen(board.show(mines))
    shown.show(mines)
    screen = Screen(board)
    screen.show(mines)
    assert shown.draw(Cell(0)) == screen.draw(Cell(0))


def test_hiding_the_mines_again_leaves_nothing_of_them() -> None:
    screen = Screen(_board(4, 4))
    before = screen.draw(Cell(3))
    screen.show(CellSet.of([5, 9]))
    assert screen.draw(Cell(3)) != before
    screen.hide()
    assert screen.draw(Cell(3)) == before


def test_cells_of_one_colour_beside_each_other_share_a_sequence() -> None:
    tiles = bytes([Tile.ONE, Tile.ONE, Tile.COVERED, Tile.COVERED, Tile.TWO, Tile.ONE])
    screen = Screen(_board(6, 1, tiles))
    assert b"\x1b[H\x1b[36m11\x1b[m??\x1b[32m2\x1b[m\x1b[36m1\x1b[m\x1b[1;1H" in screen.draw(Cell(0), active=False)
    assert b"\x1b[H\x1b[36m1\x1b[m\x1b[36;7m1\x1b[m??" in screen.draw(Cell(1))
    screen.show(CellSet.of([2, 3]))
    assert b"11\x1b[m\x1b[1;31mBB\x1b[m\x1b[32m2" in screen.draw(Cell(0), active=False)


@pytest.mark.parametrize("cell", [0, 4, 7, 14])
def test_the_cell_under_the_cursor_is_reversed_and_the_cursor_stands_on_it(cell: int) -> None:
    screen = _emulated(Screen(_board(5, 3)).draw(Cell(cell), ["text"]))
    y, x = divmod(cell, 5)
    assert (screen.cursor.x, screen.cursor.y) == (x, y)
    reversed_cells = [(column, row) for row in range(10) for column in range(40) if screen.buffer[row][column].reverse]
    assert reversed_cells == [(x, y)]


def test_a_finished_board_has_no_cell_reversed() -> None:
    screen = _emulated(Screen(_board(5, 3)).draw(Cell(7), active=False))
    assert (screen.cursor.x, screen.cursor.y) == (2, 1)
    assert not any(screen.buffer[row][column].reverse for row in range(10) for column in range(40))


def test_a_notice_is_text_alone() -> None:
    assert [line.rstrip() for line in _emulated(draw_notice(["one", "", "two"])).display[:4]] == ["one", "", "two", ""]


@given(st.data())
def test_following_updates_is_the_same_as_drawing_anew(data: st.DataObject) -> None:
    width, height = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 6))
    size = width * height
    board = _board(width, height)
    screen = Screen(board)
    mines = CellSet.of(data.draw(st.sets(st.integers(0, size - 1))))
    for _ in range(data.draw(st.integers(0, 6))):
        start = data.draw(st.integers(0, size - 1))
        tiles = data.draw(st.binary(min_size=1, max_size=size - start).map(lambda raw: bytes(b % 12 for b in raw)))
        update = Update(((Cell(start), tiles),), Status.PLAYING)
        screen.apply(update)
        board = board.apply(update)
        fresh = Screen(board)
        if data.draw(st.booleans()):
            screen.show(mines)
            fresh.show(mines)
        else:
            screen.hide()
        cursor = Cell(data.draw(st.integers(0, size - 1)))
        assert screen.draw(cursor, ["x"]) == fresh.draw(cursor, ["x"])
