"""Games are kept soon, in few transactions, and no game waits for the store."""

import asyncio
import json
import threading
from collections.abc import Awaitable, Callable, Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from sapper.errors import FullStoreError
from sapper.session.saving import Snapshot
from sapper.store.games import Result, SavedSession, StoredGame, StoredGuess
from sapper.web import keeping as module
from sapper.web.desk import Done, Job
from sapper.web.keeping import LONG, Keeper
from sapper.web.table import Table
from tests.halls import until
from tests.sessions import HandClock
from tests.tables import Client, HandDesk, new_table


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


class Desk(HandDesk):
    """A desk that has its games kept."""

    def __init__(self, keeper: Keeper) -> None:
        super().__init__()
        self._keeper = keeper
        self.started = keeper.started  # type: ignore[method-assign]
        self.finished = keeper.finished  # type: ignore[method-assign]
        self.changed = keeper.changed  # type: ignore[method-assign]

    def start(self, job: Job, done: Done) -> None:
        pass


class House:
    """A keeper, its store, and a table to play at."""

    def __init__(self) -> None:
        self.shelf = Shelf()
        self.spent = 0.0
        self.keeper = Keeper(
            self.shelf, None, now=lambda: datetime(2026, 11, 28, tzinfo=UTC), pause=0.02, delay=0.01, meter=self._meter
        )

    def _meter(self) -> float:
        self.spent += 0.0001
        return self.spent

    def table(self, name: str = "game", **values: Any) -> tuple[Table, Client]:
        """A new table and who watches it."""
        table = new_table(Desk(self.keeper), HandClock(), **values)
        table.id = name
        return table, Client(table)

    async def kept(self) -> None:
        """Wait until nothing is left that has to be kept."""
        keeper = self.keeper
        await until(lambda: not (keeper._dirty or keeper._saving or keeper._games or keeper._guesses or keeper._drops))

    def inputs(self, name: str = "game") -> int:
        """How many inputs the store has of a game."""
        return len(json.loads(self.shelf.sessions[name].text)["inputs"])


def _run(act: Callable[[House], Awaitable[None]]) -> House:
    async def inside() -> House:
        house = House()
        house.keeper.start()
        try:
            await act(house)
        finally:
            house.shelf.gate.set()
            await house.keeper.close(within=60)
        return house

    return asyncio.run(inside())


def test_moves_that_come_together_are_saved_together() -> None:
    async def act(house: House) -> None:
        table, client = house.table()
        for x in range(5):
            client.do("right", (x, 0))
        assert house.keeper.is_dirty(table)
        assert house.shelf.batches == []
        await house.kept()
        assert (house.shelf.batches, house.inputs(), house.keeper.is_dirty(table)) == ([1], 5, False)
        assert [game.result for game in house.shelf.games] == [Result.PLAYING]

    _run(act)


def test_games_of_one_kind_are_kept_as_that_whatever_their_rules_were_called() -> None:
    async def act(house: House) -> None:
        for name, rules in (("one", {}), ("two", {"rules": "classic", "start": "open"})):
            table, client = house.table(name, **rules)
            client.do("left", (4, 4))
            client.do("terminate")
            assert table.session.rules.name == ("classic+start=open" if rules else "modern")
        await house.kept()
        assert [game.kind.rules.name for game in house.shelf.games] == ["modern"] * 4
        assert len({game.kind for game in house.shelf.games}) == 1

    _run(act)


def test_what_changes_while_it_is_saved_is_saved_again() -> None:
    async def act(house: House) -> None:
        table, client = house.table()
        house.shelf.gate.clear()
        client.do("right", (0, 0))
        await until(lambda: house.shelf.entered > 0)
        client.do("right", (1, 0))
        assert client.copy["flags"] == 2, "no move waits for the store"
        house.shelf.gate.set()
        await house.kept()
        assert (house.inputs(), house.keeper.is_dirty(table)) == (2, False)

    _run(act)


def test_a_full_disk_stops_nobody_and_is_tried_again(caplog: pytest.LogCaptureFixture) -> None:
    async def act(house: House) -> None:
        _, client = house.table()
        house.shelf.fault = FullStoreError("no room is left")
        client.do("left", (4, 4))
        await until(lambda: house.shelf.refused > 0)
        client.do("terminate")
        before = house.shelf.refused
        await until(lambda: house.shelf.refused > before + 1)
        assert client.copy["status"] == "terminated"
        assert not house.shelf.sessions
        house.shelf.fault = None
        await house.kept()
        assert house.inputs() == 2
        assert [game.result for game in house.shelf.games] == [Result.PLAYING, Result.TERMINATED]

    _run(act)
    assert "games cannot be saved now" in caplog.text


def test_results_that_wait_take_only_so_much_memory(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_MOVES", 25)

    async def act(house: House) -> None:
        house.shelf.fault = FullStoreError("no room is left")
        for name in ("one", "two", "three"):
            _, client = house.table(name)
            for number in range(9):
                client.do("right", (0, number))
            client.do("terminate")
        _, long = house.table("long")
        for number in range(40):
            long.do("right", (0, number % 9))
        long.do("terminate")
        await until(lambda: house.shelf.refused > 0)
        house.shelf.fault = None
        await house.kept()

    house = _run(act)
    assert [game.key for game in house.shelf.games] == ["long.0"], "the last one is kept, however long it is"
    # Of all four that they have begun, of three how they ended.
    assert {record.fields["given_up"] for record in caplog.records if hasattr(record, "fields")} == {7}
    assert house.keeper._moves == 0


def test_what_is_not_saved_at_the_end_is_said(caplog: pytest.LogCaptureFixture) -> None:
    async def act(house: House) -> None:
        _, client = house.table()
        client.do("left", (4, 4))
        house.shelf.fault = FullStoreError("no room is left")

    _run(act)
    assert "games are lost" in caplog.text


def test_closing_saves_what_is_left() -> None:
    async def act(house: House) -> None:
        for number in range(450):
            house.table(f"{number}")[1].do("right", (0, 0))

    house = _run(act)
    assert len(house.shelf.sessions) == 450
    assert max(house.shelf.batches) <= 200


@pytest.mark.parametrize(("inputs", "thread"), [(10, "MainThread"), (LONG, "sapper-keeper")])
def test_a_long_game_is_written_by_the_other_thread(inputs: int, thread: str, monkeypatch: pytest.MonkeyPatch) -> None:
    threads: list[str] = []
    write = Snapshot.to_json

    def note(snapshot: Snapshot) -> str:
        threads.append(threading.current_thread().name.partition("_")[0])
        return write(snapshot)

    monkeypatch.setattr(Snapshot, "to_json", note)

    async def act(house: House) -> None:
        _, client = house.table()
        for _ in range(inputs):
            client.do("right", (0, 0))
        await house.kept()
        assert house.inputs() == inputs

    _run(act)
    assert set(threads) == {thread}


def test_a_long_game_is_not_written_after_each_of_its_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is written whole each time: after a rest in proportion to its length, and at the end at once."""
    monkeypatch.setattr(module, "REST", 600 / LONG)

    async def act(house: House) -> None:
        table, client = house.table()
        _, short = house.table("short")
        for _ in range(LONG):
            client.do("right", (0, 0))
        await house.kept()
        for times in range(5):
            client.do("right", (1, 0))
            short.do("right", (0, 0))
            await house.kept()
            assert (house.inputs(), house.inputs("short")) == (LONG, times + 1)
        assert house.keeper.is_dirty(table)

    assert _run(act).inputs() == LONG + 5


async def _resting(house: House) -> Table:
    """A long game that was saved, and has had another move since."""
    table, client = house.table()
    for _ in range(LONG):
        client.do("right", (0, 0))
    await house.kept()
    client.do("right", (1, 0))
    return table


def test_a_long_game_is_written_again_after_its_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REST", 0.05 / LONG)

    async def act(house: House) -> None:
        table = await _resting(house)
        await until(lambda: not house.keeper.is_dirty(table))
        assert house.inputs() == LONG + 1

    _run(act)


def test_a_long_game_that_rests_is_saved_at_once_for_who_waits_for_that(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REST", 600 / LONG)

    async def act(house: House) -> None:
        table = await _resting(house)
        await house.keeper.settle([table], within=60)
        assert (house.inputs(), house.keeper.is_dirty(table)) == (LONG + 1, False)

    _run(act)


def test_a_long_game_that_rests_is_forgotten_with_its_player(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REST", 600 / LONG)

    async def act(house: House) -> None:
        table = await _resting(house)
        await house.keeper.forget(table.player)
        assert not house.keeper.is_dirty(table)

    assert not _run(act).shelf.sessions


def test_a_player_who_is_forgotten_while_games_are_being_saved_is_forgotten() -> None:
    async def act(house: House) -> None:
        table, client = house.table()
        house.shelf.gate.clear()
        client.do("left", (4, 4))
        await until(lambda: house.shelf.entered > 0)
        client.do("right", (0, 0))
        table.is_gone = True
        forgotten = asyncio.create_task(house.keeper.forget("ann"))
        await asyncio.sleep(0)
        house.shelf.gate.set()
        await forgotten
        house.keeper.changed(table)
        await asyncio.sleep(0.1)
        assert (house.shelf.sessions, house.shelf.games) == ({}, [])

    _run(act)


def test_a_game_is_dropped_unless_it_goes_on() -> None:
    async def act(house: House) -> None:
        clients = [house.table(name)[1] for name in ("one", "other")]
        for client in clients:
            client.do("right", (0, 0))
        await house.kept()
        house.keeper.drop("one")
        house.keeper.drop("other")
        clients[1].do("right", (1, 0))
        await house.kept()
        assert list(house.shelf.sessions) == ["other"]

    _run(act)


def test_a_game_that_cannot_be_saved_keeps_no_other_from_it(caplog: pytest.LogCaptureFixture) -> None:
    async def act(house: House) -> None:
        (odd, one), (_, other), (long, third) = [house.table(name) for name in ("odd", "other", "x" * 100)]
        odd.referee = long.referee  # not its own: its truth cannot be had
        for client in (one, third, other):
            client.do("left", (4, 4))
            client.do("terminate")
        await house.kept()
        assert list(house.shelf.sessions) == ["other"]
        assert [game.key for game in house.shelf.games if game.result is Result.TERMINATED] == ["odd.0", "other.0"]
        assert not house.keeper.is_dirty(odd)

    _run(act)
    assert caplog.text.count("a game cannot be saved") >= 3
