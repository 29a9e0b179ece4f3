"""What a file states about itself is held against its replay, for every format."""

from dataclasses import replace

import pytest

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.status import Status
from sapper.game.layout import Layout
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.rawvf import write_rawvf
from sapper.replay.reading import read_recording
from sapper.replay.recording import Recording
from sapper.replay.replaying import ReplayedGame, replay
from tests.recordings import click, recording, some_game, write_avf
from tests.replay.test_reading import WRITERS

SMALL = Layout(Grid(4, 2), CellSet.of([3]))


def _of(name: str, game: Recording) -> ReplayedGame:
    return replay(read_recording(WRITERS[name](game), name=f"x.{name.partition(' ')[0]}"))


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in ("avf", "mvf old", "mvf 2007")])
def test_the_result(name: str) -> None:
    assert "won; the replay shows" not in _of(name, some_game()).told_differences
    game = _of(name, replace(some_game(), claimed_result="won"))
    assert game.status is Status.LOST
    assert game.told_differences.startswith("the file says won")
    assert "; the replay shows lost" in game.told_differences
    assert not game.is_trusted


@pytest.mark.parametrize("name", [name for name in WRITERS if name not in ("mvf old", "mvf 2007")])
def test_the_3bv(name: str) -> None:
    game = _of(name, replace(some_game(), claimed_bbbv=20))
    assert "3BV 20" in game.told_differences.partition(";")[0]
    assert "3BV 16" in game.told_differences.partition(";")[2]
    assert game.is_trusted


@pytest.mark.parametrize("name", WRITERS)
def test_the_time(name: str) -> None:
    game = _of(name, replace(some_game(), claimed_ms=9_500))
    assert "9.500 s" in game.told_differences.partition(";")[0]
    assert game.is_trusted


@pytest.mark.parametrize("name", ["evf 1", "evf 2", "evf 3", "evf 4", "rawvf"])
def test_the_number_of_mines(name: str) -> None:
    data = WRITERS[name](some_game())
    if name == "rawvf":
        broken = data.replace(b"Mines: 10", b"Mines: 11")
    else:
        broken = data.replace(bytes([8, 8, 0, 10]), bytes([8, 8, 0, 11]), 1)
    game = replay(read_recording(broken, name=f"x.{name.partition(' ')[0]}"))
    assert game.told_differences == "the file says 11 mines; the replay shows 10 mines"
    assert not game.is_trusted


@pytest.mark.parametrize("name", ["avf", "rmv 1", "rmv 2", "mvf old", "mvf 0.97", "mvf 2007"])
def test_a_mine_that_is_listed_twice(name: str) -> None:
    data, offset = WRITERS[name](some_game()), {"avf": b"\1\6", "mvf 0.97": b"\6\1", "mvf 2007": b"\6\1"}
    first = offset.get(name, b"\5\0")
    second = {"avf": b"\2\1", "mvf 0.97": b"\1\2", "mvf 2007": b"\1\2"}.get(name, b"\0\1")
    assert first + second in data
    broken = data.replace(first + second, first + first, 1)
    told = replay(read_recording(broken, name=f"x.{name.partition(' ')[0]}")).told_differences
    assert "10 mines" in told.partition(";")[0]
    assert "9 mines" in told.partition(";")[2]


def test_the_clicks_of_clone() -> None:
    game = _of("mvf 0.97", replace(some_game(), claimed_clicks=(2, 1)))
    assert "clicks" not in game.told_differences
    other = _of("mvf 0.97", replace(some_game(), claimed_clicks=(7, 1)))
    assert "7 left and 1 double clicks; the replay shows" in other.told_differences
    assert "2 left and 1 double clicks" in other.told_differences


def test_a_time_below_that_of_the_events_is_not_taken() -> None:
    game = replay(read_recording(write_avf(replace(some_game(), claimed_ms=500))))
    assert game.milliseconds == game.event_milliseconds == 2300
    found = numbers_of([RecordedGame(source="x.avf", record=game.record, replayed=game)])[0]
    assert found["seconds"] == 2.3
    assert found["bbbv_per_second"] == pytest.approx(1 / 2.3)
    assert found["differs"] == "the file says 0.500 s; the replay shows 2.300 s"
    assert found["trusted"] is True


def test_a_game_that_goes_on() -> None:
    one = recording(click(0, 0, 0), layout=SMALL, claimed_result="lost")
    game = replay(read_recording(write_rawvf(replace(one, claimed_bbbv=10, claimed_ms=None)).encode()))
    assert game.told_differences == "the file says lost, 3BV 10; the replay shows playing, 3BV 2"


def test_settings_that_the_replay_does_not_have() -> None:
    text = write_rawvf(some_game()).replace("Mode:", "ElmarTechnique: On\nLives: 3\nSuperFlag: Off\nMode:")
    game = replay(read_recording(text.encode()))
    assert game.told_differences == "the file says Lives: 3, ElmarTechnique: On; the replay shows a game without"
    assert not game.is_trusted
    again = read_recording(write_rawvf(game.recording).encode())
    assert again.other_rules == game.recording.other_rules
