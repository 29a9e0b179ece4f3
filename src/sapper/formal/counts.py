"""How many games were played and won.

A game is counted as played when it starts, so that one which a crash ends is played and not won.
"""

from typing import Protocol

from sapper.core.status import Status


class GameCounts(Protocol):
    """Counts the games of one player."""

    @property
    def played(self) -> int:
        """How many games were started."""

    @property
    def won(self) -> int:
        """How many games were won."""

    def record_start(self, *, one_game: bool) -> str:
        """A game has started; a name for it.

        `IllegalMoveError` if `one_game`, one at a time, is the rule and a game of this player is unfinished elsewhere.
        """

    def record_end(self, name: str, status: Status) -> None:
        """The game of that name has ended so; a second end of a game changes nothing."""


class MemoryCounts:
    """A counts that lasts as long as the process."""

    __slots__ = ("_open", "_played", "_won")

    def __init__(self, *, played: int = 0, won: int = 0) -> None:
        """`played` and `won` are counts to go on from."""
        self._played = played
        self._won = won
        self._open: set[str] = set()

    @property
    def played(self) -> int:
        """How many games were started."""
        return self._played

    @property
    def won(self) -> int:
        """How many games were won."""
        return self._won

    def record_start(self, *, one_game: bool) -> str:  # nobody else has this counts
        """A game has started; a name for it."""
        self._played += 1
        name = str(self._played)
        self._open.add(name)
        return name

    def record_end(self, name: str, status: Status) -> None:
        """The game of that name has ended so; a second end of a game changes nothing."""
        if name in self._open:
            self._open.remove(name)
            self._won += status is Status.WON
