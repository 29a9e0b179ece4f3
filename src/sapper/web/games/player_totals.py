"""How players stand: games played, games won, best times. Looked up once, and kept while a player has games in memory.

Knows: counts, and the best time of each kind of game.
Does not know: how they are looked up; which games there are.
"""

import asyncio
from collections.abc import Callable, Collection

from sapper.core.status import Status
from sapper.session.events import Finished
from sapper.store.models import GameKind
from sapper.store.standing import StoredTotals


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
        if finished.marks.is_timed and not finished.marks.is_assisted:
            best = self.bests.get(kind)
            self.bests[kind] = finished.milliseconds if best is None else min(best, finished.milliseconds)

    def is_best(self, kind: GameKind, milliseconds: int) -> bool:
        """Whether no unaided game of this kind was won in less time, and one was in this."""
        return self.bests.get(kind) == milliseconds


class PlayerTotalsCache:
    """The standings of all players who have games in memory. Belongs to one event loop."""

    def __init__(self, look_up: Callable[[str, GameKind | None], StoredTotals] | None) -> None:
        """`look_up` is called in another thread; without it everybody starts from nothing."""
        self._look_up = look_up
        self._standings: dict[str, PlayerTotals] = {}

    def __len__(self) -> int:
        return len(self._standings)

    async def of(self, player: str, kind: GameKind) -> PlayerTotals:
        """The standing on which a game of that kind counts."""
        standing = self._standings.get(player)
        if standing is None or kind not in standing.bests:
            found = await self._find(player, kind)
            # Somebody else may have looked it up meanwhile, and games may have gone on from there.
            standing = self._standings.setdefault(player, PlayerTotals(found.played, found.won))
            standing.bests.setdefault(kind, found.best_ms)
        return standing

    async def counts(self, player: str) -> tuple[int, int]:
        """How many games the player has played, and won."""
        standing = self._standings.get(player)
        if standing is None:
            found = await self._find(player, None)
            # Kept only with the player's games: many ask who never play.
            standing = self._standings.get(player) or PlayerTotals(found.played, found.won)
        return standing.played, standing.won

    def forget(self, player: str, kind: GameKind, *, left: Collection[GameKind]) -> None:
        """A game of that kind has left memory; of the player's games that are still there the kinds are `left`."""
        if not left:
            self._standings.pop(player, None)
        elif kind not in left and player in self._standings:
            self._standings[player].bests.pop(kind, None)

    async def _find(self, player: str, kind: GameKind | None) -> StoredTotals:
        if self._look_up is None:
            return StoredTotals(0, 0, None)
        return await asyncio.to_thread(self._look_up, player, kind)
