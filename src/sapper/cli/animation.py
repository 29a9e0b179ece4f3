"""`sapper replay --save game.gif`: a game as one moving picture."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from sapper.cli.named_file import write_named
from sapper.cli.pictures import check_png, fitting_cell_size
from sapper.render.picture_palette import PicturePalette
from sapper.replay.frames import LONGEST_WAIT, Frames

ANIMATION_ENDINGS: Final = (".gif", ".apng")
LARGEST_CELL: Final = 16
SMALLEST_CELL: Final = 4
SHORTEST: Final = 20
"""Milliseconds that a picture is seen, which is what browsers show: of moves that follow each other more quickly the last is shown."""


def animate_game(path: Path, frames: Frames, palette: PicturePalette, speed: float) -> None:
    """Draw a game; cells are as large as its length allows. `click.UsageError` for a game that is too much for one picture."""
    grid = frames.record.grid
    check_png(grid)
    from sapper.plots.animation import MOST_PIXELS, animated
    from sapper.render.svg import svg

    shown = moments(frames, speed)
    size = fitting_cell_size(grid, pictures=len(shown), most_pixels=MOST_PIXELS, largest=LARGEST_CELL)
    if size < SMALLEST_CELL:
        raise click.UsageError(f"the {len(shown):,} pictures of this game are too many: raise --speed")

    def drawings() -> Iterator[str]:
        for number, _ in shown:
            last = frames.record.played[number - 1].move.cell if number else None
            yield svg(frames.shown(number), palette=palette, cell_size=size, last_move=last)

    kind = "GIF" if path.suffix.lower() == ".gif" else "PNG"
    write_named(path, animated(kind, drawings(), [milliseconds for _, milliseconds in shown]))


def moments(frames: Frames, speed: float) -> list[tuple[int, int]]:
    """The boards that are shown, by number, with the milliseconds of each; the last one stays for a while."""
    shown: list[tuple[int, int]] = []
    late = 0.0
    for number in range(len(frames) - 1):
        late += 1000 * frames.gap(number, speed)
        if late >= SHORTEST:
            # What is rounded off is shown with the next.
            shown.append((number, int(late)))
            late -= int(late)
    shown.append((len(frames) - 1, round(1000 * LONGEST_WAIT)))
    return shown
