"""Keeps the games of a player at this machine: saved soon after each move, recorded when they begin and end.

The store is opened, and written to, on a thread of its own: opening takes longer than a screen may, and a disk may be slow. Of several
states of one game that wait only the last is written. Where something cannot be kept a game goes on without: `trouble` says why nothing
can be kept now, and is over with the next write that succeeds; `lost` says that something was lost for good.
Whoever is to be told of an end waits for its record first, for `keep_time` at most.

Knows: a thread, what waits for it; what a list says of a game (the same as the web's).
Does not know: how a game is played, screens.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeVar

from sapper.core.status import Status
from sapper.errors import SapperError

if TYPE_CHECKING:
    from sapper.session.saving import SessionSnapshot
    from sapper.store.models import GameKind, SessionState, StoredGame
    from sapper.store.repository import Store
    from sapper.store.statistics import Statistics

FACE: Final = "tui"
KEEP_TIME: Final = 1.0
"""Seconds that a player waits for an end to be on the disk, which takes a local store a millisecond or two; then it is said that it is not saved yet."""
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnfinishedGame:
    """A saved game as a list shows it."""

    key: str
    title: str
    seconds: int
    """On its clock."""
    covered: int
    """Cells that are not revealed."""
    rules: str
    status: Status
    saved: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedState:
    """A game as it is to be saved; `to_json` of its snapshot is called on the archive's thread."""

    key: str
    title: str
    snapshot: "SessionSnapshot"
    kind: "GameKind"
    state: "SessionState"
    inputs: int


def now() -> datetime:
    """The time."""
    return datetime.now(UTC)


class GameArchive:
    """What is kept of one player's games. `close` it at the end."""

    def __init__(self, opened: "Callable[[], Store] | None", *, player: str, keep_time: float = KEEP_TIME) -> None:
        """`opened` opens the store, on another thread; without it nothing is kept. `keep_time`: seconds that the end of a game waits for its record."""
        self.player = player
        self.keep_time = keep_time
        self.trouble: str | None = None
        """Why the store failed the last time; None once something has been written since."""
        self._lost: dict[tuple[str, str], str] = {}
        """What could not be kept, and why: until the same, or a later state of it, is kept after all."""
        self._opened = opened
        self._store: Store | None = None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sapper-archive")
        self._judging = ThreadPoolExecutor(1, thread_name_prefix="sapper-judging")
        self._lock = threading.Lock()
        self._waiting: dict[str, SavedState | None] = {}
        """Games to be saved; None: to be dropped."""

    @property
    def keeps(self) -> bool:
        """Whether there is a store, and nothing is wrong with it now."""
        return self._opened is not None and self.trouble is None

    @property
    def lost(self) -> str | None:
        """Why something could not be kept, and was not kept later either; None if everything is."""
        with self._lock:
            return next(reversed(self._lost.values()), None)

    # --- writing: never waits, never fails --------------------------------------------------------------------

    def save(self, state: SavedState) -> None:
        """Have a game saved soon."""
        self._put(state.key, state)

    def drop(self, key: str) -> None:
        """Have a saved game forgotten."""
        self._put(key, None)

    def record(self, key: str, make: "Callable[[], StoredGame]") -> "Future[bool | None] | None":
        """Have the game of a key recorded, that has begun or ended. True when that is on the disk, None if it failed; no future without a store.

        The guesses of one that has ended are kept later: they are judged on a thread of their own, and nobody waits for that.
        """

        def keep(store: "Store") -> bool:
            from sapper.store.models import Result  # noqa: PLC0415  # a screen is there before the store is

            game = make()
            store.record(game)
            if game.result is not Result.PLAYING:
                self._judging.submit(self._judge, game)
            return True

        return self._submit(keep, what=("game", key))

    def _judge(self, game: "StoredGame") -> None:
        from sapper.session.guesses import late_guesses  # noqa: PLC0415  # a screen is there before the solver is

        found = late_guesses(game)
        if found is not None:
            self._submit(lambda store: store.apply((found,)), what=("guesses", game.key))

    def _put(self, key: str, state: SavedState | None) -> None:
        if self._opened is None:
            return
        with self._lock:
            is_waiting = key in self._waiting
            self._waiting[key] = state
        if not is_waiting:
            self._thread.submit(self._write, key)

    def _write(self, key: str) -> None:
        # Taken before the store is opened, which may fail: else this game would wait forever, and no later state be asked for.
        with self._lock:
            state = self._waiting.pop(key)

        def write(store: "Store") -> None:
            from sapper.session.saving import VERSION  # noqa: PLC0415
            from sapper.store.models import SavedSession  # noqa: PLC0415  # a screen is there before the store is

            if state is None:
                store.drop_session(key)
                return
            store.save_session(
                SavedSession(
                    key=key, version=VERSION, text=state.snapshot.to_json() + "\n", saved=now(), inputs=state.inputs,
                    player=self.player, kind=state.kind, title=state.title, state=state.state,
                )
            )  # fmt: skip

        self._tried(write, ("session", key))

    def flush(self) -> None:
        """Wait until all that was asked for is kept, or known not to be."""
        self._thread.submit(lambda: None).result()

    def close(self) -> None:
        """Keep what waits, and let go of the store."""
        self.flush()
        self._judging.shutdown()
        self._thread.shutdown()
        if self._store is not None:
            self._store.close()

    # --- reading: waits, on whichever thread it is called; nothing where it cannot be read --------------------------

    def unfinished(self) -> list[UnfinishedGame]:
        """The player's games to go on with, the last played first."""
        found = self._ask(lambda store: store.listed_sessions(self.player)) or []
        return [
            UnfinishedGame(
                key=one.key,
                title=one.title,
                seconds=one.state.elapsed // 1000,
                covered=one.state.covered,
                rules=one.kind.rules.name,
                status=one.state.status,
                saved=one.saved,
            )
            for one in found
            if one.kind is not None and not one.state.status.ended
        ]

    def saved_text(self, key: str) -> str | None:
        """The text of a saved game of the player's; None if there is none."""
        found = self._ask(lambda store: store.find_session(key))
        return None if found is None or found.player != self.player else found.text

    def statistics(self) -> "Statistics | None":
        """The player's unaided games."""

        def ask(store: "Store") -> "Statistics":
            from sapper.store.filters import Filter  # noqa: PLC0415
            from sapper.store.statistics import statistics  # noqa: PLC0415

            return statistics(store, Filter(player=self.player), most_kinds=10)

        return self._ask(ask)

    def latest(self, most: int = 10) -> "list[StoredGame]":
        """The games that ended last."""
        return self._ask(lambda store: store.latest_games(self.player, most)) or []

    def totals(self, kind: "GameKind | None" = None) -> tuple[int, int, int | None]:
        """Games played and won, and the best time of a kind in milliseconds."""

        def ask(store: "Store") -> tuple[int, int, int | None]:
            from sapper.store.standing import standing_of  # noqa: PLC0415

            found = standing_of(store, self.player, kind)
            return found.played, found.won, found.best_ms

        return self._ask(ask) or (0, 0, None)

    def _ask(self, question: "Callable[[Store], Answer]") -> Answer | None:
        future = self._submit(question)
        return None if future is None else future.result()

    def _submit(
        self, do: "Callable[[Store], Answer]", *, what: tuple[str, str] | None = None
    ) -> "Future[Answer | None] | None":
        """Have it done on the archive's thread. `what` is kept by it: its kind and its key; nothing by a question."""
        if self._opened is None:
            return None
        return self._thread.submit(self._tried, do, what)

    def _tried(self, do: "Callable[[Store], Answer]", what: tuple[str, str] | None) -> Answer | None:
        try:
            if self._store is None:
                assert self._opened is not None
                self._store = self._opened()
            answer = do(self._store)
        except (SapperError, OSError, ImportError) as error:
            self.trouble = " ".join(str(error).split())
            if what is not None:
                with self._lock:
                    self._lost[what] = self.trouble
            return None
        # That something can be read says nothing of whether it can be written.
        if what is not None:
            self.trouble = None
            with self._lock:
                self._lost.pop(what, None)
        return answer
