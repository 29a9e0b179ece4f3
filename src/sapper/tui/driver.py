"""What Textual writes to a terminal that may be gone: a window that was closed, a connection that was cut.

Textual writes in a thread, from a queue of a bounded length. A write that fails ends that thread, and whoever adds to the queue once it
is full waits for ever: the game would neither be ended by a signal nor save anything more. Here what cannot be written is dropped.

Knows: Textual's driver for POSIX. `app` imports it there alone.
Does not know: screens, games.
"""

import contextlib
from io import TextIOWrapper
from typing import Any, TextIO, cast

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


class OutputUntilGone:
    """A file for text that takes what is written, whether or not it goes anywhere."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        """Write, if that can be done; the number of characters."""
        with contextlib.suppress(OSError, ValueError):  # a closed file is a ValueError
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        """Send what is buffered, if that can be done."""
        with contextlib.suppress(OSError, ValueError):
            self._file.flush()

    def fileno(self) -> int:
        """That of the file."""
        return self._file.fileno()

    def isatty(self) -> bool:
        """Whether the file is a terminal."""
        return self._file.isatty()


class PersistentDriver(LinuxDriver):
    """Textual's driver, which goes on when its terminal has gone."""

    def __init__(
        self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        if self._file is not None:
            self._file = cast("TextIOWrapper[Any]", OutputUntilGone(self._file))
