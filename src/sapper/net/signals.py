"""A server ends when it is told to: by SIGTERM, or by SIGINT at a terminal.

Knows: which signals end a server, that the first of them counts.
Does not know: what serves, how it ends.
"""

import asyncio
import signal
from typing import Final

ENDING: Final = (signal.SIGTERM, signal.SIGINT)


class SignalStop:
    """Set by the first signal; made inside the loop that serves, for as long as that runs."""

    __slots__ = ("_received", "stop")

    def __init__(self) -> None:
        """Listen from now on."""
        self.stop = asyncio.Event()
        self._received = signal.SIGTERM
        loop = asyncio.get_running_loop()
        for number in ENDING:
            loop.add_signal_handler(number, self._note, number)

    @property
    def received(self) -> signal.Signals:
        """Which signal it was; SIGTERM where the server ended without one."""
        return self._received

    def _note(self, number: signal.Signals) -> None:
        if not self.stop.is_set():
            self._received = number
            self.stop.set()
