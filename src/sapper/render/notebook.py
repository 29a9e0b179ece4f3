"""Boards as notebooks show them: SVG, and HTML with the picture in it.

Knows: what a page of several pictures needs.
Does not know: who asks (see `core.display`), analyses.
"""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Any

from sapper.core.board import Board
from sapper.render.svg import svg


def as_svg(board: Board, overlay: Mapping[str, Any]) -> str:
    """The picture of a board; `overlay` has the arguments `heat`, `safe`, `mined` of `svg`."""
    return svg(board, cell_size=24, **overlay)


def as_html(picture: str, text: str, caption: str) -> str:
    """A figure of the picture. Within an image its ids are its own, so that a page may show many.

    >>> as_html("<svg/>", "#1", "1 < 2")
    '<figure style="margin:0"><img alt="#1" src="data:image/svg+xml;base64,PHN2Zy8+"/><figcaption>1 &lt; 2</figcaption></figure>'
    """
    data = b64encode(picture.encode()).decode()
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    image = f'<img alt="{escape(text)}" src="data:image/svg+xml;base64,{data}"/>'
    return f'<figure style="margin:0">{image}{below}</figure>'
