"""Locks by name: whatever is done for one name is done one after the other, and other names do not wait."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class PlayerLocks:
    """A lock for each name. Belongs to one event loop."""

    __slots__ = ("_locks", "_users")

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._users: dict[str, int] = {}

    def __len__(self) -> int:
        return len(self._locks)

    @asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        """Hold the lock of that name."""
        lock = self._locks.setdefault(name, asyncio.Lock())
        self._users[name] = self._users.get(name, 0) + 1
        try:
            async with lock:
                yield
        finally:
            self._users[name] -= 1
            if not self._users[name]:
                del self._users[name], self._locks[name]
