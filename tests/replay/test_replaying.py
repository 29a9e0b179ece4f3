"""Recordings through the engine: which clicks count, what they do, and how long it took."""

from dataclasses import replace
from typing import Any

import pytest

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.core.record_binary import pack_record, unpack_record
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.metrics.game import measure_game, solved_of
from sapper.replay.numbers import RecordedGame, numbers_of
from sapper.replay.rawvf import write_rawvf
from sapper.replay.reading import read_recording
from sapper.replay.recording import Recording
from sapper.replay.replaying import ReplayedGame, replay
from tests.recordings import LAYOUT, A, chord, click, flag, recording, some_game, write_avf
from tests.replay.test_reading import WRITERS


def _counts(game: ReplayedGame) -> tuple[int, int, int, int]:
    return game.left_clicks, game.right_clicks, game.chords, game.effective_clicks


def _at(action: MouseAction, at: int, x: int, y: int) -> MouseEvent:
    return MouseEvent(at, action, 16 * x + 8, 16 * y + 3)


def test_a_game() -> None:
    game = replay(some_game())
    assert game.status is Status.LOST
    assert _counts(game) == (
        2,
        2,
        1,
        2,
    )  # the opening; the first flag on the mine. Its clearing and the loss change nothing for the better
    assert game.milliseconds == 2320
    assert game.event_milliseconds == 2300
    assert [one.move.action.name for one in game.record.played] == ["REVEAL", "FLAG", "UNFLAG", "REVEAL"]
    assert game.record.played[0].at == 0
    assert measure_game(game.record).bbbv == 16


def test_the_clicks_of_a_chord() -> None:
    """(5, 1) is a 1 beside the mine (5, 0): with a flag there a chord reveals the rest, whichever way it is made."""
    start = [*click(0, 2, 2), *flag(100, 5, 0)]
    both = [
        _at(A.RIGHT_DOWN, 200, 5, 1),
        _at(A.LEFT_DOWN, 210, 5, 1),
        _at(A.LEFT_UP, 220, 5, 1),
        _at(A.RIGHT_UP, 230, 5, 1),
    ]
    middle = [_at(A.MIDDLE_DOWN, 200, 5, 1), _at(A.MIDDLE_UP, 220, 5, 1)]
    shift = [_at(A.SHIFT_DOWN, 200, 5, 1), _at(A.LEFT_UP, 220, 5, 1)]
    unknown = [
        _at(A.LEFT_DOWN, 200, 5, 1),
        _at(A.BOTH_DOWN, 210, 5, 1),
        _at(A.RIGHT_UP, 220, 5, 1),
        _at(A.LEFT_UP, 230, 5, 1),
    ]
    games = [replay(recording([*start, *end])) for end in (chord(200, 5, 1), both, middle, shift, unknown)]
    assert {_counts(game) for game in games} == {(1, 1, 1, 3)}, "a right press that becomes a chord is no right click"
    assert len({game.record.played[-1].update for game in games}) == 1


def test_after_a_chord_the_other_button_does_nothing() -> None:
    events = [*click(0, 2, 2), *flag(100, 5, 0), _at(A.LEFT_DOWN, 200, 5, 1), _at(A.RIGHT_DOWN, 210, 5, 1)]
    events += [_at(A.RIGHT_UP, 220, 5, 1), _at(A.LEFT_UP, 230, 7, 7)]
    assert _counts(replay(recording(events))) == (1, 1, 1, 3)


def test_a_drag_counts_where_it_ends() -> None:
    game = replay(recording([_at(A.LEFT_DOWN, 0, 5, 0), _at(A.MOVE, 5, 3, 1), _at(A.LEFT_UP, 9, 2, 2)]))
    assert game.record.played[0].move.cell == 18
    outside = replay(recording([*click(0, 2, 2), _at(A.LEFT_DOWN, 50, 5, 0), MouseEvent(60, A.LEFT_UP, 128, 128)]))
    assert _counts(outside) == (2, 0, 0, 1), "a button that is released outside is a click"
    before = replay(recording([_at(A.LEFT_DOWN, 0, 5, 0), MouseEvent(5, A.LEFT_UP, 128, 128), *click(50, 2, 2)]))
    assert _counts(before) == (1, 0, 0, 1), "unless the game has not begun"


def test_flags_before_the_game_count_if_one_is_left() -> None:
    taken_back = [*flag(0, 5, 0), *flag(30, 5, 0), *click(100, 2, 2)]
    assert _counts(replay(recording(taken_back))) == (1, 0, 0, 2)
    kept = [*flag(0, 5, 0), *flag(30, 0, 0), *flag(60, 0, 0), *click(100, 2, 2)]
    assert _counts(replay(recording(kept))) == (1, 3, 0, 2)
    without_events = [MouseEvent(0, A.PREFLAG, 80, 0), *click(0, 2, 2), *chord(200, 5, 1)]
    assert _counts(replay(recording(without_events))) == (1, 1, 1, 3)
    on_a_flag = [*flag(0, 2, 2), *click(100, 2, 2)]
    assert replay(recording(on_a_flag)).status is Status.PLAYING
    assert _counts(replay(recording(on_a_flag)))[0] == 0
    assert replay(recording(on_a_flag)).event_milliseconds == 0  # nothing is revealed: no game has begun


def test_the_path_begins_with_the_game_and_has_cells_of_16() -> None:
    events = [
        MouseEvent(0, A.MOVE, 0, 0),
        *click(0, 2, 2),
        MouseEvent(40, A.MOVE, 43, 35),
        MouseEvent(50, A.MOVE, 128, 128),
        MouseEvent(60, A.MOVE, 43, 39),
    ]
    assert replay(recording(events)).path == pytest.approx(3 + 4)
    large = [MouseEvent(e.at, e.action, 2 * e.x, 2 * e.y) for e in events]
    assert replay(recording(large, cell_size=32)).path == pytest.approx(3 + 4)


def test_a_win_and_what_comes_after_it() -> None:
    cells = [cell for cell in range(64) if cell not in LAYOUT.mines]
    events = [event for number, cell in enumerate(cells) for event in click(100 * number, cell % 8, cell // 8)]
    game = replay(recording([*events, *flag(9000, 5, 0)]))
    assert game.status is Status.WON
    assert game.right_clicks == 0
    assert measure_game(game.record).solved_bbbv == 16


def _small(mines: list[int], size: tuple[int, int], events: list[tuple[str, int, int]], **values: Any) -> ReplayedGame:
    """A game on a small board; each event is a button and the pixels of its click."""
    buttons = {"left": (A.LEFT_DOWN, A.LEFT_UP), "right": (A.RIGHT_DOWN, A.RIGHT_UP), "marks": (A.MARKS_TOGGLED,)}
    buttons["both"] = (A.LEFT_DOWN, A.RIGHT_DOWN, A.LEFT_UP, A.RIGHT_UP)
    listed = [
        MouseEvent(100 * number, action, x, y)
        for number, (button, x, y) in enumerate(events)
        for action in buttons[button]
    ]
    return replay(recording(listed, layout=Layout(Grid(*size), CellSet.of(mines)), **values))


def _solved(game: ReplayedGame) -> tuple[int, int]:
    bbbv, solved = solved_of(game.recording.layout, game.board.tiles)
    return solved, bbbv


def test_question_marks_are_those_of_the_recorded_game() -> None:
    events = [("left", 8, 8), ("right", 40, 8), ("right", 40, 8), ("right", 40, 8), ("left", 40, 8)]
    assert _small([1], (3, 1), events, question_marks=True).status is Status.WON
    assert _small([1], (3, 1), events, question_marks=False).status is Status.PLAYING
    assert _small([1], (3, 1), [("marks", 8, 8), *events], question_marks=False).status is Status.WON
    on_question = [*events[:3], ("left", 40, 8)]
    assert _small([1], (3, 1), on_question, question_marks=True).status is Status.WON, "a question mark is no flag"
    assert _small([1], (3, 1), on_question, question_marks=True).record.rules.question_marks


def test_a_left_click_on_a_clue_chords_where_the_game_had_that() -> None:
    events = [("left", 10, 10), ("right", 80, 10), ("left", 140, 10), ("left", 140, 10)]
    game = _small([1], (4, 1), events, cell_size=64, super_click=True)
    assert (game.status, game.left_clicks, game.chords) == (Status.WON, 2, 1)
    assert _small([1], (4, 1), events, cell_size=64).status is Status.PLAYING


def test_an_opening_that_a_wrong_flag_keeps_closed_is_not_solved() -> None:
    game = _small([3], (4, 1), [("right", 8, 8), ("left", 24, 8)])
    assert _solved(game) == (0, 1)
    at_the_edge = _small([3], (4, 1), [("right", 40, 8), ("left", 8, 8)])
    assert _solved(at_the_edge) == (0, 1)
    cleared = _small([3], (4, 1), [("right", 8, 8), ("left", 24, 8), ("right", 8, 8), ("left", 8, 8)])
    assert (_solved(cleared), cleared.status) == ((1, 1), Status.WON)


def test_a_chord_into_a_mine_opens_the_other_neighbours() -> None:
    game = _small([1], (3, 2), [("left", 24, 24), ("right", 8, 8), ("both", 24, 24)])
    assert game.status is Status.LOST
    assert _solved(game) == (4, 5)
    assert game.board.tiles.count(Tile.EXPLODED) == 1
    assert unpack_record(pack_record(game.whole_record)) == game.whole_record
    two = _small([0, 2], (3, 2), [("left", 24, 24), ("right", 8, 24), ("right", 40, 24), ("both", 24, 24)])
    assert (two.status, two.board.tiles.count(Tile.EXPLODED)) == (Status.LOST, 1)
    assert _solved(two) == (2, 4)


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
