"""Saved games that are older than their retention class allows are found without reading the others, and nothing is left of who had no more."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from sapper.errors import StoreError
from sapper.store.engine import find_address, make_engine
from sapper.store.models import OldSession, SavedSession
from sapper.store.repository import Store, open_store
from sapper.store.upgrade import bring_up_to_date
from tests.stored import BEGIN, stored


def _saved(number: int, retention: str = "low", player: str | None = "ann") -> SavedSession:
    return SavedSession(
        key=f"{number:03}", version=2, text="{}", saved=BEGIN + timedelta(seconds=number // 2), player=player, retention=retention
    )  # fmt: skip


def test_what_is_old_is_found_shelf_by_shelf_and_page_by_page(store: Store) -> None:
    saved = [_saved(number, "low" if number % 3 else "high", "ann" if number % 2 else None) for number in range(60)]
    store.save_sessions(saved)
    for retention in ("low", "high", "none"):
        expected = [
            OldSession(one.saved, one.key, one.player)
            for one in saved
            if one.retention == retention and one.saved < BEGIN + timedelta(seconds=20)
        ]
        found: list[OldSession] = []
        while some := store.old_sessions(
            retention, BEGIN + timedelta(seconds=20), after=found[-1] if found else None, most=7
        ):
            assert len(some) <= 7
            found += some
        assert found == expected
    store.save_session(_saved(1, "high"))
    (first, *_) = store.old_sessions("high", BEGIN + timedelta(days=1), after=OldSession(BEGIN, "000", None))
    assert first.key == "001", "a game that is saved again lies where it is put then"


def test_a_shelf_has_a_name() -> None:
    with pytest.raises(StoreError, match="a retention class is 1 to 40 printable characters"):
        _saved(1, "x" * 41)


def test_players_go_with_the_last_that_is_kept_of_them(store: Store) -> None:
    for number, player in enumerate(("ann", "bob", "cid", None)):
        store.save_session(_saved(number, player=player))
    store.save_session(_saved(4, player="bob"))
    store.record(stored(player="cid"))
    assert store.drop_sessions(["000", "001", "002", "003"]) == 4
    assert store.players() == ["bob", "cid"]
    # Her number was remembered, and is nobody's any more.
    store.record(stored("new", player="ann"))
    store.save_session(_saved(5, player="ann"))
    assert store.players() == ["ann", "bob", "cid"]
    assert store.sessions(player="ann") == [_saved(5)]


def test_old_ones_are_found_without_reading_the_others(tmp_path: Path) -> None:
    asked: list[tuple[str, Any]] = []
    with open_store(tmp_path / "games.db") as store:
        store.save_session(_saved(1))
        event.listen(store.engine, "before_cursor_execute", lambda *args: asked.append((args[2], args[3])))
        store.old_sessions("low", BEGIN + timedelta(days=1), after=OldSession(BEGIN, "000", None))
        store.drop_sessions(["001"])
        with store.reading() as connection:
            plans = [
                " ".join(row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values))
                for statement, values in list(asked)
                if statement.lstrip().startswith(("SELECT", "DELETE"))
            ]
    assert any("sessions_by_shelf (shelf=?" in plan for plan in plans)
    assert not any(part in plan for plan in plans for part in ("SCAN", "TEMP B-TREE FOR ORDER", "LAST TERM"))


def test_what_an_older_store_has_saved_lies_on_no_shelf(address: str) -> None:
    found = find_address(address)
    engine = make_engine(found, read_only=False)
    bring_up_to_date(engine, found, read_only=False, head="second")
    with engine.begin() as connection:
        connection.exec_driver_sql(
            "INSERT INTO sessions (key, title, version, saved, text) VALUES ('old', '', 2, 1000, '{}')"
        )
    engine.dispose()
    with open_store(address) as store:
        assert [(one.key, one.retention) for one in store.sessions()] == [("old", "")]
        store.save_session(_saved(1, "low"))
        assert [one.key for one in store.old_sessions("low", BEGIN + timedelta(days=1))] == ["001"]
