"""Log lines for outages of the store: one at the beginning, one at the end, one when the server stops if changes are lost."""

import logging
import threading
from time import monotonic

from sapper.server.logging import log


class OutageLog:
    """One line an outage, however many notice it. Any thread may."""

    def __init__(self, begins: str, ends: str) -> None:
        self._begins = begins
        self._ends = ends
        self._lock = threading.Lock()
        self._since: float | None = None
        self._noticed = 0

    def begin(self, error: Exception, waiting: int | None = None) -> None:
        """Note that the store does not work."""
        with self._lock:
            self._noticed += 1
            if self._since is not None:
                return
            self._since = monotonic()
        fields = {} if waiting is None else {"waiting": waiting}
        log(logging.WARNING, self._begins, reason=str(error), **fields)

    def end(self) -> None:
        with self._lock:
            since, self._since = self._since, None
            noticed, self._noticed = self._noticed, 0
        if since is not None:
            log(logging.WARNING, self._ends, seconds=round(monotonic() - since, 1), noticed=noticed)

    @property
    def is_on(self) -> bool:
        return self._since is not None


def say_what_is_lost(lost: int) -> None:
    """When a server stops: log how many changes were not stored."""
    if lost:
        log(logging.ERROR, "not kept: these are lost", changes=lost)
