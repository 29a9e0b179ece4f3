"""A game at the server that was started or has ended: the one value that leaves it for statistics.

`GameSink` is the narrow place where every finished game goes, won, lost or given up. A server calls it once
a game, on the thread of its event loop: what it does there must be quick. `GameRecorder` gets games when they are started too, and says when they are durable: until then the
player gets no answer. A game is started by its first change of a cell; one that nobody has touched goes nowhere.

Knows: what is worth keeping of a finished game, and which games count.
Does not know: statistics, files, databases, the connection.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sapper.core.record import Record
from sapper.core.status import Status


@dataclass(frozen=True, slots=True, kw_only=True)
class GameResult:
    """A game. `seat.level_preset(columns, rows, level)` and `seed` make the same game again."""

    key: str
    """A name that no other game has: what was started under it ends under it."""
    columns: int
    rows: int
    level: int
    mine_count: int
    seed: int
    status: Status
    """Playing where it was started just now; else won, lost, or terminated: by QUIT, a new START, a lost connection, or the server's own end."""
    debugged: bool
    """Whether the mines were ever shown before the end. Such a game counts in no statistics."""
    moves: int
    """Reveals and marks that changed something."""
    seconds: float
    """From START to the end, on a clock that never goes back."""
    peer: str
    """The player's address."""
    clicks: int = 0
    """Reveals and marks that were asked for, those that changed nothing included."""
    record: Callable[[], Record] | None = None
    """Makes the record of the whole game, on any thread, once it has ended: of a large one that takes milliseconds."""

    @property
    def counts(self) -> bool:
        """Whether it belongs in statistics."""
        return not self.debugged


GameRecorder = Callable[[GameResult, Callable[[], None]], None]
"""Has a game kept, without waiting, and calls the function on the event loop when it is durable."""

GameSink = Callable[[GameResult], None]
"""Where finished games go."""


def discard(result: GameResult) -> None:
    """The sink of a server that keeps no statistics."""
