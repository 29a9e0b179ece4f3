"""A screen in memory: what a server's screen content would show, as characters with attributes.

Nothing that a server sends reaches the terminal as it is. It is drawn here first, on a screen that is as large
as it needs to be; the client then shows the part that fits. Of ANSI it understands placing, clearing, colours and
attributes. All other sequences are passed over, titles and clipboards among them, and control characters are
shown as one that says so.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache
from typing import Final

LIMIT: Final = 1000
"""The most rows and columns kept: a board has 255, and no server may fill the memory."""
UNKNOWN: Final = "\N{REPLACEMENT CHARACTER}"
"""Shown in place of a character that cannot be: a control character that means nothing here, or half of a wide one."""

Style = str
"""Attributes as parameters of SGR, as in `1;31`; nothing for none."""

_TOKEN: Final = re.compile(
    r"\x1b\[([0-?]*)[ -/]*([@-~])"  # CSI: parameters and what they are for
    r"|\x1b[\]PX^_].*?(?:\x1b\\|\x07|\Z)"  # OSC, DCS and the like: texts for the terminal itself
    r"|\x1b[ -/]*[0-~]?"  # other escapes
    r"|([ -~\xa0-\U0010ffff]+)"  # text
    r"|(.)",  # one control character
    re.DOTALL,
)


class _Row:
    """The characters of a row, and the attributes of each: two lists, filled a run at a time."""

    __slots__ = ("characters", "styles")

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.styles: list[Style] = []

    def write(self, x: int, text: str, style: Style) -> None:
        characters, styles = self.characters, self.styles
        gap = x - len(characters)
        if gap > 0:
            characters += [" "] * gap
            styles += [""] * gap
        characters[x : x + len(text)] = text
        styles[x : x + len(text)] = [style] * len(text)

    def cut(self, x: int) -> None:
        del self.characters[x:]
        del self.styles[x:]


class ScreenBuffer:
    """The screen. Feed it screen contents; it keeps what they leave, as a terminal would."""

    def __init__(self) -> None:
        self.x = 0
        self.y = 0
        """The cursor's column and row, from 0."""
        self._rows: list[_Row] = []
        self._style: Style = ""
        self._actions: dict[str, Callable[[list[int]], None]] = {
            "H": self._place, "f": self._place,
            "A": lambda n: self._go(self.x, self.y - (n[0] or 1)),
            "B": lambda n: self._go(self.x, self.y + (n[0] or 1)),
            "C": lambda n: self._go(self.x + (n[0] or 1), self.y),
            "D": lambda n: self._go(self.x - (n[0] or 1), self.y),
            "E": lambda n: self._go(0, self.y + (n[0] or 1)),
            "F": lambda n: self._go(0, self.y - (n[0] or 1)),
            "G": lambda n: self._go((n[0] or 1) - 1, self.y),
            "d": lambda n: self._go(self.x, (n[0] or 1) - 1),
            "J": self._clear, "K": self._clear_row,
        }  # fmt: skip

    @property
    def height(self) -> int:
        """How many rows there are, up to the last that was written to."""
        return len(self._rows)

    def width(self, y: int) -> int:
        """How many characters a row has, up to the last that was written; none below the last row."""
        return len(self._rows[y].characters) if y < len(self._rows) else 0

    def row(self, y: int, start: int = 0, end: int | None = None) -> list[tuple[str, Style]]:
        """Characters of a row with their attributes, from one column up to, not including, another."""
        if y >= len(self._rows):
            return []
        row = self._rows[y]
        return list(zip(row.characters[start:end], row.styles[start:end], strict=True))

    def text(self, y: int) -> str:
        return "".join(self._rows[y].characters) if y < len(self._rows) else ""

    def feed(self, content: str) -> None:
        for match in _TOKEN.finditer(content):
            parameters, final, text, control = match.groups()
            if text is not None:
                self._write(text)
            elif final == "m":
                self._style = changed(self._style, parameters)
            elif control is not None:
                self._control(control)
            elif final in self._actions and not parameters.startswith(("?", "<", "=", ">")):
                self._actions[final](_numbers(parameters))

    def _write(self, text: str) -> None:
        if not text.isascii():
            text = "".join(map(_columns, text))
        x, y = self.x, self.y
        if x + len(text) > LIMIT:
            text = text[: LIMIT - x]
        rows = self._rows
        if y < LIMIT:
            while len(rows) <= y:
                rows.append(_Row())
            rows[y].write(x, text, self._style)
        self.x = x + len(text)

    def _control(self, character: str) -> None:
        match character:
            case "\n":
                # A server may leave the carriage return to the terminal, which adds it where it is not in raw mode.
                self._go(0, self.y + 1)
            case "\r":
                self._go(0, self.y)
            case "\b":
                self._go(self.x - 1, self.y)
            case "\t":
                self._go(self.x // 8 * 8 + 8, self.y)
            case "\0" | "\a":
                pass
            case _:
                self._write(UNKNOWN)

    def _go(self, x: int, y: int) -> None:
        self.x = min(max(x, 0), LIMIT)
        self.y = min(max(y, 0), LIMIT)

    def _place(self, numbers: list[int]) -> None:
        row, column = (*numbers, 0)[:2]
        self._go((column or 1) - 1, (row or 1) - 1)

    def _clear(self, numbers: list[int]) -> None:
        if numbers[0] in {2, 3}:
            self._rows.clear()
        elif numbers[0] == 0:
            del self._rows[self.y + 1 :]
            self._clear_row([0])
        elif numbers[0] == 1:
            self._rows[: self.y] = [_Row() for _ in self._rows[: self.y]]
            self._clear_row([1])

    def _clear_row(self, numbers: list[int]) -> None:
        if self.y >= len(self._rows):
            return
        row = self._rows[self.y]
        if numbers[0] == 0:
            row.cut(self.x)
        elif numbers[0] == 1:
            row.write(0, " " * min(self.x + 1, len(row.characters)), "")
        elif numbers[0] == 2:
            row.cut(0)


def _numbers(parameters: str) -> list[int]:
    """Parameters as numbers; 0 for a missing or invalid one."""
    return [int(one) if one.isdecimal() and len(one) < 6 else 0 for one in parameters.split(";")]


def _columns(character: str) -> str:
    """What a character fills its columns with: itself, and something for the second half of a wide one."""
    if unicodedata.combining(character) or unicodedata.category(character) in {"Cf", "Mn", "Me"}:
        return ""  # the columns after it must not shift
    if not character.isprintable():
        return UNKNOWN
    return UNKNOWN * 2 if unicodedata.east_asian_width(character) in {"W", "F"} else character


@lru_cache(maxsize=4096)
def changed(style: Style, parameters: str) -> Style:
    """The attributes after an SGR with these parameters.

    >>> changed("1;31", "7"), changed("1;31", "39"), changed("1;31", "")
    ('1;7;31', '1', '')
    """
    flags, colours = _split(style)
    numbers = parameters.replace(":", ";").split(";")
    while numbers:
        number = numbers.pop(0).lstrip("0")
        if number in {"38", "48"}:
            length = _COLOUR_LENGTHS.get(numbers[0] if numbers else "", 0)
            colour, numbers = numbers[:length], numbers[length:]
            if length and len(colour) == length and all(one.isdecimal() and len(one) < 4 for one in colour):
                colours[number[0]] = ";".join([number, *colour])
        elif not number:
            flags, colours = set(), {}
        elif number in _FLAGS:
            flags.add(number)
        elif number in _ENDS:
            flags -= _ENDS[number]
        elif number in {"39", "49"}:
            colours.pop(number[0], None)
        elif len(number) == 2 and number[0] in "349" and number[1] in "01234567":
            colours["4" if number[0] == "4" else "3"] = number
        elif len(number) == 3 and number.startswith("10") and number[2] in "01234567":
            colours["4"] = number
    return ";".join([*sorted(flags), *(colours[layer] for layer in sorted(colours))])


_FLAGS: Final = frozenset("123456789")
_ENDS: Final = {
    "22": {"1", "2"}, "23": {"3"}, "24": {"4"}, "25": {"5", "6"}, "27": {"7"}, "28": {"8"}, "29": {"9"},
}  # fmt: skip
_COLOUR_LENGTHS: Final = {"5": 2, "2": 4}
"""How many parameters follow 38 or 48: `5;N` or `2;R;G;B`."""


def _split(style: Style) -> tuple[set[str], dict[str, str]]:
    """Flags, and the colours of text (3) and background (4), of attributes that `changed` made."""
    flags: set[str] = set()
    colours: dict[str, str] = {}
    numbers = style.split(";") if style else []
    while numbers:
        number = numbers.pop(0)
        if number in {"38", "48"}:
            length = _COLOUR_LENGTHS[numbers[0]]
            colours[number[0]] = ";".join([number, *numbers[:length]])
            del numbers[:length]
        elif len(number) == 1:
            flags.add(number)
        else:
            colours["4" if number[0] in "41" else "3"] = number
    return flags, colours


@lru_cache(maxsize=4096)
def without_colours(style: Style) -> Style:
    """The attributes that are no colours: for NO_COLOR (no-color.org).

    >>> without_colours("1;7;31;48;5;200")
    '1;7'
    """
    return ";".join(sorted(_split(style)[0]))
