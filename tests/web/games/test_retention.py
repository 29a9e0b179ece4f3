"""Games that nobody comes back to are dropped, each kind after its time; those that somebody has are not."""

import asyncio
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.store.changes import SessionDrop
from sapper.store.models import OldSession, SavedSession
from sapper.store.repository import Store, open_store
from sapper.web.games import retention as module
from sapper.web.games.registry import GameRegistry
from sapper.web.games.retention import ENDED, PLAYING, READY, RETENTION, RetentionPolicy, RetentionTask
from tests.live_games import Client
from tests.registries import BEGIN, DAY, Act, RegistryRuns, until, wanted


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "FIRST", 0)
    monkeypatch.setattr(module, "PAUSE", 0)
    # These clocks jump; what becomes of that is told apart, below.
    monkeypatch.setattr(module, "ABSENCE_DAYS", 1_000_000)
    monkeypatch.setattr(module, "JUMP", float("inf"))


async def _play(registry: GameRegistry) -> None:
    """Players who never come back: one each who began nothing, something, and ended it."""
    await registry.create("ann", wanted())
    Client(await registry.create("bob", wanted())).do("left", (4, 4))
    cid = Client(await registry.create("cid", wanted()))
    cid.do("left", (4, 4))
    cid.do("terminate")


def _cleared(runs: RegistryRuns, names: list[str]) -> Act:
    async def wait(_: GameRegistry) -> None:
        await until(lambda: runs.saved == names)

    return wait


async def _nothing(_: GameRegistry) -> None:
    await asyncio.sleep(0.3)


def test_each_game_is_kept_for_its_time(store: Store) -> None:
    runs = RegistryRuns(store, refuses=True, keep=RetentionPolicy(ready=7, playing=30))
    runs.run(_play)
    runs.clock.now = DAY
    runs.run(_nothing)
    assert runs.saved == ["game0", "game1", "game2"]
    for day, left in ((1, ["game0", "game1"]), (7, ["game1"]), (30, [])):
        runs.clock.now = day * DAY + 1_000
        runs.run(_cleared(runs, left))
    assert store.players() == ["bob", "cid"], "of the first nothing is left; the others have played"
    assert len(list(store.games())) == 2


def test_what_is_kept_for_ever_is_not_looked_for(store: Store) -> None:
    runs = RegistryRuns(store, refuses=True, keep=RetentionPolicy(ready=0, playing=0))
    runs.run(_play)
    store.save_sessions([SavedSession(key="another's", version=9, text="", saved=BEGIN)])
    runs.clock.now = 100_000 * DAY
    runs.run(_cleared(runs, ["another's", "game0", "game1"]), _nothing)
    assert runs.saved == ["another's", "game0", "game1"]


async def test_games_in_memory_stay_however_old(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "EVERY", 0.02)
    runs = RegistryRuns(store, refuses=True)
    async with runs.opened() as registry:
        live, other = [await registry.create("ann", wanted()) for _ in range(2)]
        client = Client(live)
        await until(lambda: runs.saved == ["game0", "game1"])
        registry._memory.leave(other)
        runs.clock.now += 8 * DAY
        await until(lambda: runs.saved == ["game0"])
        await asyncio.sleep(0.3)
        assert runs.saved == ["game0"]
        assert [one.game for one in await registry.open_games("ann")] == ["game0"]
        client.do("left", (4, 4))
    assert runs.saved == ["game0"]


async def test_who_comes_back_while_a_game_is_dropped_finds_all_of_it_or_nothing(store: Store) -> None:

    runs = RegistryRuns(store, refuses=True)
    async with runs.opened() as registry:
        for _ in range(20):
            await registry.create("ann", wanted())
    runs.clock.now = 8 * DAY
    async with runs.opened() as registry:
        assert registry._clearing is not None
        names = [f"game{number}" for number in range(20)]
        cleaning = asyncio.create_task(registry._clearing.clear())
        found = await asyncio.gather(*(registry.find("ann", name) for name in names))
        await cleaning
        await until(lambda: runs.saved == [name for name in sorted(names) if name in registry._memory])
        assert [live is not None for live in found] == [name in registry._memory for name in names]
        assert await registry.find("ann", "game19") is found[-1]
        listed = {one.game for one in await registry.open_games("ann")}
        assert listed == {live.id for live in found if live is not None}


class OldGames:
    """Old games, and trouble the first time."""

    def __init__(self, count: int) -> None:
        self.games = [OldSession(BEGIN, f"{number:04}", None) for number in range(count)]
        self.asked: list[tuple[object, object]] = []

    def last_write(self) -> None:
        pass

    def find_note(self, name: str) -> None:
        pass

    def note(self, name: str, value: str) -> None:
        raise AssertionError(value)

    def old_sessions(
        self, retention: str, statuses: object, before: object, *, after: OldSession | None = None, most: int = 0
    ) -> list[OldSession]:
        assert retention == RETENTION
        self.asked.append((statuses, before))
        if len(self.asked) == 1:
            raise StoreError("the disk has gone")
        games = self.games if statuses == READY else []
        return [one for one in games if after is None or one.key > after.key][:most]


def test_it_goes_on_in_small_batches_after_trouble(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(module, "EVERY", 0.01)
    store = OldGames(450)
    dropped: list[OldSession] = []

    async def drop(one: OldSession, how: SessionDrop) -> None:
        assert how == SessionDrop(key=one.key, only=frozenset(READY), before=BEGIN - timedelta(days=3))
        dropped.append(one)

    async def run() -> None:
        cleaning = RetentionTask(store, RetentionPolicy(ready=3, playing=0), now=lambda: BEGIN, drop=drop)
        task = asyncio.create_task(cleaning.run())
        await until(lambda: len(dropped) >= 450)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(run())
    assert dropped[:450] == store.games
    assert store.asked[:4] == [(READY, BEGIN - timedelta(days=3))] * 4
    assert PLAYING not in [statuses for statuses, _ in store.asked]
    assert "old games cannot be looked for now" in caplog.text


def test_a_game_lies_as_long_as_it_may_by_how_it_stands() -> None:
    assert sorted([*READY, *PLAYING, *ENDED], key=list(Status).index) == list(Status)


class _Watched:
    """A store of which only the dates count."""

    def __init__(self, last: datetime | None) -> None:
        self.last = last
        self.notes: dict[str, str] = {}
        self.looked = 0

    def old_sessions(self, *_: object, **__: object) -> list[OldSession]:
        self.looked += 1
        return []

    def last_write(self) -> datetime | None:
        return self.last

    def find_note(self, name: str) -> str | None:
        return self.notes.get(name)

    def note(self, name: str, value: str) -> None:
        self.notes[name] = value


def _looks(store: _Watched, *moments: tuple[float, float]) -> list[bool]:
    """Whether old games were looked for at each moment: days of the clock since `BEGIN`, and days that have passed."""
    now, ticks = BEGIN, 0.0

    async def never(_: OldSession, __: SessionDrop) -> None:
        raise AssertionError

    task = RetentionTask(store, RetentionPolicy(), now=lambda: now, drop=never, monotonic=lambda: ticks)
    found = []
    for clock, passed in moments:
        now, ticks = BEGIN + timedelta(days=clock), passed * 86_400
        before = store.looked
        asyncio.run(task.clear())
        found.append(store.looked > before)
    return found


def test_nothing_is_cleared_by_a_clock_that_may_be_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ABSENCE_DAYS", 30)
    monkeypatch.setattr(module, "JUMP", 86_400.0)
    assert _looks(_Watched(None), (0, 0), (5, 5), (5.5, 5)) == [True, True, True]
    # 400 days ahead at the start, and at the next start, and after a server has written with that clock.
    store = _Watched(BEGIN)
    assert _looks(store, (400, 0), (400, 0.1)) == [False, False]
    store.last = BEGIN + timedelta(days=400)
    assert _looks(store, (401, 0)) == [False]
    assert store.notes["clock"].startswith("doubted: the clock says 20")
    # An operator says that it is right.
    store.notes["clock"] = f"trusted {round((BEGIN + timedelta(days=401)).timestamp() * 1000)}"
    assert _looks(store, (401, 0), (410, 9)) == [True, True]
    # A jump while the server runs, forward or back.
    assert _looks(_Watched(BEGIN), (1, 0), (3, 0.5), (3, 0.6)) == [True, False, False]
    assert _looks(_Watched(BEGIN), (3, 0), (1, 0.5)) == [True, False]
