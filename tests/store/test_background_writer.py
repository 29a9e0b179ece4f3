"""Games recorded in the background: kept in order, in few transactions, and never at the cost of who plays."""

import threading
from collections.abc import Sequence

from sapper.errors import StoreError
from sapper.store.background_writer import BackgroundWriter
from sapper.store.models import StoredGame
from sapper.store.repository import Store
from tests.stored import stored


class _Keeper:
    """Keeps games in a list; waits while it is told to, and fails as often as it is told to."""

    def __init__(self, *, fails: int = 0) -> None:
        self.fails = fails
        self.kept: list[str] = []
        self.transactions = 0
        self.may_go = threading.Event()
        self.may_go.set()
        self.is_in = threading.Event()

    def record_many(self, games: Sequence[StoredGame]) -> int:
        if not games:
            return 0
        self.is_in.set()
        assert self.may_go.wait(60)
        if self.fails:
            self.fails -= 1
            raise StoreError("the disk is full")
        self.transactions += 1
        self.kept += [game.key for game in games]
        return len(games)


def test_games_get_to_the_store(store: Store) -> None:
    writer = BackgroundWriter(store)
    for number in range(50):
        writer.record(stored(str(number)))
    assert writer.close(60) == 0
    assert [game.key for game in store.games()] == [str(number) for number in range(50)]


def test_games_that_wait_go_together() -> None:
    keeper = _Keeper()
    keeper.may_go.clear()
    writer = BackgroundWriter(keeper)
    writer.record(stored("first"))
    assert keeper.is_in.wait(60)
    for number in range(20):
        writer.record(stored(str(number)))
    keeper.may_go.set()
    assert writer.close(60) == 0
    assert keeper.kept == ["first", *map(str, range(20))]
    assert keeper.transactions == 2


def test_what_fails_is_tried_again() -> None:
    keeper = _Keeper(fails=2)
    heard: list[tuple[str, int]] = []
    done = threading.Event()
    writer = BackgroundWriter(
        keeper, pause=0.001, on_trouble=lambda error, waiting: heard.append((str(error), waiting))
    )
    keeper.may_go.set()
    writer.record(stored("a"))
    for _ in range(6000):
        if keeper.kept:
            break
        done.wait(0.01)
    assert writer.close(60) == 0
    assert keeper.kept == ["a"]
    assert heard == [("the disk is full", 1)] * 2


def test_a_full_queue_drops_and_counts() -> None:
    keeper = _Keeper()
    keeper.may_go.clear()
    writer = BackgroundWriter(keeper, most_waiting=3)
    for number in range(5):
        writer.record(stored(str(number)))
    keeper.may_go.set()
    assert writer.close(60) == 2
    assert keeper.kept == ["0", "1", "2"]
    writer.record(stored("too late"))
    assert writer.dropped == 3


def test_the_end_does_not_wait_for_a_store_that_fails() -> None:
    writer = BackgroundWriter(_Keeper(fails=1000), pause=60)
    writer.record(stored())
    assert writer.close(60) == 1
