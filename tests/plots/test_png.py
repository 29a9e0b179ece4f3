"""A PNG shows what its SVG says, pixel by pixel where it matters."""

import struct
import zlib

import pytest

from sapper.core.notation import read_board
from sapper.errors import InvalidValueError
from sapper.plots.png import png
from sapper.render.picture_palette import PICTURE_PALETTES, PicturePalette, rgb_of
from sapper.render.svg import svg

BOARD = read_board("5x1/1\n.1#F#\n")


def _pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and the rows, four bytes a pixel, of a PNG of eight bits a channel with alpha."""
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    at, packed, width, height = 8, b"", 0, 0
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        chunk = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", chunk)
            assert (depth, colour, interlaced) == (8, 6, 0)
        elif kind == b"IDAT":
            packed += chunk
        at += length + 12
    return width, height, _unfiltered(zlib.decompress(packed), 4 * width, height)


def _unfiltered(raw: bytes, stride: int, height: int) -> list[bytes]:
    rows: list[bytes] = []
    above = bytes(stride)
    for y in range(height):
        begin = y * (stride + 1)
        kind, line = raw[begin], bytearray(raw[begin + 1 : begin + 1 + stride])
        for i in range(stride):
            left, up = line[i - 4] if i >= 4 else 0, above[i]
            corner = above[i - 4] if i >= 4 else 0
            line[i] = (line[i] + (0, left, up, (left + up) // 2, _paeth(left, up, corner))[kind]) & 255
        above = bytes(line)
        rows.append(above)
    return rows


def _paeth(left: int, up: int, corner: int) -> int:
    guess = left + up - corner
    return min((left, up, corner), key=lambda value: abs(guess - value))


@pytest.mark.parametrize("palette", PICTURE_PALETTES.values(), ids=PICTURE_PALETTES)
def test_cells_have_their_colours(palette: PicturePalette) -> None:
    text = svg(BOARD, palette=palette, cell_size=32, header=False, coordinates=False)
    width, height, rows = _pixels(png(text))
    assert (width, height) == (6 * 32, 2 * 32)

    def cell(x: int) -> set[tuple[int, ...]]:
        left, top = 16 + 32 * x, 16
        return {tuple(rows[top + j][4 * (left + i) : 4 * (left + i) + 3]) for i in range(2, 30) for j in range(2, 30)}

    assert cell(0) == {rgb_of(palette.revealed)}
    assert rgb_of(palette.clues[0]) in cell(1)
    assert {rgb_of(palette.covered), rgb_of(palette.shade)} <= cell(2)
    assert rgb_of(palette.flag) in cell(3)
    assert rgb_of(palette.flag) not in cell(4)
    # No pixel lets the page through.
    assert all(row[3::4] == b"\xff" * width for row in rows)


@pytest.mark.parametrize(
    "text", ["", "hello", "<svg>", '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0"/>']
)
def test_what_is_no_picture_is_an_error(text: str) -> None:
    with pytest.raises(InvalidValueError, match=r"^cannot make a PNG of this: "):
        png(text)
