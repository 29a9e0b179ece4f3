"""A game as one moving picture, made from the SVG of its boards: APNG or GIF."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final

from PIL import Image

from sapper.plots.png import png

MOST_PIXELS: Final = 1_000_000_000
"""Pixels of all pictures together: Pillow holds them all, a byte each."""
_COLOURS: Final = 64


def animated(kind: str, drawings: Iterable[str], milliseconds: Sequence[int]) -> bytes:
    """A picture for each SVG, shown for so many milliseconds: a `GIF`, or as `PNG` an APNG. It begins again at the end."""
    frames = []
    for drawing in drawings:
        with Image.open(BytesIO(bytes(png(drawing)))) as image:
            frames.append(image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE))
    first, *rest = frames
    stream = BytesIO()
    first.save(stream, kind, save_all=True, append_images=rest, duration=list(milliseconds), loop=0, optimize=False)
    return stream.getvalue()
