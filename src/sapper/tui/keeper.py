"""Where the games of a player at this machine are kept, and what is asked of them.

The store is opened, and written to, on threads of its own: opening takes longer than a screen may, and a disk may be slow. Where it cannot
be had a game goes on without: `trouble` says why nothing can be kept now, and it is tried again until the end.
"""

import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeVar

from sapper.core.words import counted
from sapper.errors import SapperError

if TYPE_CHECKING:
    from sapper.play.ports import LogChain
    from sapper.play.writer import Make, OnDurable, Writer
    from sapper.store.changes import Change
    from sapper.store.models import GameKind, ListedSession, StoredGame
    from sapper.store.repository import Store
    from sapper.store.statistics import Statistics

FACE: Final = "tui"
KEEP_TIME: Final = 1.0
"""Seconds that a player waits for a start or an end to be on the disk, which takes a local store a millisecond or two."""
CLOSE_TIME: Final = 5.0
Answer = TypeVar("Answer")


def now() -> datetime:
    return datetime.now(UTC)


def totals_words(found: "Statistics") -> str:
    total = found.total
    return f"{counted(total.played, 'game')} played unaided, {total.ended} of them ended, {total.won} won; streak {found.streak}, the longest {found.best_streak}"


class GameArchive:
    """What is kept of one player's games: the `GameSink` of all of them. `close` it at the end."""

    def __init__(self, opened: "Callable[[], Store] | None", *, player: str, keep_time: float = KEEP_TIME) -> None:
        """`opened` opens the store, on another thread; without it nothing is kept. `keep_time`: seconds that a start or an end waits for its record."""
        from sapper.store.late_store import LateStore  # noqa: PLC0415  # it imports nothing else

        self.player = player
        self.keep_time = keep_time
        self.lost = 0
        """Changes that were not kept, once it is closed."""
        self.store = None if opened is None else LateStore(opened)
        self._unread: str | None = None
        """Why the last question was not answered."""
        self._unwritten: str | None = None
        """Why nothing can be written."""
        self._making = threading.Lock()
        self._writer: Writer | None = None
        self._judging = ThreadPoolExecutor(1, thread_name_prefix="sapper-judging")

    @property
    def trouble(self) -> str | None:
        """Why nothing can be kept now; None if it can, or nothing is to be kept."""
        return self._unwritten or self._unread

    @property
    def keeps(self) -> bool:
        """True if there is a store that works now."""
        return self.store is not None and self.trouble is None

    # --- writing: never waits, never fails --------------------------------------------------------------------

    def put(
        self, change: "Change | Make", on_durable: "OnDurable | None" = None, /,
        *, is_urgent: bool = True, chain: "LogChain | None" = None,
    ) -> None:  # fmt: skip
        if self.store is not None:
            self._writing().put(change, on_durable, is_urgent=is_urgent, chain=chain)

    def begin(self) -> None:
        """Open the store soon: the first start is then on the disk at once."""
        if self.store is not None:
            self._writing()

    def _writing(self) -> "Writer":
        from sapper.play.writer import Writer  # noqa: PLC0415  # a menu is there before the store is

        with self._making:
            if self._writer is None:
                assert self.store is not None
                self._writer = Writer(self.store, on_trouble=self._fails, on_recovery=self._is_well)
            return self._writer

    def _fails(self, error: Exception, _waiting: int) -> None:
        self._unwritten = " ".join(str(error).split())

    def _is_well(self) -> None:
        self._unwritten = self._unread = None

    def judge(self, game: "StoredGame") -> None:
        """Judge and keep the guesses of an ended game, on another thread."""
        with contextlib.suppress(RuntimeError):  # it is closed
            self._judging.submit(self._judge, game)

    def _judge(self, game: "StoredGame") -> None:
        from sapper.session.storing import late_guesses  # noqa: PLC0415  # a screen is there before the solver is

        found = late_guesses(game)
        if found is not None:
            self.put(found)

    def flush(self) -> bool:
        """Wait until all that was put here is kept, or known not to be; whether it is."""
        if self._writer is None:
            return True
        while not self._writer.flush(0.05):
            if self._writer.in_trouble:
                return False
        return True

    def close(self) -> None:
        self.flush()
        self._judging.shutdown()
        if self._writer is not None:
            self.lost = self._writer.close(CLOSE_TIME)
        if self.store is not None:
            self.store.close()

    # --- reading: waits, on whichever thread it is called; nothing where it cannot be read --------------------------

    def unfinished(self) -> "list[ListedSession]":
        """The player's games to go on with, the last played first."""
        found = self._ask(lambda store: store.listed_sessions(self.player)) or []
        return [one for one in found if not one.state.status.ended]

    def statistics(self) -> "Statistics | None":
        def ask(store: "Store") -> "Statistics":
            from sapper.store.filters import Filter  # noqa: PLC0415
            from sapper.store.statistics import statistics  # noqa: PLC0415

            return statistics(store, Filter(player=self.player), most_kinds=10)

        return self._ask(ask)

    def latest(self, most: int = 10) -> "list[StoredGame]":
        return self._ask(lambda store: store.latest_games(self.player, most)) or []

    def totals(self, kind: "GameKind | None" = None) -> tuple[int, int, int | None]:
        """Games played and won, and the best time of a kind in milliseconds."""

        def ask(store: "Store") -> tuple[int, int, int | None]:
            from sapper.store.standing import standing_of  # noqa: PLC0415

            found = standing_of(store, self.player, kind)
            return found.played, found.won, found.best_ms

        return self._ask(ask) or (0, 0, None)

    def _ask(self, question: "Callable[[Store], Answer]") -> Answer | None:
        if self.store is None:
            return None
        try:
            answer = question(self.store.opened())
        except (SapperError, OSError, ImportError) as error:
            self._unread = " ".join(str(error).split())
            return None
        self._unread = None
        return answer
