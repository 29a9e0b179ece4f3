"""A picture as PNG, made from its SVG: there is one way to draw a board."""

import resvg_py

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
