"""A list says the same of a game in memory and of one that was put away."""

from dataclasses import replace
from datetime import UTC, datetime

from sapper.session.storing import saved_session
from sapper.store.games import ListedSession, to_ms
from sapper.web.listing import entry_of_listed, entry_of_saved, summary_of
from tests.tables import Seat

SAVED = datetime(2026, 11, 28, tzinfo=UTC)


def test_an_entry_is_the_same_from_the_store() -> None:
    seat = Seat(preset="expert", no_guess=True)
    table = seat.table
    seat.client.do("left", (4, 4))
    seat.desk.work()
    seat.clock.now += 700
    seat.client.do("flag", seat.mines()[0])
    seat.client.do("pause")
    entry = table.listed() | {"game": "game", "saved": to_ms(SAVED)}
    assert entry_of_listed(ListedSession("game", SAVED, summary_of(table.listed()))) == entry
    saved = saved_session(table.session, table.referee, key="game", saved=SAVED)
    assert entry_of_saved(saved) == entry
    assert (entry["title"], entry["preset"], entry["time"], entry["flags"]) == ("Expert, no guess", "expert", 700, 1)
    seat.client.do("terminate")
    ended = entry_of_saved(saved_session(table.session, table.referee, key="game", saved=SAVED))
    assert ended is not None
    assert ended["status"] == "terminated"
    for text in ("", "{}", '{"game": 3}', "[]", '{"game": {"code": null}}'):
        assert entry_of_saved(replace(saved, text=text)) is None
        assert entry_of_listed(ListedSession("game", SAVED, text)) is None
    assert entry_of_saved(replace(saved, text="[" * 100_000)) is None
