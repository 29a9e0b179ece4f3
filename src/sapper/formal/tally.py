"""How many games were played and won.

A game is counted as played when it starts, so that one which a crash ends is played and not won.

Knows: two counts, and what may be done to them.
Does not know: games, players, where counts are kept (a store has a tally that survives a restart).
"""

from typing import Protocol


class GamesTally(Protocol):
    """Counts the games of one player."""

    @property
    def played(self) -> int:
        """How many games were started."""

    @property
    def won(self) -> int:
        """How many games were won."""

    def record_start(self) -> None:
        """A game has started."""

    def record_victory(self) -> None:
        """A game that was started has been won."""


class MemoryTally:
    """A tally that lasts as long as the process."""

    __slots__ = ("_played", "_won")

    def __init__(self, *, played: int = 0, won: int = 0) -> None:
        """`played` and `won` are counts to go on from."""
        self._played = played
        self._won = won

    @property
    def played(self) -> int:
        """How many games were started."""
        return self._played

    @property
    def won(self) -> int:
        """How many games were won."""
        return self._won

    def record_start(self) -> None:
        """A game has started."""
        self._played += 1

    def record_victory(self) -> None:
        """A game that was started has been won."""
        self._won += 1
