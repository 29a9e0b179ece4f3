"""What the page shows of a player's games: what can be asked, and every field of the answer."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from sapper.core.preset import find_preset
from sapper.errors import RequestError
from sapper.store.filters import Filter
from sapper.store.models import Category, GameKind, Result, StoredGuess, to_ms
from sapper.store.repository import Store, open_store
from sapper.web.http.statistics import MOST_COLUMNS, MOST_WINS, read_query, statistics_data
from tests.live_games import arrived
from tests.stored import BEGIN, stored

ANN = Filter(player="ann")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with open_store(tmp_path / "store.db") as opened:
        yield opened


def _add(store: Store, times: list[int | None], *, preset: str = "beginner", player: str = "ann") -> None:
    """Games a minute apart, each won in its time, or lost."""
    store.record_many(
        stored(
            f"{player} {preset} {number}", player=player, kind=GameKind.of(find_preset(preset)), time_ms=time,
            result=Result.LOST if time is None else Result.WON, started=BEGIN, ended=BEGIN + timedelta(minutes=number),
            guesses=(StoredGuess(0.5, forced=True, exploded=time is None),),
        )
        for number, time in enumerate(times)
    )  # fmt: skip


def test_nothing_was_played(store: Store) -> None:
    empty = arrived(statistics_data(store, ANN))
    assert arrived(statistics_data(None, ANN)) == empty
    assert empty["total"] == {
        "played": 0, "won": 0, "lost": 0, "terminated": 0, "unfinished": 0, "rate": None, "low": None, "high": None,
        "best": None, "median": None, "bbbv_per_second": None, "efficiency": None,
    }  # fmt: skip
    assert (empty["kinds"], empty["kind_count"], empty["wins"], empty["times"]["counts"]) == ([], 0, [], [])


def test_one_kind_of_games(store: Store) -> None:
    _add(store, [5_000, 7_000, None, 4_200, 9_000])
    _add(store, [1_000], player="bob")
    found = arrived(statistics_data(store, ANN))
    assert found["total"]["played"] == 5
    assert found["total"]["won"] == 4
    assert found["total"]["best"] == 4_200
    assert found["total"]["median"] == 6_000
    assert 0 < found["total"]["low"] < found["total"]["rate"] < found["total"]["high"] < 1
    (kind,) = found["kinds"]
    assert kind == {
        "title": "Beginner", "preset": "beginner", "width": 9, "height": 9, "mine_count": 10, "start": "open",
        "no_guess": False, **found["total"],
    }  # fmt: skip
    assert (found["streak"], found["best_streak"], found["kind_count"]) == (2, 2, 1)
    begin = to_ms(BEGIN)
    assert found["wins"] == [
        [begin, 5_000, True], [begin + 60_000, 7_000, False], [begin + 180_000, 4_200, True], [begin + 240_000, 9_000, False],
    ]  # fmt: skip
    assert found["times"] == {"width": 200, "counts": [[4_200, 1], [5_000, 1], [7_000, 1], [9_000, 1]]}
    assert sum(one["played"] for one in found["over_time"]) == 5
    assert set(found["over_time"][0]) == {"begin", "played", "won", "low", "high", "mean"}
    (bucket,) = found["calibration"]
    assert (bucket["moves"], bucket["exploded"], bucket["claimed"]) == (5, 1, 0.5)
    assert 0 < bucket["least"] < 0.2 < bucket["most"] < 1


def test_times_of_several_kinds_are_not_compared(store: Store) -> None:
    _add(store, [5_000, 7_000])
    _add(store, [90_000], preset="expert")
    found = arrived(statistics_data(store, ANN))
    assert (found["kind_count"], found["wins"], found["times"]["counts"]) == (2, [], [])
    assert found["total"]["best"] is None
    only = statistics_data(store, read_query({"kind": "30x16x99"}, "ann"))
    assert [one[1] for one in only.wins] == [90_000]
    assert statistics_data(store, read_query({"preset": "expert"}, "ann")) == only


def test_many_wins_are_the_last_ones_in_few_columns(store: Store) -> None:
    _add(store, [1_000 + 37 * number for number in range(MOST_WINS + 50)])
    found = arrived(statistics_data(store, ANN))
    assert len(found["wins"]) == MOST_WINS
    assert not any(best for _, _, best in found["wins"])
    assert 1 < len(found["times"]["counts"]) <= MOST_COLUMNS
    assert sum(games for _, games in found["times"]["counts"]) == MOST_WINS + 50
    assert found["times"]["width"] in (500, 1000)


def test_what_can_be_asked() -> None:
    assert read_query({}, "ann") == ANN
    asked = {"category": "assisted", "preset": "expert", "kind": "30x16x99", "since": "0", "until": "1767268800000"}
    assert read_query(asked, "ann") == Filter(
        category=Category.ASSISTED, preset="expert", size=(30, 16), mine_count=99, player="ann",
        since=datetime(1970, 1, 1, tzinfo=UTC), until=datetime(2026, 1, 1, 12, tzinfo=UTC),
    )  # fmt: skip


@pytest.mark.parametrize(
    "asked",
    [{"player": "bob"}, {"category": "bots"}, {"kind": "30x16"}, {"kind": "-1x2x3"}, {"kind": "1x1x" + "9" * 99}, {"since": "x"},
     {"since": "-1"}, {"until": "999999999999999"}, {"until": "٣"}, {"preset": "x" * 201}, {"preset": "a\0"}],
)  # fmt: skip
def test_what_cannot_be_asked(asked: dict[str, str]) -> None:
    with pytest.raises(RequestError) as caught:
        read_query(asked, "ann")
    assert caught.value.code == "bad-request"
