"""Games are durable before anyone is told, saved by what is new of them, and no game waits for the store."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from sapper.errors import FullStoreError, StoreError
from sapper.play.ports import Job, JobDone
from sapper.session.saving import load_session
from sapper.store.changes import Change, InputLog, LateGuesses, PlayerDrop, SessionDrop
from sapper.store.models import Category, Result, SavedSession, StoredGame
from sapper.web.games.live_game import LiveGame
from sapper.web.games.persistence import GameWriter
from sapper.web.games.services import Barrier
from tests.live_games import Client, HandServices, new_live_game
from tests.registries import until
from tests.sessions import HandClock

PATIENCE = 60.0


class FakeStore:
    """A store that can be full, and slow."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.games: list[StoredGame] = []
        self.texts: dict[str, str] = {}
        self.inputs: dict[str, int] = {}
        self.whole = 0
        """How often a saved game was written whole."""
        self.forgotten: list[str] = []
        self.refused: list[str] = []
        """Saved games that something was to be appended to and that were not there, or otherwise."""

    def apply(self, changes: Sequence[Change]) -> list[str]:
        if not changes:
            return []
        assert self.gate.wait(PATIENCE)
        if self.fault is not None:
            raise self.fault
        refused: list[str] = []
        for change in changes:
            match change:
                case StoredGame():
                    self.games.append(change)
                case SavedSession():
                    self.whole += 1
                    self.texts[change.key], self.inputs[change.key] = change.text, change.inputs
                case InputLog() if change.key not in self.texts or self.inputs[change.key] != change.first:
                    refused.append(change.key)
                case InputLog():
                    self.texts[change.key] += change.text
                    self.inputs[change.key] += change.count
                case SessionDrop():
                    self.texts.pop(change.key, None)
                case PlayerDrop():
                    self.forgotten.append(change.name)
                case LateGuesses():
                    pass
        self.refused += refused
        return refused


class KeptServices(HandServices):
    """Game services that have games kept."""

    def __init__(self, kept: "Kept") -> None:
        super().__init__()
        self._kept = kept

    def start(self, job: Job, done: JobDone) -> None:
        pass

    def changed(self, game: str) -> None:
        self._kept.writer.changed(self._kept.lives[game])

    def started(self, *values: Any) -> None:
        self._kept.barriers.append(self._kept.writer.started(*values))

    def helped(self, *values: Any) -> None:
        self._kept.barriers.append(self._kept.writer.started(*values))

    def finished(self, *values: Any) -> None:
        self._kept.barriers.append(self._kept.writer.finished(*values))


class Kept:
    """A writer, its store, and live games to play."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.lives: dict[str, LiveGame] = {}
        self.barriers: list[Barrier] = []
        self.writer = GameWriter(
            self.store, None, now=lambda: datetime(2026, 11, 28, tzinfo=UTC), pause=0.02, delay=0.01
        )

    def live(self, name: str = "game", **values: Any) -> tuple[LiveGame, Client]:
        """A new game and who watches it."""
        live = new_live_game(KeptServices(self), HandClock(), name=name, **values)
        self.lives[name] = live
        return live, Client(live)

    async def trouble(self) -> bool:
        """Whether the store gives some."""
        return self.writer.in_trouble

    async def settled(self) -> None:
        """Wait until the store has all there is."""
        await until(lambda: not any(map(self.writer.is_dirty, self.lives.values())))


def _run(act: Callable[[Kept], Awaitable[None]]) -> Kept:
    async def inside() -> Kept:
        kept = Kept()
        kept.writer.start()
        try:
            await act(kept)
        finally:
            kept.store.gate.set()
            await kept.writer.close(within=PATIENCE)
        assert kept.store.refused == []
        return kept

    return asyncio.run(inside())


def _saving(client: Client) -> list[bool]:
    """What it was told of whether its game is saved."""
    return [message["saved"] for message in client.heard if message["type"] == "saving"]


def _tiles(live: LiveGame, text: str) -> tuple[bytes, bytes]:
    """The board as it is, and as the saved text leads to it."""
    return live.referee.board.tiles, load_session(text, clock=lambda: 0)[1].board.tiles


def test_a_game_is_written_whole_once_and_then_what_is_new() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        assert await kept.writer.create(live).wait(PATIENCE)
        for cell in ((4, 4), (0, 0), (8, 8), (0, 8)):
            client.do("left", cell)
            await kept.settled()
        client.do("undo") if live.session.can_undo else client.do("flag", (8, 0))
        await kept.settled()
        client.do("restart")
        await kept.settled()
        client.do("left", (4, 4))
        await kept.settled()
        assert _tiles(live, kept.store.texts["game"])[0] == _tiles(live, kept.store.texts["game"])[1]

    kept = _run(play)
    assert kept.store.whole == 1
    whole, *lines = kept.store.texts["game"].splitlines()
    assert json.loads(whole)["version"] == 4
    assert len(lines) >= 6


def test_a_game_that_the_store_has_otherwise_is_written_whole_without_another_move() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        assert await kept.writer.create(live).wait(PATIENCE)
        client.do("left", (4, 4))
        await kept.settled()
        kept.store.texts.clear()  # somebody has deleted it
        client.do("flag", (0, 0))
        await until(lambda: kept.store.refused != [])
        await kept.settled()
        assert _tiles(live, kept.store.texts["game"])[0] == _tiles(live, kept.store.texts["game"])[1]
        kept.store.refused.clear()

    assert _run(play).store.whole == 2


def test_a_player_is_told_of_moves_that_are_not_saved_in_time() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        assert await kept.writer.create(live).wait(PATIENCE)
        client.do("left", (4, 4))
        await kept.settled()
        assert (kept.writer.behind, _saving(client)) == (0, [])
        kept.store.gate.clear()
        client.do("flag", (0, 0))
        await until(lambda: _saving(client) != [])
        assert kept.writer.behind > 0.8
        kept.store.gate.set()
        await until(lambda: len(_saving(client)) == 2)
        assert _saving(client) == [False, True]
        await until(lambda: kept.writer.behind == 0)
        assert sum(kept.writer.ages.counts) >= 3

    _run(play)


def test_a_start_and_an_end_are_durable_before_they_are_told() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        assert await kept.writer.create(live).wait(PATIENCE)
        kept.store.gate.clear()
        client.do("left", (4, 4))
        client.do("terminate")
        assert len(kept.barriers) == 2
        assert not any([await barrier.wait(0.05) for barrier in kept.barriers])
        kept.store.gate.set()
        assert all([await barrier.wait(PATIENCE) for barrier in kept.barriers])
        # The saved game stands where the record says: a game that is told as ended does not come back as running.
        assert '"terminated"' in kept.store.texts["game"]

    assert [game.result for game in _run(play).store.games] == [Result.PLAYING, Result.TERMINATED]


def test_a_game_with_help_is_recorded_so_before_its_next_move() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        assert await kept.writer.create(live).wait(PATIENCE)
        client.do("left", (4, 4))
        client.do("overlay", on=True)
        client.do("undo")
        assert len(kept.barriers) == 2
        assert all([await barrier.wait(PATIENCE) for barrier in kept.barriers])

    kept = _run(play)
    assert [(game.result, game.category) for game in kept.store.games] == [
        (Result.PLAYING, Category.PLAIN), (Result.PLAYING, Category.ASSISTED),
    ]  # fmt: skip


def test_an_untouched_game_counts_nowhere() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        kept.writer.create(live)
        client.do("terminate")
        await kept.settled()

    kept = _run(play)
    assert (kept.store.games, kept.barriers) == ([], [])


def test_what_cannot_be_kept_waits_and_is_counted_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> tuple[Kept, int]:
        kept = Kept()
        kept.writer.start()
        kept.store.fault = FullStoreError("the disk is full")
        live, client = kept.live()
        created = kept.writer.create(live)
        client.do("left", (4, 4))
        assert not await created.wait(0.05)
        assert await kept.trouble()
        kept.store.fault = None
        assert await created.wait(PATIENCE)
        assert await kept.barriers[0].wait(PATIENCE)
        assert not await kept.trouble()
        kept.store.fault = FullStoreError("the disk is full")
        client.do("terminate")
        return kept, await kept.writer.close(within=PATIENCE)

    kept, lost = asyncio.run(play())
    assert [game.result for game in kept.store.games] == [Result.PLAYING]
    assert lost >= 1


def test_a_player_is_forgotten_when_the_database_says_so() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        kept.writer.create(live)
        client.do("left", (4, 4))
        await kept.writer.forget(live.player)
        assert kept.store.forgotten == [live.player]

    _run(play)


def test_a_player_is_not_forgotten_while_the_database_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.web.games.persistence.FORGET_TIME", 0.05)

    async def play(kept: Kept) -> None:
        kept.store.gate.clear()
        with pytest.raises(StoreError, match="as soon as the database answers"):
            await kept.writer.forget("ann")

    assert _run(play).store.forgotten == ["ann"]


def test_a_game_that_came_from_the_store_is_gone_on_with_at_its_end() -> None:
    async def play(kept: Kept) -> None:
        live, client = kept.live()
        await kept.writer.create(live).wait(PATIENCE)
        client.do("left", (4, 4))
        await kept.settled()
        kept.writer.left(live)
        kept.writer.adopt(live, kept.store.texts["game"])
        client.do("flag", (0, 0))
        await kept.settled()
        # One to whose text nothing can be appended is written whole first.
        kept.writer.left(live)
        kept.writer.adopt(live, kept.store.texts["game"].rstrip("\n"))
        client.do("flag", (0, 1))
        await kept.settled()

    assert _run(play).store.whole == 2
