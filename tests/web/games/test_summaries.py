"""A list says the same of a game in memory and of one that was put away."""

from dataclasses import replace
from datetime import UTC, datetime

import msgspec

from sapper.core.status import Status
from sapper.session.saving import VERSION, save_session
from sapper.store.models import ListedSession, SavedSession, to_ms
from sapper.web.games.summaries import entry_of_listed, entry_of_saved, summary_of
from tests.live_games import Seat

SAVED = datetime(2026, 11, 28, tzinfo=UTC)


def test_an_entry_is_the_same_from_the_store() -> None:
    seat = Seat(preset="expert", no_guess=True)
    live = seat.live
    seat.client.do("left", (4, 4))
    seat.services.work()
    seat.clock.now += 700
    seat.client.do("flag", seat.mines()[0])
    seat.client.do("pause")
    entry = msgspec.structs.replace(live.listed(), game="game", saved=to_ms(SAVED))
    assert entry_of_listed(ListedSession("game", SAVED, summary_of(live.listed()))) == entry
    text = save_session(live.session, live.referee)
    saved = SavedSession(key="game", version=VERSION, text=text, saved=SAVED)
    assert entry_of_saved(saved) == entry
    assert (entry.title, entry.preset, entry.time, entry.flags) == ("Expert, no guess", "expert", 700, 1)
    seat.client.do("terminate")
    ended = entry_of_saved(replace(saved, text=save_session(live.session, live.referee)))
    assert ended is not None
    assert ended.status is Status.TERMINATED
    for text in ("", "{}", '{"game": 3}', "[]", '{"game": {"code": null}}'):
        assert entry_of_saved(replace(saved, text=text)) is None
        assert entry_of_listed(ListedSession("game", SAVED, text)) is None
    assert entry_of_saved(replace(saved, text="[" * 100_000)) is None
