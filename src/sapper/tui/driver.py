"""What Textual writes to a terminal that may be gone: a window that was closed, a connection that was cut.

Textual writes in a thread, from a queue of a bounded length. A write that fails ends that thread, and whoever adds to the queue once it
is full waits forever: the game would neither be ended by a signal nor save anything more. Here what cannot be written is dropped.

Nor does it stop itself (Ctrl-Z) where nobody could continue it: Textual sends SIGSTOP, which stops a game that no shell waits for, for
good. SIGTSTP is dropped by the kernel there (an orphaned process group), and the game goes on at once.
"""

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from io import TextIOWrapper
from typing import Any, TextIO, cast

from textual.app import App
from textual.drivers.linux_driver import LinuxDriver


class OutputUntilGone:
    """A file for text that takes what is written, whether or not it goes anywhere."""

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, text: str) -> int:
        with contextlib.suppress(OSError, ValueError):  # a closed file is a ValueError
            self._file.write(text)
        return len(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._file.flush()

    def fileno(self) -> int:
        return self._file.fileno()

    def isatty(self) -> bool:
        return self._file.isatty()


class PersistentDriver(LinuxDriver):
    """Textual's driver, which goes on when its terminal has gone."""

    def __init__(
        self, app: App[None], *, debug: bool = False, mouse: bool = True, size: tuple[int, int] | None = None
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        # Textual writes to standard error, which somebody may have sent elsewhere: `sapper play 2>log`.
        self._file = sys.__stdout__
        if self._file is not None:
            self._file = cast("TextIOWrapper[Any]", OutputUntilGone(self._file))
        self._stops = False
        """Whether the SIGCONT that comes next ends a stop of `stop_process`, which begins again by itself."""

    def _sigtstp_application(self, *_: object) -> None:
        # Not here: what a signal interrupts may hold the lock of the queue that is written to.
        self._soon(self.stop_process)

    def _sigcont_application(self, *_: object) -> None:
        if self._stops:
            self._stops = False
        else:
            self._soon(self._begin_again)

    def _soon(self, do: Callable[[], None]) -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed: the game is being put away, without a screen
            self._loop.call_soon_threadsafe(do)

    def stop_process(self) -> None:
        """Give the terminal back and stop, with the rest of the job, until the shell continues it; then take it again."""
        if self._key_thread is None or not self._app.is_running:
            return
        self._let_go()
        self._stops = True
        signal.signal(signal.SIGTSTP, signal.SIG_IGN)
        os.kill(0, signal.SIGTSTP)  # a wrapper that waits for this process
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        signal.raise_signal(signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._sigtstp_application)
        self._stops = False
        self.resume_application_mode()

    def _begin_again(self) -> None:
        """It was continued: from a stop that it could not prepare, or in the foreground after it was in the background."""
        if not self._app.is_running:
            return
        if self._key_thread is not None:
            self._let_go()
        self.resume_application_mode()

    def _let_go(self) -> None:
        self.suspend_application_mode()
        self._key_thread = None  # there is none until the terminal has been taken again
        self._must_signal_resume = True
