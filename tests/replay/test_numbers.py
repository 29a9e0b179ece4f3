"""The numbers of games of ours and of others' recordings."""

import pytest

from sapper.core.record import Record
from sapper.metrics.game import measure_game
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.replaying import replay
from tests.recordings import LAYOUT, some_game

SPEC = (
    "width", "height", "mine_count", "mine_cells", "seconds", "bbbv", "zini", "hzini", "openings", "islands", "left_clicks",
    "right_clicks", "double_clicks", "effective_clicks", "path", "events", "won", "name",
)  # fmt: skip


def test_a_recording_of_another_program() -> None:
    replayed = replay(some_game())
    found = numbers_of([RecordedGame(source="x.rawvf", record=replayed.record, replayed=replayed)])[0]
    assert set(SPEC) <= set(found)
    assert found["mine_cells"] == list(LAYOUT.mines)
    assert (found["seconds"], found["event_seconds"]) == (2.32, 2.3)
    assert (found["left_clicks"], found["right_clicks"], found["double_clicks"], found["effective_clicks"]) == (
        2,
        2,
        1,
        2,
    )
    assert (found["bbbv"], found["solved_bbbv"], found["won"], found["status"]) == (16, 1, False, "lost")
    assert found["correctness"] == pytest.approx(2 / 5)
    assert found["ioe"] == pytest.approx(1 / 5)
    assert found["rqp"] == pytest.approx(2.32**2)
    assert found["qg"] == pytest.approx(2.32**1.7)
    assert found["events"] == len(some_game().events)


def test_a_record_of_ours_agrees_with_the_statistics() -> None:
    record = replay(some_game()).record
    found = numbers_of([RecordedGame(source="k", record=record, player="Ann", time_ms=2500)])[0]
    measured = measure_game(record)
    assert (found["name"], found["seconds"], found["event_seconds"]) == ("Ann", 2.5, record.played[-1].at / 1000)
    assert found["path"] is None
    assert (found["clicks"], found["effective_clicks"]) == (measured.clicks, measured.effective_clicks)
    assert found["solved_bbbv"] == measured.solved_bbbv


def test_without_a_layout_what_it_gives_is_not_said() -> None:
    record = replay(some_game()).record
    begun = Record(rules=record.rules, grid=record.grid, mine_count=10, played=record.played[:1])
    found = numbers_of([RecordedGame(source="k", record=begun)])[0]
    assert found["status"] == "playing"
    assert {found[name] for name in ("bbbv", "zini", "mine_cells", "ioe", "stnb")} == {None}
    assert found["left_clicks"] == 1
