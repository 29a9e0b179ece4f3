"""What several processes append to the same games: the database says who was first, and what a refused row began is not recorded."""

import os
import socket
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from time import sleep
from typing import Any

import pytest

from sapper.core.status import Status
from sapper.errors import BadChangeError
from sapper.store import appending
from sapper.store.changes import InputLog, PlayerDrop, SessionDrop, SessionGame
from sapper.store.devices import add_device, end_device, read_open
from sapper.store.models import Result, SavedSession, SessionMark, SessionState
from sapper.store.names import find_by_phrase, set_phrase
from sapper.store.repository import Store, open_store
from tests.stored import BEGIN, stored

PLAYING = SessionState(Status.PLAYING)


@pytest.fixture
def stores(postgres_address: str) -> Iterator[tuple[Store, Store]]:
    """Two processes' stores on one database, with a saved game of ann's."""
    with open_store(postgres_address) as one, open_store(postgres_address) as two:
        one.apply([head("game")])
        yield one, two


def head(key: str, player: str = "ann") -> SavedSession:
    return SavedSession(key=key, version=4, text="0\n", saved=BEGIN, player=player, state=SessionState(Status.READY))


def log(
    first: int,
    text: str,
    key: str = "game",
    status: Status = Status.PLAYING,
    *,
    count: int = 1,
    saved: datetime = BEGIN,
) -> InputLog:
    return InputLog(key=key, first=first, count=count, text=text, saved=saved, state=SessionState(status))


def begun(key: str = "game") -> SessionGame:
    return SessionGame(game=stored(f"{key}.0", player="ann", result=Result.PLAYING), session=key)


def ended(key: str = "game", restarts: int = 0, player: str = "ann") -> SessionGame:
    return SessionGame(game=stored(f"{key}.{restarts}", player=player), session=key)


def test_of_two_the_first_is_kept_and_what_the_other_s_row_ended_is_not_recorded(stores: tuple[Store, Store]) -> None:
    one, two = stores
    assert one.apply([log(0, "1\n"), begun()]) == []
    assert two.apply([log(0, "2\n"), ended()]) == ["game"]
    assert [game.result for game in one.games()] == [Result.PLAYING]
    assert two.apply([log(1, "2\n", status=Status.WON), ended()]) == []
    assert one.apply([log(1, "3\n")]) == ["game"]
    assert [game.result for game in one.games()] == [Result.WON]
    saved = one.find_session("game")
    assert saved is not None
    assert saved.text == "0\n1\n2\n"
    assert one.session_mark("game") == SessionMark("ann", 2, Status.WON)
    assert one.session_mark("another") is None


def test_a_row_whose_commit_was_not_heard_of_is_no_conflict(stores: tuple[Store, Store]) -> None:
    one, two = stores
    for store in (one, one):
        assert store.apply([log(0, "1\n"), begun()]) == []
    assert two.apply([log(1, "2\n")]) == []
    assert one.apply([log(0, "1\n"), begun()]) == [], "also where others have gone on since"


def test_a_row_that_only_has_the_clock_gives_way(stores: tuple[Store, Store]) -> None:
    one, two = stores
    assert one.apply([log(0, "c\n", count=0)]) == []
    assert two.apply([log(0, "1\n")]) == []
    assert one.apply([log(0, "d\n", count=0)]) == ["game"]
    saved = one.find_session("game")
    assert saved is not None
    assert saved.text == "0\n1\n"


def test_what_is_appended_creates_neither_a_game_nor_a_player(stores: tuple[Store, Store]) -> None:
    one, two = stores
    one.apply([log(0, "1\n"), begun(), PlayerDrop(name="ann")])
    assert two.apply([log(1, "2\n"), ended()]) == ["game"]
    assert two.apply([ended()]) == []
    assert one.players() == []
    assert list(one.games()) == []
    assert one.sessions() == []


def test_an_old_game_is_dropped_only_if_it_stands_so_still(store: Store) -> None:
    store.apply([head("old"), head("new"), head("ended", "bob")])
    store.apply([log(0, "1\n", "new"), log(0, "1\n", "ended", Status.LOST, saved=BEGIN + timedelta(days=1))])
    ready, over = frozenset([Status.READY]), frozenset([Status.LOST])
    store.apply([SessionDrop(key=key, only=ready, before=BEGIN + timedelta(days=2)) for key in ("old", "new", "ended")])
    assert sorted(one.key for one in store.sessions()) == ["ended", "new"]
    store.apply([SessionDrop(key="ended", only=over, before=BEGIN + timedelta(days=1))])
    store.apply([SessionDrop(key="ended", only=over), SessionDrop(key="new", only=over)])
    assert [one.key for one in store.sessions()] == ["new"]
    assert store.players() == ["ann"], "of the other nothing is left"


def test_the_last_saved_game_takes_no_phrase_and_no_ended_session_along(store: Store) -> None:
    players = ("with a phrase", "with a session", "with nothing")
    store.apply([head(name, name) for name in players])
    set_phrase(store, "with a phrase", "some words")
    add_device(store, "with a session", "a" * 16, "Firefox", BEGIN)
    assert end_device(store, "with a session", "a" * 16)
    store.apply([SessionDrop(key=name) for name in players])
    assert store.sessions() == []
    assert sorted(store.players()) == sorted(players[:2])
    assert find_by_phrase(store, "some words") == "with a phrase"
    assert read_open(store) == {"with a session": {}}, "an older cookie is not the player's again"


def test_a_value_that_cannot_be_kept_says_so(stores: tuple[Store, Store]) -> None:
    one, _ = stores
    with pytest.raises(BadChangeError):
        one.apply([log(0, "\0")])
    assert one.apply([log(0, "1\n")]) == []


def test_many_who_append_to_the_same_games_wait_for_each_other_in_one_order(stores: tuple[Store, Store]) -> None:
    """And each place is one's: of two rows for it exactly one is kept."""
    one, two = stores
    keys = [f"g{number}" for number in range(20)]
    one.apply([head(key) for key in keys])
    kept: list[list[tuple[str, int]]] = [[], []]

    def append(number: int, store: Store) -> None:
        for first in range(10):
            rows = [log(first, f"{number}\n", key) for key in (keys if number else keys[::-1])]
            refused = store.apply(rows)
            kept[number] += [(key, first) for key in keys if key not in refused]

    threads = [threading.Thread(target=append, args=(number, store)) for number, store in enumerate(stores)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not set(kept[0]) & set(kept[1])
    for key in keys:
        saved = two.find_session(key)
        assert saved is not None
        lines = saved.text.splitlines()[1:]
        told = [[at for name, at in kept[number] if name == key] for number in range(2)]
        assert [at for at, line in enumerate(lines) if line == "0"] == told[0]
        assert [at for at, line in enumerate(lines) if line == "1"] == told[1]


def test_what_goes_on_is_heard_by_the_others_alone(stores: tuple[Store, Store]) -> None:
    one, two = stores
    heard: dict[str, list[list[str]]] = {"one": [], "two": []}
    ready, news = [threading.Event(), threading.Event()], threading.Event()

    def hear(words: object) -> None:
        assert isinstance(words, list)
        heard["two"].append(words)
        if len(heard["two"]) == 2:
            news.set()

    first = one.listen(on_news=lambda words: heard["one"].append(list(words)), on_gap=ready[0].set)
    second = two.listen(on_news=hear, on_gap=ready[1].set)
    try:
        assert all(event.wait(60) for event in ready)
        one.apply([log(0, "1\n"), log(0, "1\n", "none")])
        one.say("forgotten", "ann")
        assert news.wait(60)
    finally:
        first.close()
        second.close()
    assert heard == {"one": [], "two": [["games", "game:1", "none:1"], ["forgotten", "ann"]]}


def test_a_process_that_stood_still_within_a_transaction_does_it_again(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = stores
    monkeypatch.setattr(appending, "IDLE", 0.1)
    pauses = [0.5]

    def stand_still(*given: Any) -> None:
        sleep(pauses.pop() if pauses else 0)
        appending_settle(*given)

    appending_settle = appending.settle
    monkeypatch.setattr(appending, "settle", stand_still)
    assert one.apply([log(0, "1\n", status=Status.WON), ended()]) == []
    assert not pauses
    assert [game.result for game in one.games()] == [Result.WON]


def test_a_connection_that_is_cut_within_a_transaction_is_made_anew(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = stores
    cuts: list[Any] = []

    def cut_once(connection: Any, games: Any) -> None:
        if not cuts:
            cuts.append(connection.connection.driver_connection)
            with socket.socket(fileno=os.dup(cuts[0].fileno())) as line:
                line.shutdown(socket.SHUT_RDWR)
        appending_settle(connection, games)

    appending_settle = appending.settle
    monkeypatch.setattr(appending, "settle", cut_once)
    assert one.apply([log(0, "1\n", status=Status.WON), ended()]) == []
    assert cuts[0].closed
    assert [game.result for game in one.games()] == [Result.WON]
