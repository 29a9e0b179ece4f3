"""A fair queue: addresses take turns, and so do the players of an address.

A cookie that is thrown away makes another player, so that turns by player alone would be had by whoever has most cookies.
Jobs differ in size, so turns alone would give most of the work to whoever asks for the largest jobs. `WorkQueue` counts the seconds that
each address has had.
"""

import contextlib
from collections import Counter, deque
from collections.abc import Callable
from functools import partial
from typing import Final, Generic, NamedTuple, TypeVar

from sapper.server.rate_limits import KeyedRateLimiter

Item = TypeVar("Item")

MOST_WAITING: Final = 64
"""Items of one urgency that wait before more are refused."""


class FairQueue(Generic[Item]):
    """Waiting items in the order in which they are taken.

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
        self._waiting.setdefault(address, {}).setdefault(player, deque()).append(item)
        self._count += 1

    def take(self, debt: Callable[[str], float | None] | None = None) -> Item:
        """Remove and return the next item; `IndexError` if none may be taken.

        `debt` is asked about each address: the least comes first, in turns where several have the same; None is one that has to wait.
        Without it addresses take turns.
        """
        if debt is None:
            address = next(iter(self._waiting), None)
        else:
            debts = {one: owed for one in self._waiting if (owed := debt(one)) is not None}
            address = min(debts, key=debts.__getitem__, default=None)
        if address is None:
            raise IndexError("nothing waits that may be taken")
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
        return len(self._waiting.get(address, {}).get(player, ()))

    def of_address(self, address: str) -> int:
        return sum(map(len, self._waiting.get(address, {}).values()))

    def shed(self, more_than: int) -> Item | None:
        """Remove the last item of the player with most items at the address with most, if that has more than so many; None if none has."""
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


class Taken(NamedTuple, Generic[Item]):
    """An item in work, and its address."""

    item: Item
    address: str


class WorkQueue(Generic[Item]):
    """Items that wait for some workers: urgent ones first, and of those the ones of addresses that have had little work.

    Work is not broken off for what comes later, so workers are kept free for that: one for what is urgent, and one more for addresses that
    are within their `seconds`. One address has at most half of the workers at once.
    """

    def __init__(self, workers: int, seconds: KeyedRateLimiter, *, most_waiting: int = MOST_WAITING) -> None:
        self._workers = workers
        self._seconds = seconds
        self._most_waiting = most_waiting
        self._urgent = FairQueue[Taken[Item]]()
        self._leisurely = FairQueue[Taken[Item]]()
        self._working: Counter[str] = Counter()

    def __len__(self) -> int:
        return len(self._urgent) + len(self._leisurely)

    def of_player(self, player: str, address: str) -> int:
        return self._urgent.of_player(player, address) + self._leisurely.of_player(player, address)

    def put(self, item: Item, player: str, address: str, *, urgent: bool) -> Item | None:
        """Add an item. A full queue gives up and returns the last item of the address with most, or this item if that is its own."""
        queue, given_up = self._urgent if urgent else self._leisurely, None
        if len(queue) >= self._most_waiting:
            given_up = queue.shed(queue.of_address(address) + 1)
            if given_up is None:
                return item
        queue.put(Taken(item, address), player, address)
        return given_up.item if given_up is not None else None

    def take(self) -> Taken[Item] | None:
        """The next item to work on, until `done`; None if there is none, or no worker is free for it."""
        for queue, kept_free in ((self._urgent, 0), (self._leisurely, 1)):
            with contextlib.suppress(IndexError):
                taken = queue.take(partial(self._debt, kept_free))
                self._working[taken.address] += 1
                return taken
        return None

    def _debt(self, kept_free: int, address: str) -> float | None:
        """The seconds that an address has used beyond its share; None if it has to wait."""
        debt, free = self._seconds.wait(address, 0.0), self._workers - self._working.total()
        if free <= min(kept_free + (debt > 0), self._workers - 1) or self._working[address] >= max(
            1, self._workers // 2
        ):
            return None
        return debt

    def done(self, taken: Taken[Item], seconds: float) -> None:
        self._working[taken.address] -= 1
        if not self._working[taken.address]:
            del self._working[taken.address]
        self._seconds.spend(taken.address, seconds)

    def empty(self) -> list[Item]:
        return [queue.take().item for queue in (self._urgent, self._leisurely) for _ in range(len(queue))]
