"""What the mouse did: columns that are a sequence of events."""

import pytest

from sapper.core.mouse_path import MouseAction, MouseEvent, MousePath

EVENTS = [
    MouseEvent(-3, MouseAction.MOVE, 1, 2),
    MouseEvent(0, MouseAction.LEFT_DOWN, 3, 4),
    MouseEvent(9, MouseAction.PREFLAG, 5, 6),
]


def test_a_path_is_a_sequence_of_its_events() -> None:
    path = MousePath.of(EVENTS)
    assert MousePath.of(path) is path
    assert list(path) == EVENTS
    assert [path[index] for index in range(3)] == EVENTS
    assert path[-1] == EVENTS[-1]
    assert path[1:] == EVENTS[1:]
    assert (len(path), repr(path)) == (3, "<MousePath of 3 events>")
    assert path == tuple(EVENTS)
    assert path == MousePath(tuple(path.times), path.actions, tuple(path.xs), tuple(path.ys))
    assert hash(path) == hash(path[:])
    assert path != EVENTS[:2]
    assert path != MousePath(path.times, path.actions, path.ys, path.xs)
    assert path != 7
    with pytest.raises(ValueError, match="columns of 1, 0, 0 and 0 events"):
        MousePath([1], b"", [], [])
