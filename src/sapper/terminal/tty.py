"""The terminal that the client plays in: single keys, no echo, a screen of its own; and all of it given back.

Whatever ends the block (its end, an error, a signal), the terminal is as it was before. While the program is
stopped (Ctrl-Z) the shell has its own terminal too.

Knows: termios, signals, the escape sequences around a full-screen program.
Does not know: what is shown, what keys mean.
"""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType, TracebackType
from typing import Any, Final, Self

from sapper.errors import NoTerminalError
from sapper.terminal.viewport import ViewportFrame

try:
    import termios
except ImportError:  # pragma: no cover - there is none on Windows
    termios = None  # type: ignore[assignment]

ENTER: Final = "\x1b[?1049h\x1b[2J\x1b[H"
"""A screen of its own, emptied: the shell's comes back at the end."""
LEAVE: Final = "\x1b[m\x1b[?25h\x1b[2J\x1b[H\x1b[?1049l"

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT) if os.name == "posix" else ()


class TerminalEnded(Exception):  # noqa: N818 - it is no error
    """A signal says that it is time to go."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number
        super().__init__(f"ended by {number.name}")


class Terminal:
    """A context in which the terminal is ours. `NoTerminalError` where there is none."""

    def __init__(self, read: int | None = None, write: int | None = None) -> None:
        """Standard input and output, if no file descriptors are given."""
        self._read = sys.stdin.fileno() if read is None else read
        self._write = sys.stdout.fileno() if write is None else write
        self._saved: list[Any] = []
        self._handlers: dict[signal.Signals, Any] = {}
        self._ending: signal.Signals | None = None
        self._is_stale = True
        """Whether what is on the terminal is no longer known."""
        self._shown: Sequence[str] = ()
        self._is_stopping = False
        self._wake_read, self._wake_write = -1, -1

    @staticmethod
    def check() -> None:
        """Raise `NoTerminalError` unless standard input and output are a terminal that can be switched."""
        if termios is None:
            raise NoTerminalError("single keys cannot be read here: the client needs Linux, macOS or another Unix")
        for stream, name in ((sys.stdin, "input"), (sys.stdout, "output")):
            if not stream.isatty():
                raise NoTerminalError(f"the client needs a terminal, and standard {name} is none")

    # --- taking and giving back -------------------------------------------------------------------

    def __enter__(self) -> Self:
        """Take the terminal."""
        if termios is None:
            raise NoTerminalError("single keys cannot be read here: the client needs Linux, macOS or another Unix")
        try:
            self._saved = termios.tcgetattr(self._read)
        except termios.error as error:
            raise NoTerminalError(f"this is no terminal to play in: {error.args[-1]}") from None
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
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
        """Give it back."""
        self._give_back()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
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

    # --- signals ------------------------------------------------------------------------------------

    def _wake(self) -> None:
        with contextlib.suppress(OSError):
            os.write(self._wake_write, b"!")

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ending = signal.Signals(number)
        self._wake()

    def _resize(self, number: int, frame: FrameType | None) -> None:
        self._is_stale = True
        self._wake()

    def _stop(self, number: int, frame: FrameType | None) -> None:
        self._is_stopping = True
        self._wake()

    def _pause(self) -> None:
        """Stop as the shell asked for, with its own terminal; come back when it says so."""
        self._is_stopping = False
        self._give_back()
        ours = signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, ours)
        self._take()

    # --- using it -----------------------------------------------------------------------------------

    @property
    def is_stale(self) -> bool:
        """Whether everything must be shown again, at the size that the terminal has now."""
        return self._is_stale

    def forget(self) -> None:
        """What is on the terminal may have been overwritten: show everything again."""
        self._is_stale = True

    def size(self) -> tuple[int, int]:
        """Columns and rows."""
        try:
            columns, rows = os.get_terminal_size(self._write)
        except OSError:
            columns, rows = 0, 0
        return columns or 80, rows or 24

    def wait(self, other: int | None = None, *, seconds: float | None = None) -> tuple[bytes, bool]:
        """Wait for keys, for another file descriptor, or for a signal: the keys' bytes, and whether the other is ready.

        No longer than so many `seconds`, if they are given. `TerminalEnded` when a signal, or the end of the terminal, says so.
        """
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
            raise TerminalEnded(signal.SIGHUP) from None

    def _put(self, text: str) -> None:
        data = text.encode(errors="replace")
        while data:
            data = data[os.write(self._write, data) :]
