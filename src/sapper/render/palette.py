"""What colours mean, and a palette without any: the caller picks one, and need not ask again."""

from dataclasses import dataclass

from sapper.render.ansi import BOLD, GREEN, RED, painted


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
