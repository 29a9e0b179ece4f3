"""A screen with a title and a list to choose from, and lines that are shortened to fit; for a window of any size."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.geometry import Size
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option


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


WIDTH: Final = 76
"""Columns at most."""


class ChoiceList(OptionList):
    """Textual's list, which ends the program where the window leaves no column for its words."""

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows of the list; as of one column of words where there is none."""
        padding = self.get_component_styles("option-list--option").padding.width
        return super().get_content_height(container, viewport, max(width, padding + 1))


class ChoiceScreen(Screen[None]):
    """A title, choices, and below them what is to be said. The list takes the lines that the others leave, and scrolls."""

    DEFAULT_CSS = f"""
    ChoiceScreen {{ align: center middle; overflow: hidden; }}
    ChoiceScreen > FittedLine {{ width: {WIDTH}; max-width: 100%; height: 1; padding: 0 1; }}
    ChoiceScreen > ChoiceList {{ width: {WIDTH}; max-width: 100%; height: auto; border: none; padding: 0 1; scrollbar-gutter: stable; }}
    ChoiceScreen > ChoiceList:focus {{ border: none; }}
    ChoiceScreen > #said {{ width: {WIDTH}; max-width: 100%; height: auto; max-height: 40%; padding: 0 1; display: none; }}
    """

    def __init__(self, title: Sequence[LinePart], choices: Sequence[Option] = ()) -> None:
        super().__init__()
        self._title_parts = tuple(title)
        self._first_choices = tuple(choices)
        self._said = ""

    def compose(self) -> ComposeResult:
        yield FittedLine(self._title_parts, id="heading")
        yield ChoiceList(*self._first_choices, id="choices")
        yield Static("", id="said", markup=False)

    @property
    def choices(self) -> OptionList:
        return self.query_one("#choices", OptionList)

    def say(self, text: str) -> None:
        said = self.query_one("#said", Static)
        said.update(text)
        said.display = bool(text)
        self._said = text
        self._fit()

    def entitle(self, title: Sequence[LinePart]) -> None:
        self.query_one("#heading", FittedLine).tell(title)

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        width = max(1, min(WIDTH, self.size.width) - 2)
        lines = min(len(wrap(self._said, width)), self.size.height * 2 // 5)
        self.choices.styles.max_height = max(1, self.size.height - 1 - lines)
