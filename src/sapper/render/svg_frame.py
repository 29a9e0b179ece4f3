"""The surroundings of the cells in an SVG picture: frame, counter, face, numbers of columns and rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.status import Status
from sapper.render import glyphs
from sapper.render.picture_palette import PicturePalette
from sapper.render.svg_shapes import Shapes

_BORDER: Final = 0.5
_BAND: Final = 1.0
"""For the numbers of columns and rows."""
_HEADER: Final = 2.25
_NARROWEST: Final = 5.0
"""Cells that the counter and the face need."""
_EDGE: Final = 3 / glyphs.CELL
_FACES: Final = {Status.WON: glyphs.COOL, Status.LOST: glyphs.DEAD}


@dataclass(frozen=True, slots=True, kw_only=True)
class SvgFrame:
    """Where things are, in cells."""

    board: Board
    palette: PicturePalette
    cell_size: float
    coordinates: bool
    header: bool

    @property
    def _inner(self) -> float:
        """The width between the borders, without the band of row numbers."""
        return max(self.board.grid.width, _NARROWEST) if self.header else self.board.grid.width

    @property
    def left(self) -> float:
        band = _BAND if self.coordinates else _BORDER
        return band + (self._inner - self.board.grid.width) / 2

    @property
    def top(self) -> float:
        return (_HEADER if self.header else 0) + (_BAND if self.coordinates else _BORDER)

    @property
    def width(self) -> float:
        return (_BAND if self.coordinates else _BORDER) + self._inner + _BORDER

    @property
    def height(self) -> float:
        return self.top + self.board.grid.height + _BORDER


def framed(frame: SvgFrame, shapes: Shapes, cells: Iterable[str]) -> str:
    """The picture without its definitions: frame, header, labels, and the cells on their ground."""
    palette, grid = frame.palette, frame.board.grid
    parts = [
        '<g shape-rendering="crispEdges">',
        _box(0, 0, frame.width, frame.height, palette.covered, palette.light, palette.shade, _EDGE * 2 / 3),
        _sunken(frame.left, frame.top, grid.width, grid.height, palette),
        "</g>",
    ]
    if frame.header:
        parts += _header(frame)
    parts.append(f'<g transform="translate({frame.left:g} {frame.top:g})">')
    parts.append(
        f'<path d="M0 0h{grid.width}v{grid.height}h-{grid.width}z" fill="{palette.revealed}" shape-rendering="crispEdges"/>'
    )
    columns = f"m1-{grid.height}v{grid.height}" * (grid.width - 1)
    rows = f"m-{grid.width} 1h{grid.width}" * (grid.height - 1)
    parts.append(
        f'<path d="M0 0h{grid.width}{rows}M0 0v{grid.height}{columns}" fill="none" stroke="{palette.lines}" '
        f'stroke-width="{1 / glyphs.CELL:g}" shape-rendering="crispEdges"/>'
    )
    if frame.coordinates:
        parts += _labels(grid, shapes)
    return "\n".join([*parts, *cells, "</g>"])


def _box(x: float, y: float, width: float, height: float, face: str, upper: str, lower: str, edge: float) -> str:
    return (
        f'<path d="M{x:g} {y:g}h{width:g}v{height:g}h-{width:g}z" fill="{lower}"/>'
        f'<path d="M{x:g} {y:g}h{width:g}l-{edge:g} {edge:g}v{height - 2 * edge:g}h-{width - 2 * edge:g}L{x:g} {y + height:g}z" fill="{upper}"/>'
        f'<path d="M{x + edge:g} {y + edge:g}h{width - 2 * edge:g}v{height - 2 * edge:g}h-{width - 2 * edge:g}z" fill="{face}"/>'
    )


def _sunken(x: float, y: float, width: float, height: float, palette: PicturePalette) -> str:
    """The edge around something that lies deeper."""
    edge = _EDGE
    return _box(
        x - edge, y - edge, width + 2 * edge, height + 2 * edge, palette.revealed, palette.shade, palette.light, edge
    )


def _header(frame: SvgFrame) -> list[str]:
    """The counter of mines that are not flagged, as the classic games have it, and the face."""
    palette = frame.palette
    left = _BAND if frame.coordinates else _BORDER
    right = frame.width - _BORDER
    parts = [
        '<g shape-rendering="crispEdges">',
        _sunken(left, _BORDER, right - left, _HEADER - 0.5, palette),
        f'<path d="M{left:g} {_BORDER}H{right:g}V{_HEADER:g}H{left:g}z" fill="{palette.covered}"/>',
        "</g>",
    ]
    middle = _BORDER + (_HEADER - _BORDER) / 2
    counter = f"{frame.board.mine_count - frame.board.flag_count:03d}"
    parts.append(_counter(counter, palette.counter, left + 0.3, middle))
    parts.append(
        _face(frame.board.status, palette, (left + right) / 2 if frame.board.grid.width > 7 else right - 1.15, middle)
    )
    return parts


def _counter(text: str, colour: str, x: float, middle: float) -> str:
    width = 11 * len(text) + 1
    parts = [f'<path d="M0 0h{width}v20H0z" fill="#000"/>']
    for place, sign in enumerate(text):
        lit = glyphs.LIT[sign]
        on = "".join(path for letter, path in zip("abcdefg", glyphs.SEGMENTS, strict=True) if letter in lit)
        off = "".join(path for letter, path in zip("abcdefg", glyphs.SEGMENTS, strict=True) if letter not in lit)
        dim = f'<path d="{off}" fill="#161616"/>' if off else ""
        parts.append(f'<g transform="translate({1 + 11 * place} 1)">{dim}<path d="{on}" fill="{colour}"/></g>')
    scale = 1.15 / glyphs.CELL
    return f'<g transform="translate({x:g} {middle - 10 * scale:g}) scale({scale:g})">{"".join(parts)}</g>'


def _face(status: Status, palette: PicturePalette, x: float, middle: float) -> str:
    scale = 1 / glyphs.CELL
    return (
        f'<g transform="translate({x - 12 * scale:g} {middle - 12 * scale:g}) scale({scale:g})">'
        f"{_box(0, 0, 24, 24, palette.covered, palette.light, palette.shade, 2)}"
        f'<circle cx="12" cy="12" r="8.6" fill="#ffdf3d" stroke="#000"/>{_FACES.get(status, glyphs.SMILE)}</g>'
    )


def _labels(grid: Grid, shapes: Shapes) -> list[str]:
    """The numbers of columns and rows; every fifth column where they would be wider than a cell."""
    every = 1 if grid.width <= 1000 else 5
    columns = [shapes.use(shapes.label(x), x, -1) for x in range(0, grid.width, every)]
    return columns + [shapes.use(shapes.label(y), -1, y) for y in range(grid.height)]
