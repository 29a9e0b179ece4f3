"""What a command shows on standard error while kernels are compiled: the one way that all of them have.

On a terminal it is a line that stays until everything is loaded. Elsewhere it is a line when the first kernel is
compiled, and nothing more. Loading what was compiled before takes a second or two, and is not worth a word.

Knows: terminals; how long compiling takes, more or less.
Does not know: what is compiled, what for.
"""

import contextlib
import time
from collections.abc import Iterator
from typing import IO

from sapper._kernels import loading

_TEXT = "sapper: compiling, once a machine, a minute or so"


class CompileScreen:
    """A listener of `loading` that writes to a stream; it also knows how long it all took."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._width = 0
        self._is_told = False
        self._began = 0.0
        self.seconds = 0.0
        """Time spent loading and compiling so far."""

    def loading(self) -> None:
        """From now on time is spent on loading."""
        self._began = time.monotonic()

    def compiling(self, kernel: str) -> None:
        """A kernel is being compiled."""
        if self._is_terminal:
            text = f"{_TEXT}: {kernel}"
            self._stream.write(f"\r{text.ljust(self._width)}")
            self._width = max(self._width, len(text))
        elif not self._is_told:
            self._stream.write(f"{_TEXT}\n")
        self._is_told = True
        self._stream.flush()

    def loaded(self) -> None:
        """Everything is there: the line goes."""
        self.seconds += time.monotonic() - self._began
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0

    def failed(self, reason: str) -> None:
        """There are no compiled kernels, though there should be."""
        self.loaded()
        self._began = time.monotonic()
        self._stream.write(
            f"sapper: the compiled kernels do not work, so Python does it all, slowly: {reason} (see: sapper doctor)\n"
        )


@contextlib.contextmanager
def compiling_told(stream: IO[str]) -> Iterator[CompileScreen]:
    """Show on this stream whatever is compiled meanwhile."""
    screen = CompileScreen(stream)
    loading.listen(screen)
    try:
        yield screen
    finally:
        loading.listen(None)
