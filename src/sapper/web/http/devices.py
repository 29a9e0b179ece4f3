"""Which sessions are a player's. All that is asked at a request is in memory; other servers say what they change (NOTIFY)."""

import asyncio
import contextlib
import itertools
import re
from collections.abc import Sequence
from typing import Final

from sapper.errors import StoreError
from sapper.server.wall_clock import utc_now
from sapper.store import devices as rows
from sapper.store.models import to_ms
from sapper.store.repository import Store
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
    """The sessions of players who have rows of them; of any other player every session is valid."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._open = {} if context.store is None else rows.read_open(context.store)
        self._begun = itertools.count(1)
        """Numbers of reads, in the order in which they begin."""
        self._newest: dict[str, int] = {}
        """The read that says what is open of a player: one that began before it may know of less, whenever it is done."""
        self._now = utc_now if context.daily is None else context.daily.now

    def _is_open(self, player: str, session: str) -> bool:
        sessions = self._open.get(player)
        return sessions is None or session in sessions

    async def admits(self, player: str, session: str) -> bool:
        """Whether a session is the player's; once a day the store is told that it was used. `StoreError`."""
        if not self._is_open(player, session) and self._context.store is not None:
            # Another server may have begun it a moment ago.
            await self._read(self._context.store, player)
        if not self._is_open(player, session):
            return False
        sessions, day = self._open.get(player), to_ms(self._now()) // rows.DAY * rows.DAY
        if sessions is None or sessions[session] >= day:
            return True
        if sessions[session] == rows.UNUSED:
            await self._use(player, session, day)
            return self._is_open(player, session)
        sessions[session] = day
        if self._context.store is not None:
            with contextlib.suppress(StoreError):
                await asyncio.to_thread(rows.see_device, self._context.store, session, day)
        return True

    async def _use(self, player: str, session: str, day: int) -> None:
        """The first use of a session that takes the place of all others."""
        if self._context.store is None:
            self._set(player, {session: day}, next(self._begun))
        else:
            await asyncio.to_thread(rows.see_device, self._context.store, session, day)
            await self._change(self._context.store, player)

    async def add(self, player: str, agent: str, *, asker: str | None = None) -> str:
        """A new session of a player. One that the session `asker` wants instead of all others ends these, but the asker's own
        only when it is first used: the answer with its cookie may be lost.
        """
        session, now, store = draw_session(), self._now(), self._context.store
        if store is None:
            day = to_ms(now) // rows.DAY * rows.DAY
            others = self._open.get(player, {}) if asker is None else {asker: day}
            sessions = {**others, session: day if asker is None else rows.UNUSED}
            self._set(player, sessions, next(self._begun))
        else:
            await asyncio.to_thread(rows.add_device, store, player, session, label_of(agent), now, asker=asker)
            await self._change(store, player)
        return session

    async def end(self, player: str, session: str) -> bool:
        """End a session of a player; False if there is none."""
        store = self._context.store
        if store is None or not await asyncio.to_thread(rows.end_device, store, player, session):
            return False
        await self._change(store, player)
        return True

    async def _change(self, store: Store, player: str) -> None:
        await self._context.registry.say("devices", player)
        await self._read(store, player)

    async def _read(self, store: Store, player: str) -> None:
        begun = next(self._begun)
        found = await asyncio.to_thread(rows.read_open, store, player)
        if player in found:
            self._set(player, found[player], begun)

    def _set(self, player: str, sessions: rows.OpenSessions, begun: int) -> None:
        """What a read found that had this number."""
        if begun > self._newest.get(player, 0):
            self._newest[player], self._open[player] = begun, sessions
            self._context.end_sockets(player, but=sessions)

    def follow(self) -> None:
        """Have sessions begin and end here that other servers begin and end."""
        loop, looking, store = asyncio.get_running_loop(), set[asyncio.Future[None]](), self._context.store

        def look(player: str | None) -> None:
            # The database may be away, or the loop closed: there is another look.
            with contextlib.suppress(StoreError, RuntimeError):
                assert store is not None
                begun = next(self._begun)
                for one, sessions in rows.read_open(store, player).items():
                    loop.call_soon_threadsafe(self._set, one, sessions, begun)

        def hear(words: Sequence[str]) -> None:
            if not words or words[0] == "devices":
                looks = loop.run_in_executor(None, look, words[1] if words else None)
                looking.add(looks)
                looks.add_done_callback(looking.discard)

        self._context.registry.on_other_news = hear
