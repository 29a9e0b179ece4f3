"""A terminal as a full-screen program uses it: a screen of its own, lines that differ are written, keys are waited for.

`tty` has it where there is termios, `console` where there is msvcrt; `opening` knows which of them this system has.
"""

import importlib.util
import os
import signal
import sys
from abc import ABC, abstractmethod
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Self

from sapper.errors import InvalidValueError
from sapper.terminal.viewport import ViewportFrame

ENTER: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""A screen of its own, emptied: the shell's comes back at the end."""
LEAVE: Final = "\x1b[m\x1b[?25h\x1b[2J\x1b[H\x1b[?1049l"

# Windows has neither signal; a terminal that has gone is told by the one that ends programs there.
GONE: Final = getattr(signal, "SIGHUP", signal.SIGTERM)
"""What ends a program whose terminal has gone."""


class TerminalEnded(Exception):  # noqa: N818 - it is no error
    """A signal says that it is time to go."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number
        super().__init__(f"ended by {number.name}")


class FullScreen(ABC):
    """A context in which the terminal is ours. `UnavailableError` where there is none."""

    def __init__(self, write: int) -> None:
        """`write` is the file descriptor that the terminal is written to."""
        self._write = write
        self._is_stale = True
        """Whether what is on the terminal is no longer known."""
        self._shown: Sequence[str] = ()

    @abstractmethod
    def __enter__(self) -> Self:
        """Take the terminal."""

    @abstractmethod
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back."""

    @abstractmethod
    def wait(self, other: int | None = None, *, seconds: float | None = None) -> tuple[bytes, bool]:
        """Wait for keys, for a socket's file descriptor, or for a signal: the keys' bytes, and whether the socket is ready.

        No longer than so many `seconds`, if they are given. `TerminalEnded` when a signal, or the end of the terminal, says so.
        """

    @property
    def is_stale(self) -> bool:
        """True if everything must be shown again, at the size that the terminal has now."""
        return self._is_stale

    def forget(self) -> None:
        """What is on the terminal may have been overwritten: show everything again."""
        self._is_stale = True

    def size(self) -> tuple[int, int]:
        try:
            columns, rows = os.get_terminal_size(self._write)
        except OSError:
            columns, rows = 0, 0
        return columns or 80, rows or 24

    def show(self, frame: ViewportFrame) -> None:
        """Show a frame: the lines that differ from what is there, in one write."""
        pieces = []
        shown: Sequence[str] = self._shown
        if self._is_stale:
            pieces.append("\x1b[m\x1b[2J")
            shown = ()
        for y, line in enumerate(frame.lines):
            if y >= len(shown) or shown[y] != line:
                pieces.append(f"\x1b[{y + 1};1H\x1b[2K{line}")
        pieces += [f"\x1b[{y + 1};1H\x1b[2K" for y in range(len(frame.lines), len(shown))]
        pieces.append(f"\x1b[{frame.y + 1};{frame.x + 1}H")
        self._is_stale = False
        self._shown = frame.lines
        try:
            self._put("".join(pieces))
        except OSError:
            raise TerminalEnded(GONE) from None

    def _put(self, text: str) -> None:
        data = text.encode(errors="replace")
        while data:
            data = data[os.write(self._write, data) :]


def check_terminal() -> None:
    """Raise `InvalidValueError` unless standard input and output are a terminal that can be switched."""
    if not _has_termios():
        from sapper.terminal.console import check_console  # noqa: PLC0415  # only where it is needed

        check_console()
    for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
        if stream is None or not stream.isatty():
            raise InvalidValueError(f"the client needs a terminal, and standard {name} is none")


def open_terminal() -> FullScreen:
    if _has_termios():
        from sapper.terminal.tty import Terminal  # noqa: PLC0415

        return Terminal()
    from sapper.terminal.console import Console  # noqa: PLC0415

    return Console()


def _has_termios() -> bool:
    return importlib.util.find_spec("termios") is not None
