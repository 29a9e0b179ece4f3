from functools import partial

import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import PLANE, TORUS, Grid
from sapper.core.notation import read_board
from sapper.errors import CellError, LayoutError, NotationError, SapperError
from sapper.game.layout import Layout
from sapper.generator.board_file import (
    ListedGame,
    is_text,
    layout_shown,
    read_board_list,
    read_layouts,
    read_mbf,
    write_game,
    write_mbf,
)
from tests.playing import outcome
from tests.strategies import grids, layouts

LAYOUT = Layout(Grid(4, 2), CellSet.of([1]))
TEXT = "1*1.\n111.\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"4x2/1\n" + TEXT.encode(),
        b"\xef\xbb\xbf\r\n4x2/1\r\n1X1_\r\n1110\r\n",
        (write_game(LAYOUT, 0) + "\n").encode(),
        ("# a comment of a list\n\n" + write_game(LAYOUT, 0)).encode(),
        write_mbf(LAYOUT),
    ],
)
def test_each_format_is_known_by_its_looks(data: bytes) -> None:
    assert [game.layout for game in read_layouts(data)] == [LAYOUT]


@pytest.mark.parametrize("data", [b"", b"\n \r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_called_empty(data: bytes) -> None:
    with pytest.raises(NotationError, match=r"^x:1:1: no layout found: the file is empty$"):
        list(read_layouts(data, source="x"))


def test_a_list_keeps_its_first_cells_and_texts_are_parted_by_empty_lines() -> None:
    listed = list(read_layouts(f"{write_game(LAYOUT, 3)}\n{write_game(LAYOUT, 4)}\n".encode()))
    assert [(game.layout, game.first) for game in listed] == [(LAYOUT, 3), (LAYOUT, 4)]
    assert [game.layout for game in read_layouts(f"{TEXT}\n\n4x2/1\n{TEXT}".encode())] == [LAYOUT, LAYOUT]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"4x2/2\n1*1.\n111.\n", "x:1:1: a layout shows each of its mines as .; here are 1 of 2"),
        (b"1*1.\n111.\n\n1*2.\n111.\n", r"x:4:1: the clue at c1 is 2, but it has 1 mine beside it"),
        (b"1*1.\n\n11~.\n", "x:3:3: '~' is not a tile"),
        (b"4 2 1 9 0\n", "x:1:7: mine 9 is off the board"),
    ],
)
def test_errors_name_the_line_of_the_file(data: bytes, message: str) -> None:
    with pytest.raises(NotationError, match=message):
        list(read_layouts(data, source="x"))


def test_bytes_that_are_no_text_are_read_as_mbf() -> None:
    with pytest.raises(NotationError, match="x: at byte 0"):
        list(read_layouts(b"\x00\x01\x02\x03", source="x"))
    assert not is_text(b"")
    assert not is_text(write_mbf(Layout(Grid(200, 200), CellSet.of(range(40_000)))))


def test_a_board_with_covered_cells_is_a_layout_if_every_mine_is_shown() -> None:
    assert layout_shown(read_board("4x2/1\n1*##\n####")) == LAYOUT


@given(st.binary(max_size=60))
def test_any_bytes_are_layouts_or_an_error(data: bytes) -> None:
    try:
        for game in read_layouts(data):
            assert 0 <= game.first < game.layout.grid.size
    except SapperError as error:
        assert "\n" not in str(error)


def test_the_bytes_are_those_of_the_format() -> None:
    layout = Layout(Grid(30, 16), CellSet.of([0, 59, 450]))
    assert write_mbf(layout) == bytes([30, 16, 0, 3, 0, 0, 29, 1, 0, 15])


@given(layouts().filter(lambda layout: layout.grid.is_plane))
def test_what_is_written_reads_the_same(layout: Layout) -> None:
    assert read_mbf(write_mbf(layout)) == layout


@pytest.mark.parametrize("grid", [Grid(256, 1), Grid(1, 256), Grid(3, 3, TORUS)])
def test_what_the_bytes_cannot_say_is_refused(grid: Grid) -> None:
    with pytest.raises(LayoutError, match="at most 255x255"):
        write_mbf(Layout(grid, CellSet()))


@pytest.mark.parametrize(
    ("data", "offset", "message"),
    [
        (b"", 0, "begins with 4 bytes"),
        (b"\x09\x09\x00", 3, "begins with 4 bytes"),
        (b"\x00\x09\x00\x00", 0, "0x9 cells"),
        (b"\x09\x00\x00\x00", 1, "9x0 cells"),
        (b"\x02\x02\x00\x05", 2, "5 mines do not fit 2x2"),
        (b"\x02\x02\x00\x02\x00\x00\x01", 7, "2 mines take 8 bytes"),
        (b"\x02\x02\x00\x01\x00\x00\x01\x01", 6, "1 mine takes 6 bytes"),
        (b"\x02\x02\x00\x01\x02\x00", 4, r"\(2, 0\) is off a board of 2x2"),
        (b"\x02\x02\x00\x02\x01\x01\x01\x01", 6, r"a second mine at \(1, 1\)"),
    ],
)
def test_garbage_is_named_with_its_offset(data: bytes, offset: int, message: str) -> None:
    with pytest.raises(NotationError, match=message) as caught:
        read_mbf(data, source="x.mbf")
    assert caught.value.offset == offset
    assert str(caught.value).startswith(f"x.mbf: at byte {offset}: ")


@given(st.binary(max_size=40))
def test_any_bytes_are_a_layout_or_an_error(data: bytes) -> None:
    try:
        layout = read_mbf(data)
    except NotationError as error:
        assert error.offset is not None
        assert 0 <= error.offset <= len(data)
    else:
        assert read_mbf(write_mbf(layout)) == layout


LINE = "4 3 2 1,11 5"
GAME = ListedGame(Layout(Grid(4, 3), CellSet.of([1, 11])), Grid(4, 3).check(5))


def test_a_line() -> None:
    assert list(read_board_list([LINE])) == [GAME]
    assert write_game(*GAME) == LINE
    assert write_game(Layout(Grid(2, 1), CellSet()), 1) == "2 1 0 - 1"


@given(st.data())
def test_text_round_trip(data: st.DataObject) -> None:
    games = []
    for _ in range(data.draw(st.integers(0, 3))):
        layout = data.draw(layouts(data.draw(grids(topologies=(PLANE,)))))
        games.append(ListedGame(layout, layout.grid.check(data.draw(st.integers(0, layout.grid.size - 1)))))
    lines = [write_game(*game) for game in games]
    assert list(read_board_list(lines)) == games
    assert list(read_board_list("\n".join(lines))) == games
    assert list(read_board_list([f"  {line} \r\n" for line in lines])) == games


def test_comments_empty_lines_and_a_byte_order_mark_are_skipped() -> None:
    lines = ["\ufeff# two games", "", "  # and nothing else", LINE, " \t", LINE]
    assert list(read_board_list(lines)) == [GAME, GAME]


def test_games_come_one_at_a_time() -> None:
    games = read_board_list(["2 2 1 0 3", "nonsense"])
    assert next(games).layout.mine_count == 1
    with pytest.raises(NotationError):
        next(games)


@pytest.mark.parametrize(
    ("line", "column", "message"),
    [
        ("4 3 2 1,11", 7, "a game is WIDTH HEIGHT MINES i,j,k… FIRST: 5 words, not 4"),
        ("4 3 2 1,11 5 6", 14, "a game is WIDTH HEIGHT MINES i,j,k… FIRST: 5 words, not 6"),
        ("x 3 2 1,11 5", 1, "WIDTH is a number of at most nine digits, not 'x'"),
        ("4 -3 2 1,11 5", 3, "HEIGHT is a number of at most nine digits, not '-3'"),
        ("4 0 2 1,11 5", 1, "a grid has at least 1x1 cells, not 4x0"),
        ("99999 99999 0 - 5", 1, "a grid has at most 100,000,000 cells"),
        ("4 3 2 1,12 5", 9, "mine 12 is off the board: cells are 0 to 11"),
        ("4 3 2 1,1 5", 9, "mine 1 is listed twice"),
        ("4 3 2 1,,2 5", 9, "a mine is a number of at most nine digits, not ''"),
        ("4 3 2 1,2, 5", 11, "a mine is a number"),
        ("4 3 2 - 5", 5, "MINES says 2, but 0 are listed"),
        ("4 3 1 1,2 5", 5, "MINES says 1, but 2 are listed"),
        ("4 3 2 1,11 12", 12, "the first cell 12 is off the board: cells are 0 to 11"),
        ("4 3 2 1,11 1234567890", 12, "FIRST is a number of at most nine digits"),
        ("٤ 3 2 1,11 5", 1, "WIDTH is a number"),
    ],
)
def test_lines_that_are_no_games(line: str, column: int, message: str) -> None:
    with pytest.raises(NotationError) as caught:
        list(read_board_list(["# a comment", LINE, line], source="b.txt"))
    error = caught.value
    assert (error.source, error.line, error.column) == ("b.txt", 3, column)
    assert error.message.startswith(message)


@given(st.one_of(st.text(), st.text(alphabet="0123456789 ,-\n#"), st.from_regex(r"[1-9] [1-9] \d \d,\d+ \d\n")))
def test_any_text_is_a_list_or_a_named_error(text: str) -> None:
    result = outcome(partial(lambda lines: list(read_board_list(lines)), text))
    if isinstance(result, list):
        assert list(read_board_list(write_game(*game) for game in result)) == result
    else:
        assert isinstance(result, NotationError)
        assert 1 <= result.line <= len(text.splitlines())
        assert "\n" not in str(result)


def test_what_cannot_be_written() -> None:
    with pytest.raises(CellError, match="cell 12 is off the board"):
        write_game(GAME.layout, 12)
    with pytest.raises(LayoutError, match="holds layouts on a plane, not on a torus"):
        write_game(Layout(Grid(4, 3, TORUS), CellSet.of([1])), 0)
