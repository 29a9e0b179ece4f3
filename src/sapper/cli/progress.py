"""What is shown while something takes longer than a second: how much is done, and when it will be finished."""

import time
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from typing import Any, Self, TextIO, TypeVar

import click

from sapper.core.words import counted

T = TypeVar("T")

PATIENCE = 1.0
"""Seconds before anything is shown."""
_REFRESH = 0.1  # seconds between two changes of the bar
_LINE = 30.0  # seconds between two lines where there is no terminal


SEARCH_LINE = 10.0
"""Seconds between two lines about a search."""


def searching(
    seconds: float, tried: Callable[[], int], *, clock: Callable[[], float] = time.monotonic
) -> Callable[[], bool]:
    """Whether a search that begins now may go on: for so many seconds. Now and then it says on stderr how many boards were `tried`."""
    begin = told = clock()
    before = tried()

    def go_on() -> bool:
        nonlocal told
        now = clock()
        if now - told >= SEARCH_LINE:
            told = now
            click.echo(
                f"sapper: searching: {counted(tried() - before, 'board')} tried in {now - begin:.0f} s", err=True
            )
        return now - begin < seconds

    return go_on


class Progress:
    """A progress bar with the time that is left, on a terminal; elsewhere a line now and then, for a log."""

    def __init__(
        self, total: int, stream: TextIO, name: str = "games", *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`clock` gives seconds."""
        self._clock = clock
        self._name = name
        self._total = total
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._bar: Any = None
        self._done = 0
        self._pending = 0
        self._earlier = 0  # counted before `ready`
        self._began = self._looked = clock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.update(self._pending)
            self._bar.__exit__(None, None, None)

    def ready(self) -> None:
        """What is to be counted begins now: what came before (loading, compiling) says nothing of the time that is left."""
        self._began = self._looked = self._clock()
        self._earlier = self._done

    def advance(self, count: int = 1) -> None:
        self._done += count
        self._pending += count
        now = self._clock()
        if not self._is_terminal:
            if now - self._looked >= _LINE and self._done < self._total:
                self._looked = now
                self._write_line(now)
            return
        is_soon_done = self._bar is None and (now - self._began < PATIENCE or self._done >= self._total)
        if is_soon_done or now - self._looked < _REFRESH:
            return
        if self._bar is None:
            self._bar = click.progressbar(
                length=self._total, label=self._name, show_pos=True, show_eta=True, file=self._stream
            )
            self._bar.__enter__()
        # The bar's own clock began when it was first shown, and what is done by then took its time too.
        # What was done before `ready` (a run that goes on) took none of it: reckon as if it had taken its share.
        share = self._done / max(1, self._done - self._earlier)
        self._bar.start = time.time() - (now - self._began) * share
        self._bar.last_eta = 0.0  # or it reckons once a second
        self._looked = now
        self._bar.update(self._pending)
        self._pending = 0

    def _write_line(self, now: float) -> None:
        seconds = now - self._began
        speed = (self._done - self._earlier) / seconds if seconds > 0 else 0.0
        line = f"{self._name}: {self._done:,} of {self._total:,}"
        if speed > 0:
            left = timedelta(seconds=round((self._total - self._done) / speed))
            line += f", {speed:,.{0 if speed >= 10 else 2}f} a second, {left} left"
        self._stream.write(f"{line}\n")
        self._stream.flush()

    def of(self, things: Iterable[T]) -> Iterator[T]:
        for thing in things:
            yield thing
            self.advance()


def say_without_native() -> None:
    from sapper._kernels import loading  # a bar alone needs no kernels

    why = loading.absence()
    if why is not None:
        click.echo(
            f"sapper: running in Python, many times slower, without playouts: {why} (see sapper doctor)", err=True
        )
