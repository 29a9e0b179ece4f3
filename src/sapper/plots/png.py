"""A picture as PNG, made from its SVG: there is one way to draw a board.

Knows: resvg, which draws SVG.
Does not know: what is in the picture, files.
"""

import resvg_py


def png(svg: str) -> bytes:
    """The PNG of an SVG document, as large as the document says, a pixel a unit of its width and height."""
    # No fonts: our pictures have none, and searching the system's takes half a second.
    return resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True)
