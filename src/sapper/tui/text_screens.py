"""Small screens: a text to read, and a line to type."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static


class TextScreen(ModalScreen[None]):
    """A text, until a key says that it was read."""

    DEFAULT_CSS = """
    TextScreen { align: center middle; }
    TextScreen > VerticalScroll { width: 90%; max-width: 100; height: auto; max-height: 90%; border: round $primary; padding: 0 1; background: $surface; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,q,enter,space", "dismiss(None)", "back")]

    def __init__(self, title: str, lines: list[str]) -> None:
        super().__init__()
        self._title = title
        self._lines = lines

    def compose(self) -> ComposeResult:
        with VerticalScroll() as scroll:
            scroll.border_title = self._title
            scroll.border_subtitle = "Esc: back"
            yield Static("\n".join(self._lines), markup=False)


class PromptScreen(ModalScreen[str | None]):
    """A line to type; None if it was not wanted after all."""

    DEFAULT_CSS = """
    PromptScreen { align: center middle; }
    PromptScreen > Label { width: 70; max-width: 100%; background: $surface; padding: 0 1; }
    PromptScreen > Input { width: 70; max-width: 100%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "back")]

    def __init__(self, question: str, *, typed: str = "") -> None:
        super().__init__()
        self._question = question
        self._typed = typed

    def compose(self) -> ComposeResult:
        yield Label(self._question, markup=False)
        yield Input(self._typed)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        _ = self.dismiss(event.value)
