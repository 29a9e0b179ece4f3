"""A run that is killed goes on where it was; another run's file is refused."""

import os
import zlib
from pathlib import Path
from typing import Any

import pytest

from sapper.errors import HeldStoreError, RecordError
from sapper.simulate.checkpoint import Checkpoint, run_of
from sapper.simulate.results import GameOutcome, SimulatedGame

DEEP = b"[" * 200_000
"""What JSON's reader gives up."""
RUN: dict[str, Any] = {"seed": 3, "strategies": ["a", "b"]}


def _game(number: int) -> SimulatedGame:
    results = list(GameOutcome)
    result = results[number % 4]
    fault = f"illegal: move {number}" if result is GameOutcome.FAULT else ""
    return SimulatedGame(number, number * 7, result, number, number // 2, 70_000 + number, number % 3 or None, fault)


class _Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def _read(path: Path, strategy: int) -> list[SimulatedGame]:
    with Checkpoint(path, RUN) as file:
        return list(file.games(strategy, lambda number: number * 7))


def test_games_come_back_and_a_kill_loses_a_second(tmp_path: Path) -> None:
    path, clock = tmp_path / "run", _Clock()
    file = Checkpoint(path, RUN, clock=clock)
    assert run_of(path) == RUN
    file.begin(0, 5)
    for number in range(5, 105):
        clock.now += 0.3
        file.add(_game(number))
        file.add(_game(number + 9))  # played out of order: left out
    killed = path.read_bytes()  # as SIGKILL would leave it
    file.close()
    path.write_bytes(killed)
    kept = _read(path, 0)
    assert kept == [_game(number) for number in range(5, 5 + len(kept))]
    assert 100 - len(kept) <= 4

    with Checkpoint(path, RUN, clock=clock) as again:
        assert again.kept(0) == len(kept)
        assert again.seconds(0) == pytest.approx(0.3 * len(kept))
        again.begin(0, 5 + len(kept))
        for number in range(5 + len(kept), 105):
            again.add(_game(number))
        again.begin(1, 5)
        again.add(_game(5))
    assert _read(path, 0) == [_game(number) for number in range(5, 105)]
    assert _read(path, 1) == [_game(5)]


def test_wherever_it_is_cut_the_whole_lines_count(tmp_path: Path) -> None:
    path, clock = tmp_path / "run", _Clock()
    with Checkpoint(path, RUN, clock=clock) as file:
        file.begin(0, 0)
        for number in range(6):
            clock.now += 0.6
            file.add(_game(number))
    whole = path.read_bytes()
    found = set()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = _read(path, 0)
        assert kept == [_game(number) for number in range(len(kept))]
        found.add(len(kept))
    assert found == {0, 2, 4, 6}


def test_what_is_not_this_run_is_refused_and_left_alone(tmp_path: Path) -> None:
    path, clock = tmp_path / "run", _Clock()
    with Checkpoint(path, RUN, clock=clock) as file:
        file.begin(0, 0)
        file.add(_game(0))
        file.begin(1, 0)
        file.add(_game(0))
        with pytest.raises(HeldStoreError, match="another process"):
            Checkpoint(path, RUN)
    whole = path.read_bytes()
    with pytest.raises(RecordError, match="its seed is 3, this one's 4"):
        Checkpoint(path, RUN | {"seed": 4})
    damaged = bytearray(whole)
    damaged[whole.index(b"\n") + 30] ^= 1
    lines = whole.splitlines(keepends=True)
    for content, why in (
        (bytes(damaged), "damaged"),
        (b"".join([lines[0], lines[1], lines[1]]), "do not belong"),
        (whole + b"00000000 5\n", f"line at byte {len(whole)} is damaged"),
        (whole + b"%08x 5\n" % zlib.crc32(b"5"), f"line at byte {len(whole)} is damaged"),
        (whole + b"%08x %s\n" % (zlib.crc32(DEEP), DEEP), f"line at byte {len(whole)} is damaged"),
        (DEEP + b"\n", "not a file that --resume wrote"),
        (b"something else\n", "not a file that --resume wrote"),
        (b"something else", "not a file that --resume wrote"),
        (b'{"format": "sapper-checkpoint", "version": 2, "run": {}}\n', "not a file that --resume wrote"),
    ):
        path.write_bytes(content)
        with pytest.raises(RecordError, match=why):
            Checkpoint(path, RUN)
        assert path.read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without devices and named pipes")
def test_what_has_no_end_or_waits_for_ever_is_refused_before_it_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "link", Path(os.devnull), tmp_path):
        for use in (run_of, lambda one: Checkpoint(one, RUN)):
            with pytest.raises(RecordError, match=f"{path} is not a regular file; --resume needs one"):
                use(path)
