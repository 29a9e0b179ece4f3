"""One line of a screen that is never cut in the middle of a word."""

from collections.abc import Sequence
from typing import NamedTuple

from textual import events
from textual.widgets import Static


class LinePart(NamedTuple):
    """Some words, and how soon they may be left out: of the parts of a line, those of the greatest `rank` go first."""

    text: str
    rank: int


def fitted(parts: Sequence[LinePart], width: int, between: str = "   ") -> str:
    """The parts in their order, as many as fit into the width. The space between them shrinks before one is left out."""
    left = list(parts)
    while True:
        for space in (between, "  "):
            text = space.join(part.text for part in left)
            if len(text) <= width or len(left) < 2:
                return text
        left.remove(max(reversed(left), key=lambda part: part.rank))


class FittedLine(Static):
    """A line of parts."""

    def __init__(self, parts: Sequence[LinePart] = (), *, id: str, between: str = "   ") -> None:  # noqa: A002  # Textual's name
        super().__init__(id=id, markup=False)
        self._parts = tuple(parts)
        self._between = between
        self._shown = ""

    def tell(self, parts: Sequence[LinePart]) -> None:
        self._parts = tuple(parts)
        self._fit()

    def on_mount(self) -> None:
        self._fit()

    def on_resize(self, _: events.Resize) -> None:
        self._fit()

    def _fit(self) -> None:
        width = self.content_size.width or self.app.size.width
        text = fitted(self._parts, width, self._between)
        if text != self._shown:
            self._shown = text
            self.update(text)
