"""`sapper replay --animate FILE`: a game as one moving picture."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click

from sapper.cli.named_file import write_named
from sapper.cli.pictures import FRAME, Pictures
from sapper.replay.frames import LONGEST_WAIT, Frames

ENDINGS: Final = (".png", ".apng", ".gif")
SHORTEST: Final = 20
"""Milliseconds that a picture is seen, which is what browsers show: of moves that follow each other more quickly the last is shown."""


def animate_game(path: Path, frames: Frames, pictures: Pictures, speed: float) -> None:
    """Draw a game. `click.UsageError` for a name that is no picture's, and for a game that is too much for one."""
    if path.suffix.lower() not in ENDINGS:
        raise click.UsageError(f"--animate makes {', '.join(ENDINGS)}: {path} ends in none of them")
    from sapper.plots.animation import MOST_PIXELS, animated
    from sapper.render.svg import svg

    shown = moments(frames, speed)
    grid = frames.record.grid
    pictures.check(grid, files=(str(path),))
    pixels = len(shown) * (grid.width + FRAME) * (grid.height + FRAME) * pictures.cell_size**2
    if pixels > MOST_PIXELS:
        raise click.UsageError(
            f"the {len(shown):,} pictures would have {pixels:,} pixels, more than {MOST_PIXELS:,}: make cells smaller with --cell-size"
        )

    def drawings() -> Iterator[str]:
        for number, _ in shown:
            last = frames.record.played[number - 1].move.cell if number else None
            yield svg(frames.shown(number), palette=pictures.palette, cell_size=pictures.cell_size, last_move=last)

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
