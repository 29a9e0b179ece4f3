"""MVF, the recordings of Minesweeper Clone: versions before 0.97, 0.97 with its variants, 2006 and 2007.

There is no description of the format; sources are the readers of ms-toollib (0.97) and of the project minesweeper-rawvf (the others). What a file records is the state of the mouse at
each moment: an event is what changed since the one before. From 0.97 on the bits of a state are in an order that is
made of the digits of square roots, sines and cosines of a number in the file.
"""

import math
from typing import Final, NamedTuple

from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.errors import RecordingError
from sapper.game.layout import Layout
from sapper.replay.byte_reader import ByteReader, decode
from sapper.replay.recording import MOST_EVENTS, Recording, make_layout

SIGNATURE: Final = b"\x11\x4d"
YEAR_AT: Final = 27
"""The last digit of the program's year."""
MODES: Final = {1: "standard", 2: "density", 3: "upk"}
SCALE: Final = 100_000_000


class _State(NamedTuple):
    at: int
    x: int
    y: int
    left: int
    middle: int
    right: int


def is_mvf(data: bytes) -> bool:
    """Whether a file has the signature of 0.97 or newer. Older files have none and are recognised by their name."""
    return data.startswith(SIGNATURE)


def read_mvf(data: bytes) -> Recording:
    """A recording of any version; `RecordingError` for anything else."""
    reader = ByteReader(data)
    if not data.startswith(SIGNATURE):
        if data.startswith(b"\0\0"):
            reader.at = 7
            return _read_097(reader, "0.97 variant")
        return _read_old(reader)
    reader.at = YEAR_AT
    year = chr(reader.byte())
    if year in "67":
        reader.at = 53
        version = reader.text(reader.byte())
        reader.at = 71
        return _read_2007(reader, version)
    if year not in "58":
        raise RecordingError(f"byte {YEAR_AT} is {year!r}: recordings of 0.97, 2006 and 2007 have 5 to 8 there")
    reader.at = 74
    return _read_097(reader, "0.97" if year == "5" else "0.97 Funny Mode")


def _read_097(reader: ByteReader, version: str) -> Recording:
    started = _started(reader)
    _, mode = reader.byte(), reader.byte()
    time = reader.number(2) * 1000 + reader.byte() * 10
    bbbv = reader.number(2)
    reader.take(8)  # solved 3BV and clicks
    marks = reader.byte()
    layout = _read_board(reader, -1)
    player = reader.text(reader.byte())
    tables = _tables(_bit_order(reader.number(2), 5))
    states = []
    for _ in range(_count(reader)):
        bits = _ordered(reader.take(5), tables)
        at = (bits >> 28 & 1023) * 1000 + (bits >> 21 & 127) * 10
        states.append(_State(at, bits >> 12 & 511, bits >> 3 & 511, bits >> 2 & 1, bits >> 1 & 1, bits & 1))
    return _recording(
        version, layout, states, player, time, started=started, marks=marks, mode=MODES.get(mode, "cheat"), bbbv=bbbv
    )


def _read_2007(reader: ByteReader, version: str) -> Recording:
    started = _started(reader)
    _, mode = reader.byte(), reader.byte()
    time = reader.number(3)
    marks = reader.byte()
    layout = _read_board(reader, -1)
    player = reader.text(reader.byte())
    tables = _tables(_bit_order(reader.number(2), 6))
    states = []
    for _ in range(_count(reader)):
        bits = _ordered(reader.take(6), tables)
        x, y = (bits >> 14 & 2047) - 32, (bits >> 3 & 2047) - 32
        states.append(_State(bits >> 25 & 0x3FFFFF, x, y, bits >> 2 & 1, bits >> 1 & 1, bits & 1))
    return _recording(
        version, layout, states, player, time, started=started, marks=marks, mode=MODES.get(mode, "cheat")
    )


def _read_old(reader: ByteReader) -> Recording:
    """Before 0.97: no head, events of 8 bytes, then the time, and from 0.76 on 100 bytes of the player's name, then a checksum."""
    layout = _read_board(reader, 0)
    marks = reader.byte()
    reader.take(1)
    begin, size = reader.at, len(reader)
    if size - begin < 13 or size < 22:
        raise RecordingError("the file is too short to be a recording")
    reader.at = size - 22
    first, *_, last = reader.take(22)
    player = ""
    if not chr(last).isdigit() and not chr(first).isdigit():
        version, time_at = "0.96 or before", size - 125
    else:
        reader.at = size - 13
        is_named = reader.take(3) == b"   "
        version, time_at = ("0.76", size - 113) if is_named else ("0.75 or before", size - 13)
    if time_at < begin:
        raise RecordingError("the file is too short to be a recording")
    reader.at = time_at
    time = reader.number(2) * 1000 + reader.byte() * 10
    if version != "0.75 or before":
        player = decode(reader.take(100))
    reader.at = begin
    states: list[_State] = []
    while reader.at + 8 <= time_at:
        second, hundredths, buttons, *place, _ = reader.take(8)
        at = second * 1000 + hundredths * 10
        if (states and at < states[-1].at) or at > time:
            break
        x, y = place[0] << 8 | place[1], place[2] << 8 | place[3]
        states.append(_State(at, x, y, buttons & 1, buttons >> 1 & 1, buttons >> 2 & 1))
    if states:
        states.append(states[-1]._replace(left=0, middle=0, right=0))
    return _recording(version, layout, states, player, time, started="", marks=marks, mode="standard")


def _recording(
    version: str, layout: Layout, states: list[_State], player: str, time: int, *,
    started: str, marks: int, mode: str, bbbv: int | None = None,
) -> Recording:  # fmt: skip
    return Recording(
        format="mvf", version=version, layout=layout, events=_events(states), player=player, program="Minesweeper Clone",
        started=started, question_marks=bool(marks), mode=mode, claimed_ms=time, claimed_bbbv=bbbv,
    )  # fmt: skip


def _started(reader: ByteReader) -> str:
    month, day, year = reader.byte(), reader.byte(), reader.number(2)
    hour, minute, second = reader.byte(), reader.byte(), reader.byte()
    return f"{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"


def _read_board(reader: ByteReader, offset: int) -> Layout:
    width, height, mines = reader.byte(), reader.byte(), reader.number(2)
    places = [(reader.byte() + offset, reader.byte() + offset) for _ in range(mines)]
    return make_layout(width, height, places, mines)


def _count(reader: ByteReader) -> int:
    count = reader.number(3)
    if count > MOST_EVENTS:
        raise RecordingError(f"more than {MOST_EVENTS:,} events")
    return count


def _bit_order(leading: int, size: int) -> list[tuple[int, int]]:
    """Where bit i of a state is: its byte, and the mask of it there.

    Eight digits of each of some numbers are written one after the other, eight for each byte of a state. The places of the digit 0 come first, in their
    order, then those of 1, and so on.
    """
    one = math.sqrt(leading)
    two = math.sqrt(leading + 1000.0)
    three = math.sqrt(one + 1000.0)
    four = math.sqrt(two + 1000.0)
    numbers = [
        math.cos(three + 1000.0), math.sin(math.sqrt(two)), math.cos(three), math.sin(math.sqrt(one) + 1000.0),
        math.cos(four), math.sin(four),
    ]  # fmt: skip
    digits = "".join(f"{round(abs(number) * SCALE):08d}"[:8] for number in numbers[:size])
    places = sorted(range(len(digits)), key=lambda at: digits[at])
    return [(at >> 3, 1 << (at & 7)) for at in places]


def _tables(order: list[tuple[int, int]]) -> list[list[int]]:
    """What each value of each byte of a state adds to the number that its bits are in their order, bit 0 the first."""
    tables = [[0] * 256 for _ in range(len(order) // 8)]
    for bit, (byte, mask) in enumerate(order):
        for value in range(256):
            if value & mask:
                tables[byte][value] |= 1 << bit
    return tables


def _ordered(state: bytes, tables: list[list[int]]) -> int:
    number = 0
    for table, value in zip(tables, state, strict=True):
        number |= table[value]
    return number


def _events(states: list[_State]) -> tuple[MouseEvent, ...]:
    """What changed from each state to the next; the first one shows the press that began the game."""
    events: list[MouseEvent] = []
    for number, now in enumerate(states):
        before = states[number - 1] if number else _State(now.at, now.x, now.y, 0, 0, 0)
        if number and now[3:] == before[3:]:
            if now[1:3] != before[1:3]:
                events.append(MouseEvent(now.at, MouseAction.MOVE, now.x, now.y))
            continue
        actions = [MouseAction.MOVE] if (now.x, now.y) != (before.x, before.y) else []
        for held, was, down in (
            (now.left, before.left, MouseAction.LEFT_DOWN),
            (now.right, before.right, MouseAction.RIGHT_DOWN),
            (now.middle, before.middle, MouseAction.MIDDLE_DOWN),
        ):
            if held and not was:
                actions.append(down)
        for held, was, up in (
            (now.left, before.left, MouseAction.LEFT_UP),
            (now.right, before.right, MouseAction.RIGHT_UP),
            (now.middle, before.middle, MouseAction.MIDDLE_UP),
        ):
            if was and not held:
                actions.append(up)
        if not number:
            actions = actions[-1:] or [MouseAction.MOVE]
        events += [MouseEvent(now.at, action, now.x, now.y) for action in actions]
    return tuple(events)
