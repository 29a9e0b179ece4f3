"""Reads saved games, many in one question to the store: when a server ends, all its players come to others at once."""

import asyncio
from collections.abc import Callable, Collection, Mapping
from itertools import islice
from typing import Final

from sapper.errors import StoreError
from sapper.store.models import SavedSession

AT_ONCE: Final = 50
"""Games in one question."""


class SavedGames:
    """Games that are asked for while others are read are read together afterwards. Belongs to one event loop."""

    def __init__(self, read: Callable[[Collection[str]], Mapping[str, SavedSession]]) -> None:
        """`read` finds the games of these names that there are. It is called in another thread, one call at a time."""
        self._read = read
        self._asked: dict[str, asyncio.Future[SavedSession | None]] = {}
        self._reading: asyncio.Task[None] | None = None

    async def find(self, name: str) -> SavedSession | None:
        """The game of that name, as the store has it after this was called; None if there is none. `StoreError`."""
        found = self._asked.get(name)
        if found is None:
            found = self._asked[name] = asyncio.get_running_loop().create_future()
        if self._reading is None:
            self._reading = asyncio.create_task(self._answer())
        return await asyncio.shield(found)  # somebody else may wait for it too

    async def _answer(self) -> None:
        while self._asked:
            asked = dict(islice(self._asked.items(), AT_ONCE))
            for name in asked:
                del self._asked[name]
            await self._tell(asked)
        self._reading = None

    async def _tell(self, asked: dict[str, asyncio.Future[SavedSession | None]]) -> None:
        """Read these games, each alone if one of them cannot be understood."""
        try:
            games = await asyncio.to_thread(self._read, asked)
        except Exception as error:  # noqa: BLE001  # whoever asked hears of it
            if len(asked) > 1 and not isinstance(error, StoreError):
                for name, waiting in asked.items():
                    await self._tell({name: waiting})
                return
            for waiting in asked.values():
                waiting.set_exception(error)
        else:
            for name, waiting in asked.items():
                waiting.set_result(games.get(name))
