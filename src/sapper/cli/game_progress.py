"""What a run of many games shows on standard error: a progress bar, on a terminal.

Knows: terminals, Rich.
Does not know: what is played.
"""

import time
from typing import IO, Any, Self

_REFRESH = 0.1  # seconds between two changes of the bar


class GameProgress:
    """A progress bar, on a terminal."""

    def __init__(self, games: int, stream: IO[str], name: str = "games") -> None:
        self._name = name
        self._games = games
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._bar: Any = None
        self._task: Any = None
        self._played = 0
        self._shown = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.update(self._task, completed=self._played)
            self._bar.stop()

    def ready(self) -> None:
        """Everything is loaded: the games begin."""
        if not self._is_terminal:
            return
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(file=self._stream),
            transient=True,
        )
        self._task = self._bar.add_task(self._name, total=self._games)
        self._bar.start()

    def advance(self) -> None:
        """Another game was played."""
        self._played += 1
        if self._bar is not None and time.monotonic() - self._shown > _REFRESH:
            self._shown = time.monotonic()
            self._bar.update(self._task, completed=self._played)
