"""Which sessions are a player's. All that is asked at a request is in memory; other servers say what they change (NOTIFY)."""

import asyncio
import contextlib
import re
from collections.abc import Sequence
from typing import Final

from sapper.errors import StoreError
from sapper.server.wall_clock import utc_now
from sapper.store import devices as rows
from sapper.store.models import to_ms
from sapper.web.http.context import AppContext
from sapper.web.http.identity import draw_session

_BROWSERS: Final = (
    ("Edge", "Edg"), ("Opera", "OPR/"), ("Samsung Internet", "SamsungBrowser"), ("Firefox", "Firefox/"), ("Firefox", "FxiOS"),
    ("Chrome", "Chrome/"), ("Chrome", "CriOS"), ("Safari", "Safari/"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("macOS", "Mac OS X"), ("ChromeOS", "CrOS"),
    ("Linux", "Linux"),
)  # fmt: skip


def label_of(agent: str) -> str:
    """What a player is shown of a `User-Agent`: `Firefox, Linux`; of a program its name."""
    if not agent.startswith("Mozilla/"):
        return (re.match(r"[\w .-]{1,30}", agent, re.ASCII) or [""])[0].strip()
    parts = [next((name for name, word in words if word in agent), "") for words in (_BROWSERS, _SYSTEMS)]
    return ", ".join(part for part in parts if part)


class Devices:
    """The sessions of players who have a list of them; of any other player every session is one."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._open = {} if context.store is None else rows.read_open(context.store)
        self._now = utc_now if context.daily is None else context.daily.now

    def _is_open(self, player: str, session: str) -> bool:
        sessions = self._open.get(player)
        return sessions is None or session in sessions

    async def admits(self, player: str, session: str) -> bool:
        """Whether a session is the player's; once a day the store is told that it was used. `StoreError`."""
        if not self._is_open(player, session) and self._context.store is not None:
            # Another server may have begun it a moment ago.
            found = await asyncio.to_thread(rows.read_open, self._context.store, player)
            self._set(player, found.get(player))
        if not self._is_open(player, session):
            return False
        sessions, day = self._open.get(player), to_ms(self._now()) // rows.DAY * rows.DAY
        if sessions is not None and sessions[session] < day:
            sessions[session] = day
            if self._context.store is not None:
                with contextlib.suppress(StoreError):
                    await asyncio.to_thread(rows.see_device, self._context.store, session, day)
        return True

    async def add(self, player: str, agent: str, *, alone: bool = False) -> str:
        """A new session of a player; `alone` ends all others."""
        session, now, store = draw_session(), self._now(), self._context.store
        sessions = {} if alone else self._open.get(player, {})
        if store is None:
            sessions = {**sessions, session: to_ms(now)}
        else:
            await asyncio.to_thread(rows.add_device, store, player, session, label_of(agent), now, alone=alone)
            sessions = (await asyncio.to_thread(rows.read_open, store, player)).get(player, {})
        await self._change(player, sessions)
        return session

    async def end(self, player: str, session: str) -> bool:
        """End a session of a player; False if there is no such one."""
        store = self._context.store
        if store is None or not await asyncio.to_thread(rows.end_device, store, player, session):
            return False
        await self._change(player, (await asyncio.to_thread(rows.read_open, store, player)).get(player))
        return True

    async def _change(self, player: str, sessions: rows.OpenSessions | None) -> None:
        self._set(player, sessions)
        if self._context.store is not None:
            await asyncio.to_thread(self._context.store.say, "devices", player)

    def _set(self, player: str, sessions: rows.OpenSessions | None) -> None:
        if sessions is None:
            self._open.pop(player, None)
        else:
            self._open[player] = sessions
            self._context.end_sockets(player, but=sessions)

    def follow(self) -> None:
        """Have sessions begin and end here that other servers begin and end."""
        loop, looking, store = asyncio.get_running_loop(), set[asyncio.Future[None]](), self._context.store

        def look(player: str | None) -> None:
            # The database may be away, or the loop closed: there is another look.
            with contextlib.suppress(StoreError, RuntimeError):
                assert store is not None
                for one, sessions in rows.read_open(store, player).items():
                    loop.call_soon_threadsafe(self._set, one, sessions)

        def hear(words: Sequence[str]) -> None:
            if not words or words[0] == "devices":
                looks = loop.run_in_executor(None, look, words[1] if words else None)
                looking.add(looks)
                looks.add_done_callback(looking.discard)

        self._context.registry.on_other_news = hear
