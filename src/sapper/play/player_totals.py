"""How a player stands: games played, games won, best times."""

from sapper.core.status import Status
from sapper.session.events import Finished
from sapper.store.models import GameKind


class PlayerTotals:
    """One player's counts, which each of the player's games counts on."""

    __slots__ = ("bests", "played", "won")

    def __init__(self, played: int = 0, won: int = 0) -> None:
        self.played = played
        """Every game that was started."""
        self.won = won
        self.bests: dict[GameKind, int | None] = {}
        """The best time of each kind, in milliseconds: of unaided games that were not paused only."""

    def start(self) -> None:
        """A game has been started."""
        self.played += 1

    def end(self, kind: GameKind, finished: Finished) -> None:
        """That game has ended."""
        if finished.record.status is not Status.WON:
            return
        self.won += 1
        if finished.assistance.is_timed and not finished.assistance.is_assisted:
            best = self.bests.get(kind)
            self.bests[kind] = finished.milliseconds if best is None else min(best, finished.milliseconds)

    def is_best(self, kind: GameKind, milliseconds: int) -> bool:
        """True if no unaided game of this kind was won in less time, and one was in this."""
        return self.bests.get(kind) == milliseconds
