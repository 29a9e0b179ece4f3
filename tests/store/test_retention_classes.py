"""Saved games that are older than their retention class allows are found without reading the others, and nothing is left of who had no more."""

import itertools
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from sapper.core.status import Status
from sapper.errors import StoreError
from sapper.store.changes import InputLog
from sapper.store.models import OldSession, SavedSession, SessionState
from sapper.store.repository import Store, open_store
from tests.stored import BEGIN, stored


def _saved(number: int, retention: str = "low", player: str | None = "ann") -> SavedSession:
    return SavedSession(
        key=f"{number:03}", version=2, text="{}", saved=BEGIN + timedelta(seconds=number // 2), player=player, retention=retention,
        state=SessionState(Status.READY if number % 2 else Status.PLAYING),
    )  # fmt: skip


def test_what_is_old_is_found_class_by_class_and_page_by_page(store: Store) -> None:
    saved = [_saved(number, "low" if number % 3 else "high", "ann" if number % 2 else None) for number in range(60)]
    store.save_sessions(saved)
    for retention, status in itertools.product(("low", "high", "none"), (Status.READY, Status.PLAYING)):
        expected = [
            OldSession(one.saved, one.key, one.player)
            for one in saved
            if (one.retention, one.state.status) == (retention, status) and one.saved < BEGIN + timedelta(seconds=20)
        ]
        found: list[OldSession] = []
        while some := store.old_sessions(
            retention, [status], BEGIN + timedelta(seconds=20), after=found[-1] if found else None, most=7
        ):
            assert len(some) <= 7
            found += some
        assert found == expected
    store.save_sessions([_saved(1, "high")])
    (first, *_) = store.old_sessions(
        "high", list(Status), BEGIN + timedelta(days=1), after=OldSession(BEGIN, "000", None)
    )
    assert first.key == "001", "a game that is saved again lies where it is put then"


def test_what_was_gone_on_with_is_as_old_as_what_was_done_last(store: Store) -> None:
    store.save_sessions([_saved(1), _saved(2)])
    store.apply([InputLog(
        key="002", first=0, count=9, text="", saved=BEGIN + timedelta(days=9), state=SessionState(Status.PLAYING)
    )])  # fmt: skip
    for at in (1, 2):
        state = SessionState(Status.PLAYING if at == 1 else Status.LOST)
        store.apply([InputLog(
            key="001", first=at - 1, count=1, text="", saved=BEGIN + timedelta(days=at), state=state
        )])  # fmt: skip

    def old(days: float, *statuses: Status) -> list[str]:
        return [one.key for one in store.old_sessions("low", statuses, BEGIN + timedelta(days=days))]

    assert old(1.5, *Status) == []
    assert (old(3, Status.READY, Status.PLAYING), old(3, Status.WON, Status.LOST)) == ([], ["001"])


def test_a_class_has_a_name() -> None:
    with pytest.raises(StoreError, match="a retention class is 1 to 40 printable characters"):
        _saved(1, "x" * 41)


def test_players_go_with_the_last_that_is_kept_of_them(store: Store) -> None:
    for number, player in enumerate(("ann", "bob", "cid", None)):
        store.save_sessions([_saved(number, player=player)])
    store.save_sessions([_saved(4, player="bob")])
    store.record(stored(player="cid"))
    assert store.drop_sessions(["000", "001", "002", "003"]) == 4
    assert store.players() == ["bob", "cid"]
    # Her number was remembered, and is nobody's any more.
    store.record(stored("new", player="ann"))
    store.save_sessions([_saved(5, player="ann")])
    assert store.players() == ["ann", "bob", "cid"]
    assert store.sessions(player="ann") == [_saved(5)]


def test_old_ones_are_found_without_reading_the_others(tmp_path: Path) -> None:
    asked: list[tuple[str, Any]] = []
    with open_store(tmp_path / "games.db") as store:
        store.save_sessions([_saved(1)])
        event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append((args[2], args[3])))
        store.old_sessions("low", list(Status), BEGIN + timedelta(days=1), after=OldSession(BEGIN, "000", None))
        store.drop_sessions(["001"])
        with store.reading() as connection:
            plans = [
                " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values))
                for statement, values in list(asked)
                if statement.lstrip().startswith(("SELECT", "DELETE"))
            ]
    assert any("sessions_by_retention (retention=?" in plan for plan in plans)
    assert not any(part in plan for plan in plans for part in ("SCAN", "TEMP B-TREE FOR ORDER", "LAST TERM"))
