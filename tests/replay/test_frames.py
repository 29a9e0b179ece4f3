"""Boards of a record by number."""

import pytest

from sapper.core.tile import Tile
from sapper.replay import frames as module
from sapper.replay.frames import Frames
from sapper.replay.replaying import replay
from tests.recordings import some_game


@pytest.mark.parametrize("most", [1, 64, 10_000])
def test_each_board_is_there_however_few_are_kept(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES", most)
    record = replay(some_game()).record
    frames = Frames(record)
    assert [frames.board(number) for number in range(len(frames))] == list(record.boards())
    with pytest.raises(IndexError):
        frames.board(len(frames))


def test_the_end_shows_the_mines() -> None:
    frames = Frames(replay(some_game()).record)
    last = len(frames) - 1
    assert frames.shown(last).tiles.count(Tile.MINE) == 9
    assert frames.shown(last - 1).tiles.count(Tile.MINE) == 0
    assert frames.summary(0) == "move 0/4: before the first move"
    assert frames.summary(last) == "move 4/4, 2.300 s: reveal f1, lost"


def test_what_had_been_played_at_a_time() -> None:
    frames = Frames(replay(some_game()).record)
    times = [frames.at(number) for number in range(len(frames))]
    assert times[:2] == [0, 0]
    assert [frames.after(at) for at in (-1, 0, times[2] - 1, times[2], 1e9)] == [0, 1, 1, 2, 4]
