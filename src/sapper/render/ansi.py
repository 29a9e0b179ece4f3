"""The few ANSI sequences that sapper draws with (ECMA-48): colours, places, clearing; palettes of text.

Only the eight colours that every terminal has; what must be told apart has a character of its own,
so that nothing is lost where there are none.
"""

from dataclasses import dataclass
from typing import Final

ESC: Final = "\x1b"
CSI: Final = ESC + "["

RESET: Final = CSI + "m"
"""Back to the terminal's own colours, not bold, not reversed."""
CLEAR: Final = CSI + "2J" + CSI + "H"
"""An empty screen, and the cursor at its top left."""

BOLD: Final = 1
REVERSE: Final = 7

# Foregrounds. Blue (34) and black (30) cannot be read on dark backgrounds, white (37) not on light ones.
RED: Final = 31
GREEN: Final = 32
YELLOW: Final = 33
MAGENTA: Final = 35
CYAN: Final = 36

# Pairs of foreground and background, legible on any terminal because they bring both.
WHITE_ON_RED: Final = (37, 41)
BLACK_ON_GREEN: Final = (30, 42)
BLACK_ON_YELLOW: Final = (30, 43)


def style(*codes: int) -> str:
    r"""The sequence that sets these attributes (SGR); nothing for none.

    >>> style(BOLD, RED)
    '\x1b[1;31m'
    """
    return f"{CSI}{';'.join(map(str, codes))}m" if codes else ""


def painted(text: str, *codes: int) -> str:
    r"""The text with these attributes, and none after it.

    >>> painted("red", RED), painted("plain")
    ('\x1b[31mred\x1b[m', 'plain')
    """
    return f"{style(*codes)}{text}{RESET}" if codes else text


def at(x: int, y: int) -> str:
    r"""The sequence that puts the cursor in column `x` of row `y`, both from 0.

    >>> at(0, 2)
    '\x1b[3;1H'
    """
    return f"{CSI}{y + 1};{x + 1}H"


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    r"""How each kind of text is painted: codes of `ansi`, none for not at all.

    >>> COLOURED.green("won"), PLAIN.green("won")
    ('\x1b[32mwon\x1b[m', 'won')
    """

    good: tuple[int, ...] = ()
    bad: tuple[int, ...] = ()
    strong: tuple[int, ...] = ()

    def green(self, text: str) -> str:
        return painted(text, *self.good) if text else text

    def red(self, text: str) -> str:
        return painted(text, *self.bad) if text else text

    def bold(self, text: str) -> str:
        return painted(text, *self.strong) if text else text


PLAIN = Palette()
"""No colours: for files, pipes, and who does not want them."""

COLOURED = Palette(good=(GREEN,), bad=(RED,), strong=(BOLD,))
"""The colours that every terminal has."""


def printable(text: str) -> str:
    """A foreign text with a `?` for each control character, so that it has no escape sequences."""
    return text if text.isprintable() else "".join(one if one.isprintable() else "?" for one in text)
