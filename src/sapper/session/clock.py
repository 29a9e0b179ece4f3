"""Time in a game: a stopwatch over whatever clock it is handed."""

import time
from collections.abc import Callable

Clock = Callable[[], int]
"""Milliseconds since any moment. A clock that goes back is borne: such time counts as none."""


def system_clock() -> int:
    """The clock of this machine that never goes back, in milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Stopwatch:
    """Counts milliseconds while it runs. Starting twice is starting once; what it has counted never shrinks.

    >>> now = 100
    >>> watch = Stopwatch(lambda: now)
    >>> watch.start()
    >>> now = 130
    >>> watch.stop()
    >>> now = 500
    >>> watch.elapsed
    30
    """

    __slots__ = ("_clock", "_counted", "_since")

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._counted = 0
        self._since: int | None = None

    @property
    def elapsed(self) -> int:
        if self._since is not None:
            now = self._clock()
            self._counted += max(0, now - self._since)
            self._since = now
        return self._counted

    @property
    def is_running(self) -> bool:
        return self._since is not None

    def start(self) -> None:
        """Count from now on; nothing if it does already."""
        if self._since is None:
            self._since = self._clock()

    def stop(self) -> None:
        """Count no further; nothing if it does not."""
        self._counted = self.elapsed
        self._since = None

    def set(self, elapsed: int) -> None:
        """Stop at this many milliseconds."""
        self._since = None
        self._counted = elapsed
