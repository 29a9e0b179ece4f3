"""The background of the terminal, asked for (OSC 11): light or dark.

The question is sent before what draws screens is imported, and its answer looked for afterwards, so that a start waits for neither. Behind it
goes a question that every terminal answers (DA1): once that answer is there, no other will come, and none is taken for keys later.
"""

import contextlib
import importlib
import os
import re
import select
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

QUESTION: Final = "\x1b]11;?\x1b\\\x1b[c"
PATIENCE: Final = 0.05
"""Seconds that the answer may take beyond the time of the imports: then the theme counts as unknown."""
FAR: Final = 1.0
"""The same where the terminal is another machine's."""

_COLOUR: Final = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
_LAST: Final = re.compile(rb"\x1b\[\?[0-9;]*c")
_ANSWERS: Final = re.compile(rb"\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b\[\?[0-9;]*c")
_TYPED: Final = re.compile(rb"[0-9A-Za-z \r\n]")


class BackgroundQuestion:
    """Asked when it is made; `answer` gives the theme, once, and the terminal back as it was."""

    def __init__(self, read: int | None = None, write: int | None = None, *, patience: float = PATIENCE) -> None:
        """Of standard input and output, if no file descriptors are given."""
        self.typed = ""
        """The letters, digits, spaces and returns that were typed meanwhile, for the screen to read."""
        self._patience = patience
        self._saved: list[Any] | None = None
        try:
            self._termios: Any = importlib.import_module("termios")
            self._read = sys.stdin.fileno() if read is None else read
            saved = self._termios.tcgetattr(self._read)
            modes = [*saved[:3], saved[3] & ~(self._termios.ICANON | self._termios.ECHO), *saved[4:]]
            self._termios.tcsetattr(self._read, self._termios.TCSANOW, modes)
            self._saved = saved
            os.write(sys.stdout.fileno() if write is None else write, QUESTION.encode())
        except (ImportError, OSError, ValueError, AttributeError):
            pass  # Windows, or no terminal: nobody is asked
        except Exception as error:  # termios has an error of its own
            if type(error).__name__ != "error":
                raise

    def answer(self) -> str | None:
        """`dark` or `light`; None where the terminal has not told."""
        if self._saved is None:
            return None
        told = b""
        end = time.monotonic() + self._patience
        try:
            while _LAST.search(told) is None and (left := end - time.monotonic()) > 0:
                if select.select([self._read], [], [], left)[0]:
                    data = os.read(self._read, 1024)
                    if not data:
                        break
                    told += data
        except OSError:
            return None
        finally:
            with contextlib.suppress(OSError, self._termios.error):
                self._termios.tcsetattr(self._read, self._termios.TCSANOW, self._saved)
        self.typed = b"".join(_TYPED.findall(_ANSWERS.sub(b"", told))).decode("ascii")
        return theme_in(told)


def patience_of(environ: Mapping[str, str]) -> float:
    """How long the answer of a terminal of that environment is waited for."""
    return FAR if environ.get("SSH_CONNECTION") else PATIENCE


def is_askable(environ: Mapping[str, str]) -> bool:
    """True if a terminal of that environment is asked: not one that says it itself, nor one that would show the question."""
    return not environ.get("COLORFGBG") and environ.get("TERM", "dumb") not in {"dumb", "linux", "unknown"}


def theme_in(told: bytes) -> str | None:
    r"""The theme of an answer; None where it has no colour.

    >>> (theme_in(b"\x1b]11;rgb:ffff/ffff/dddd\x1b\\"), theme_in(b"\x1b]11;rgb:1e/1e/2e\x07"), theme_in(b"\x1b[?62c"))
    ('light', 'dark', None)
    """
    found = _COLOUR.search(told)
    if found is None:
        return None
    red, green, blue = (int(part, 16) / (16 ** len(part) - 1) for part in found.groups())
    return "light" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.5 else "dark"
