"""The option `--picture` of commands that have a board to show, and what it does."""

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import click

from sapper.cli.files import write_named
from sapper.config.configuration import load
from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.errors import ContradictionError
from sapper.render.picture_palette import CLASSIC, PICTURE_PALETTES, PicturePalette

MOST_CELLS: Final = 250_000
"""Cells of a picture: larger ones no browser shows."""
MOST_PNG_CELLS: Final = 40_000
"""Cells of a PNG: the renderer has a limit of its own not far above, and takes half a minute for as many."""
MOST_PIXELS: Final = 100_000_000
"""Pixels of a PNG: it takes four bytes each."""
CELL_SIZE: Final = 32
FRAME: Final = 4
"""Cells that the frame takes, at most."""


def fitting_cell_size(
    grid: Grid, *, pictures: int = 1, most_pixels: int = MOST_PIXELS, largest: int = CELL_SIZE
) -> int:
    """The width of a cell with which so many pictures have not too many pixels."""
    cells = pictures * (grid.width + FRAME) * (grid.height + FRAME)
    return min(largest, math.isqrt(most_pixels // cells))


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """The picture that is wanted, if one is."""

    file: str | None = None
    palette: PicturePalette = CLASSIC

    @property
    def is_png(self) -> bool:
        return self.file is not None and self.file.lower().endswith(".png")

    def has(self, field: str) -> bool:
        """True if the name of the file has `{field}`, which stands for a number."""
        return self.file is not None and f"{{{field}}}" in self.file

    def check(self, grid: Grid, *, needed: Collection[str] = ()) -> None:
        """What can be wrong is said before any work: too large, no `{field}` in a name that needs one, nothing to make PNG with."""
        if self.file is None:
            return
        for field in needed:
            if not self.has(field):
                raise click.UsageError(
                    f"several pictures need different names: put {{{field}}} into {self.file!r}; it becomes the number"
                )
        if grid.size > MOST_CELLS:
            raise click.UsageError(f"a picture has at most {MOST_CELLS:,} cells, not {grid.size:,}")
        if self.is_png:
            check_png(grid)

    def draw(self, board: Board, *, numbers: Mapping[str, int] | None = None, **overlays: Any) -> None:
        """Write the picture of a board, if one is wanted; `overlays` are those of `render.svg.svg`.

        `{field}` in the name of the file becomes the number of that name, in three digits at least.
        """
        if self.file is None:
            return
        from sapper.render.svg import svg

        name = self.file
        for field, number in (numbers or {}).items():
            name = name.replace(f"{{{field}}}", f"{number:03d}")
        size = fitting_cell_size(board.grid) if self.is_png else CELL_SIZE
        text = svg(board, palette=self.palette, cell_size=size, **overlays)
        if self.is_png:
            from sapper.plots.png import png

            write_named(name, png(text))
        else:
            write_named(name, text.encode())

    def draw_contradiction(self, board: Board, error: ContradictionError) -> None:
        """Write the picture of a board that cannot be: the clues that contradict each other are marked."""
        if self.file is not None:
            from sapper.render.svg import Overlay

            self.draw(board, overlays=dict.fromkeys(error.clues, Overlay.READ))


def check_png(grid: Grid) -> None:
    """Refuse a board that is too large for PNG; an error if what makes PNG is not installed."""
    if grid.size > MOST_PNG_CELLS:
        raise click.UsageError(f"a PNG has at most {MOST_PNG_CELLS:,} cells, not {grid.size:,}: draw an SVG")
    import sapper.plots.png  # noqa: F401  # what is missing is said now


class _PictureType(click.Path):
    """The name of a file to draw into. `-` is refused: standard output has the command's text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not str(value).lower().endswith((".svg", ".png")):
            self.fail(f"a picture's name ends in .svg or .png, and {value!r} does not", param, ctx)
        return super().convert(value, param, ctx)


def _picture(_context: click.Context, _param: click.Parameter, file: str | None) -> Picture:
    return Picture() if file is None else Picture(file=file, palette=PICTURE_PALETTES[load().text("screen.palette")])


def picture_option(text: str = "Draw the board into this file, .svg or .png.") -> Callable[..., Any]:
    return click.option(
        "--picture", type=_PictureType(dir_okay=False), metavar="FILE", callback=_picture,
        help=f"{text} Colours: the setting screen.palette.",
    )  # fmt: skip
