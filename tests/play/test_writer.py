"""What is put into the queue is durable before anyone is told, kept in order, and never at the cost of who plays."""

import threading
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest

from sapper.core.status import Status
from sapper.errors import BadChangeError, StoreError
from sapper.play.ports import LogChain, Receipt
from sapper.play.writer import AT_ONCE, Writer, call_each
from sapper.store.changes import Change, InputLog, PlayerDrop, SessionDrop
from sapper.store.models import SavedSession, SessionState, StoredGame
from sapper.store.repository import Store
from tests.stored import BEGIN, stored

PATIENCE = 60.0


class _Sink:
    """Keeps changes in a list; waits while it is told to, fails as often as it is told to, and never takes a bad one."""

    def __init__(self, *, fails: int = 0) -> None:
        self.fails = fails
        self.kept: list[str] = []
        self.batches: list[list[str]] = []
        self.may_go = threading.Event()
        self.may_go.set()
        self.is_in = threading.Event()

    def apply(self, changes: Sequence[Change]) -> list[str]:
        if not changes:
            return []
        self.is_in.set()
        assert self.may_go.wait(PATIENCE)
        if self.fails:
            self.fails -= 1
            raise StoreError("the disk is full")
        names = [getattr(one, "key", "") for one in changes]
        if any(name.startswith("bad") for name in names):
            raise BadChangeError("no text")
        if "mistake" in names:
            raise OverflowError("too large")
        self.batches.append(names)
        self.kept += names
        return []


def _put(writer: Writer, *keys: str) -> list[threading.Event]:
    """Put games; what is set when each is durable."""
    told = []
    for key in keys:
        event = threading.Event()
        writer.put(stored(key), event.set)
        told.append(event)
    return told


def _stopped(sink: _Sink, writer: Writer) -> None:
    """Have the writer stop within a transaction."""
    sink.may_go.clear()
    _put(writer, "first")
    assert sink.is_in.wait(PATIENCE)


def test_what_follows_a_refused_change_of_a_game_is_neither_kept_nor_told(store: Store) -> None:
    """Also if it would fit again: it was made in a game that the store has otherwise."""
    refused: list[str] = []
    writer = Writer(store, on_refused=refused.append)
    chain, other = LogChain("game"), LogChain("game")
    receipts = [Receipt() for _ in range(4)]

    def put(tied: LogChain, first: int, text: str, receipt: Receipt) -> None:
        state = SessionState(Status.PLAYING)
        change = InputLog(key="game", first=first, count=1, text=text, saved=BEGIN, state=state)
        if tied.take(receipt):
            writer.put(change, receipt.settle, chain=tied)

    store.save_sessions([SavedSession(key="game", version=4, text="0\n", saved=BEGIN)])
    put(other, 0, "theirs\n", receipts[0])
    assert receipts[0].wait(PATIENCE)
    put(chain, 0, "ours\n", receipts[1])
    put(chain, 1, "ours too\n", receipts[2])
    assert not receipts[1].wait(PATIENCE)
    put(chain, 1, "and this\n", receipts[3])
    assert writer.close() == 0
    assert [one.is_refused for one in receipts] == [False, True, True, True]
    assert refused == ["game"]
    saved = store.find_session("game")
    assert saved is not None
    assert saved.text == "0\ntheirs\n"


def test_of_what_is_being_committed_when_a_game_gives_way_the_store_decides() -> None:
    """Another process may have gone on with it because it is committed; what has not begun is neither kept nor told."""
    sink = _Sink()
    writer = Writer(sink)
    chain, receipts = LogChain("game"), [Receipt() for _ in range(3)]

    def put(name: str, receipt: Receipt) -> None:
        def has_stored() -> None:
            receipt.settle()
            chain.settle(receipt)

        if chain.take(receipt):
            writer.put(stored(name), has_stored, chain=chain)

    sink.may_go.clear()
    put("begun", receipts[0])
    assert sink.is_in.wait(PATIENCE)
    put("waits", receipts[1])
    chain.give_way()
    put("later", receipts[2])
    assert [(one.is_durable, one.is_refused) for one in receipts] == [(False, False), (False, True), (False, True)]
    sink.may_go.set()
    assert receipts[0].wait(PATIENCE)
    assert writer.close(PATIENCE) == 0
    assert sink.kept == ["begun"]
    assert not receipts[0].is_refused


def test_what_may_have_been_committed_before_a_game_gave_way_is_tried_again() -> None:
    sink = _Sink(fails=1)
    chain, receipt, has_failed = LogChain("game"), Receipt(), threading.Event()

    def give_way(*_: object) -> None:
        chain.give_way()
        has_failed.set()

    writer = Writer(sink, on_trouble=give_way, pause=0.01)
    assert chain.take(receipt)
    writer.put(stored("begun"), receipt.settle, chain=chain)
    assert has_failed.wait(PATIENCE)
    assert receipt.wait(PATIENCE)
    assert writer.close(PATIENCE) == 0
    assert sink.kept == ["begun"]


def test_games_get_to_the_store(store: Store) -> None:
    writer = Writer(store)
    told = _put(writer, *map(str, range(50)))
    assert all(event.wait(PATIENCE) for event in told)
    assert sorted(game.key for game in store.games()) == sorted(map(str, range(50)))
    assert writer.close(PATIENCE) == 0


def test_what_waits_goes_into_one_transaction_and_is_told_in_one_call() -> None:
    calls: list[int] = []

    def tell(told: Sequence[Callable[[], None]]) -> None:
        calls.append(len(told))
        call_each(told)

    sink = _Sink()
    writer = Writer(sink, tell=tell)
    _stopped(sink, writer)
    told = _put(writer, *map(str, range(20)))
    assert not any(event.is_set() for event in told)
    sink.may_go.set()
    assert all(event.wait(PATIENCE) for event in told)
    assert (sink.batches, calls) == ([["first"], [*map(str, range(20))]], [1, 20])
    assert writer.close(PATIENCE) == 0


def test_a_transaction_has_an_end() -> None:
    sink = _Sink()
    writer = Writer(sink)
    _stopped(sink, writer)
    names = [f"game {number}" for number in range(2 * AT_ONCE + 1)]
    told = _put(writer, *names)
    sink.may_go.set()
    assert all(event.wait(PATIENCE) for event in told)
    assert list(map(len, sink.batches)) == [1, AT_ONCE, AT_ONCE, 1]
    assert sink.kept == ["first", *names]
    assert writer.close(PATIENCE) == 0


def test_what_nobody_waits_for_is_kept_too() -> None:
    sink = _Sink()
    writer = Writer(sink)
    for change in (stored("a"), lambda: stored("b"), lambda: None):
        writer.put(change, is_urgent=False)
    assert writer.flush(PATIENCE)
    assert (sink.kept, writer.behind, writer.waiting) == (["a", "b"], 0.0, 0)
    assert writer.close(PATIENCE) == 0


def test_what_fails_is_tried_again_in_its_order_and_said_once() -> None:
    sink = _Sink(fails=2)
    heard: list[str] = []
    writer = Writer(
        sink,
        pause=0.001,
        on_trouble=lambda error, waiting: heard.append(f"{error}, {waiting}"),
        on_recovery=lambda: heard.append("well"),
    )
    (told,) = _put(writer, "a")
    others = _put(writer, "b", "c")
    assert all(event.wait(PATIENCE) for event in (told, *others))
    assert writer.close(PATIENCE) == 0
    assert sink.kept == ["a", "b", "c"]
    assert (heard[0].partition(",")[0], heard[1:]) == ("the disk is full", ["well"])


def test_while_nothing_is_taken_the_queue_says_so_and_how_far_it_is_behind() -> None:
    sink = _Sink(fails=10_000)
    is_told = threading.Event()
    writer = Writer(sink, pause=0.001, on_trouble=lambda *_: is_told.set())
    (told,) = _put(writer, "a")
    assert is_told.wait(PATIENCE)
    assert (writer.in_trouble, writer.waiting, told.is_set()) == (True, 1, False)
    assert writer.behind > 0
    sink.fails = 0
    assert told.wait(PATIENCE)
    assert not writer.in_trouble
    assert writer.close(PATIENCE) == 0


def test_a_full_queue_drops_the_oldest_and_counts() -> None:
    sink = _Sink()
    writer = Writer(sink, most_waiting=3)
    _stopped(sink, writer)
    _put(writer, *map(str, range(1, 6)))
    sink.may_go.set()
    assert writer.close(PATIENCE) == 2
    assert sink.kept == ["first", "3", "4", "5"]
    _put(writer, "too late")
    assert writer.dropped == 3


def test_what_the_database_does_not_take_until_the_end_is_lost_and_counted() -> None:
    writer = Writer(_Sink(fails=1000), pause=PATIENCE)
    _put(writer, "a", "b")
    assert writer.close(PATIENCE) == 2


def test_one_bad_change_keeps_no_other_from_being_kept() -> None:
    def wrong() -> StoredGame:
        raise ValueError("a mistake in making it")

    sink, faults = _Sink(), list[str]()
    writer = Writer(sink, on_fault=lambda error: faults.append(str(error)))
    _stopped(sink, writer)
    told = _put(writer, *"abc", "bad one", *"de", "mistake", "f")
    writer.put(wrong)
    last = _put(writer, "bad two", "last")
    sink.may_go.set()
    assert writer.flush(PATIENCE)
    assert sink.kept == ["first", *"abcdef", "last"]
    assert [event.is_set() for event in (*told, *last)] == [name not in "36" for name in "01234567"] + [False, True]
    assert sorted(faults) == ["a mistake in making it", "no text", "no text", "too large"]
    assert writer.close(PATIENCE) == 4


def test_a_bad_change_in_a_real_database(store: Store) -> None:
    faults: list[Exception] = []
    writer = Writer(store, on_fault=faults.append)
    bad = SavedSession(key="bad", version=4, text="\ud800", saved=BEGIN)  # no text that UTF-8 has
    whole = SavedSession(key="whole", version=4, text="0", saved=BEGIN)
    writer.put(stored("a"))
    writer.put(bad)
    writer.put(whole)
    writer.put(stored("too large").replace(moves=2**61).replace(bbbv=2**61))
    writer.put(SavedSession(key="deep", version=2**70, text="", saved=BEGIN))
    (told,) = _put(writer, "b")
    assert told.wait(PATIENCE)
    assert {game.key for game in store.games()} == {"a", "b", "too large"}
    assert [one.key for one in store.sessions()] == ["whole"]
    assert len(faults) == 2
    assert writer.close(PATIENCE) == 2


def _log(first: int, count: int, text: str, *, elapsed: int = 0, covered: int = 0) -> InputLog:
    return InputLog(
        key="g", first=first, count=count, text=text, saved=BEGIN + timedelta(seconds=first),
        state=SessionState(Status.PLAYING, elapsed=elapsed, covered=covered),
    )  # fmt: skip


def _rows(store: Store) -> list[tuple[int, int, str]]:
    with store.reading() as connection:
        rows = connection.exec_driver_sql("SELECT first, count, text FROM session_log ORDER BY first")
        return [(first, count, text) for first, count, text in rows]


def test_what_is_done_in_a_game_in_one_transaction_is_one_row(store: Store) -> None:
    writer = Writer(store)
    writer.put(SavedSession(key="g", version=4, text="0;", saved=BEGIN, player="ann"))
    assert writer.flush(PATIENCE)
    store.apply([_log(0, 1, "1;"), _log(1, 0, "a;"), _log(1, 2, "23;", elapsed=7)])
    writer.put(_log(3, 0, "b;", elapsed=8, covered=70))
    assert writer.flush(PATIENCE)
    assert _rows(store) == [(0, 3, "1;a;23;"), (3, 0, "b;")]
    writer.put(_log(3, 1, "4;", elapsed=9, covered=60))  # what said only how it stands gives way
    assert writer.flush(PATIENCE)
    assert _rows(store) == [(0, 3, "1;a;23;"), (3, 1, "4;")]
    found = store.find_session("g")
    assert found is not None
    assert (found.text, found.inputs, found.saved) == ("0;1;a;23;4;", 4, BEGIN + timedelta(seconds=3))
    (listed,) = store.listed_sessions("ann")
    assert listed.state == SessionState(Status.PLAYING, elapsed=9, covered=60)
    writer.put(SessionDrop(key="g"))
    assert writer.flush(PATIENCE)
    assert (_rows(store), store.find_session("g")) == ([], None)
    assert writer.close(PATIENCE) == 0


def test_what_does_not_follow_is_refused_and_the_game_comes_whole(store: Store) -> None:
    refused: list[str] = []
    told: list[str] = []
    writer = Writer(store, on_refused=refused.append)
    writer.put(_log(0, 1, "1;"), lambda: told.append("no such game"))
    assert writer.flush(PATIENCE)
    writer.put(SavedSession(key="g", version=4, text="0;", saved=BEGIN, inputs=5))
    assert writer.flush(PATIENCE)
    writer.put(_log(5, 2, "5;"), lambda: told.append("follows"))
    assert writer.flush(PATIENCE)
    for log in (_log(5, 1, "x;"), _log(8, 1, "x;"), _log(0, 1, "x;"), _log(5, 0, "x;")):
        writer.put(log, lambda: told.append("no"))
        assert writer.flush(PATIENCE)
    store.apply([_log(5, 2, "5;")])  # the same again, as after a commit of which nobody heard
    assert (refused, told, _rows(store)) == (["g"] * 5, ["follows"], [(5, 2, "5;")])
    writer.put(SavedSession(key="g", version=4, text="whole;", saved=BEGIN, inputs=9))
    writer.put(_log(9, 1, "9;"))
    assert writer.flush(PATIENCE)
    found = store.find_session("g")
    assert found is not None
    assert (found.text, found.inputs, _rows(store)) == ("whole;9;", 10, [(9, 1, "9;")])
    writer.close(PATIENCE)


@pytest.mark.parametrize("together", [True, False])
def test_nothing_moves_past_the_forgetting_of_a_player(store: Store, together: bool) -> None:
    changes: list[Change] = [
        stored("before", player="ann"),
        SavedSession(key="g", version=4, text="0;", saved=BEGIN, player="ann"),
        _log(0, 1, "1;"),
        PlayerDrop(name="ann"),
        stored("after", player="ann"),
    ]
    for some in [changes] if together else [[one] for one in changes]:
        store.apply(some)
    assert [game.key for game in store.games()] == ["after"]
    assert (store.sessions(), _rows(store)) == ([], [])
