"""A server ends when it is told to: by SIGTERM, by SIGINT at a terminal, by SIGHUP when that terminal has gone, by SIGQUIT."""

import contextlib
import logging
import os
import signal
import threading
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any, Final, Self

from sapper.server.logging import log

ENDING: Final = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGBREAK")
    if hasattr(signal, name)  # Windows has the first two and the last
)
"""The signals that end a server in order. An ssh window that closes sends SIGHUP, Ctrl-\\ SIGQUIT."""


END_TIME: Final = 9.0
"""Seconds from the signal to the end, whatever hangs by then: threads in a database that does not answer, a disk that is gone."""


def end_within(seconds: float) -> None:
    """End this process after so long, if it is still there: it then hangs in something that cannot be waited for. Exit code 1.

    What players were told is in the database by then, or was told as not saved.
    """

    def end() -> None:
        log(logging.ERROR, "ended by force: something did not end in time", seconds=seconds)
        time.sleep(FLUSH)
        os._exit(1)

    timer = threading.Timer(seconds, end)
    timer.daemon = True
    timer.start()


AGAIN: Final = 1.0
"""Seconds from the first signal, after which another one means: now. Sooner it is the same one, sent to a whole group of processes."""
FLUSH: Final = 0.3
"""Seconds that the log has for its last line."""


class SignalStop:
    """Set by the first signal: `with SignalStop() as told`, inside the loop that serves.

    asyncio's own handlers go with the loop, and a second signal that comes then would kill a server that is about to end
    in order. So after a signal the process ignores others from the end of the block on; without one, all is as before.
    SIGHUP is left alone where it is ignored: whoever started the server with `nohup` wants it to outlive the terminal.
    """

    __slots__ = ("_before", "_end_time", "_first", "_loop", "received", "stop")

    def __init__(self, *, end_time: float | None = None) -> None:
        """`end_time`: seconds after the first signal in which this process must have ended, whatever hangs; and a second signal, later than
        `AGAIN`, ends it at once. None where the process has other things to do.
        """
        import asyncio  # noqa: PLC0415  # simulations do without

        self._end_time = end_time
        self.stop = asyncio.Event()
        self.received = signal.SIGTERM
        """The signal that came; SIGTERM where the server ended without one."""
        self._first = 0.0
        self._loop = asyncio.get_running_loop()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        heard = (
            number for number in ENDING if not (number.name == "SIGHUP" and signal.getsignal(number) is signal.SIG_IGN)
        )
        self._before = {number: signal.signal(number, self._come) for number in heard}
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.stop.is_set() else before)

    def _come(self, number: int, _: FrameType | None) -> None:
        if self._end_time is not None and self._first and time.monotonic() - self._first > AGAIN:
            end_within(0)
        self._first = self._first or time.monotonic()
        # In the middle of whatever the loop is doing.
        self._loop.call_soon_threadsafe(self._note, signal.Signals(number))

    def _note(self, number: signal.Signals) -> None:
        if not self.stop.is_set():
            self.received = number
            self.stop.set()
            if self._end_time is not None:
                end_within(self._end_time)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Signals that end a server wait meanwhile. They also wait in a process that is started here, until `leave_to_parent`: one that is
    still importing would end of them.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def leave_to_parent() -> None:
    """Ignore ending signals in a worker process: they go to all processes of a group, and the parent handles them."""
    for number in ENDING:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
