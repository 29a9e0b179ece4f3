"""How many games a player has played and won, as a store knows it: counts that survive a restart.

Where a player may have one game at a time, the player's name is held in the store (`store.locks`) from the start of a game to its end:
so another object or process cannot start one, and a started game without a holder is known to be one whose process has gone.
"""

import hashlib
import weakref
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from typing import Final

from sapper.core.status import Status
from sapper.errors import HeldStoreError, IllegalMoveError, MoveFault
from sapper.store.filters import Filter
from sapper.store.models import Category, GameKind, Result, StoredGame
from sapper.store.repository import Store
from sapper.store.statistics import count_games

_RESULTS: Final = {Status.WON: Result.WON, Status.LOST: Result.LOST, Status.TERMINATED: Result.TERMINATED}


def _nothing() -> None:
    pass


class StoreCounts:
    """Counts the games of one player in a store. Each is a game there, so `sapper stats` counts it too.

    A started game of the same player and face whose process has gone is terminated when the next one starts, where one at a time is the
    rule; so a face that has several games of a player at once needs a name of its own. No player (None) is nobody: there
    the rule is kept by each object for itself. For a face that records its games itself, `records=False` leaves that to it: only the counts are read.
    """

    __slots__ = (
        "__weakref__", "_face", "_key", "_kind", "_now", "_player", "_records", "_release", "_started", "_store",
    )  # fmt: skip

    def __init__(
        self,
        store: Store,
        *,
        kind: GameKind,
        player: str | None,
        face: str,
        now: Callable[[], datetime],
        new_key: Callable[[], str],
        records: bool = True,
    ) -> None:
        """`now` gives the time with its zone, `new_key` a key that no other game has."""
        self._store = store
        self._kind = kind
        self._player = player
        self._face = face
        self._now = now
        self._key = new_key
        self._records = records
        self._started: dict[str, StoredGame] = {}
        self._release: Callable[[], object] = _nothing

    @property
    def played(self) -> int:
        """How many games were started."""
        return self._count()[0]

    @property
    def won(self) -> int:
        """How many games were won."""
        return self._count()[1]

    def record_start(self, *, one_game: bool) -> str:
        """A game has started; its key. It is kept before its first move, so that a crash does not lose it.

        `IllegalMoveError` if `one_game`, one at a time, is the rule and another object or process plays one of this player's.
        """
        if not self._records:
            return ""
        if one_game and self._player is not None:
            self._hold(self._player)
        try:
            now, key = self._now(), self._key()
            game = StoredGame(
                key=key, kind=self._kind, result=Result.PLAYING, started=now, ended=now, face=self._face, player=self._player
            )  # fmt: skip
            if one_game and self._player is not None:
                self._terminate_left(self._player)
            self._store.record(game)
        except BaseException:
            self._let_go()
            raise
        self._started[key] = game
        return key

    def record_end(self, name: str, status: Status) -> None:
        """The game of that key has ended so; a second end of a game changes nothing."""
        game = self._started.pop(name, None)
        if game is None:
            return
        try:
            self._store.record(replace(game, result=_RESULTS[status], ended=self._now()))
        finally:
            self._let_go()

    def _hold(self, player: str) -> None:
        # A name of any letters and length, in one that a file may have.
        name = f"player-{hashlib.sha256(player.encode()).hexdigest()[:16]}"
        try:
            lock = self._store.hold(name, "a game")
        except HeldStoreError as error:
            raise IllegalMoveError(
                f"a game of this player is still unfinished elsewhere: {error.holder}; end it, or terminate it, before starting another",
                MoveFault.UNFINISHED,
            ) from None
        # Who has lost this counts has lost its game: nobody can play on.
        self._release = weakref.finalize(self, lock.release)

    def _let_go(self) -> None:
        if not self._started:
            self._release()

    def _terminate_left(self, player: str) -> None:
        """End what was started and is played by nobody: the player's name is held here."""
        left = self._store.unfinished_games(player, face=self._face)
        self._store.record_many(
            replace(game, result=Result.TERMINATED, ended=self._now()) for game in left if game.kind.rules.one_game
        )

    def _count(self) -> tuple[int, int]:
        # Every game that was started counts here, with help or without.
        found = [
            count_games(self._store, Filter(category=category, player=self._player))
            for category in (Category.PLAIN, Category.ASSISTED)
        ]
        return sum(played for played, _ in found), sum(won for _, won in found)
