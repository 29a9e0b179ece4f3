"""Each format: what its writer wrote is read again; broken files get an error that says what is wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.errors import RecordError
from sapper.replay.rawvf import write_rawvf
from sapper.replay.reading import LARGEST, format_of, read_recording
from sapper.replay.recording import MOST_EVENTS, Recording
from sapper.replay.replaying import replay
from tests.recordings import LAYOUT, A, click, recording, some_game, write_avf, write_evf, write_mvf, write_rmv

Writer = Callable[[Recording], bytes]

WRITERS: dict[str, Writer] = {
    "avf": write_avf,
    **{f"evf {version}": lambda one, version=version: write_evf(one, version) for version in range(5)},  # type: ignore[misc]
    **{f"rmv {version}": lambda one, version=version: write_rmv(one, version) for version in (1, 2)},  # type: ignore[misc]
    **{f"mvf {kind}": lambda one, kind=kind: write_mvf(one, kind) for kind in ("old", "0.97", "2007")},  # type: ignore[misc]
    "rawvf": lambda one: write_rawvf(one).encode(),
}


@pytest.mark.parametrize("name", WRITERS)
def test_what_was_written_is_read(name: str) -> None:
    game = some_game()
    read = read_recording(WRITERS[name](game), name=f"x.{name.partition(' ')[0]}")
    assert read.format == name.partition(" ")[0]
    assert (read.layout, read.player) == (game.layout, game.player)
    assert read.claimed_ms == game.claimed_ms
    clicks = [event for event in read.events if event.action is not MouseAction.MOVE]
    wanted = [event for event in game.events if event.action is not MouseAction.MOVE]
    if name.startswith("rmv"):
        # The file has no first press: it is put in when the button is released.
        assert clicks[0] == wanted[0]._replace(at=wanted[1].at)
        clicks[0] = wanted[0]
    assert clicks[: len(wanted)] == wanted
    if "old" not in name:
        assert [e for e in read.events if e.action is MouseAction.MOVE] == [
            e for e in game.events if e.action is MouseAction.MOVE
        ] or name.startswith("mvf"), "a state that changes place and button is two events"
    if name not in ("mvf old", "mvf 2007"):
        assert read.claimed_bbbv == 16


@pytest.mark.parametrize("name", WRITERS)
def test_every_cut_and_many_changed_bytes_are_an_error_or_a_recording(name: str) -> None:
    data = WRITERS[name](some_game())
    ending = f"x.{name.partition(' ')[0]}"
    faults = 0
    for at in range(0, len(data), 3):
        for broken in (data[:at], data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :], data[:at] + data[at + 1 :]):
            try:
                read_recording(broken, name=ending)
            except RecordError as error:
                faults += 1
                assert "\n" not in str(error)
    assert faults > len(data) // 12


def test_formats_are_known_by_what_they_are() -> None:
    game = some_game()
    for name, writer in WRITERS.items():
        wanted = None if name == "mvf old" else name.partition(" ")[0]
        found = format_of(writer(game))
        assert found == wanted or name == "mvf old", name
    assert format_of(b"") is None
    with pytest.raises(RecordError, match="not a recording of a known format"):
        read_recording(b"\xff" * 100)


def test_what_cannot_be_is_said() -> None:
    data = write_rmv(some_game(), 1)
    for broken, reason in (
        (data[:4] + b"\0\x07" + data[6:], "rmv: RMV of version 7: versions 1 and 2 can be read"),
        (b"\x09" + write_evf(some_game(), 4)[1:], "evf: EVF of version 9"),
        (
            write_rawvf(some_game()).replace("Width: 8", "Width: eight").encode(),
            "rawvf: Width is a whole number, not 'eight'",
        ),
        (
            write_rawvf(some_game()).replace("00000*00", "00000x00").encode(),
            "rawvf: line .*: a row of the board is 8 times",
        ),
        (
            write_rawvf(some_game()).encode() + b"5.000 xx 3 1 (40 8)\n",
            "rawvf: line .*: 'xx' is not an event; events are mv, lc, ",
        ),
        (write_rawvf(some_game()).encode() + b"5.000 lc 3 1\n", "rawvf: line .*: an event has its place in brackets"),
        (write_rawvf(some_game()).encode() + b"hello\n", "rawvf: line .*: an event is a line as"),
        (write_rawvf(some_game()).replace("Mode:", "Marks: maybe\nMode:").encode(), "rawvf: Marks is On or Off, not"),
    ):
        with pytest.raises(RecordError, match=reason):
            read_recording(broken, name="x.evf" if broken[:1] == b"\x09" else "x")
    with pytest.raises(RecordError, match="at most"):
        read_recording(b"0" * (LARGEST + 1))


def test_events_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_EVENTS == 1_000_000
    many = recording(click(0, 2, 2) + [MouseEvent(50, MouseAction.MOVE, 1, 1)] * 30)
    for module in ("recording", "mvf", "rawvf"):
        monkeypatch.setattr(f"sapper.replay.{module}.MOST_EVENTS", 20)
    for name, writer in WRITERS.items():
        if name != "mvf old":  # a byte of seconds, and the file's own end
            with pytest.raises(RecordError, match="more than 20 events"):
                read_recording(writer(many), name=f"x.{name.partition(' ')[0]}")


def test_version_2_of_evf_that_calls_itself_0_is_recognised() -> None:
    data = write_evf(some_game(), 2)
    assert read_recording(b"\0" + data[1:], name="x.evf").layout == LAYOUT


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        ("双击", "gbk"), ("朱镕基", "gbk"), ("Wang 双击", "gbk"), ("双击", "utf-8"), ("añski", "cp1252"), ("Zoë", "cp1252"),
        ("Pääkkönen", "cp1252"), ("Bjørn Ångström", "cp1252"), ("José Núñez", "cp1252"), ("Jürgen Groß", "utf-8"),
    ],
)  # fmt: skip
def test_names_in_other_encodings(name: str, encoding: str) -> None:
    data = write_avf(some_game())
    named = data.replace(b"\rAnn\r", b"\r" + name.encode(encoding) + b"\r")
    assert read_recording(named).player == name


def test_names_that_fit_no_encoding() -> None:
    assert read_recording(write_avf(some_game()).replace(b"\rAnn\r", b"\r\xff\xfe\xff\r")).player


def test_rmv_1_is_utf_8_only_where_it_says_so() -> None:
    game = replace(some_game(), player="Fǫvǎ")
    assert read_recording(write_rmv(game, 1)).player == "Fǫvǎ"
    assert read_recording(write_rmv(game, 1, is_utf8=False)).player == "FÇ«vÇŽ"


def test_arbiter_up_to_0_51_has_no_line_before_the_3bv() -> None:
    data = write_avf(some_game())
    old = data.replace(b":1000|B16T", b":1000B16T")
    assert old != data
    read = read_recording(old, name="x.avf")
    assert (read.claimed_bbbv, read.claimed_ms, read.started) == (16, 2320, "2021-06-05T11:07:48")


def test_the_moment_has_one_form() -> None:
    game = replace(some_game(), started="2021-06-05T11:07:48")
    local = {name for name in WRITERS if name.startswith(("avf", "mvf", "rawvf"))} - {"mvf old"}
    for name, writer in WRITERS.items():
        wanted = "" if name == "mvf old" else game.started if name in local else "2020-09-13T12:26:40+00:00"
        assert read_recording(writer(game), name=f"x.{name.partition(' ')[0]}").started == wanted, name
    text = write_rawvf(game).replace("2021-06-05T11:07:48", "5.6.2021.11:07:48:6674").encode()
    assert read_recording(text).started == game.started
    assert read_recording(text.replace(b"5.6.2021.11", b"5.11")).started == "", "a day without a month is no moment"


def test_settings_are_read() -> None:
    game = replace(some_game(), question_marks=True)
    for name, writer in WRITERS.items():
        wanted = None if name in ("evf 0", "evf 1", "evf 2") else True
        read = read_recording(writer(game), name=f"x.{name.partition(' ')[0]}")
        assert read.question_marks is wanted or name.startswith("mvf"), name
    assert read_recording(write_avf(replace(game, question_marks=False))).question_marks is False
    upk = replace(some_game(), mode="upk", super_click=True)
    read = read_recording(write_rawvf(upk).encode())
    assert (read.mode, read.super_click) == ("upk", True)
    assert (
        read_recording(write_evf(some_game(), 4).replace(bytes([10, 16, 0, 0]), bytes([10, 16, 255, 255]), 1)).mode
        == "no rules"
    )


def test_rawvf_has_no_event_for_a_flag_of_before_the_game() -> None:
    game = recording([MouseEvent(0, MouseAction.PREFLAG, 80, 0), *click(0, 2, 2)])
    text = write_rawvf(game)
    assert " pf " not in text
    read = read_recording(text.encode())
    assert [event.action.value for event in read.events] == ["rc", "rr", "lc", "lr"]
    assert replay(read).right_clicks == replay(game).right_clicks == 1
    place = 8, 8
    both = [
        MouseEvent(at, action, *place)
        for at, action in enumerate((A.LEFT_DOWN, A.BOTH_DOWN, A.LEFT_UP, A.RIGHT_UP, A.RIGHT_DOWN, A.BOTH_DOWN))
    ]
    read = read_recording(write_rawvf(recording(both)).encode())
    assert [event.action.value for event in read.events] == ["lc", "rc", "lr", "rr", "rc", "lc"]
    with pytest.raises(RecordError, match="'pf' is not an event"):
        read_recording(text.replace("0.000 rc", "0.000 pf").encode())


def test_a_text_of_empty_lines_is_refused_before_it_takes_memory() -> None:
    with pytest.raises(RecordError, match="at most 4,000,000 lines"):
        read_recording(b"RawVF\n" + b"\n" * 4_000_001, name="x.rawvf")
