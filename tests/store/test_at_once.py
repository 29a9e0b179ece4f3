"""Rows of a player that two processes work out at the same moment: they are those that one process would have made."""

import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cache, partial
from threading import Barrier, Event
from time import monotonic, sleep
from typing import Any

import pytest
from sqlalchemy import Connection, select

from sapper.core.cells import Cell
from sapper.core.preset import PRESETS
from sapper.store import schema, social_schema
from sapper.store.appending import IDLE as IDLE_TIME, settle
from sapper.store.daily import BoardName, DailyAttempt, attempts_of, begin_attempt
from sapper.store.devices import add_device, read_open
from sapper.store.models import GameKind, Result, StoredGame, to_ms
from sapper.store.names import IDLE, join_players, lapse_names, name_player, unname_player
from sapper.store.rankings import ABANDONED, SKILL, forget_old_periods, rebuild_ranks
from sapper.store.repository import Store, open_store
from sapper.store.skill import JudgedGame, keep_cost, leave_out, skill_of
from sapper.store.writing import RowNumbers, lock_players, write_games, write_note
from tests.sessions import Play
from tests.stored import BEGIN

PATIENCE = 60.0
KIND = GameKind.of(PRESETS["beginner"])
Do = Callable[[], object]
Write = Callable[[Connection, Any], object]


@pytest.fixture
def stores(address: str) -> Iterator[tuple[Store, Store]]:
    """Two processes' stores on one database."""
    with open_store(address) as one, open_store(address) as two:
        yield one, two


@cache
def _won(seed: int) -> tuple[str, int]:
    """The record of a win at a hand's pace, and its time."""
    play, dice = Play("beginner", seed=seed), random.Random(seed)
    play.session.left_click(Cell(40))
    layout = play.referee.layout
    assert layout is not None
    for cell in map(Cell, range(81)):
        if cell not in layout.mines and not play.session.status.ended and not play.session.board.tile(cell).is_clue:
            play.clock.now += dice.randrange(300, 900)
            play.session.left_click(cell)
    record = play.session.record()
    return record.to_json(), record.played[-1].at


def game(minute: int, player: str = "ann", result: Result = Result.WON, **changes: Any) -> StoredGame:
    """A game that counts, and ended in that minute."""
    when = BEGIN + timedelta(minutes=minute)
    record, time_ms = _won(minute % 5)
    values: dict[str, Any] = {
        "kind": KIND, "result": result, "started": when, "ended": when, "face": "web", "time_ms": time_ms, "bbbv": 20,
        "clicks": 30, "record": record,
    }  # fmt: skip
    return StoredGame(key=f"{player}{minute}.0", player=player, **(values | changes))


def _recorded(*games: StoredGame) -> Write:
    def write(connection: Connection, numbers: Any) -> None:
        write_games(connection, numbers, games)
        settle(connection, games)

    return write


def _at_once(one: Store, first: Write, two: Store, second: Do) -> None:
    """Do the second while the first has not committed yet, until it waits for that, or is done. SQLite says of nobody that they wait."""
    inside, may_end = Event(), Event()

    def held(connection: Connection, numbers: Any) -> None:
        first(connection, numbers)
        inside.set()
        assert may_end.wait(PATIENCE)

    with ThreadPoolExecutor() as threads:
        holder = threads.submit(one.change, held)
        assert inside.wait(PATIENCE)
        other = threads.submit(second)
        until = monotonic() + PATIENCE
        while not (other.done() or _waits(one)) and monotonic() < until:
            sleep(0.01)
        may_end.set()
        holder.result(PATIENCE)
        other.result(PATIENCE)


def _waits(store: Store) -> bool:
    if store.address.path is not None:
        return True
    text = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    with store.reading() as connection:
        return bool(connection.exec_driver_sql(text).scalar())


def _ranks(store: Store) -> list[tuple[Any, ...]]:
    with store.reading() as connection:
        return sorted(map(tuple, connection.execute(select(social_schema.rankings))))


def _number(store: Store, player: str) -> int:
    with store.reading() as connection:
        query = select(schema.players.c.id).where(schema.players.c.name == player)
        return int(connection.execute(query).scalar_one())


def _rebuild(player: int, connection: Connection, _: object) -> None:
    rebuild_ranks(connection, player)


def _anew(store: Store, *players: str) -> list[tuple[Any, ...]]:
    """The rows as one process makes them from all games."""
    for player in players:
        number = _number(store, player)
        store.change(partial(_rebuild, number))
    return _ranks(store)


def _streak(store: Store) -> int:
    column = list(social_schema.rankings.c.keys()).index
    (row,) = (one for one in _ranks(store) if one[column("measure")] == "streak" and one[column("period")] == "ever")
    return -int(row[column("value")])


@pytest.mark.parametrize(
    ("earlier", "later", "streak"),
    [(Result.WON, Result.WON, 4), (Result.LOST, Result.WON, 2), (Result.WON, Result.LOST, 3)],
)
@pytest.mark.parametrize("is_first", [True, False])
def test_two_games_that_end_at_one_moment_are_one_after_the_other(
    stores: tuple[Store, Store], earlier: Result, later: Result, streak: int, *, is_first: bool
) -> None:
    one, two = stores
    one.apply([game(0), game(1)])
    games = game(2, result=earlier), game(3, result=later)
    mine, other = games if is_first else reversed(games)
    _at_once(one, _recorded(mine), two, lambda: two.apply([other]))
    assert _streak(one) == streak
    assert _ranks(one) == _anew(one, "ann")


def test_a_game_that_nobody_ended_ends_a_streak_whoever_records_first(store: Store) -> None:
    minutes = round(ABANDONED / timedelta(minutes=1))
    store.apply([game(0), game(1), game(2, result=Result.PLAYING, record=None, time_ms=None), game(3)])
    store.apply([game(minutes + 4)])
    store.apply([game(minutes + 3), game(minutes, result=Result.WON)])
    assert _ranks(store) == _anew(store, "ann")


@pytest.mark.parametrize("gives", [True, False])
def test_a_rank_is_shown_as_its_player_has_a_name(stores: tuple[Store, Store], *, gives: bool) -> None:
    one, two = stores
    one.apply([game(minute) for minute in range(1, 11)])
    now = BEGIN + timedelta(hours=1)
    if not gives:
        name_player(one, "ann", "Ann", "ann", now)
    change = (lambda: name_player(two, "ann", "Ann", "ann", now)) if gives else (lambda: unname_player(two, "ann", now))
    far = BEGIN + timedelta(days=100)  # another day, week and season: rows that are not there yet
    _at_once(one, _recorded(game(11, ended=far)), two, change)
    assert {row[-1] for row in _ranks(one)} == {gives}


def test_of_two_names_at_once_the_one_that_is_given_up_is_held(stores: tuple[Store, Store]) -> None:
    one, two = stores
    one.apply([game(minute) for minute in range(10)])
    now = BEGIN + timedelta(hours=1)
    with ThreadPoolExecutor() as threads:
        calls = [
            threads.submit(name_player, store, "ann", name, name.lower(), now)
            for store, name in ((one, "Ann"), (two, "Beth"))
        ]
        for call in calls:
            call.result(PATIENCE)
    with one.reading() as connection:
        assert len(connection.execute(select(social_schema.held_names)).all()) == 1


def test_a_name_stays_whose_player_is_playing(stores: tuple[Store, Store]) -> None:
    one, two = stores
    one.apply([game(minute) for minute in range(10)])
    name_player(one, "ann", "Ann", "ann", BEGIN)
    now = BEGIN + IDLE + timedelta(days=1)
    _at_once(one, _recorded(game(11, ended=now)), two, lambda: lapse_names(two, now))
    two.apply([game(12)])  # it ended long before, and is recorded late
    with one.reading() as connection:
        assert connection.execute(select(social_schema.player_names.c.seen)).scalar_one() == to_ms(now)


@pytest.mark.parametrize("is_served", [True, False])
def test_a_game_that_ends_while_its_player_joins_another_is_the_other_s(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, *, is_served: bool
) -> None:
    """Its row is there since it began. Neither waits for a row that the other has: both go through at the first try."""
    one, two = stores
    one.apply([game(0), game(1, "bob"), game(2, result=Result.PLAYING, record=None, time_ms=None)])
    monkeypatch.setattr("sapper.store.repository._TRIES", 1)
    if is_served:
        _at_once_with_settling(one, game(2), monkeypatch, lambda: join_players(two, "ann", "bob"))
    else:
        _at_once(one, _recorded(game(2)), two, lambda: join_players(two, "ann", "bob"))
    assert [(found.player, found.result) for found in two.games()] == [("bob", Result.WON)] * 3
    assert _ranks(one) == _anew(one, "bob")


@pytest.mark.parametrize(("third", "joins"), [("ann", False), ("cat", True)])
def test_who_joins_a_player_that_joins_another_joins_nobody(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch, third: str, *, joins: bool
) -> None:
    """The second waits for the first, and has an answer at the first try; its games stay whose they are."""
    one, two = stores
    one.apply([game(0), game(1, "bob"), game(2, "cat")])
    monkeypatch.setattr("sapper.store.repository._TRIES", 1)
    found: list[bool] = []

    def first(connection: Connection, _: Any) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(one, "change", lambda write: write(connection, RowNumbers(connection, {})))
            assert join_players(one, "ann", "bob")

    _at_once(one, first, two, lambda: found.append(join_players(two, "bob", third)))
    assert found == [joins]
    whose = {found.key: found.player for found in two.games()}
    last = "cat" if joins else "bob"
    assert whose == {"ann0.0": last, "bob1.0": last, "cat2.0": "cat"}


def test_a_game_that_is_judged_while_its_player_joins_another_does_not_count(stores: tuple[Store, Store]) -> None:
    one, two = stores
    one.apply([game(0), game(1, "bob")])

    def joins(connection: Connection, numbers: Any) -> None:
        ann, bob = (numbers.name(schema.players, name) for name in ("ann", "bob"))
        lock_players(connection, select(schema.players.c.id).where(schema.players.c.id.in_([ann, bob])), alone=True)
        leave_out(connection, bob, of=ann)

    _at_once(one, joins, two, lambda: keep_cost(two, game(0), JudgedGame(0.0)))
    assert skill_of(one, "ann") == skill_of(one, "bob") == []


def test_a_player_is_deleted_whose_game_ends(stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.store.repository._TRIES", 1)
    one, two = stores
    one.apply([game(0), game(2, result=Result.PLAYING, record=None, time_ms=None)])
    _at_once_with_settling(one, game(2), monkeypatch, lambda: two.delete_player("ann"))
    assert list(two.games()) == []


def _at_once_with_settling(store: Store, ended: StoredGame, patch: pytest.MonkeyPatch, do: Do) -> None:
    """Do something while a server has recorded an end, and not yet what follows from it."""
    inside = Event()

    def settle_late(connection: Connection, games: Sequence[StoredGame]) -> None:
        inside.set()
        until = monotonic() + IDLE_TIME / 2
        while not (other.done() or _waits(store)) and monotonic() < until:
            sleep(0.01)
        settle(connection, games)

    for module in ("appending", "repository"):
        patch.setattr(f"sapper.store.{module}.settle", settle_late)
    with ThreadPoolExecutor() as threads:
        other = threads.submit(lambda: inside.wait(PATIENCE) and do())
        store.apply([ended])
        other.result(PATIENCE)


def test_of_two_who_wait_for_each_other_both_go_through(postgres_address: str) -> None:
    both_have_one = Barrier(2)
    with open_store(postgres_address) as store, ThreadPoolExecutor() as threads:
        tries: list[str] = []

        def write(first: str, second: str, connection: Connection, _: object) -> None:
            tries.append(first)
            write_note(connection, first, f"by {first}")
            if tries.count(first) == 1:
                both_have_one.wait(PATIENCE)
            write_note(connection, second, f"by {first}")

        for call in [threads.submit(store.change, partial(write, *names)) for names in (("x", "y"), ("y", "x"))]:
            call.result(PATIENCE)
        assert len(tries) > 2
        assert store.find_note("x") == store.find_note("y")


def test_of_two_sign_ins_at_once_the_one_that_ends_the_others_stays_alone(stores: tuple[Store, Store]) -> None:
    one, two = stores
    add_device(one, "ann", "own", "", BEGIN)

    def alone() -> None:
        add_device(two, "ann", "new", "", BEGIN, asker="own")

    def signs_in(connection: Connection, numbers: Any) -> None:
        number = numbers.name(schema.players, "ann")
        lock_players(connection, select(schema.players.c.id).where(schema.players.c.id == number))
        row = {"session": "thief", "player_id": number, "label": "", "begun": 1, "seen": 1, "ended": False}
        connection.execute(social_schema.devices.insert().values(row))

    _at_once(one, signs_in, two, alone)
    assert set(read_open(one, "ann")["ann"]) == {"own", "new"}


def test_of_two_attempts_at_once_there_is_one(stores: tuple[Store, Store]) -> None:
    name = BoardName(day="2026-01-01", size="beginner")
    with ThreadPoolExecutor() as threads:
        calls = [
            threads.submit(
                begin_attempt, store, "ann",
                DailyAttempt(name=name, game=own, begun=BEGIN, state="open", won=False, time_ms=None, placed=False),
            )
            for store, own in zip(stores, ("one", "two"), strict=True)
        ]  # fmt: skip
        told = {call.result(PATIENCE).game for call in calls}
    assert told == {attempt.game for attempt in attempts_of(stores[0], "ann", "2026-01-01")}
    assert len(told) == 1


def test_a_process_whose_clock_is_behind_leaves_the_new_day(store: Store) -> None:
    midnight = datetime(2026, 4, 1, tzinfo=UTC)  # a Wednesday: a day and a season begin
    store.apply([game(0, ended=midnight - timedelta(seconds=3)), game(1, ended=midnight + timedelta(seconds=3))])
    rows = _ranks(store)
    forget_old_periods(store, midnight - timedelta(seconds=1))
    assert _ranks(store) == rows
    forget_old_periods(store, midnight + timedelta(seconds=1))
    assert {row[2] for row in _ranks(store)} == {"2026-04-01", "2026-W14", "2026-Q2", "ever"}


PLAYERS = ("ann", "bob", "cid")
_PROCESS = """
import sys
from sapper.store.repository import open_store
from tests.store.test_at_once import games_of

with open_store(sys.argv[1]) as store:
    print(flush=True)
    sys.stdin.readline()
    for batch in games_of(int(sys.argv[2])):
        store.apply(batch)
"""


def games_of(process: int) -> Iterator[list[StoredGame]]:
    """What one of two processes records: games of the same players, some at the same moment."""
    dice = random.Random(process)
    for number in range(20):
        yield [
            game(
                20 * number + dice.randrange(20), player, dice.choice([Result.WON, Result.WON, Result.LOST])
            ).replace(key=f"{process} {number} {player}.0")
            for player in dice.sample(PLAYERS, 2)
        ]  # fmt: skip


def test_two_processes_record_what_one_would_have(address: str) -> None:
    with open_store(address) as store, ExitStack() as ending:
        processes = []
        for number in range(2):
            words = [sys.executable, "-c", _PROCESS, address, str(number)]
            one = ending.enter_context(subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE))
            ending.callback(one.kill)
            processes.append(one)
        for one in processes:
            assert one.stdout is not None
            assert one.stdout.readline()
        for one in processes:
            one.communicate(b"\n", timeout=4 * PATIENCE)  # each records 40 games
            assert one.returncode == 0
        assert len(list(store.games())) == 80
        rows = [row for row in _ranks(store) if row[1] != SKILL]
        assert rows
        assert rows == _anew(store, *PLAYERS)
