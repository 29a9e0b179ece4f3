"""Boards as notebooks show them: SVG, and HTML with the picture in it."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from typing import Any

from sapper.core.board import Board
from sapper.render.svg import svg


def paint(kind: str, board: Board, caption: str, overlay: Mapping[str, Any]) -> str:
    """The picture of a board (`svg`), or a figure with it and a caption (`html`); `overlay` has arguments of `svg`."""
    picture = svg(board, cell_size=24, **overlay)
    return picture if kind == "svg" else as_html(picture, str(board), caption)


def as_html(picture: str, text: str, caption: str) -> str:
    """A figure of the picture. Within an image its ids are its own, so that a page may show many.

    >>> as_html("<svg/>", "#1", "1 < 2")
    '<figure style="margin:0"><img alt="#1" src="data:image/svg+xml;base64,PHN2Zy8+"/><figcaption>1 &lt; 2</figcaption></figure>'
    """
    data = b64encode(picture.encode()).decode()
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    image = f'<img alt="{escape(text)}" src="data:image/svg+xml;base64,{data}"/>'
    return f'<figure style="margin:0">{image}{below}</figure>'
