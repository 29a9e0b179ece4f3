"""A game played back: time, keys, what is seen; and once in a real terminal."""

import sys
from pathlib import Path

from sapper.replay.frames import LONGEST_WAIT, Frames
from sapper.replay.rawvf import write_rawvf
from sapper.replay.replaying import replay
from sapper.terminal.playback import Playback, commands_of, frame_of
from tests.network import in_terminal
from tests.recordings import click, recording, some_game


def _frames() -> Frames:
    return Frames(replay(some_game()).record)


def test_moves_come_at_their_times() -> None:
    frames = _frames()
    playback = Playback(frames)
    seen = []
    now = 100.0
    while (wait := playback.seconds_to_next(now)) is not None:
        now += wait
        playback.pass_time(now)
        seen.append((playback.number, round(now - 100, 3)))
    assert seen == [(number, frames.at(number) / 1000) for number in range(1, 5)]
    assert not playback.is_playing


def test_speed_and_long_thinking() -> None:
    slow = Frames(replay(recording([*click(0, 2, 2), *click(60_000, 0, 0)])).record)
    playback = Playback(slow, speed=2)
    playback.pass_time(0.0)
    playback.pass_time(0.0)
    assert playback.number == 1
    assert playback.seconds_to_next(0.0) == LONGEST_WAIT
    for _ in range(20):
        playback.do("faster")
    assert playback.speed == 100
    assert playback.seconds_to_next(0.0) == 0.6


def test_keys() -> None:
    playback = Playback(_frames())
    for keys, number, is_playing in (
        (b"\x1b[C", 1, False), (b"\x1bOC\x1b[C", 3, False), (b"\x1b[D", 2, False), (b"1\r", 1, False),
        (b"99\r", 4, False), (b"12\x7f\r", 1, False), (b"e", 4, False), (b" ", 0, True), (b" ", 0, False), (b"?\xff", 0, False),
    ):  # fmt: skip
        for command in commands_of(keys):
            playback.do(command)
        assert (playback.number, playback.is_playing) == (number, is_playing), keys
    playback.do("quit")
    assert playback.quits


def test_what_is_seen_fits_the_terminal() -> None:
    frames = _frames()
    playback = Playback(frames)
    playback.do("end")
    shown = frame_of(playback, frames, title="a\x1b[2Jb", width=60, height=24, colours=False)
    assert shown.lines[8].startswith("move 4/4, 2.300 s")
    assert shown.lines[9] == "a?[2Jb: stopped, 1x"
    assert shown.lines[0][5:].startswith("\x1b[7mX")
    small = frame_of(playback, frames, title="x", width=4, height=5, colours=False)
    assert len(small.lines) == 5
    assert (small.x, small.y) == (2, 0)
    assert frame_of(playback, frames, title="x", width=1, height=1, colours=True).lines


def test_in_a_terminal(tmp_path: Path) -> None:
    path = tmp_path / "game.rawvf"
    path.write_text(write_rawvf(some_game()))
    with in_terminal(sys.executable, "-m", "sapper", "replay", str(path)) as program:
        program.wait_for("move 1/4")
        program.type("e")
        program.wait_for("reveal f1, lost")
        program.type("0\r")
        program.wait_for("before the first move")
        program.type("q")
        assert program.end() == 0
        assert program.modes_now() == program.modes
