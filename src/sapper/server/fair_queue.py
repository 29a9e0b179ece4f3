"""Who is next, where many wait: addresses take turns, and the players of an address take turns within its own.

A cookie that is thrown away makes another player, so that turns by player alone would be had by whoever has most cookies.

Knows: what waits, for whom, from where.
Does not know: what it is; who works on it.
"""

from collections import deque
from typing import Generic, TypeVar

Item = TypeVar("Item")


class FairQueue(Generic[Item]):
    """What waits, in the order in which it is to be taken.

    >>> turns = FairQueue[str]()
    >>> for name, player, address in [
    ...     ("a", "ann", "here"),
    ...     ("b", "ann", "here"),
    ...     ("c", "bob", "here"),
    ...     ("d", "cid", "there"),
    ... ]:
    ...     turns.put(name, player, address)
    >>> [turns.take() for _ in range(len(turns))]
    ['a', 'd', 'c', 'b']
    """

    __slots__ = ("_count", "_waiting")

    def __init__(self) -> None:
        # Whoever is first in a dictionary is next, and whoever was is put behind the others.
        self._waiting: dict[str, dict[str, deque[Item]]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def put(self, item: Item, player: str, address: str) -> None:
        """It waits from now on."""
        self._waiting.setdefault(address, {}).setdefault(player, deque()).append(item)
        self._count += 1

    def take(self) -> Item:
        """What is next, which waits no longer; `IndexError` if nothing does."""
        if not self._count:
            raise IndexError("nothing waits")
        address = next(iter(self._waiting))
        players = self._waiting.pop(address)
        player = next(iter(players))
        items = players.pop(player)
        item = items.popleft()
        if items:
            players[player] = items
        if players:
            self._waiting[address] = players
        self._count -= 1
        return item

    def of_player(self, player: str, address: str) -> int:
        """How much waits for a player at an address."""
        return len(self._waiting.get(address, {}).get(player, ()))

    def of_address(self, address: str) -> int:
        """How much waits for all of an address."""
        return sum(map(len, self._waiting.get(address, {}).values()))

    def shed(self, more_than: int) -> Item | None:
        """Give up the last of whoever has most waiting at the address that has most, if it has more than that; None if none has."""
        address = max(reversed(self._waiting), key=self.of_address, default=None)
        if address is None or self.of_address(address) <= more_than:
            return None
        players = self._waiting[address]
        player = max(reversed(players), key=lambda one: len(players[one]))
        item = players[player].pop()
        if not players[player]:
            del players[player]
        if not players:
            del self._waiting[address]
        self._count -= 1
        return item
