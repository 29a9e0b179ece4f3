"""How the terminal game looks and which keys it has, as the settings say; the colours of its boards.

A board brings its background with its colours, so that nothing vanishes on a terminal that is light or dark. Terminals of 16 colours have
sets of their own, made of those; others show the nearest colour that they have. What must be told apart has a character of its own too.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sapper.config.configuration import Configuration
from sapper.config.settings import PLAY_KEYS
from sapper.errors import ConfigError

SAFE: Final = "+"
MINED: Final = "*"
PROPOSED: Final = "<"
"""What a hint says of a cell, written beside its character: colours need not be seen."""
ACTIONS: Final = tuple(PLAY_KEYS)
"""What keys do, by the names that settings have for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardColours:
    """Colours as `#rrggbb`."""

    clues: tuple[str, str, str, str, str, str, str, str]
    revealed: str
    """Behind clues and zeros."""
    covered: str
    near: str
    """Behind covered cells beside the cursor."""
    dots: str
    """The mark of a covered cell."""
    flag: str
    cursor: str
    """Behind the cell of the cursor, which is written on it in `cursor_ink`."""
    cursor_ink: str
    hinted: str
    """Behind the cells that a hint is about, written in `hinted_ink`."""
    hinted_ink: str
    read: str
    """Behind the clues that it reads."""
    mine: str
    """Behind mines and wrong flags, written in `mine_ink`."""
    mine_ink: str
    risks: tuple[tuple[str, str], ...]
    """Behind chances of a mine, from 0 to 1 in equal parts, each with what is written on it."""
    underlined: frozenset[int] = frozenset()
    """The clues that are underlined too, where there are too few colours to tell all of them apart."""


_DARK: Final = BoardColours(
    clues=("#7aa8ff", "#5fd75f", "#ff7b72", "#c9a0ff", "#ffb454", "#56d4dd", "#f0f0f0", "#b8b8b8"),
    revealed="#1c1c1c", covered="#4a4a4a", near="#5f5f6b", dots="#c0c0c0", flag="#ffd75f",
    cursor="#ffffff", cursor_ink="#000000", hinted="#d7af00", hinted_ink="#000000", read="#005f87",
    mine="#af0000", mine_ink="#ffffff",
    risks=(("#2e7d32", "#ffffff"), ("#7d7a00", "#ffffff"), ("#9c5700", "#ffffff"), ("#a32a00", "#ffffff"), ("#8b0000", "#ffffff")),
)  # fmt: skip
_LIGHT: Final = BoardColours(
    clues=("#0000d7", "#006400", "#c00000", "#5f00af", "#870000", "#005f5f", "#000000", "#585858"),
    revealed="#f4f4f4", covered="#c4c4c4", near="#b0b0c0", dots="#444444", flag="#8b0000",
    cursor="#000000", cursor_ink="#ffffff", hinted="#ffd75f", hinted_ink="#000000", read="#afd7ff",
    mine="#c00000", mine_ink="#ffffff",
    risks=(("#a5d6a7", "#000000"), ("#e6e68a", "#000000"), ("#ffcc80", "#000000"), ("#ff9e80", "#000000"), ("#c00000", "#ffffff")),
)  # fmt: skip
# By brightness, and blue against yellow: told apart without red or without green. Chances go from light to dark.
_CLEAR_RISKS: Final = (
    ("#d7e8ff", "#000000"),
    ("#9ec5f8", "#000000"),
    ("#d9a23b", "#000000"),
    ("#a8660a", "#ffffff"),
    ("#4a1d00", "#ffffff"),
)
_CLEAR_DARK: Final = BoardColours(
    clues=("#8ab8ff", "#ffe066", "#ffffff", "#5c9dff", "#ffb000", "#c6dbff", "#fff3c0", "#b0b0b0"),
    revealed="#161616", covered="#4a4a4a", near="#5f5f6b", dots="#c0c0c0", flag="#ffe066",
    cursor="#ffffff", cursor_ink="#000000", hinted="#ffe066", hinted_ink="#000000", read="#1f4e9e",
    mine="#000000", mine_ink="#ffe066", risks=_CLEAR_RISKS,
)  # fmt: skip
_CLEAR_LIGHT: Final = BoardColours(
    clues=("#0040b0", "#6b4e00", "#000000", "#002a75", "#8a5a00", "#3a6ea5", "#3d2c00", "#585858"),
    revealed="#fafafa", covered="#c4c4c4", near="#b0b0c0", dots="#444444", flag="#6b3a00",
    cursor="#000000", cursor_ink="#ffffff", hinted="#ffe066", hinted_ink="#000000", read="#b9d4ff",
    mine="#000000", mine_ink="#ffe066", risks=_CLEAR_RISKS,
)  # fmt: skip
# Exactly the colours of a terminal of 16, so that none is rounded to its own background.
_DARK_16: Final = BoardColours(
    clues=("#5555ff", "#55ff55", "#ff5555", "#ff55ff", "#ffff55", "#55ffff", "#ffffff", "#aaaaaa"),
    revealed="#000000", covered="#555555", near="#0000aa", dots="#ffffff", flag="#ffff55",
    cursor="#ffffff", cursor_ink="#000000", hinted="#ffff55", hinted_ink="#000000", read="#555555",
    mine="#aa0000", mine_ink="#ffffff",
    risks=(("#00aa00", "#000000"), ("#00aaaa", "#000000"), ("#aa5500", "#ffffff"), ("#aa00aa", "#ffffff"), ("#aa0000", "#ffffff")),
)  # fmt: skip
_LIGHT_16: Final = BoardColours(
    clues=("#0000aa", "#00aa00", "#aa0000", "#aa00aa", "#aa5500", "#00aaaa", "#000000", "#555555"),
    revealed="#ffffff", covered="#aaaaaa", near="#55ffff", dots="#000000", flag="#aa0000",
    cursor="#000000", cursor_ink="#ffffff", hinted="#ffff55", hinted_ink="#000000", read="#000000",
    mine="#aa0000", mine_ink="#ffffff", risks=_DARK_16.risks,
)  # fmt: skip

# Of these sixteen a few are told apart by every colour vision: blue, yellow, and what is lighter or darker. Four inks, each once with a line.
_CLEAR_RISKS_16: Final = (
    ("#ffffff", "#000000"),
    ("#55ffff", "#000000"),
    ("#aaaaaa", "#000000"),
    ("#aa5500", "#ffffff"),
    ("#000000", "#ffff55"),
)
_CLEAR_DARK_16: Final = BoardColours(
    clues=("#5555ff", "#ffff55", "#ffffff", "#aaaaaa", "#5555ff", "#ffff55", "#ffffff", "#aaaaaa"),
    underlined=frozenset({5, 6, 7, 8}),
    revealed="#000000", covered="#555555", near="#0000aa", dots="#ffffff", flag="#ffff55",
    cursor="#ffffff", cursor_ink="#000000", hinted="#ffff55", hinted_ink="#000000", read="#555555",
    mine="#000000", mine_ink="#ffff55", risks=_CLEAR_RISKS_16,
)  # fmt: skip
_CLEAR_LIGHT_16: Final = BoardColours(
    clues=("#0000aa", "#aa5500", "#000000", "#555555", "#0000aa", "#aa5500", "#000000", "#555555"),
    underlined=frozenset({5, 6, 7, 8}),
    revealed="#ffffff", covered="#aaaaaa", near="#55ffff", dots="#000000", flag="#0000aa",
    cursor="#000000", cursor_ink="#ffffff", hinted="#ffff55", hinted_ink="#000000", read="#55ffff",
    mine="#000000", mine_ink="#ffff55", risks=_CLEAR_RISKS_16,
)  # fmt: skip

COLOURS: Final[Mapping[tuple[str, str, bool], BoardColours]] = {
    ("classic", "dark", False): _DARK,
    ("classic", "light", False): _LIGHT,
    ("clear", "dark", False): _CLEAR_DARK,
    ("clear", "light", False): _CLEAR_LIGHT,
    ("classic", "dark", True): _DARK_16,
    ("classic", "light", True): _LIGHT_16,
    ("clear", "dark", True): _CLEAR_DARK_16,
    ("clear", "light", True): _CLEAR_LIGHT_16,
}
"""By palette and theme, and whether the terminal has 16 colours only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayLook:
    """Looks and keys of the terminal game."""

    theme: str = "dark"
    palette: str = "classic"
    has_colours: bool = True
    less_flags: bool = False
    question_marks: bool = False
    preset: str = "beginner"
    keys: Mapping[str, str] = field(default_factory=lambda: bound({}))
    """What each key does, by the name that Textual has for it or its character."""
    names: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: key_names({}))
    """The keys of each action."""

    @classmethod
    def of(
        cls, configuration: Configuration, environ: Mapping[str, str] | None = None, *, background: str | None = None
    ) -> "PlayLook":
        """What the settings say, and the environment of the terminal; `ConfigError` for a key that is to do two things.

        `background` is the theme that the terminal's own background asks for, where it has told it.
        """
        environ = os.environ if environ is None else environ
        names = configuration.keys("play.keys")
        choice = configuration.text("screen.colour")
        return cls(
            theme=theme_of(configuration.text("screen.theme"), environ, background),
            palette=configuration.text("screen.palette"),
            has_colours=choice == "always" or (choice == "auto" and not environ.get("NO_COLOR")),
            less_flags=configuration.switch("play.less_flags"),
            question_marks=configuration.switch("play.question_marks"),
            preset=configuration.text("play.preset"),
            keys=bound(names),
            names=key_names(names),
        )

    def colours(self, system: str | None) -> BoardColours:
        """The colours for a terminal whose colours are `standard`, `256`, `truecolor` …"""
        return COLOURS[self.palette, self.theme, system == "standard"]


def theme_of(choice: str, environ: Mapping[str, str], background: str | None = None) -> str:
    """`dark` or `light`: as it is set, else as the terminal has told, in its answer or its environment (COLORFGBG), else dark."""
    if choice != "auto":
        return choice
    if background is not None:
        return background
    number = environ.get("COLORFGBG", "").rpartition(";")[2]
    return "light" if number in {"7", "15"} else "dark"


_LABELS: Final = {
    "left": "←", "right": "→", "up": "↑", "down": "↓", "space": "Space", "enter": "Enter", "escape": "Esc", "tab": "Tab",
    "shift+tab": "Shift-Tab", "home": "Home", "end": "End", "ctrl+r": "Ctrl-R",
}  # fmt: skip


def key_label(name: str) -> str:
    """A key as a player knows it, where Textual has another name for it."""
    return _LABELS.get(name, name)


def key_names(names: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """The keys of every action: the default ones, but for those that are given."""
    return {**PLAY_KEYS, **names}


def bound(names: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """The action of each key; `ConfigError` for one that has two, or that is needed for counts."""
    actions: dict[str, str] = {}
    for action, keys in key_names(names).items():
        for key in keys:
            if key in actions:
                raise ConfigError(f"play.keys.{action} and play.keys.{actions[key]} have the same key {key!r}")
            if key in "123456789":
                raise ConfigError(f"play.keys.{action} cannot be {key!r}: digits are counts")
            actions[key] = action
    return actions
