"""A picture as PNG, made from its SVG, and several as an animation: there is one way to draw a board."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Final

import resvg_py
from PIL import Image

from sapper.errors import InvalidValueError


def png(svg: str) -> bytes:
    """The PNG of an SVG document, as large as the document says, a pixel a unit of its width and height.

    Raises:
        InvalidValueError: it is no SVG, or has more in it than the renderer takes (boards of 250×250 cells or so).

    """
    # No fonts: our pictures have none, and searching the system's takes half a second.
    try:
        return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
    except ValueError as error:
        raise InvalidValueError(f"cannot make a PNG of this: {error}") from None


MOST_PIXELS: Final = 1_000_000_000
"""Pixels of all pictures together: Pillow holds them all, a byte each."""
_COLOURS: Final = 64


def animated(kind: str, drawings: Iterable[str], milliseconds: Sequence[int]) -> bytes:
    """An animation of SVGs, each with its milliseconds: a `GIF`, or as `PNG` an APNG. It repeats."""
    frames = []
    for drawing in drawings:
        with Image.open(BytesIO(bytes(png(drawing)))) as image:
            frames.append(image.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE))
    first, *rest = frames
    stream = BytesIO()
    first.save(stream, kind, save_all=True, append_images=rest, duration=list(milliseconds), loop=0, optimize=False)
    return stream.getvalue()
