"""What a store takes it keeps: once, whoever else writes, however the writer ends."""

import multiprocessing
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import event

from sapper.core.preset import find_preset
from sapper.core.status import Status
from sapper.errors import FullDiskError, NotAStoreError, StoreError
from sapper.store.changes import LateGuesses
from sapper.store.game_list import GameQuery, finished_games
from sapper.store.models import (
    SHARED,
    GameKind,
    ListedSession,
    Result,
    SavedSession,
    SessionState,
    StoredGuess,
    StoredSimulation,
)
from sapper.store.patience import Patience
from sapper.store.repository import Store, open_store
from tests.sizes import sized
from tests.stored import BEGIN, many, stored

# --- games ------------------------------------------------------------------------------------------------


def test_a_deleted_player_leaves_the_write_ahead_log_when_nobody_reads_any_more(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    def stands_somewhere() -> bool:
        return any(b"forgotten" in one.read_bytes() for one in tmp_path.glob("games.db*") if one.is_file())

    with open_store(path, patience=Patience(lock=0.1)) as store, open_store(path) as other:
        store.record(stored("one", player="forgotten"))
        with other.reading() as connection:
            connection.exec_driver_sql("SELECT * FROM games").all()
            assert store.delete_player("forgotten") == 1
            assert stands_somewhere()
        store.record(stored("two"))
        assert not stands_somewhere()


def test_games_come_back_as_they_were(store: Store) -> None:
    games = many(40, 1)
    assert store.record_many(games) == 40
    assert list(store.games()) == games
    assert store.find_game(games[7].key) == games[7]
    assert store.find_game("no such game") is None


def test_a_game_is_found_without_reading_through_all_players(path: Path) -> None:
    with open_store(path) as store:
        store.record_many(stored(str(number), player=f"player {number}") for number in range(50))
        store.record_many(stored(f"{number} too", strategy=f"strategy {number}") for number in range(50))
        asked: list[tuple[str, object]] = []

        def note(_connection: object, _cursor: object, statement: str, values: object, *_: object) -> None:
            asked.append((statement, values))

        event.listen(store.engine, "before_cursor_execute", note)
        assert store.find_game("7") == stored("7", player="player 7")
        assert store.find_game("8 too") == stored("8 too", strategy="strategy 8")
        assert [game.key for game in store.latest_games("player 7")] == ["7"]
        assert [game.key for game in store.list_games(GameQuery(player="player 7")).games] == ["7"]
        assert [game.key for game in finished_games(store, GameQuery(player="player 7"))] == ["7"]
        event.remove(store.engine, "before_cursor_execute", note)
        with closing(store.engine.raw_connection()) as raw:
            plans = [
                row[3] for statement, values in asked for row in raw.execute(f"EXPLAIN QUERY PLAN {statement}", values)
            ]
    assert plans
    assert [plan for plan in plans if plan.startswith("SCAN") and "CONSTANT" not in plan] == []


def test_a_game_is_recorded_once(store: Store) -> None:
    game = stored(guesses=(StoredGuess(0.5, True, False),), record="{}")
    assert store.record(game)
    assert not store.record(game)
    assert not store.record(replace(game, result=Result.LOST))
    assert store.record_many([game, game]) == 0
    assert list(store.games()) == [game]


def test_of_many_players_the_last_are_remembered(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.store.repository.MOST_KNOWN", 5)
    games = [stored(str(number), player=f"player {number % 12}") for number in range(24)]
    for game in games:
        store.record(game)
        assert len(store._known) <= 5
    assert list(store.games()) == games
    assert len(store.players()) == 12


def test_a_game_that_was_started_ends_once(store: Store) -> None:
    started = stored(result=Result.PLAYING, ended=BEGIN, time_ms=None)
    assert store.record(started)
    ended = stored(started=BEGIN + timedelta(seconds=1), guesses=(StoredGuess(0.5, True, False),))
    assert store.record(ended)
    assert not store.record(started)
    assert not store.record(replace(ended, result=Result.LOST))
    # It began when it was said to have begun.
    assert list(store.games()) == [replace(ended, started=BEGIN)]


def test_rules_of_the_same_name_with_other_values_are_another_kind(store: Store) -> None:
    kind = GameKind.of(find_preset("beginner"))
    other = replace(kind, rules=replace(kind.rules, chording=False))
    renamed = replace(kind, rules=replace(kind.rules, name="mine"))
    games = [stored(str(number), kind=one) for number, one in enumerate((kind, other, renamed, kind))]
    store.record_many(games)
    assert [game.kind for game in store.games()] == [kind, other, renamed, kind]
    assert [game.kind.rules.name for game in store.games()] == ["modern", "modern", "mine", "modern"]


def test_all_or_none(store: Store) -> None:
    fine = stored("fine")

    def games() -> object:
        yield fine
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        store.record_many(games())  # type: ignore[arg-type]
    assert list(store.games()) == []
    assert store.record(fine)


def test_threads_share_transactions_and_lose_nothing(store: Store) -> None:
    games = [[stored(f"{thread}-{number}") for number in range(10)] for thread in range(4)]
    threads = [threading.Thread(target=lambda mine=mine: [store.record(game) for game in mine]) for mine in games]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {game.key for game in store.games()} == {game.key for mine in games for game in mine}


# --- sessions, simulations, players -----------------------------------------------------------------------


def test_a_saved_game_is_there_until_it_ends(store: Store) -> None:
    saved = SavedSession(key="a game", version=1, text='{"x": "–"}', saved=BEGIN, player="ann", title="Expert")
    later = replace(saved, text="{}", saved=BEGIN + timedelta(seconds=5))
    other = replace(saved, key="another", player=None)
    for one in (saved, other, later):
        store.save_sessions([one])
    assert store.find_session("a game") == later
    assert store.sessions() == [later, other]
    assert store.sessions(player="ann") == [later]
    store.record(stored(result=Result.PLAYING))
    assert store.find_session("a game") == later
    store.record(stored())
    assert store.find_session("a game") is None
    assert store.drop_sessions(["another"]) == 1
    assert store.drop_sessions(["another"]) == 0


def test_many_saved_games_in_one_transaction(store: Store) -> None:
    saved = [
        SavedSession(
            key=f"{number}",
            version=2,
            text=f"{number}",
            saved=BEGIN + timedelta(seconds=number),
            player="ann",
            title=f"number {number}",
            kind=stored().kind,
            inputs=number,
            state=SessionState(Status.PLAYING, elapsed=number, flags=3, covered=70, paused=number % 2 == 0),
        )
        for number in range(1200)
    ]
    store.save_sessions(saved)
    assert store.sessions(player="ann") == saved[::-1]
    assert store.listed_sessions("ann") == [
        ListedSession(one.key, one.title, one.kind, one.saved, one.state) for one in saved[::-1]
    ]
    assert store.listed_sessions("bob") == []
    later = [replace(saved[5], text="later"), replace(saved[5], text="last", player=None), replace(saved[0], key="new")]
    store.save_sessions(later)
    assert store.find_session("5") == later[1]
    assert len(store.sessions()) == 1201
    store.save_sessions([])
    assert store.drop_sessions([one.key for one in saved] + ["none"]) == 1200
    assert [one.key for one in store.sessions()] == ["new"]
    assert store.drop_sessions([]) == 0


def test_guesses_that_become_known_later_are_kept_once(store: Store) -> None:
    game, guesses = stored(), (StoredGuess(0.25, True, False), StoredGuess(0.5, False, True))
    store.apply([LateGuesses(key=game.key, guesses=guesses)])  # of a game that is not there
    store.record(game)
    for late in ((), guesses, (StoredGuess(0.75, False, False),)):
        store.apply([LateGuesses(key=game.key, guesses=late)])
    assert store.find_game(game.key) == replace(game, guesses=guesses)


def test_a_simulation_is_kept_once(store: Store) -> None:
    run = StoredSimulation(
        key="run", kind=GameKind.of(find_preset("expert")), strategy="least-risk", games=10, won=4, lost=5, faults=1,
        seed=2**64 - 1, at=BEGIN, seconds=1.5, backend="native",
    )  # fmt: skip
    assert store.record_simulation(run)
    assert not store.record_simulation(replace(run, won=5, lost=4))
    assert store.simulations() == [run]


def test_a_player_who_is_deleted_is_gone(address: str, store: Store) -> None:
    games = many(60, 2)
    store.record_many(games)
    store.save_sessions([SavedSession(key="saved", version=1, text="", saved=BEGIN, player="ann")])
    of_ann = sum(game.player == "ann" for game in games)
    shared = {player: next(SHARED + game.key for game in games if game.player == player) for player in ("ann", "bob")}
    for name in (*shared.values(), "another", "gone"):
        store.note(name, "yes")
    store.forget_note("gone")
    with open_store(address) as elsewhere:
        assert elsewhere.delete_player("ann") == of_ann
        assert elsewhere.delete_player("ann") is None
        assert elsewhere.players() == ["bob"]
        assert elsewhere.sessions() == []
        notes = [elsewhere.find_note(name) for name in (shared["ann"], shared["bob"], "another", "gone")]
        assert notes == [None, "yes", "yes", None]
    assert [game for game in games if game.player != "ann"] == list(store.games())
    # The first store still remembers the number that Ann had.
    assert store.record(stored("again", player="ann"))
    assert store.players() == ["ann", "bob"]


# --- other processes --------------------------------------------------------------------------------------


def _write(address: str, name: str) -> None:
    with open_store(address) as store:
        for number in range(10):
            store.record(stored(f"{name}-{number}", player=name))
            store.record(stored(f"both-{number}"))


def test_two_processes_write_at_once(address: str) -> None:
    """Into a database that is not there yet: they also make it at once."""
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_write, args=(address, name)) for name in ("ann", "bob")]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0, 0]
    with open_store(address) as store:
        assert len(list(store.games())) == 30


def test_what_was_acknowledged_survives_kill_9(address: str) -> None:
    rounds = sized(60, 200) if address.startswith("sqlite") else 20
    done = subprocess.run(
        [sys.executable, "-m", "tests.killing", address, str(rounds)],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert (done.returncode, done.stderr) == (0, "")
    acknowledged = done.stdout.split()
    assert len(acknowledged) >= rounds // 2
    with open_store(address) as store:
        kept = [game.key for game in store.games()]
        assert set(acknowledged) <= set(kept)
        assert len(kept) == len(set(kept))
        if store.address.path is not None:
            with store.reading() as connection:
                assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_a_database_that_took_no_writes_for_a_while(postgres_address: str) -> None:
    """A connection that began meanwhile is read-only as long as it lasts, and a pool has many."""
    with psycopg.connect(postgres_address, autocommit=True) as operator, open_store(postgres_address) as store:
        name = operator.info.dbname
        operator.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = on".encode())
        operator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        with pytest.raises(StoreError, match="the store is read-only"):
            store.record(stored("game"))
        operator.execute("SET default_transaction_read_only = off")
        operator.execute(f"ALTER DATABASE {name} RESET default_transaction_read_only".encode())
        assert store.record(stored("game"))


def test_a_database_server_that_goes_away_and_comes_back(postgres_address: str) -> None:
    def end_connections() -> None:
        with open_store(postgres_address) as other, other.reading() as connection:
            others = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            connection.exec_driver_sql(others)

    with open_store(postgres_address) as store:
        store.record(stored("before"))
        # Between two transactions: nobody notices.
        end_connections()
        store.record(stored("between"))
        # In the middle of one: it is said, nothing of it is there, and the next one works.
        both = [stored("first"), stored("second", record="{}")]

        def in_the_middle(*values: object) -> None:
            if "INTO records" in str(values[2]) and not ended:
                ended.append(True)
                end_connections()

        ended: list[bool] = []
        event.listen(store.engine, "before_cursor_execute", in_the_middle)
        with pytest.raises(StoreError, match="terminating connection"):
            store.record_many(both)
        assert {game.key for game in store.games()} == {"before", "between"}
        assert store.record_many(both) == 2


# --- files that do not do what they should ------------------------------------------------------------------


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


def test_a_full_disk_is_said_and_what_was_there_is_kept(path: Path) -> None:
    with open_store(path) as store:
        store.record(stored("before"))
        pages = store.engine.connect().exec_driver_sql("PRAGMA page_count").scalar()
        # SQLite's own limit on the file's size fails as a disk without room does.
        event.listen(
            store.engine, "connect", lambda connection, _: connection.execute(f"PRAGMA max_page_count={pages}")
        )
        store.engine.dispose()
        big = SavedSession(key="big", version=1, text="x" * 100_000, saved=BEGIN)
        with pytest.raises(FullDiskError, match=r"games\.db: the disk is full: nothing was written"):
            store.save_sessions([big])
        assert [game.key for game in store.games()] == ["before"]
        assert store.sessions() == []
    with open_store(path) as store:
        store.save_sessions([big])
        assert store.sessions() == [big]


def test_what_may_only_be_read_is_read(path: Path) -> None:
    with pytest.raises(StoreError, match="no store"):
        open_store(path, read_only=True)
    assert not path.exists()
    with open_store(path) as store:
        store.record(stored())
    with open_store(path, read_only=True) as store:
        assert len(list(store.games())) == 1
        with pytest.raises(StoreError, match="the store is read-only"):
            store.record(stored("more"))


@pytest.mark.parametrize("content", [b"SQLite format 2\0 or so", b"my letters to Ann\n" * 999, b"\0"])
def test_another_file_is_left_alone(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    with pytest.raises(NotAStoreError, match=r"games\.db: not a store"):
        open_store(path)
    assert path.read_bytes() == content
    assert list(path.parent.iterdir()) == [path]


def test_a_damaged_file_is_left_alone(path: Path) -> None:
    with open_store(path) as store:
        store.record_many(many(200, 3))
    content = bytearray(path.read_bytes())
    rng = random.Random(4)
    content[100:] = rng.randbytes(len(content) - 100)
    path.write_bytes(content)
    with pytest.raises(NotAStoreError, match=r"games\.db: the file is damaged and left unchanged"):
        open_store(path)
    assert path.read_bytes() == bytes(content)


def test_damage_that_is_found_later_is_said(path: Path) -> None:
    with open_store(path) as store:
        store.record_many(many(200, 3))
        with store.reading() as connection:
            root = connection.exec_driver_sql("SELECT rootpage FROM sqlite_master WHERE name='games'").scalar()
            size = connection.exec_driver_sql("PRAGMA page_size").scalar()
    assert isinstance(root, int)
    assert isinstance(size, int)
    content = bytearray(path.read_bytes())
    content[(root - 1) * size : root * size] = b"\xff" * size
    path.write_bytes(content)
    with open_store(path, read_only=True) as store, pytest.raises(NotAStoreError, match="the file is damaged"):
        list(store.games())
    assert path.read_bytes() == bytes(content)


def test_another_programs_database_is_left_alone(path: Path) -> None:
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE letters (text)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(NotAStoreError, match="another program's database"):
        open_store(path)
    # The write-ahead log is switched on for ours alone.
    assert path.read_bytes() == before


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    with pytest.raises(StoreError, match=r"games\.db: cannot be read: Not a directory"):
        open_store(blocked / "more" / "games.db")
    with pytest.raises(StoreError, match="cannot be read: Is a directory"):
        open_store(tmp_path)


@pytest.fixture
def open_path() -> Iterator[Path]:
    """A file that everybody may get to: pytest's folders are their owner's alone."""
    with tempfile.TemporaryDirectory() as name:
        yield Path(name) / "games.db"


def test_a_file_without_permission_to_write(open_path: Path) -> None:
    path = open_path
    with open_store(path) as store:
        store.record(stored())
    path.chmod(0o444)
    # Neither may what is beside an open file be made there.
    path.parent.chmod(0o555)
    # Root may write anything, so a child that is nobody looks.
    child = os.fork()
    if child == 0:
        code = 1
        try:
            if os.geteuid() == 0:
                os.seteuid(65534)
            try:
                with open_store(path) as store:
                    store.record(stored("more"))
            except StoreError:
                with open_store(path, read_only=True) as store:
                    code = int([game.key for game in store.games()] != ["a game"])
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    path.parent.chmod(0o755)
    with open_store(path, read_only=True) as store:
        assert len(list(store.games())) == 1
