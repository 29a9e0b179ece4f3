"""EVF as Metasweeper and its library write it: the files are made by ms-toollib, or by hand from the description of the format."""

import struct
import subprocess
import sys
from pathlib import Path

import pytest

from sapper.core.mouse_path import MouseAction
from sapper.core.status import Status
from sapper.errors import RecordError
from sapper.replay.reading import read_recording
from sapper.replay.replaying import replay
from tests.recordings import some_game, write_evf

LEAST = bytes.fromhex(
    "04808001040001100000000100000000585800060a24181e400000060a24181e400074007000000000"
    "00100000020000080008030000000000000000"
)
"""A game of version 4 on 4x1 with the mine at (3, 0), won by one click."""
FROM = LEAST.index(bytes.fromhex("020000080008"))
"""Where its events begin."""

_WRITING = """
import sys, time
import ms_toollib

video = ms_toollib.BaseVideo([[0, 0, 1, -1, 1], [0, 0, 1, 1, 1]], 16)
clicks = [("rc", (0, 49)), ("rr", (0, 49)), ("mv", (3, 3)), ("lc", (0, 2)), ("lr", (0, 2)), ("lc", (0, 66)), ("lr", (0, 66))]
for what, place in [*clicks, ("lc", (17, 66)), ("lr", (17, 66)), ("lc", (17, 49)), ("lr", (17, 50))]:
    video.step(what, place)
    time.sleep(0.3 if what == "rr" else 0.001)
video.player_identifier, video.software, video.race_identifier, video.unique_identifier = "Ann", "元3.2.1", "race", "of us"
video.country, video.device_uuid, video.use_question = "CZ", (b"a\\0b" if sys.argv[1] == "4" else b"ab"), False
getattr(video, f"generate_evf_v{sys.argv[1]}_raw_data")()
raw = bytes(video.raw_data)
read = ms_toollib.EvfVideo("x.evf", raw) if sys.argv[1] != "2" else video  # its version 2 calls itself 0, and it cannot read it
if read is not video:
    read.parse()
    read.analyse()
    read.current_time = 1e9
print(raw.hex(), read.left, read.right, read.double, read.ce, read.bbbv, read.bbbv_solved, read.rtime_ms, len(read.events))
"""


def _written_by_others(version: int, tmp_path: Path) -> tuple[bytes, list[int]]:
    script = tmp_path / "write.py"
    script.write_text(_WRITING, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", str(script), str(version)],
        capture_output=True,
        check=True,
        encoding="utf-8",
        timeout=60,
        cwd=tmp_path,
    )
    raw, *numbers = done.stdout.split()
    return bytes.fromhex(raw), [int(number) for number in numbers]


@pytest.mark.parametrize("version", [0, 2, 3, 4])
def test_files_that_ms_toollib_writes(version: int, tmp_path: Path) -> None:
    data, wanted = _written_by_others(version, tmp_path)
    read = read_recording(data, name="x.evf")
    game = replay(read)
    assert (read.player, read.program, read.claimed_result) == ("Ann", "元3.2.1", "won")
    assert game.status is Status.WON
    assert game.differences == ()
    assert read.claimed_bbbv == 4
    assert [
        game.left_clicks, game.right_clicks, game.chords, game.effective_clicks, 4, 4, game.milliseconds, len(read.events),
    ] == wanted  # fmt: skip


def test_the_least_file() -> None:
    read = read_recording(LEAST, name="x.evf")
    game = replay(read)
    assert (read.player, read.program, read.started) == ("p", "t", "2023-11-14T22:13:20+00:00")
    assert (game.status, game.milliseconds, game.clicks, game.differences) == (Status.WON, 0, 1, ())
    assert list(read.layout.mines) == [3]


def test_a_transcoded_file_has_two_texts_more() -> None:
    transcoded = LEAST[:1] + b"\x88" + LEAST[2:].replace(b"t\0p\0", b"t\0other\0utf-8\0p\0")
    read = read_recording(transcoded, name="x.evf")
    assert (read.player, read.program, read.events) == ("p", "t", read_recording(LEAST, name="x.evf").events)


@pytest.mark.parametrize(
    ("between", "later"),
    [
        (bytes([100, 7, 0, 0]), 7),
        (bytes([121, 1, 0, 3]), 1),
        (bytes([200, 2]) + struct.pack(">Hd", 10_000, 1.5), 2),
        (bytes([201, 3]) + struct.pack(">H", 10_001) + b"a text\0", 3),
        (b"\xff\x01\x00" + bytes([110, 5, 0, 0]), 261),
    ],
    ids=["cell", "questionmark", "number", "text", "wait"],
)
def test_events_that_are_not_of_the_mouse_take_their_time(between: bytes, later: int) -> None:
    at = FROM + 6
    named = LEAST[: FROM - 2] + b"\x00\x02one\0two\0"  # two metrics have names
    read = read_recording(named + LEAST[FROM:at] + between + LEAST[at:], name="x.evf")
    game = replay(read)
    assert [event.at for event in read.events] == [0, later]
    assert (game.status, game.clicks) == (Status.WON, 1)


@pytest.mark.parametrize("state", [81, 82, 83, 99])
def test_what_follows_the_end_of_a_game_is_not_of_it(state: int) -> None:
    ended = LEAST[:-3] + bytes([state, 4]) + bytes([2, 1, 0, 1, 0, 0, 3, 1, 0, 0, 0, 0]) + LEAST[-3:]
    game = replay(read_recording(ended, name="x.evf"))
    assert (game.status, game.clicks, len(game.recording.events)) == (Status.WON, 1, 2)
    begun = LEAST[: FROM + 6] + bytes([state, 4]) + LEAST[FROM + 6 :]
    stood = replay(read_recording(begun, name="x.evf"))
    assert (stood.status, stood.clicks) == (Status.READY, 0)
    assert stood.told_differences == "the file says won; the replay shows ready"


def test_a_button_that_only_changed() -> None:
    pressed = LEAST[:FROM] + bytes([10]) + LEAST[FROM + 1 : FROM + 6] + bytes([10]) + LEAST[FROM + 7 :]
    read = read_recording(pressed, name="x.evf")
    assert [event.action for event in read.events] == [MouseAction.LEFT_DOWN, MouseAction.LEFT_UP]
    kinds = ((11, 0), (10, 1), (3, 1), (11, 1), (12, 0), (12, 0))
    places = ((8, 8), *[(0, 0)] * 5)
    both = b"".join(struct.pack(">BBHH", *kind, *place) for kind, place in zip(kinds, places, strict=True))
    names = [event.action.value for event in read_recording(LEAST[:FROM] + both + bytes(3), name="x.evf").events]
    assert names == ["rc", "lc", "lr", "rr", "mc", "mr"]


@pytest.mark.parametrize("kind", [13, 80, 122, 199, 202, 254])
def test_other_kinds_of_events_are_errors(kind: int) -> None:
    with pytest.raises(RecordError, match=f"byte {FROM} is {kind}: not a kind of event"):
        read_recording(LEAST[:FROM] + bytes([kind]) + LEAST[FROM + 1 :], name="x.evf")


def test_a_checksum_may_follow() -> None:
    assert read_recording(LEAST[:-2] + b"\x00\x03abc", name="x.evf").events
    with pytest.raises(RecordError, match="the file ends at byte"):
        read_recording(LEAST[:-2] + b"\x00\x03ab", name="x.evf")
    assert read_recording(write_evf(some_game(), 4)).player == "Ann"
