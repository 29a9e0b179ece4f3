"""What is put into the queue is durable before anyone is told, kept in order, and never at the cost of who plays."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from sapper.errors import StoreError
from sapper.store.background_writer import GATHERED_AT_ONCE, BackgroundWriter, call_each
from sapper.store.changes import Change, SessionDrop, SessionTail
from sapper.store.journal import Journal, read_journals
from sapper.store.models import SavedSession, StoredGame
from sapper.store.repository import Store, open_store
from tests.stored import BEGIN, stored

PATIENCE = 60.0


class _Sink:
    """Keeps changes in a list; waits while it is told to, and fails as often as it is told to."""

    def __init__(self, *, fails: int = 0) -> None:
        self.fails = fails
        self.kept: list[str] = []
        self.batches: list[list[str]] = []
        self.numbers: list[int] = []
        self.may_go = threading.Event()
        self.may_go.set()
        self.is_in = threading.Event()

    def apply(self, changes: Sequence[Change], *, journal: str = "", number: int = 0) -> list[str]:
        if not changes:
            return []
        self.is_in.set()
        assert self.may_go.wait(PATIENCE)
        if self.fails:
            self.fails -= 1
            raise StoreError("the disk is full")
        names = [one.text if isinstance(one, SessionTail) else getattr(one, "key", "") for one in changes]
        self.batches.append(names)
        self.kept += names
        if journal:
            self.numbers.append(number)
        return []

    def forget_journal(self, name: str) -> None:
        pass


def _put(writer: BackgroundWriter, *keys: str) -> list[threading.Event]:
    """Put games; what is set when each is durable."""
    told = []
    for key in keys:
        event = threading.Event()
        writer.record(stored(key), event.set)
        told.append(event)
    return told


def test_games_get_to_the_store(store: Store, tmp_path: Path) -> None:
    writer = BackgroundWriter(store, journal=Journal(tmp_path / "journal"))
    told = _put(writer, *map(str, range(50)))
    assert all(event.wait(PATIENCE) for event in told)
    assert writer.close(PATIENCE) == 0
    assert [game.key for game in store.games()] == [str(number) for number in range(50)]
    assert not (tmp_path / "journal").exists()


def test_games_that_wait_go_together() -> None:
    sink = _Sink()
    sink.may_go.clear()
    writer = BackgroundWriter(sink)
    _put(writer, "first")
    assert sink.is_in.wait(PATIENCE)
    _put(writer, *map(str, range(20)))
    sink.may_go.set()
    assert writer.close(PATIENCE) == 0
    assert sink.kept == ["first", *map(str, range(20))]
    assert len(sink.batches) <= 3


def test_with_a_journal_nobody_waits_for_the_database(tmp_path: Path) -> None:
    sink = _Sink()
    sink.may_go.clear()
    journal = Journal(tmp_path)
    writer = BackgroundWriter(sink, journal=journal)
    told = _put(writer, "a", "b")
    assert all(event.wait(PATIENCE) for event in told)
    assert sink.kept == []
    (left,) = read_journals(tmp_path)
    assert [values["game"]["key"] for _, values in left.changes] == ["a", "b"]
    sink.may_go.set()
    assert writer.close(PATIENCE) == 0
    assert (sink.kept, sink.numbers[-1]) == (["a", "b"], 2)


def test_without_a_journal_the_transaction_tells() -> None:
    sink = _Sink()
    sink.may_go.clear()
    writer = BackgroundWriter(sink)
    (told,) = _put(writer, "a")
    assert sink.is_in.wait(PATIENCE)
    assert not told.is_set()
    sink.may_go.set()
    assert told.wait(PATIENCE)
    writer.close(PATIENCE)


def test_what_fails_is_tried_again_and_said_once() -> None:
    sink = _Sink(fails=2)
    heard: list[str] = []
    writer = BackgroundWriter(
        sink,
        pause=0.001,
        on_trouble=lambda error, waiting: heard.append(f"{error}, {waiting}"),
        on_recovery=lambda: heard.append("well"),
    )
    (told,) = _put(writer, "a")
    assert told.wait(PATIENCE)
    assert writer.close(PATIENCE) == 0
    assert sink.kept == ["a"]
    assert heard == ["the disk is full, 1", "well"]


def test_a_full_queue_drops_the_oldest_and_counts() -> None:
    sink = _Sink()
    sink.may_go.clear()
    writer = BackgroundWriter(sink, most_waiting=3)
    _put(writer, "0")
    assert sink.is_in.wait(PATIENCE)
    _put(writer, *map(str, range(1, 6)))
    sink.may_go.set()
    assert writer.close(PATIENCE) == 2
    assert sink.kept == ["0", "3", "4", "5"]
    _put(writer, "too late")
    assert writer.dropped == 3


def test_what_neither_takes_is_lost_and_counted() -> None:
    writer = BackgroundWriter(_Sink(fails=1000), pause=PATIENCE)
    _put(writer, "a")
    assert writer.close(PATIENCE) == 1


def test_what_the_database_does_not_take_is_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with open_store(path) as store:
        folder = store.journals
        writer = BackgroundWriter(_Sink(fails=1000), journal=Journal(folder), pause=PATIENCE)
        told = _put(writer, "a", "b")
        assert all(event.wait(PATIENCE) for event in told)
        assert (writer.close(PATIENCE), writer.left) == (0, 2)
    found: list[int] = []
    with open_store(path, on_recovery=found.append) as store:
        assert sorted(game.key for game in store.games()) == ["a", "b"]
    assert (found, folder.exists()) == ([2], False)


def test_what_is_done_in_a_game_is_written_to_the_database_together(tmp_path: Path) -> None:
    def wait(act: Callable[[threading.Event], None]) -> None:
        event = threading.Event()
        act(event)
        assert event.wait(PATIENCE)

    def tail(at: int, text: str) -> SessionTail:
        return SessionTail(key="g", start=at, text=text, saved=BEGIN)

    sink = _Sink()
    writer = BackgroundWriter(sink, journal=Journal(tmp_path), deferred=PATIENCE)
    saved = SavedSession(key="g", version=4, text="0", saved=BEGIN)
    wait(lambda event: writer.put(lambda: saved, kept=event.set))
    wait(lambda event: writer.put(lambda: tail(1, "1"), told=event.set))
    wait(lambda event: writer.put(lambda: tail(2, "2"), told=event.set))
    wait(lambda event: writer.put(lambda: stored("x"), kept=event.set))
    # The tails are durable, and in the journal only: the next start would have to read from there on.
    assert (sink.kept, sink.numbers) == (["g", "x"], [1, 1])
    assert writer.flush(PATIENCE)
    assert (sink.kept, sink.numbers[-1]) == (["g", "x", "1", "2"], 4)
    wait(lambda event: writer.put(lambda: tail(3, "3"), told=event.set))
    wait(lambda event: writer.put(lambda: SessionDrop(key="g"), kept=event.set))
    assert sink.batches[-1] == ["3", "g"]
    assert writer.close(PATIENCE) == 0


def test_a_game_that_the_database_refuses_at_first_keeps_its_order(tmp_path: Path) -> None:
    """What was done since waits apart from the game that it is appended to; it must not come before it when that is tried again."""
    path = tmp_path / "games.db"
    with open_store(path) as store:
        real, fails = store.apply, [1]

        def apply(changes: Sequence[Change], *, journal: str = "", number: int = 0) -> list[str]:
            if changes and fails:
                fails.pop()
                raise StoreError("no such table")
            return real(changes, journal=journal, number=number)

        store.apply = apply  # type: ignore[method-assign]
        misfits: list[str] = []
        writer = BackgroundWriter(
            store, journal=Journal(store.journals), pause=0.01, deferred=PATIENCE, on_misfit=misfits.append
        )
        writer.put(SavedSession(key="g", version=4, text="0", saved=BEGIN))
        for at in range(1, 4):
            writer.put(SessionTail(key="g", start=at, text=str(at), saved=BEGIN))
        _put(writer, "x")
        assert writer.flush(PATIENCE)
        assert (writer.close(PATIENCE), fails) == (0, [])
        found = store.find_session("g")
        assert (misfits, found and found.text) == ([], "0123")


def test_a_mistake_in_one_change_keeps_no_other_from_being_kept(tmp_path: Path) -> None:
    def wrong() -> StoredGame:
        raise ValueError("a mistake")

    sink, faults = _Sink(), list[Exception]()
    writer = BackgroundWriter(sink, journal=Journal(tmp_path), on_fault=faults.append)
    writer.put(wrong)
    _put(writer, "a")
    assert writer.close(PATIENCE) == 1, "it is lost, and counted"
    assert (sink.kept, list(map(str, faults))) == (["a"], ["a mistake"])


def test_what_is_durable_together_is_told_in_one_call(tmp_path: Path) -> None:
    calls: list[int] = []
    is_in, may_go = threading.Event(), threading.Event()

    def tell(told: Sequence[Callable[[], None]]) -> None:
        calls.append(len(told))
        is_in.set()
        assert may_go.wait(PATIENCE)
        call_each(told)

    writer = BackgroundWriter(_Sink(), journal=Journal(tmp_path), tell=tell)
    first = _put(writer, "first")
    assert is_in.wait(PATIENCE)
    others = _put(writer, *map(str, range(20)))
    may_go.set()
    assert all(event.wait(PATIENCE) for event in first + others)
    assert calls == [1, 20]
    assert writer.close(PATIENCE) == 0


def test_what_stands_in_the_journal_gathers_for_one_transaction(tmp_path: Path) -> None:
    sink = _Sink()
    writer = BackgroundWriter(sink, journal=Journal(tmp_path), gathered=PATIENCE)
    writer.record(stored("first"))
    assert writer.flush(PATIENCE)
    for name in "abc":
        (told,) = _put(writer, name)
        assert told.wait(PATIENCE)
    assert sink.kept == ["first"]
    assert writer.flush(PATIENCE)
    assert sink.batches == [["first"], ["a", "b", "c"]]
    writer.record(stored("last"))
    assert writer.close(PATIENCE) == 0
    assert sink.kept[-1] == "last"


def test_many_games_that_begin_at_once_go_to_the_store_in_parts(tmp_path: Path) -> None:
    sink = _Sink()
    sink.may_go.clear()
    names = [f"game {number}" for number in range(3 * GATHERED_AT_ONCE)]
    writer = BackgroundWriter(sink, journal=Journal(tmp_path), gathered=0.0)
    told = _put(writer, "first")
    assert sink.is_in.wait(PATIENCE)
    told += _put(writer, *names)
    assert all(event.wait(PATIENCE) for event in told)  # all wait for the store's thread now
    done = threading.Event()
    writer.put(stored("last"), kept=done.set)
    sink.may_go.set()
    assert done.wait(PATIENCE)
    assert sink.kept == ["first", *names, "last"]
    assert max(map(len, sink.batches)) == GATHERED_AT_ONCE
    assert writer.close(PATIENCE) == 0
