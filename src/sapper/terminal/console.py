"""The terminal of the client on Windows: keys from msvcrt, escape sequences as its consoles have understood them since Windows 10.

Nothing there waits for a key and a socket at once: both are looked at in turns, some fifty times a second.
"""

import contextlib
import ctypes
import importlib
import select
import signal
import sys
import time
from types import FrameType, TracebackType
from typing import Any, Final, Self

from sapper.errors import UnavailableError
from sapper.terminal.full_screen import ENTER, LEAVE, FullScreen, TerminalEnded

GLANCE: Final = 0.02
"""Seconds between two looks at the keyboard."""
ENDING: Final = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGBREAK") if hasattr(signal, name))

_SPECIAL: Final = frozenset("\x00\xe0")
"""What a key begins with that has no character; the next one says which it is."""
_ARROWS: Final = {"H": b"\x1b[A", "P": b"\x1b[B", "M": b"\x1b[C", "K": b"\x1b[D", "G": b"\x1b[H", "O": b"\x1b[F"}
_OUTPUT: Final = -11
"""The console's own name for standard output."""
_SEQUENCES: Final = 0x0004
"""The mode in which a console obeys escape sequences (ENABLE_VIRTUAL_TERMINAL_PROCESSING)."""


class Console(FullScreen):
    """A console of Windows."""

    def __init__(self) -> None:
        super().__init__(sys.stdout.fileno())
        self._msvcrt: Any = importlib.import_module("msvcrt")
        self._mode: int | None = None
        self._size = (0, 0)
        self._ending: signal.Signals | None = None
        self._handlers: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        self._mode = _obey_sequences()
        for number in ENDING:
            self._handlers[number] = signal.signal(number, self._end)
        self._size = self.size()
        self._put(ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back; keys typed ahead were meant for the game, not for the shell."""
        with contextlib.suppress(OSError):
            self._put(LEAVE)
        while self._msvcrt.kbhit():
            self._msvcrt.getwch()
        for number, handler in self._handlers.items():
            signal.signal(number, handler)
        if self._mode is not None:
            _set_mode(self._mode)

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._ending = signal.Signals(number)

    def wait(self, other: int | None = None, *, seconds: float | None = None) -> tuple[bytes, bool]:
        """As `FullScreen.wait` says; a new size of the window ends it too, since nothing else tells of it."""
        end = None if seconds is None else time.monotonic() + seconds
        while True:
            ready = self._is_ready(other)
            if self._ending is not None:
                raise TerminalEnded(self._ending)
            keys = self._keys()
            size = self.size()
            if size != self._size:
                self._size = size
                self.forget()
            if keys or ready or self.is_stale or (end is not None and time.monotonic() >= end):
                return keys, ready

    def _is_ready(self, other: int | None) -> bool:
        if other is None:
            time.sleep(GLANCE)
            return False
        return bool(select.select([other], [], [], GLANCE)[0])

    def _keys(self) -> bytes:
        """The keys that were pressed, as other terminals send them."""
        found = b""
        while self._msvcrt.kbhit():
            character = self._msvcrt.getwch()
            if character in _SPECIAL:
                found += _ARROWS.get(self._msvcrt.getwch(), b"")
            elif character == "\x03":
                raise TerminalEnded(signal.SIGINT)
            else:
                found += character.encode(errors="replace")
        return found


def check_console() -> None:
    """Raise `UnavailableError` unless this system has consoles, and standard input and output are one."""
    try:
        importlib.import_module("msvcrt")
    except ImportError:
        raise UnavailableError("single keys cannot be read here: Python has neither termios nor msvcrt") from None


def _kernel() -> Any:
    """The part of Windows that knows consoles; None elsewhere."""
    libraries = getattr(ctypes, "windll", None)
    return None if libraries is None else libraries.kernel32


def _obey_sequences() -> int | None:
    """Have the console obey escape sequences; the mode that it was in, None where nothing was changed."""
    kernel = _kernel()
    if kernel is None:
        return None
    mode = ctypes.c_uint32()
    if not kernel.GetConsoleMode(kernel.GetStdHandle(_OUTPUT), ctypes.byref(mode)):
        return None
    _set_mode(mode.value | _SEQUENCES)
    return mode.value


def _set_mode(mode: int) -> None:
    kernel = _kernel()
    if kernel is not None:
        kernel.SetConsoleMode(kernel.GetStdHandle(_OUTPUT), mode)
