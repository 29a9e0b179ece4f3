import pytest
from hypothesis import given, strategies as st

from sapper.core.cells import CellSet
from sapper.core.grid import TORUS, Grid
from sapper.errors import LayoutError, NotationError
from sapper.game.layout import Layout
from sapper.generator.mbf import read_mbf, write_mbf
from tests.strategies import layouts


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
