"""Text in UTF-16 is read as the same in UTF-8; bytes that are no text are left as they are."""

import pytest

from sapper.core.encoding import as_utf8
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.generator.board_file import read_layouts, write_mbf
from sapper.generator.uniform import place_mines

TEXT = "3x2/2\r\n12é\r\n###\r\n"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        b"\xef\xbb\xbf" + TEXT.encode(),
        b"\xff\xfe" + TEXT.encode("utf-16-le"),
        b"\xfe\xff" + TEXT.encode("utf-16-be"),
        TEXT.encode("utf-16-le"),
        TEXT.encode("utf-16-be"),
    ],
    ids=["utf-8", "marked", "PowerShell", "big", "unmarked", "unmarked big"],
)
def test_the_same_text(data: bytes) -> None:
    assert as_utf8(data) == TEXT.encode()


@pytest.mark.parametrize(
    "data", [b"", b"\xff", b"\xff\xfe", b"\xff\xfe\x80", b"\x00\x00", b"\xff\xfe\x00\xd8", b"3\x00x"]
)
def test_what_is_no_such_text_is_left(data: bytes) -> None:
    assert as_utf8(data) in (data, b"")


@pytest.mark.parametrize(("width", "height"), [(255, 254), (254, 255), (9, 9), (1, 255), (51, 60)])
def test_no_mbf_is_taken_for_text(width: int, height: int) -> None:
    grid = Grid(width, height)
    for mines in (1, 10, grid.size // 5):
        layout = place_mines(grid, min(mines, grid.size - 1), Rng(mines))
        data = write_mbf(layout)
        assert as_utf8(data) == data
        (game,) = read_layouts(data)
        assert game.layout == layout


def test_layouts_in_utf_16_are_no_mbf() -> None:
    (game,) = read_layouts(b"\xff\xfe" + "2x1/1\r\n*1\r\n".encode("utf-16-le"))
    assert (game.layout.grid.width, list(game.layout.mines)) == (2, [0])
