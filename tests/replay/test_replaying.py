"""Recordings through the engine: which clicks count, what they do, and how long it took."""

import pytest

from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.core.status import Status
from sapper.metrics.game import measure_game
from sapper.replay.replaying import ReplayedGame, replay
from tests.recordings import LAYOUT, A, chord, click, flag, recording, some_game


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
    assert _counts(outside) == (1, 0, 0, 1)


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


def test_impossible_sequences_are_taken_as_they_come() -> None:
    events = [_at(action, 10 * at, 2, 2) for at, action in enumerate([*A, *reversed(A), *A])]
    game = replay(recording(events))
    assert game.clicks > 0
    assert replay(recording([])).status is Status.READY
