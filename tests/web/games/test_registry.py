"""Games are found again by their players and by nobody else, after anything that can happen to a server."""

import asyncio
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sapper.errors import RequestError, StoreError
from sapper.store.locks import StoreLock
from sapper.store.models import Category, Result
from sapper.store.repository import open_store
from sapper.web.games.bodies import GameSummary
from sapper.web.games.messages import EndMessage, ReviewMessage
from sapper.web.games.play_policy import PlayPolicy
from sapper.web.games.registry import GameRegistry
from tests.live_games import Client
from tests.recorded import check_stored
from tests.registries import Act, RegistryRuns, state_of, until, wanted


@pytest.fixture
def runs(tmp_path: Path) -> Iterator[RegistryRuns]:
    with open_store(tmp_path / "store.db") as store:
        yield RegistryRuns(store)


def test_a_game_goes_on_after_a_restart_of_the_server(runs: RegistryRuns) -> None:
    states = []

    async def play(registry: GameRegistry) -> None:
        live = await registry.create("ann", wanted(preset="expert"))
        fresh = await registry.create("ann", wanted(no_guess=True))
        client = Client(live)
        client.do("left", (15, 8))
        runs.clock.now += 1234
        client.do("right", (0, 0))
        client.do("pause")
        states.extend([state_of(live), state_of(fresh)])

    async def go_on(registry: GameRegistry) -> None:
        assert await registry.find("bob", "game0") is None
        assert await registry.find("ann", "game9") is None
        assert await registry.find("ann", "x" * 100) is None
        listed = await registry.open_games("ann")
        assert [(one.game, one.title, one.status.value, one.flags) for one in listed] == [
            ("game0", "Expert", "playing", 1),
            ("game1", "Beginner, no guess", "ready", 0),
        ]
        both = await asyncio.gather(registry.find("ann", "game0"), registry.find("ann", "game0"))
        assert both[0] is both[1]
        assert both[0] is not None
        fresh = await registry.find("ann", "game1")
        assert fresh is not None
        assert [state_of(both[0]), state_of(fresh)] == states
        assert await registry.open_games("ann") == listed
        assert await registry.open_games("bob") == []
        client = Client(fresh)
        client.do("left", (4, 4))
        await until(lambda: client.copy["status"] != "ready")
        assert fresh.game.referee.layout is not None

    runs.clock.now = 5
    runs.run(play, go_on, _found("game1", "playing"))
    assert [(game.key, game.result) for game in runs.kept.games()] == [
        ("game0.0", Result.PLAYING),
        ("game1.0", Result.PLAYING),
    ]


def _found(name: str, status: str) -> Act:
    async def find(registry: GameRegistry) -> None:
        live = await registry.find("ann", name)
        assert live is not None
        assert live.session.status.value == status

    return find


def test_a_game_that_ended_is_recorded_with_its_guesses_and_can_still_be_seen(runs: RegistryRuns) -> None:
    ends = []

    async def play(registry: GameRegistry) -> None:
        live = await registry.create("ann", wanted(preset="engine"))
        client = Client(live)
        layout = live.game.referee.layout
        assert layout is not None
        runs.clock.now += 500
        client.do("left", live.grid.xy(next(cell for cell in range(480) if cell not in layout.mines)))
        runs.clock.now += 500
        client.do("left", live.grid.xy(next(iter(layout.mines))))
        # The saving waits for a moment, and the guesses follow it.
        await until(lambda: [len(game.guesses) for game in runs.kept.games()] == [2])
        await until(lambda: "review" in client.copy)
        ends.append(state_of(live))
        assert await registry.open_games("ann") == []
        assert await registry.counts("ann") == (1, 0)
        assert registry.finished == {"lost": 1}

    async def look(registry: GameRegistry) -> None:
        live = await registry.find("ann", "game0")
        assert live is not None
        await until(lambda: isinstance(live.state().review, ReviewMessage))
        assert state_of(live) == ends[0]
        assert isinstance(ends[0].end, EndMessage)
        assert await registry.open_games("ann") == []
        assert await registry.counts("ann") == (1, 0)
        assert registry.finished == {}  # it ended in the first server's time

    runs.run(play, look, look)
    (game,) = runs.kept.games()
    assert (game.key, game.result, game.time_ms, game.face, game.player) == ("game0.0", Result.LOST, 500, "web", "ann")
    assert game.category is Category.PLAIN
    # The name of a player of the page is their cookie's, and nothing to give to others.
    assert check_stored(game).player is None
    assert [guess.exploded for guess in game.guesses] == [False, True]
    assert game.guesses[0].risk == pytest.approx(99 / 480)


def test_nothing_stays_of_games_that_have_gone(tmp_path: Path) -> None:
    """One that ended leaves memory before the database has forgotten it, one that is forgotten may have left before."""

    with open_store(tmp_path / "store.db") as store:
        runs = RegistryRuns(store, idle=0.0)

        async def play(registry: GameRegistry) -> None:
            writer = registry._writer
            assert writer is not None
            ended, unused = [await registry.create("ann", wanted(seed=1)) for _ in range(2)]
            client = Client(ended)
            client.do("left", (0, 0))
            client.do("terminate")
            ended.leave(client)
            await until(lambda: not any(live.game.is_busy or not live.game.is_kept for live in (ended, unused)))
            runs.clock.now += 1
            registry._memory.put_away()
            assert registry.in_memory == 0
            registry.discard(unused.id)
            assert [writer.is_dropping(live.id) for live in (ended, unused)] == [True, True]

            def left() -> list[str]:
                """The tables that still have one of them."""
                tables = {**vars(registry._memory), **vars(writer)}
                collections = {name: table for name, table in tables.items() if isinstance(table, dict | set)}
                return [name for name, table in collections.items() if {ended.id, unused.id} & {*table}]

            await until(lambda: not left())

        runs.run(play)
        assert runs.saved == []


async def test_games_without_a_store_are_played_and_counted() -> None:
    async with RegistryRuns(None).opened() as registry:
        live = await registry.create("ann", wanted(preset="engine", seed=1))
        Client(live).do("left", (0, 0))
        assert await registry.find("ann", live.id) is live
        assert (await registry.open_games("ann"))[0].game == live.id
        assert await registry.counts("ann") == (1, 0)
        await registry.forget("ann")
        assert await registry.find("ann", live.id) is None
        assert await registry.counts("ann") == (0, 0)


async def test_who_is_forgotten_is_gone_from_the_store_too(runs: RegistryRuns) -> None:
    async with runs.opened() as registry:
        live = await registry.create("ann", wanted())
        other = await registry.create("bob", wanted())
        for one in (live, other):
            Client(one).do("left", (4, 4))
        await until(lambda: runs.kept.players() == ["ann", "bob"] and runs.saved == ["game0", "game1"])
        client = Client(live)
        client.do("right", (0, 0))
        await registry.forget("ann")
        assert client.do("left", (0, 1))[0]["code"] == "failed"
        assert await registry.counts("bob") == (1, 0)
    assert [game.player for game in runs.kept.games()] == ["bob"]
    assert [saved.player for saved in runs.kept.sessions()] == ["bob"]
    assert runs.kept.players() == ["bob"]


async def test_a_player_has_a_limit_of_unfinished_games(tmp_path: Path) -> None:

    with open_store(tmp_path / "store.db") as store:
        async with RegistryRuns(store, policy=PlayPolicy(open_games=2)).opened() as registry:
            first = await registry.create("ann", wanted())
            second = await registry.create("ann", wanted())
            Client(second).do("left", (4, 4))
            third = await registry.create("ann", wanted())
            listed = {one.game for one in await registry.open_games("ann")}
            assert listed == {first.id, second.id, third.id}, "what was not begun does not count"
            Client(third).do("left", (4, 4))
            with pytest.raises(RequestError, match="2 unfinished games") as caught:
                await registry.create("ann", wanted())
            assert caught.value.code == "conflict"
            Client(third).do("terminate")
            last = [await registry.create("ann", wanted()) for _ in range(3)]
            assert first.game.is_gone, "they do not pile up"
            assert [one.game.is_gone for one in last] == [True, False, False]
            assert [one.game for one in await registry.open_games("ann")] == [last[2].id, last[1].id, second.id]


async def test_a_game_in_front_of_somebody_is_not_forgotten_for_another(runs: RegistryRuns) -> None:
    async with RegistryRuns(runs.store, policy=PlayPolicy(open_games=2)).opened() as registry:
        first = await registry.create("ann", wanted())
        second = await registry.create("ann", wanted())
        client = Client(first)
        await registry.create("ann", wanted())
        assert (first.game.is_gone, second.game.is_gone) == (False, True)
        client.do("left", (4, 4))
        assert await registry.find("ann", second.id) is None


async def test_rules_with_one_game_at_a_time_are_kept(runs: RegistryRuns) -> None:
    async with runs.opened() as registry:
        await registry.create("ann", wanted())
        live = await registry.create("ann", wanted(preset="formal"))
        with pytest.raises(RequestError, match="one unfinished game at a time"):
            await registry.create("ann", wanted(preset="formal"))
        Client(live).do("terminate")
        await registry.create("ann", wanted(preset="formal"))


async def test_a_clock_loses_nothing_and_gains_nothing_when_the_server_ends(runs: RegistryRuns) -> None:
    listed = []
    async with runs.opened() as registry:
        running, paused, resting = [await registry.create("ann", wanted()) for _ in range(3)]
        for live in (running, paused, resting):
            Client(live).do("left", (4, 4))
            runs.clock.now += 1_000
        Client(paused).do("pause")
        Client(resting).do("terminate")
        # Each as it was at its last move.
        await until(lambda: runs.saved == ["game0", "game1", "game2"])
        runs.clock.now += 60_000
        listed.extend(await registry.open_games("ann"))
    async with runs.opened() as registry:
        again = await registry.open_games("ann")
        assert again == listed, "they are listed in the order in which they were played"
        assert [(one.game, one.time) for one in again] == [("game1", 2_000), ("game0", 63_000)]
        found = await registry.find("ann", "game0")
        assert found is not None
        assert found.session.elapsed == 63_000
        runs.clock.now += 500
        assert found.session.elapsed == 63_500
    async with runs.opened() as registry:
        runs.clock.now += 3_600_000
        found = await registry.find("ann", "game0")
        assert found is not None
        assert found.session.elapsed == 63_500, "while there is no server it stands"


@pytest.mark.parametrize("comes_back", [True, False])
async def test_after_a_kill_a_clock_stands_until_somebody_has_the_game_in_view(
    runs: RegistryRuns, comes_back: bool
) -> None:
    """Also where nobody does, and it pauses after the usual five seconds."""
    async with runs.opened() as registry:
        live = await registry.create("ann", wanted())
        Client(live).do("left", (4, 4))
    async with runs.opened() as registry:
        found = await registry.find("ann", "game0")
        assert found is not None
        begin = found.session.elapsed
        runs.clock.now += 3_000
        if comes_back:
            client = Client(found)
            assert (found.session.elapsed, found.session.is_paused) == (begin, False)
            runs.clock.now += 1_000
            client.do("right", (0, 0))
            assert client.copy["time"] == begin + 1_000
        else:
            found._pause_unseen()
            assert (found.session.elapsed, found.session.is_paused) == (begin, True)


async def test_turns_at_thinking_are_of_the_address_that_a_player_came_from_last(runs: RegistryRuns) -> None:

    async with runs.opened() as registry:
        live = await registry.create("ann", wanted(), address="school")
        client = Client(live)
        client.do("left", (4, 4))
        await live.hint()
        assert await registry.find("ann", live.id, address="home") is live
        client.do("overlay", on=True)
        await registry.find("ann", live.id, address="train")
        client.do("terminate")
        await until(lambda: "review" in client.copy)
    assert [one for one in runs.bench.asked if one[0]] == [("ann", "school"), ("ann", "home"), ("ann", "train")]
    async with runs.opened() as registry:
        assert await registry.find("ann", "game0", address="office") is not None
        await until(lambda: ("ann", "office") in runs.bench.asked)


async def test_a_saved_game_that_cannot_be_read_is_nobodys_trouble(runs: RegistryRuns) -> None:
    async with runs.opened() as registry:
        live = await registry.create("ann", wanted())
        Client(live).do("left", (4, 4))
    (saved,) = runs.kept.sessions()
    runs.kept.save_sessions([type(saved)(key=saved.key, version=2, text="{", saved=saved.saved, player="ann")])

    async with runs.opened() as registry:
        assert await registry.find("ann", "game0") is None
        assert await registry.open_games("ann") == []


async def test_a_list_does_not_read_the_games(runs: RegistryRuns) -> None:
    lists: list[list[GameSummary]] = []
    async with runs.opened() as registry:
        Client(await registry.create("ann", wanted())).do("left", (4, 4))
        lists.append(await registry.open_games("ann"))
    (saved,) = runs.kept.sessions()
    for one in (replace(saved, text="too long to be read"), replace(saved, kind=None)):
        runs.kept.save_sessions([one])
        async with runs.opened() as registry:
            lists.append(await registry.open_games("ann"))
    assert len(lists[0]) == 1
    assert lists[1:] == [lists[0], []]


KILLED = """
import asyncio, os, sys
from sapper.store.repository import open_store
from sapper.web.games.registry import GameRegistry
from sapper.server.worker_pool import WorkerPool
from tests.registries import wanted
from tests.live_games import Client

async def play():
    registry = GameRegistry(store=open_store(sys.argv[1]), pool=WorkerPool(), new_id=lambda: "game", draw_seed=lambda: 7)
    registry.start()
    live = await registry.create("ann", wanted(preset="expert"))
    client = Client(live)
    client.do("left", (15, 8))
    for number in range(2_000):
        client.do("right", live.grid.xy(number % 480))
        print(live.session.input_count, flush=True)
        await asyncio.sleep(0.003)

asyncio.run(play())
"""


async def test_a_server_that_is_killed_loses_a_moment_at_most(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    open_store(path).close()
    root = Path(__file__).parents[3]
    with subprocess.Popen(  # noqa: ASYNC220  # nothing else happens meanwhile
        [sys.executable, "-c", KILLED, str(path)],
        stdout=subprocess.PIPE, text=True, cwd=root, env=os.environ | {"PYTHONPATH": str(root)},
    ) as process:  # fmt: skip
        assert process.stdout is not None
        with open_store(path) as store:
            for line in process.stdout:
                # As soon as something is kept of what has been played for a while, which on a slow machine takes longer.
                if int(line) >= 300 and int(line) % 20 == 0 and any(store.games()) and store.sessions():
                    process.kill()
                    break
    with open_store(path) as store:
        (game,) = store.games()
        assert game.result is Result.PLAYING

        async with RegistryRuns(store).opened() as registry:
            live = await registry.find("ann", "game")
            assert live is not None
            assert 0 < live.session.input_count <= 2_001
            assert live.session.status.value == "playing"


async def test_other_servers_hear_that_a_game_is_loaded_when_the_database_takes_it_at_last(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the first server would go on saying nothing of a game that it believes to have alone."""
    refused: list[str] = []
    with open_store(postgres_address) as one, open_store(postgres_address) as two:
        say = two.say

        def refuse_twice(*words: str) -> None:
            if words[0] == "loaded" and len(refused) < 2:
                refused.extend(words[1:])
                raise StoreError("no")
            say(*words)

        monkeypatch.setattr(two, "say", refuse_twice)
        async with RegistryRuns(one).opened() as first, RegistryRuns(two).opened() as second:
            gaps: list[object] = []
            first.on_other_news = second.on_other_news = gaps.append
            await until(lambda: len(gaps) == 2)
            here = await first.create("ann", wanted(preset="expert"))
            there = await second.find("ann", "game0")
            assert there is not None
            mine, other = Client(here), Client(there)
            for number in range(3):
                mine.do("right", (number, 0))
            await until(lambda: other.copy["flags"] == 3)
            assert there.session.input_count == 3
    assert refused == ["game0", "game0"]


async def test_a_lock_for_which_nobody_waits_any_more_is_let_go(
    postgres_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the player could begin no game at any server for as long as this one runs."""
    may_go_on, waits = threading.Event(), threading.Event()
    with open_store(postgres_address) as store:
        hold = store.hold

        def hold_late(name: str, what: str) -> StoreLock:
            waits.set()
            assert may_go_on.wait(60)
            return hold(name, what)

        async with RegistryRuns(store).opened() as registry:
            monkeypatch.setattr(store, "hold", hold_late)
            beginning = asyncio.create_task(registry.create("ann", wanted(rules="formal")))
            await until(waits.is_set)
            beginning.cancel()
            with pytest.raises(asyncio.CancelledError):
                await beginning
            monkeypatch.setattr(store, "hold", hold)
            may_go_on.set()
            async with asyncio.timeout(120):
                while await _is_refused(registry):
                    """The thread has the lock still."""


async def _is_refused(registry: GameRegistry) -> bool:
    try:
        await registry.create("ann", wanted(rules="formal"))
    except RequestError:
        return True
    return False
