"""What is shown while a board is searched for: how many were tried, and for how long.

On a terminal it is a line that changes; elsewhere it is a line now and then.
"""

from collections.abc import Callable
from typing import IO, Final

from sapper.core.words import counted
from sapper.generator.search_values import SearchStats

PATIENCE: Final = 1.0
"""Seconds of a search before anything is shown on a terminal, and between two lines."""
REPEATED: Final = 10.0
"""The same where there is no terminal."""


class SearchScreen:
    """Shows on a stream how far a search is."""

    def __init__(self, stream: IO[str], *, clock: Callable[[], float]) -> None:
        """`clock` gives seconds."""
        self._stream = stream
        self._clock = clock
        self._is_terminal = stream.isatty()
        self._every = PATIENCE if self._is_terminal else REPEATED
        self._width = 0

    def clock(self, seconds: float, stats: SearchStats) -> Callable[[], bool]:
        """Whether a search that begins now may go on: for so many seconds."""
        begin = told = self._clock()
        before = stats.tried

        def go_on() -> bool:
            nonlocal told
            now = self._clock()
            if now - told >= self._every:
                told = now
                self._tell(f"searching: {counted(stats.tried - before, 'board')} tried in {now - begin:.0f} s")
            is_left = now - begin < seconds
            if not is_left:
                self.found()
            return is_left

        return go_on

    def _tell(self, text: str) -> None:
        if self._is_terminal:
            self._stream.write(f"\r{text.ljust(self._width)}")
            self._width = max(self._width, len(text))
        else:
            self._stream.write(f"sapper: {text}\n")
        self._stream.flush()

    def found(self) -> None:
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()
            self._width = 0
