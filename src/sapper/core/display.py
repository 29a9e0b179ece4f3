"""How values show themselves in a notebook: with whatever was registered to draw boards.

`core` imports nothing above it. `sapper` registers `render.notebook` here, which is loaded when a notebook first asks for a picture.
"""

from collections.abc import Callable, Mapping
from typing import Any

Painter = Callable[[str, Any, str, Mapping[str, Any]], str]
"""Draws a board: `svg` or `html`, the board, a sentence beneath the picture (in `html` alone), arguments of `svg` such as `heat`."""

MOST_SHOWN = 10_000
"""Cells of the largest board that is drawn in a notebook; a larger one shows its text alone."""

_loaders: list[Callable[[], Painter]] = []


def register_painter(load: Callable[[], Painter]) -> None:
    """Have boards drawn by what `load` gives; it is called when the first one is drawn."""
    _loaders[:] = [load]


def shown(kind: str, board: Any, caption: str = "", overlay: Mapping[str, Any] | None = None) -> str | None:
    """A board in a notebook's terms, as `Painter` says; None (a notebook then takes the text) where it has more than `MOST_SHOWN` cells."""
    if board.grid.size > MOST_SHOWN or not _loaders:
        return None
    return _loaders[0]()(kind, board, caption, overlay or {})
