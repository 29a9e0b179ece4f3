"""Small screens: a text to read, and a line to type."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from sapper.tui.look import PlayLook, key_label


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


def help_screen(look: PlayLook, *, keeps: bool, menu_does: str = "menu") -> TextScreen:
    """The keys, as they are bound, and the mouse; `keeps` says whether there is a store."""

    def keys(action: str) -> str:
        return ", ".join(map(key_label, look.names[action]))

    words = {
        "left": "left", "down": "down", "up": "up", "right": "right", "row_start": "first column", "row_end": "last column",
        "top": "first row (twice), or the row of a number before it", "bottom": "last row, or that row",
        "next_clue": "next clue that is not finished", "previous_clue": "the one before",
        "search": "search: the next key is a tile, 1 to 8, f, ? or #", "reveal": "reveal; on a clue: chord", "flag": "flag",
        "chord": "chord", "undo": "undo (a new game too, before its first move)", "redo": "redo",
        "hint": "hint: the next step and its reason", "guess": "is a guess all that is left?",
        "chances": "chances of a mine, and to win", "less_flags": "clues less the flags beside them", "pause": "pause",
        "restart": "the same board again", "new": "another game", "end": "give the game up", "review": "review of a game that has ended: each move judged", "menu": menu_does, "help": "this page",
        "quit": "quit",
    }  # fmt: skip
    lines = [f"{keys(action):16} {text}" for action, text in words.items()]
    lines += [
        "",
        "A number before a motion repeats it: 12l goes twelve cells to the right.",
        "Mouse: left reveals, right flags, the middle button or a left click on a clue chords, the wheel scrolls.",
        "Ctrl-C and Ctrl-Q quit from every screen; Ctrl-Z leaves it to the shell, and fg comes back.",
        "Hints, the question whether a guess is left, chances and undone moves mark the game as assisted.",
        "Games are kept: quit whenever you like." if keeps else "Nothing is kept: a game that is left is lost.",
        "Other keys and colours: the settings play.* (sapper config).",
    ]
    return TextScreen("keys", lines)
