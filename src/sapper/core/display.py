"""How values show themselves in a notebook.

Pictures are drawn by `sapper.render`, which stands above this package and is loaded by its name, when a notebook asks:
`core` imports nothing above it.

Knows: the name of the module that draws.
Does not know: how anything looks.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

MOST_SHOWN = 10_000
"""Cells of the largest board that is drawn in a notebook; a larger one shows its text alone."""


def shown(kind: str, board: Any, caption: str = "", overlay: Mapping[str, Any] | None = None) -> str | None:
    """A board in a notebook's terms; None (a notebook then takes the text) where it has more than `MOST_SHOWN` cells.

    `kind` is `svg` or `html`, `caption` a sentence beneath the picture (in `html` alone), `overlay` what `svg` takes as
    `heat`, `safe` and `mined`.
    """
    if board.grid.size > MOST_SHOWN:
        return None
    drawing = import_module("sapper.render.notebook")
    picture: str = drawing.as_svg(board, overlay or {})
    return picture if kind == "svg" else str(drawing.as_html(picture, str(board), caption))
