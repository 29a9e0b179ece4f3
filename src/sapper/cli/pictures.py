"""The options `--svg` and `--png` of commands that have a board to show, and what they do."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any

import click

from sapper.cli.named_file import open_named
from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.errors import ContradictionError
from sapper.render.picture_palette import CLASSIC, PICTURE_PALETTES, PicturePalette

MOST_CELLS = 250_000
"""Cells of a picture: larger ones no browser shows."""
MOST_PNG_CELLS = 40_000
"""Cells of a PNG: the renderer has a limit of its own not far above, and takes half a minute for as many."""
MOST_PIXELS = 100_000_000
"""Pixels of a PNG: it takes four bytes each."""

FRAME = 4
"""Cells that the frame takes, at most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pictures:
    """Which pictures are wanted, and how they look."""

    svg: str | None = None
    png: str | None = None
    palette: PicturePalette = CLASSIC
    cell_size: int = 32

    @property
    def files(self) -> tuple[str, ...]:
        """The names of the files, numbers not filled in yet; none where no picture is wanted."""
        return tuple(name for name in (self.svg, self.png) if name is not None)

    def only(self, names: Collection[str]) -> "Pictures":
        """Those of these files."""
        return replace(self, svg=self.svg if self.svg in names else None, png=self.png if self.png in names else None)

    def check(self, grid: Grid, *, needed: Collection[str] = (), files: Collection[str] = ()) -> None:
        """What can be wrong is said before any work: too large, no `{field}` in a name that needs one, nothing to make PNG with.

        `files` are pictures that are made of PNGs too, besides these.
        """
        for name in (*self.files, *files):
            for field in needed:
                if f"{{{field}}}" not in name:
                    raise click.UsageError(
                        f"several pictures need different names: put {{{field}}} into {name!r}; it becomes the number"
                    )
            if grid.size > MOST_CELLS:
                raise click.UsageError(f"a picture has at most {MOST_CELLS:,} cells, not {grid.size:,}")
        if self.png is not None or files:
            if grid.size > MOST_PNG_CELLS:
                raise click.UsageError(
                    f"a PNG has at most {MOST_PNG_CELLS:,} cells, not {grid.size:,}: draw it with --svg"
                )
            pixels = (grid.width + FRAME) * (grid.height + FRAME) * self.cell_size**2
            if pixels > MOST_PIXELS:
                raise click.UsageError(
                    f"the PNG would have {pixels:,} pixels, more than {MOST_PIXELS:,}: make cells smaller with --cell-size"
                )
            import sapper.plots.png  # noqa: F401  # what is missing is said now

    def draw(self, board: Board, *, numbers: Mapping[str, int] | None = None, **overlays: Any) -> None:
        """Write the picture of a board into the files that are wanted; `overlays` are those of `render.svg.svg`.

        `{field}` in the name of a file becomes the number of that name, in three digits at least.
        """
        if not self.files:
            return
        from sapper.render.svg import svg

        text = svg(board, palette=self.palette, cell_size=self.cell_size, **overlays)
        if self.svg is not None:
            _write(_filled(self.svg, numbers), text.encode())
        if self.png is not None:
            from sapper.plots.png import png

            _write(_filled(self.png, numbers), png(text))

    def draw_contradiction(self, board: Board, error: ContradictionError) -> None:
        """Write the picture of a board that cannot be: the clues that contradict each other are marked."""
        if self.files:
            from sapper.render.svg import Overlay

            self.draw(board, overlays=dict.fromkeys(error.clues, Overlay.READ))


def _filled(name: str, numbers: Mapping[str, int] | None) -> str:
    for field, number in (numbers or {}).items():
        name = name.replace(f"{{{field}}}", f"{number:03d}")
    return name


def _write(name: str, data: bytes) -> None:
    with open_named(name) as file:
        file.write(data)


class PictureFile(click.Path):
    """The name of a file to draw into. `-` is none here: standard output has the command's text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name."""
        if value == "-":
            self.fail("a picture cannot go to standard output: name a file (./- for a file of that name)", param, ctx)
        return super().convert(value, param, ctx)


_FILE = PictureFile(dir_okay=False)
_OPTIONS = (
    click.option("--svg", type=_FILE, metavar="FILE", help="Draw the board into this file as SVG."),
    click.option("--png", type=_FILE, metavar="FILE", help="Draw the board into this file as PNG."),
    click.option(
        "--palette", type=click.Choice(list(PICTURE_PALETTES)), default=CLASSIC.name, show_default=True,
        help="Colours of pictures; clear suits every colour vision and marks numbers with shapes.",
    ),
    click.option(
        "--cell-size", type=click.IntRange(4, 256), metavar="PIXELS", default=32, show_default=True,
        help="Width of a cell in pictures.",
    ),
)  # fmt: skip

PARAMETERS = frozenset(("svg", "png", "palette", "cell_size"))
"""The names of the options."""


def picture_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options of pictures; it gets them as `pictures`."""

    @wraps(function)
    def with_pictures(*args: Any, svg: str | None, png: str | None, palette: str, cell_size: int, **rest: Any) -> Any:
        if svg is not None and svg == png:
            raise click.UsageError(f"--svg and --png: {svg!r} cannot be used for both: name two files")
        rest["pictures"] = Pictures(svg=svg, png=png, palette=PICTURE_PALETTES[palette], cell_size=cell_size)
        return function(*args, **rest)

    wrapped: Callable[..., Any] = with_pictures
    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
