"""A game as one moving picture, made from the SVG of its boards: APNG or GIF.

Knows: Pillow, which joins pictures; how many fit into memory.
Does not know: games, which moments are shown, for how long.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image

from sapper.plots.png import png

MOST_PIXELS: Final = 1_000_000_000
"""Pixels of all pictures together: Pillow holds them all, a byte each."""
_COLOURS: Final = 64


def write_animation(path: Path, drawings: Iterable[str], milliseconds: Sequence[int]) -> None:
    """Write a picture for each SVG, shown for so many milliseconds; `.gif` is a GIF, every other name an APNG. It begins again at the end."""
    frames = []
    for drawing in drawings:
        with Image.open(BytesIO(bytes(png(drawing)))) as image:
            frames.append(image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE))
    first, *rest = frames
    kind = "GIF" if path.suffix.lower() == ".gif" else "PNG"
    first.save(path, kind, save_all=True, append_images=rest, duration=list(milliseconds), loop=0, optimize=False)
