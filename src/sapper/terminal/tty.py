"""The terminal that the client plays in, on Linux, macOS and other Unixes: single keys, no echo, a screen of its own; all of it given back.

Whatever ends the block (its end, an error, a signal), the terminal is as it was before. While the program is
stopped (Ctrl-Z) the shell has its own terminal too.
"""

import contextlib
import os
import select
import signal
import sys
import termios
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any, Final, Self

from sapper.errors import UnavailableError
from sapper.terminal.full_screen import ENTER, LEAVE, FullScreen, TerminalEnded

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)


class Terminal(FullScreen):
    """A context in which the terminal is ours. `UnavailableError` where there is none."""

    def __init__(self, read: int | None = None, write: int | None = None) -> None:
        """Standard input and output, if no file descriptors are given."""
        super().__init__(sys.stdout.fileno() if write is None else write)
        self._read = sys.stdin.fileno() if read is None else read
        self._saved: list[Any] = []
        self._handlers: dict[signal.Signals, Any] = {}
        self._ending: signal.Signals | None = None
        self._is_stopping = False
        self._wake_read, self._wake_write = -1, -1
        self._woken_before = -1

    # --- taking and giving back -------------------------------------------------------------------

    def __enter__(self) -> Self:
        try:
            self._saved = termios.tcgetattr(self._read)
        except termios.error as error:
            raise UnavailableError(f"not a terminal to play in: {error.args[-1]}") from None
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        # A handler in Python runs between two instructions: of a signal that comes when `select` has been called and
        # does not sleep yet, it would hear when the next key comes. The interpreter writes to this one at once.
        self._woken_before = signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        for number in ENDING:
            self._on(number, self._end)
        self._on(signal.SIGWINCH, self._resize)
        self._on(signal.SIGTSTP, self._stop)
        self._on(signal.SIGCONT, self._resize)
        try:
            self._take()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._woken_before)
        os.close(self._wake_read)
        os.close(self._wake_write)

    def _on(self, number: signal.Signals, act: Callable[[int, FrameType | None], None]) -> None:
        self._handlers[number] = signal.signal(number, act)

    def _take(self) -> None:
        modes = list(self._saved)
        # Keys come singly (no ICANON) and unseen (no ECHO), ENTER as it is (no ICRNL), Ctrl-S and Ctrl-Q mean nothing
        # (no IXON). Ctrl-C and Ctrl-Z keep their meaning (ISIG).
        modes[0] &= ~(termios.ICRNL | termios.IXON)
        modes[3] &= ~(termios.ICANON | termios.ECHO)
        modes[6] = list(modes[6])
        modes[6][termios.VMIN] = 1
        modes[6][termios.VTIME] = 0
        termios.tcsetattr(self._read, termios.TCSADRAIN, modes)
        self._put(ENTER)
        self._is_stale = True

    def _give_back(self) -> None:
        # A terminal that has gone (its window was closed) cannot be restored, and need not be.
        with contextlib.suppress(OSError):
            self._put(LEAVE)
        with contextlib.suppress(OSError, termios.error):
            # Keys typed ahead were meant for the game, not for the shell.
            termios.tcsetattr(self._read, termios.TCSAFLUSH, self._saved)

    # --- signals: each of them wakes `wait` -----------------------------------------------------------

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ending = signal.Signals(number)

    def _resize(self, number: int, frame: FrameType | None) -> None:
        self._is_stale = True

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_stopping = True

    def _pause(self) -> None:
        """Stop as the shell asked for, with its own terminal; come back when it says so."""
        self._is_stopping = False
        self._give_back()
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, ours)
        self._take()

    # --- using it -----------------------------------------------------------------------------------

    def wait(self, other: int | None = None, *, seconds: float | None = None) -> tuple[bytes, bool]:
        """As `FullScreen.wait` says; the other may be any file descriptor."""
        others = [] if other is None else [other]
        ready, _, _ = select.select([self._read, *others, self._wake_read], [], [], seconds)
        if self._wake_read in ready:
            with contextlib.suppress(BlockingIOError):
                os.read(self._wake_read, 512)
        if self._ending is not None:
            raise TerminalEnded(self._ending)
        if self._is_stopping:
            self._pause()
            return b"", False
        keys = b""
        if self._read in ready:
            try:
                keys = os.read(self._read, 1024)
            except OSError:
                keys = b""
            if not keys:
                raise TerminalEnded(signal.SIGHUP)
        return keys, other is not None and other in ready
