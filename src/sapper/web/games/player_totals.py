"""How players stand (`play.player_totals`): looked up once, and kept while a player has games in memory."""

import asyncio
from collections.abc import Callable, Collection

from sapper.play.player_totals import PlayerTotals
from sapper.store.models import GameKind
from sapper.store.standing import StoredTotals


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
