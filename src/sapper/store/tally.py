"""How many games a player has played and won, as a store knows it: counts that survive a restart.

Knows: what `formal.tally.Tally` asks for; that a game is counted when it starts, and is won later or never.
Does not know: moves, boards; `formal`, which it serves.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sapper.store.filters import Filter
from sapper.store.models import Category, GameKind, Result, StoredGame
from sapper.store.repository import Store
from sapper.store.statistics import count_games


class StoreTally:
    """Counts the games of one player in a store. Each is a game there, so `sapper stats` counts it too.

    For a face that records its games itself, `records=False` leaves that to it: only the counts are read.
    """

    __slots__ = ("_face", "_key", "_kind", "_now", "_player", "_records", "_started", "_store")

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
        self._started: StoredGame | None = None

    @property
    def played(self) -> int:
        """How many games were started."""
        return self._count()[0]

    @property
    def won(self) -> int:
        """How many games were won."""
        return self._count()[1]

    def record_start(self) -> None:
        """A game has started. It is kept before its first move, so that a crash does not lose it."""
        if not self._records:
            return
        now = self._now()
        self._started = StoredGame(
            key=self._key(),
            kind=self._kind,
            result=Result.PLAYING,
            started=now,
            ended=now,
            face=self._face,
            player=self._player,
        )
        self._store.record(self._started)

    def record_victory(self) -> None:
        """The game that was started last has been won."""
        if self._started is not None:
            self._store.record(replace(self._started, result=Result.WON, ended=self._now()))
            self._started = None

    def _count(self) -> tuple[int, int]:
        # Every game that was started counts here, with help or without.
        found = [
            count_games(self._store, Filter(category=category, player=self._player))
            for category in (Category.PLAIN, Category.ASSISTED)
        ]
        return sum(played for played, _ in found), sum(won for _, won in found)
