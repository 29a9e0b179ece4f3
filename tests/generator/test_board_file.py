import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.errors import NotationError, SapperError
from sapper.game.layout import Layout
from sapper.generator.board_file import is_text, layout_shown, read_layouts
from sapper.generator.board_list import write_game
from sapper.generator.mbf import write_mbf

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
