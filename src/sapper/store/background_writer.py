"""Records games in the background, many in one transaction: for those who must not wait for a disk.

Games that come while one transaction is on its way go into the next together, so that the slower the disk, the larger the
transactions. A queue that is full is a store that does not keep up, or does not answer: then games are dropped and counted,
since whoever plays does not wait for statistics.

Knows: a thread, a queue with an end, when to try again.
Does not know: databases; where games come from.
"""

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from sapper.errors import StoreError
from sapper.store.models import StoredGame

MOST_WAITING: Final = 10_000
AT_ONCE: Final = 1_000
PAUSE: Final = 5.0
"""Seconds before a transaction that failed is tried again."""


class GameSink(Protocol):
    """Who keeps games: a `Store`."""

    def record_many(self, games: Sequence[StoredGame]) -> int:
        """Keep them all, or none."""


class BackgroundWriter:
    """Takes games at once and has them kept soon. `close` waits until that is done."""

    def __init__(
        self,
        keeper: GameSink,
        *,
        on_trouble: Callable[[StoreError, int], None] = lambda _error, _waiting: None,
        most_waiting: int = MOST_WAITING,
        pause: float = PAUSE,
    ) -> None:
        """`on_trouble` hears of each transaction that failed, and how many games wait; it is called on another thread."""
        self._keeper = keeper
        self._on_trouble = on_trouble
        self._most_waiting = most_waiting
        self._pause = pause
        self._games: deque[StoredGame] = deque()
        self._changed = threading.Condition()
        self._is_closing = False
        self.dropped = 0
        """Games that were not kept, because too many were waiting or the end came first."""
        self._thread = threading.Thread(target=self._run, name="sapper-store", daemon=True)
        self._thread.start()

    def record(self, game: StoredGame) -> None:
        """Have a game kept soon; this never waits and never fails."""
        with self._changed:
            if self._is_closing or len(self._games) >= self._most_waiting:
                self.dropped += 1
                return
            self._games.append(game)
            self._changed.notify()

    def close(self, timeout: float = 10.0) -> int:
        """Keep what is waiting, within `timeout` seconds; how many games were dropped in all."""
        with self._changed:
            self._is_closing = True
            self._changed.notify()
        self._thread.join(timeout)
        with self._changed:
            self.dropped += len(self._games)
            self._games.clear()
        return self.dropped

    def _run(self) -> None:
        # Nothing to keep yet: but a keeper that has to get ready does so before the first game, and says what is wrong.
        self._keep([])
        while True:
            with self._changed:
                while not self._games and not self._is_closing:
                    self._changed.wait()
                batch = [self._games[number] for number in range(min(AT_ONCE, len(self._games)))]
            if not batch:
                return
            if self._keep(batch):
                with self._changed:
                    # Only now: until it is kept, a game is waiting. `close` may have given it up meanwhile.
                    for _ in range(min(len(batch), len(self._games))):
                        self._games.popleft()
            elif not self._rest():
                return

    def _keep(self, batch: list[StoredGame]) -> bool:
        try:
            self._keeper.record_many(batch)
        except StoreError as error:
            self._on_trouble(error, len(self._games))
            return False
        return True

    def _rest(self) -> bool:
        """Wait before the next try; whether there is to be one."""
        with self._changed:
            self._changed.wait_for(lambda: self._is_closing, timeout=self._pause)
            return not self._is_closing
