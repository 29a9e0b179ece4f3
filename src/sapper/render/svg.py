"""A board as an SVG picture: text that every browser shows, sharp at any size, and small.

All shapes are drawn, digits too, so that a picture looks the same everywhere. Each kind of cell is defined once and
used where it is: `<use href="#n3" x="4" y="2"/>` is a 3 at (4, 2). The picture brings its own background, so
that it can be read on light pages and on dark ones.

What is laid over the board is plain data: chances by cell, marks by cell, steps as sets of cells.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from html import escape
from typing import Final

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.coordinates import cell_name, place_name
from sapper.core.grid import Grid
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.words import counted, joined
from sapper.errors import ArgumentError, InvalidValueError, UnknownNameError
from sapper.render import glyphs
from sapper.render.picture_palette import CLASSIC, PICTURE_PALETTES, PicturePalette
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


_HIDDEN = frozenset((Tile.COVERED, Tile.FLAGGED, Tile.QUESTION, Tile.WRONG_FLAG))


@unique
class Overlay(StrEnum):
    """A mark on a cell of a picture."""

    SAFE = "safe"
    MINE = "mine"
    BEST = "best"
    """The cell to reveal."""
    READ = "read"
    """A clue that tells something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownStep:
    """One step of reasoning: the clues it reads, what it shows, and the cell it would reveal."""

    clues: Collection[int] = ()
    safe: Collection[int] = ()
    mined: Collection[int] = ()
    best: int | None = None


def _check_size(cell_size: object) -> None:
    if not isinstance(cell_size, int | float):
        raise ArgumentError(f"cell_size is a number of pixels, not {cell_size!r:.60}")
    if not 1 <= cell_size <= 1000:
        raise InvalidValueError(f"a cell is 1 to 1000 pixels wide, not {cell_size:g}")


def _palette_of(palette: object) -> PicturePalette:
    if isinstance(palette, PicturePalette):
        return palette
    if not isinstance(palette, str):
        raise ArgumentError(f"palette is the name of a palette or a PicturePalette, not {palette!r:.60}")
    if palette not in PICTURE_PALETTES:
        raise UnknownNameError("palette", palette, PICTURE_PALETTES)
    return PICTURE_PALETTES[palette]


def svg(
    board: Board,
    *,
    palette: PicturePalette | str = CLASSIC,
    cell_size: float = 32,
    coordinates: bool = True,
    header: bool = True,
    title: str | None = None,
    heat: Mapping[int, float] | None = None,
    safe: Collection[int] = (),
    mined: Collection[int] = (),
    overlays: Mapping[int, Overlay] | None = None,
    steps: Sequence[ShownStep] = (),
    last_move: int | None = None,
    prefix: str = "",
) -> str:
    """The picture of a board as one SVG document.

    Args:
        board: What is drawn; `Board.show` gives one with its mines shown.
        palette: The colours: `classic`, `clear`, or a palette of your own.
        cell_size: Width and height of a cell in pixels, unless the picture is scaled.
        coordinates: Whether columns and rows are numbered, from 0.
        header: Whether the counter of mines and the face are above the board.
        title: What the picture is, for whoever cannot see it; size and mines unless given.
        heat: The chance to be a mine, 0 to 1, of covered cells; drawn in percent, and in colour.
        safe: Covered cells that are certain not to be mines.
        mined: Covered cells that are certain to be mines.
        overlays: What else is said about cells.
        steps: Steps of reasoning. Of several, each cell has the number of the step that settles it.
        last_move: The cell that was played last.
        prefix: Begins every id: give each picture in one page its own.

    Raises:
        CellError: A cell that is not on the board.
        UnknownNameError: A palette that there is not.
        InvalidValueError: A chance outside 0 to 1, a size that is none.

    """
    check_type("board", board, Board)
    _check_size(cell_size)
    palette = _palette_of(palette)
    overlay = _Overlay(board, heat or {}, safe, mined, overlays or {}, steps)
    shapes = Shapes(palette, prefix)
    cells = [*_tiles(board, shapes, overlay), *overlay.outlines(shapes)]
    # The mine that was struck says by itself that it was played last.
    if last_move is not None and board.tile(last_move) is not Tile.EXPLODED:
        cells.append(shapes.use("last", *board.grid.xy(last_move)))
    frame = SvgFrame(board=board, palette=palette, cell_size=cell_size, coordinates=coordinates, header=header)
    about = f"<title>{escape(title or _title(board))}</title>\n<desc>{escape(_described(board, overlay))}</desc>"
    body = framed(frame, shapes, cells)
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {frame.width:g} {frame.height:g}" '
        f'width="{frame.width * cell_size:g}" height="{frame.height * cell_size:g}">'
    )
    return f"{head}\n{about}\n{shapes.definitions()}\n{body}\n</svg>\n"


class _Overlay:
    """Chances, marks and steps by cell."""

    __slots__ = ("_board", "_heat", "_numbered", "best", "mined", "number", "read", "safe")

    def __init__(
        self,
        board: Board,
        heat: Mapping[int, float],
        safe: Iterable[int],
        mined: Iterable[int],
        overlays: Mapping[int, Overlay],
        steps: Sequence[ShownStep],
    ) -> None:
        self._board = board
        self._heat = heat
        self.safe = set(safe) | {cell for cell, overlay in overlays.items() if overlay == Overlay.SAFE}
        self.mined = set(mined) | {cell for cell, overlay in overlays.items() if overlay == Overlay.MINE}
        self.best = {cell for cell, overlay in overlays.items() if overlay == Overlay.BEST}
        self.read = {cell for cell, overlay in overlays.items() if overlay == Overlay.READ}
        self.number: dict[int, int] = {}
        self._numbered = len(steps) > 1
        for number, step in enumerate(steps, 1):
            self.safe.update(step.safe)
            self.mined.update(step.mined)
            self.read.update(step.clues)
            if step.best is not None:
                self.best.add(step.best)
            for cell in (*step.safe, *step.mined):
                self.number.setdefault(cell, number)
        for cell in (*self.safe, *self.mined, *self.best, *self.read, *heat):
            board.grid.check(cell)
        for chance in heat.values():
            if not 0 <= chance <= 1:
                raise InvalidValueError(f"a chance is from 0 to 1, not {chance!r}")

    @property
    def is_heat(self) -> bool:
        return bool(self._heat)

    def shape(self, cell: int, shapes: Shapes) -> tuple[str, str] | None:
        """The shape of a covered cell about which something is said, and that in words; None where nothing is."""
        number = self.number.get(cell) if self._numbered else None
        step = "" if number is None else f"step {number}: "
        if cell in self.safe:
            return shapes.certain(safe=True, number=number), f"{step}safe"
        if cell in self.mined:
            return shapes.certain(safe=False, number=number), f"{step}mine"
        if cell in self._heat:
            chance = self._heat[cell]
            return shapes.chance(chance), f"mine: {_percent(chance)}"
        return None

    def outlines(self, shapes: Shapes) -> list[str]:
        xy = self._board.grid.xy
        read = [shapes.use("read", *xy(cell)) for cell in sorted(self.read)]
        return read + [shapes.use("best", *xy(cell)) for cell in sorted(self.best)]


def _tiles(board: Board, shapes: Shapes, overlay: _Overlay) -> list[str]:
    uses = []
    width = board.grid.width
    for cell, code in enumerate(board.tiles):
        y, x = divmod(cell, width)
        said = overlay.shape(cell, shapes) if code in _HIDDEN else None
        if said is not None:
            uses.append(shapes.use(said[0], x, y, f"{place_name(x, y)} {said[1]}"))
            if code != Tile.COVERED:
                uses.append(shapes.use(shapes.small(code), x, y))
        elif code != Tile.ZERO:
            uses.append(shapes.use(shapes.tile(code), x, y))
    return uses


def _title(board: Board) -> str:
    return f"Minesweeper, {board.grid.width} × {board.grid.height}, {counted(board.mine_count, 'mine')}"


def _described(board: Board, overlay: _Overlay) -> str:
    parts = [
        f"{board.covered_count} of {board.grid.size} cells are covered, {board.tiles.count(Tile.FLAGGED)} of them flagged; the game is {board.status.value}."
    ]
    if overlay.is_heat:
        parts.append("The numbers in covered cells are the chance of a mine in percent.")
    if overlay.safe:
        parts.append(f"Safe: {_places(board, overlay.safe)}.")
    if overlay.mined:
        parts.append(f"Mines: {_places(board, overlay.mined)}.")
    if overlay.best:
        parts.append(f"Best: {_places(board, overlay.best)}.")
    return " ".join(parts)


def _places(board: Board, cells: Collection[int]) -> str:
    return joined([cell_name(board.grid, cell) for cell in sorted(cells)], most=20)


def _percent(chance: float) -> str:
    """A chance that is not certain, which must not read as if it were.

    >>> _percent(0.1238), _percent(1e-9), _percent(1.0)
    ('12.4 %', 'under 0.1 %', 'over 99.9 %')
    """
    if chance < 0.001:
        return "under 0.1 %"
    if chance > 0.999:
        return "over 99.9 %"
    return f"{100 * chance:.1f} %"
