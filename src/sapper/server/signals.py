"""A server ends when it is told to: by SIGTERM, or by SIGINT at a terminal.

Knows: which signals end a server, that the first of them counts and another does not break the end off.
Does not know: what serves, how it ends.
"""

import asyncio
import signal
from types import FrameType
from typing import Any, Final, Self

ENDING: Final = (signal.SIGTERM, signal.SIGINT)


class SignalStop:
    """Set by the first signal: `with SignalStop() as told`, inside the loop that serves.

    asyncio's own handlers go with the loop, and a second signal that comes then would kill a server that is about to end
    in order. So after a signal the process ignores others from the end of the block on; without one, all is as before.
    """

    __slots__ = ("_before", "_loop", "_received", "stop")

    def __init__(self) -> None:
        self.stop = asyncio.Event()
        self._received = signal.SIGTERM
        self._loop = asyncio.get_running_loop()
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> Self:
        """Listen from now on."""
        self._before = {number: signal.signal(number, self._come) for number in ENDING}
        return self

    def __exit__(self, *_: object) -> None:
        """Listen no longer."""
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.stop.is_set() else before)

    @property
    def received(self) -> signal.Signals:
        """Which signal it was; SIGTERM where the server ended without one."""
        return self._received

    def _come(self, number: int, _: FrameType | None) -> None:
        # In the middle of whatever the loop is doing.
        self._loop.call_soon_threadsafe(self._note, signal.Signals(number))

    def _note(self, number: signal.Signals) -> None:
        if not self.stop.is_set():
            self._received = number
            self.stop.set()
