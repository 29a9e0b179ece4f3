"""Games are durable before anyone is told, and no game waits for the store."""

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager

import pytest

from sapper.errors import FullDiskError, StoreError
from sapper.play.game_parts import GameOptions, new_parts
from sapper.play.played_game import PlayedGame
from sapper.play.ports import GamePorts
from sapper.session.game_request import coded_game
from sapper.session.saving import load_session
from sapper.store.changes import Change, InputLog, LateGuesses, PlayerDrop, SessionDrop, SessionGame
from sapper.store.models import Result, SavedSession, StoredGame
from sapper.web.games.live_game import LiveGame, wait_for
from sapper.web.games.persistence import GameWriter
from sapper.web.games.play_policy import PlayPolicy
from tests.live_games import Client, HandServices
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
                case InputLog() if self.inputs.get(change.key) != change.first:
                    refused.append(change.key)
                case InputLog():
                    self.texts[change.key] += change.text
                    self.inputs[change.key] += change.count
                case SessionDrop():
                    self.texts.pop(change.key, None)
                    self.inputs.pop(change.key, None)
                case PlayerDrop():
                    self.forgotten.append(change.name)
                case LateGuesses() | SessionGame():
                    pass
        return refused


class Kept:
    """A writer, its store, and live games to play."""

    def __init__(self) -> None:
        self.store = FakeStore()
        self.lives: dict[str, LiveGame] = {}
        self.writer = GameWriter(self.store, None, pause=0.02)

    def get(self, name: str, /) -> LiveGame | None:
        return self.lives.get(name)

    def __iter__(self) -> Iterator[LiveGame]:
        return iter(list(self.lives.values()))

    def live(self, name: str = "game") -> tuple[LiveGame, Client]:
        """A new game and who watches it."""
        services, clock = HandServices(), HandClock()
        ports = GamePorts(jobs=services, sink=self.writer, now=services.ports(clock).now)
        parts = new_parts(coded_game("beginner", seed=7), clock=clock)
        game = PlayedGame(parts, key=name, player="ann", ports=ports, options=GameOptions(face="web"))
        self.lives[name] = LiveGame(game, policy=PlayPolicy(), call_later=services.call_later)
        return self.lives[name], Client(self.lives[name])

    async def settled(self) -> None:
        """Wait until the store has all there is."""
        await until(lambda: all(live.game.is_kept for live in self))


@asynccontextmanager
async def _opened() -> AsyncIterator[Kept]:
    kept = Kept()
    kept.writer.start(kept)
    try:
        yield kept
    finally:
        kept.store.gate.set()
        await kept.writer.close(within=PATIENCE)


def _saving(client: Client) -> list[bool]:
    """What it was told of whether its game is saved."""
    return [message["saved"] for message in client.heard if message["type"] == "saving"]


def _is_whole(kept: Kept, live: LiveGame) -> bool:
    """True if the saved text leads to the game as it is."""
    session, _ = load_session(kept.store.texts["game"], clock=lambda: 0)
    return session.board == live.session.board and session.input_count == live.session.input_count


async def test_a_game_that_the_store_has_otherwise_is_written_whole_without_another_move() -> None:

    async with _opened() as kept:
        live, client = kept.live()
        assert await wait_for(live.game.save(), PATIENCE)
        client.do("left", (4, 4))
        await kept.settled()
        kept.store.texts.clear()  # somebody has deleted it
        kept.store.inputs.clear()
        client.do("flag", (0, 0))
        await until(lambda: kept.store.whole == 2)
        await kept.settled()
        assert _is_whole(kept, live)


async def test_a_player_is_told_of_moves_that_are_not_saved_in_time() -> None:

    async with _opened() as kept:
        live, client = kept.live()
        assert await wait_for(live.game.save(), PATIENCE)
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
        assert _is_whole(kept, live)


def test_what_cannot_be_kept_waits_and_is_counted_at_the_end() -> None:
    async def play() -> tuple[Kept, int]:
        kept = Kept()
        kept.writer.start(kept)
        kept.store.fault = FullDiskError("the disk is full")
        live, client = kept.live()
        created = live.game.save()
        client.do("left", (4, 4))
        start = live.game.receipt
        assert start is not None
        await until(lambda: kept.writer.in_trouble)
        assert not created.wait(0)
        kept.store.fault = None
        assert await wait_for(created, PATIENCE)
        assert await wait_for(start, PATIENCE)
        assert kept.writer.behind == 0
        kept.store.fault = FullDiskError("the disk is full")
        client.do("terminate")
        return kept, await kept.writer.close(within=PATIENCE)

    kept, lost = asyncio.run(play())
    assert [game.result for game in kept.store.games] == [Result.PLAYING]
    assert lost >= 1


async def test_a_player_is_forgotten_when_the_database_says_so() -> None:

    async with _opened() as kept:
        live, client = kept.live()
        client.do("left", (4, 4))
        await kept.writer.forget(live.player)
        assert kept.store.forgotten == [live.player]


async def test_a_player_is_not_forgotten_while_the_database_does_not_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.web.games.persistence.FORGET_TIME", 0.05)
    async with _opened() as kept:
        kept.store.gate.clear()
        with pytest.raises(StoreError, match="as soon as the database answers"):
            await kept.writer.forget("ann")
    assert kept.store.forgotten == ["ann"]


async def test_a_saved_game_is_about_to_be_forgotten_until_the_database_has() -> None:

    async with _opened() as kept:
        live, _ = kept.live()
        assert await wait_for(live.game.save(), PATIENCE)
        kept.writer.drop(SessionDrop(key="game"))
        assert kept.writer.is_dropping("game")
        await until(lambda: not kept.writer.is_dropping("game"))
        assert kept.store.texts == {}
