"""Games are kept soon, in few transactions, and no game waits for the store."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from sapper.errors import FullStoreError
from sapper.session.saving import SessionSnapshot
from sapper.store.models import Result, SavedSession, StoredGame, StoredGuess
from sapper.web.games import persistence as module
from sapper.web.games.live_game import LiveGame
from sapper.web.games.persistence import LONG, GameWriter
from sapper.web.games.services import Job, JobDone
from tests.halls import until
from tests.live_games import Client, HandServices, new_table
from tests.sessions import HandClock


class Shelf:
    """A store that can be full, and slow."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.gate = threading.Event()
        self.gate.set()
        self.games: list[StoredGame] = []
        self.sessions: dict[str, SavedSession] = {}
        self.guesses: dict[str, list[StoredGuess]] = {}
        self.batches: list[int] = []
        self.entered = 0
        """How often it was asked to keep something."""
        self.refused = 0
        """And how often it did not."""

    def _enter(self) -> None:
        self.entered += 1
        self.gate.wait()
        if self.fault is not None:
            self.refused += 1
            raise self.fault

    def record_many(self, games: Iterable[StoredGame]) -> int:
        self._enter()
        self.games += games
        return 0

    def save_sessions(self, sessions: Iterable[SavedSession]) -> None:
        self._enter()
        some = {one.key: one for one in sessions}
        self.batches.append(len(some))
        self.sessions |= some

    def drop_sessions(self, keys: Iterable[str]) -> int:
        self._enter()
        return len([self.sessions.pop(key, None) for key in keys])

    def add_guesses(self, key: str, guesses: list[StoredGuess]) -> bool:
        self.guesses[key] = guesses
        return True

    def delete_player(self, name: str) -> int | None:
        self._enter()
        self.sessions = {key: one for key, one in self.sessions.items() if one.player != name}
        self.games = [game for game in self.games if game.player != name]
        return 0


class WritingServices(HandServices):
    """Game services that has its games kept."""

    def __init__(self, writer: GameWriter) -> None:
        super().__init__()
        self._writer = writer
        self.live: LiveGame
        self.started = writer.started  # type: ignore[method-assign]
        self.finished = writer.finished  # type: ignore[method-assign]

    def changed(self, game: str) -> None:
        self._writer.changed(self.live)

    def start(self, job: Job, done: JobDone) -> None:
        pass


class House:
    """A writer, its store, and a live game to play at."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.spent = 0.0
        self.writer = GameWriter(
            self.shelf, None, now=lambda: datetime(2026, 11, 28, tzinfo=UTC), pause=0.02, delay=0.01, meter=self._meter
        )

    def _meter(self) -> float:
        self.spent += 0.0001
        return self.spent

    def live(self, name: str = "game", **values: Any) -> tuple[LiveGame, Client]:
        """A new live and who watches it."""
        services = WritingServices(self.writer)
        services.live = live = new_table(services, HandClock(), name=name, **values)
        return live, Client(live)

    async def kept(self) -> None:
        """Wait until nothing is left that has to be kept."""
        writer = self.writer
        await until(lambda: not (writer._dirty or writer._saving or writer._games or writer._guesses or writer._drops))

    def inputs(self, name: str = "game") -> int:
        """How many inputs the store has of a game."""
        return len(json.loads(self.shelf.sessions[name].text)["inputs"])


def _run(act: Callable[[House], Awaitable[None]]) -> House:
    async def inside() -> House:
        context = House()
        context.writer.start()
        try:
            await act(context)
        finally:
            context.shelf.gate.set()
            await context.writer.close(within=60)
        return context

    return asyncio.run(inside())


def test_moves_that_come_together_are_saved_together() -> None:
    async def act(context: House) -> None:
        live, client = context.live()
        for x in range(5):
            client.do("right", (x, 0))
        assert context.writer.is_dirty(live)
        assert context.shelf.batches == []
        await context.kept()
        assert (context.shelf.batches, context.inputs(), context.writer.is_dirty(live)) == ([1], 5, False)
        assert [game.result for game in context.shelf.games] == [Result.PLAYING]

    _run(act)


def test_games_of_one_kind_are_kept_as_that_whatever_their_rules_were_called() -> None:
    async def act(context: House) -> None:
        for name, rules in (("one", {}), ("two", {"rules": "classic", "start": "open"})):
            live, client = context.live(name, **rules)
            client.do("left", (4, 4))
            client.do("terminate")
            assert live.session.rules.name == ("classic+start=open" if rules else "modern")
        await context.kept()
        assert [game.kind.rules.name for game in context.shelf.games] == ["modern"] * 4
        assert len({game.kind for game in context.shelf.games}) == 1

    _run(act)


def test_what_changes_while_it_is_saved_is_saved_again() -> None:
    async def act(context: House) -> None:
        live, client = context.live()
        context.shelf.gate.clear()
        client.do("right", (0, 0))
        await until(lambda: context.shelf.entered > 0)
        client.do("right", (1, 0))
        assert client.copy["flags"] == 2, "no move waits for the store"
        context.shelf.gate.set()
        await context.kept()
        assert (context.inputs(), context.writer.is_dirty(live)) == (2, False)

    _run(act)


def test_a_full_disk_stops_nobody_and_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async def act(context: House) -> None:
        _, client = context.live()
        context.shelf.fault = FullStoreError("no room is left")
        client.do("left", (4, 4))
        await until(lambda: context.shelf.refused > 0)
        client.do("terminate")
        before = context.shelf.refused
        await until(lambda: context.shelf.refused > before + 1)
        assert client.copy["status"] == "terminated"
        assert not context.shelf.sessions
        context.shelf.fault = None
        await context.kept()
        assert context.inputs() == 2
        assert [game.result for game in context.shelf.games] == [Result.PLAYING, Result.TERMINATED]

    _run(act)
    assert "games cannot be saved now" in caplog.text


def test_results_that_wait_take_only_so_much_memory(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_MOVES", 25)

    async def act(context: House) -> None:
        context.shelf.fault = FullStoreError("no room is left")
        for name in ("one", "two", "three"):
            _, client = context.live(name)
            for number in range(9):
                client.do("right", (0, number))
            client.do("terminate")
        _, long = context.live("long")
        for number in range(40):
            long.do("right", (0, number % 9))
        long.do("terminate")
        await until(lambda: context.shelf.refused > 0)
        context.shelf.fault = None
        await context.kept()

    context = _run(act)
    assert [game.key for game in context.shelf.games] == ["long.0"], "the last one is kept, however long it is"
    # Of all four that they have begun, of three how they ended.
    assert {record.fields["given_up"] for record in caplog.records if hasattr(record, "fields")} == {7}
    assert context.writer._moves == 0


def test_what_is_not_saved_at_the_end_is_said(caplog: pytest.LogCaptureFixture) -> None:
    async def act(context: House) -> None:
        _, client = context.live()
        client.do("left", (4, 4))
        context.shelf.fault = FullStoreError("no room is left")

    _run(act)
    assert "games are lost" in caplog.text


def test_closing_saves_what_is_left() -> None:
    async def act(context: House) -> None:
        for number in range(450):
            context.live(f"{number}")[1].do("right", (0, 0))

    context = _run(act)
    assert len(context.shelf.sessions) == 450
    assert max(context.shelf.batches) <= 200


@pytest.mark.parametrize(("inputs", "thread"), [(10, "MainThread"), (LONG, "sapper-writer")])
def test_a_long_game_is_written_by_the_other_thread(inputs: int, thread: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    write = SessionSnapshot.to_json

    def note(snapshot: SessionSnapshot) -> str:
        threads.append(threading.current_thread().name.partition("_")[0])
        return write(snapshot)

    monkeypatch.setattr(SessionSnapshot, "to_json", note)

    async def act(context: House) -> None:
        _, client = context.live()
        for _ in range(inputs):
            client.do("right", (0, 0))
        await context.kept()
        assert context.inputs() == inputs

    _run(act)
    assert set(threads) == {thread}


def test_a_long_game_is_not_written_after_each_of_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written whole each time: after a rest in proportion to its length, and at the end at once."""
    monkeypatch.setattr(module, "REST", 600 / LONG)

    async def act(context: House) -> None:
        live, client = context.live()
        _, short = context.live("short")
        for _ in range(LONG):
            client.do("right", (0, 0))
        await context.kept()
        for times in range(5):
            client.do("right", (1, 0))
            short.do("right", (0, 0))
            await context.kept()
            assert (context.inputs(), context.inputs("short")) == (LONG, times + 1)
        assert context.writer.is_dirty(live)

    assert _run(act).inputs() == LONG + 5


async def _resting(context: House) -> LiveGame:
    """A long game that was saved, and has had another move since."""
    live, client = context.live()
    for _ in range(LONG):
        client.do("right", (0, 0))
    await context.kept()
    client.do("right", (1, 0))
    return live


def test_a_long_game_is_written_again_after_its_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REST", 0.05 / LONG)

    async def act(context: House) -> None:
        live = await _resting(context)
        await until(lambda: not context.writer.is_dirty(live))
        assert context.inputs() == LONG + 1

    _run(act)


def test_a_long_game_that_rests_is_saved_at_once_for_who_waits_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REST", 600 / LONG)

    async def act(context: House) -> None:
        live = await _resting(context)
        await context.writer.settle([live], within=60)
        assert (context.inputs(), context.writer.is_dirty(live)) == (LONG + 1, False)

    _run(act)


def test_a_long_game_that_rests_is_forgotten_with_its_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REST", 600 / LONG)

    async def act(context: House) -> None:
        live = await _resting(context)
        await context.writer.forget(live.player)
        assert not context.writer.is_dirty(live)

    assert not _run(act).shelf.sessions


def test_a_player_who_is_forgotten_while_games_are_being_saved_is_forgotten() -> None:
    async def act(context: House) -> None:
        live, client = context.live()
        context.shelf.gate.clear()
        client.do("left", (4, 4))
        await until(lambda: context.shelf.entered > 0)
        client.do("right", (0, 0))
        live.is_gone = True
        forgotten = asyncio.create_task(context.writer.forget("ann"))
        await asyncio.sleep(0)
        context.shelf.gate.set()
        await forgotten
        context.writer.changed(live)
        await asyncio.sleep(0.1)
        assert (context.shelf.sessions, context.shelf.games) == ({}, [])

    _run(act)


def test_a_game_is_dropped_unless_it_goes_on() -> None:
    async def act(context: House) -> None:
        clients = [context.live(name)[1] for name in ("one", "other")]
        for client in clients:
            client.do("right", (0, 0))
        await context.kept()
        context.writer.drop("one")
        context.writer.drop("other")
        clients[1].do("right", (1, 0))
        await context.kept()
        assert list(context.shelf.sessions) == ["other"]

    _run(act)


def test_a_game_that_cannot_be_saved_keeps_no_other_from_it(caplog: pytest.LogCaptureFixture) -> None:
    async def act(context: House) -> None:
        (odd, one), (_, other), (long, third) = [context.live(name) for name in ("odd", "other", "x" * 100)]
        odd.referee = long.referee  # not its own: its truth cannot be had
        for client in (one, third, other):
            client.do("left", (4, 4))
            client.do("terminate")
        await context.kept()
        assert list(context.shelf.sessions) == ["other"]
        assert [game.key for game in context.shelf.games if game.result is Result.TERMINATED] == ["odd.0", "other.0"]
        assert not context.writer.is_dirty(odd)

    _run(act)
    assert caplog.text.count("a game cannot be saved") >= 3
