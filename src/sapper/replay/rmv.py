"""RMV, the recordings of Viennasweeper: versions 1 and 2.

Source: the specification in the repository ralokt/rmv_spec. All numbers are big-endian. A file has a head with the size of each section, then the sections: texts,
player, board, flags set before the game, properties, events. Events of the mouse have a time in milliseconds; what they changed on the board is
recorded too and not read, since the engine knows. The first press of a button is missing: it is put in.
"""

import re
import struct
from datetime import UTC, datetime
from typing import Final

from sapper.core.mouse_path import CODES, MouseAction, MousePath
from sapper.errors import RecordingError, UnknownVersionError
from sapper.replay.byte_reader import ByteReader, column
from sapper.replay.evf import MODES
from sapper.replay.recording import MOST_EVENTS, Recording, action_table, check_count, make_layout

SIGNATURE: Final = b"*rmv"
ACTIONS: Final = (
    MouseAction.MOVE, MouseAction.LEFT_DOWN, MouseAction.LEFT_UP, MouseAction.RIGHT_DOWN, MouseAction.RIGHT_UP,
    MouseAction.MIDDLE_DOWN, MouseAction.MIDDLE_UP,
)  # fmt: skip
"""The events 1 to 7."""
TIMESTAMP, SHORT_MOVE = 0, 28
BOARD_EVENTS: Final = frozenset((*range(9, 15), *range(18, 28)))
ENDS: Final = frozenset((15, 16, 17))
WON: Final = 16
_OTHER: Final = rb"[\x09-\x0e\x12-\x1b].{2}"
_FULL: Final = struct.Struct(">xBHxhh").unpack
"""Three bytes of time, a byte that says which buttons are held, the place."""
_CODES: Final = action_table({**dict(enumerate(ACTIONS, 1)), SHORT_MOVE: MouseAction.MOVE})
_MOUSE: Final = {
    1: re.compile(rb"([\x01-\x07].{8})|" + _OTHER + rb"|\x00.{4}", re.DOTALL),
    2: re.compile(rb"([\x01-\x07].{8}|\x1c.{2})|" + _OTHER, re.DOTALL),
}
"""An event of the mouse; or what happened on the board (two bytes that the engine knows better), a time stamp."""
_KINDS: Final = {1: BOARD_EVENTS | {TIMESTAMP, *range(1, 8)}, 2: BOARD_EVENTS | {SHORT_MOVE, *range(1, 8)}}
_MOST_STEPS: Final = 4 * MOST_EVENTS
"""Events with those of the board, which are skipped."""
# Without the group: a group in a possessive repeat is more than the module re of Python 3.11 can do.
_ALL: Final = {
    version: re.compile(rb"(?:" + one.pattern.replace(b"([", b"(?:[") + rb"){0,%d}+" % _MOST_STEPS, re.DOTALL)
    for version, one in _MOUSE.items()
}
_SIGNED: Final = (*range(8), *range(-8, 0))
LEFT_EDGE, UPPER_EDGE = 12, 56
"""Where the board is in the window, to which version 1 refers."""


def is_rmv(data: bytes) -> bool:
    """Whether a file has the signature."""
    return data.startswith(SIGNATURE)


def read_rmv(data: bytes) -> Recording:
    """A recording of either version; `RecordingError` for anything else."""
    reader = ByteReader(data)
    if reader.take(4) != SIGNATURE:
        raise RecordingError("an RMV file begins with *rmv")
    version = reader.number(2)
    if version not in (1, 2):
        raise UnknownVersionError(f"RMV of version {version}: versions 1 and 2 can be read")
    if version == 2:
        reader.take(2)  # the program and its version
    reader.take(4)  # the file's size
    result_size = reader.number(2) if version == 1 else 0
    info_size, _, _, preflags_size, properties_size = (reader.number(2) for _ in range(5))
    if version == 2:
        reader.take(2)
    reader.take(6)  # sizes of events and checksum
    result = reader.take(result_size)
    program = reader.text(info_size)
    player = [reader.text(reader.byte()) for _ in range(reader.number(2))]
    begun = reader.number(4)
    width, height, mines = reader.byte(), reader.byte(), reader.number(2)
    layout = make_layout(width, height, _places(reader, mines), mines)
    preflags = _places(reader, reader.number(2)) if preflags_size else []
    properties = reader.take(properties_size)
    if version == 2:
        for _ in range(reader.number(2)):
            reader.take(reader.byte())
            reader.take(reader.byte())
    cell_size = properties[6] if version == 2 and len(properties) > 6 and properties[6] else 16
    events, end, time = _read_events(reader, version, (width * cell_size, height * cell_size))
    bbbv = properties[4] | properties[5] << 8 if version == 2 and len(properties) > 5 else _bbbv_of(result)
    mode = properties[2] if len(properties) > 2 else 0
    return Recording(
        format="rmv",
        version=str(version),
        layout=layout,
        events=_with_flags(events, [(x * cell_size, y * cell_size) for x, y in preflags]),
        player=player[0] if player else "",
        program=program or "Viennasweeper",
        started=datetime.fromtimestamp(begun, UTC).isoformat() if begun else "",
        cell_size=cell_size,
        question_marks=bool(properties[0]) if properties else None,
        mode=MODES[mode] if mode < len(MODES) else f"mode {mode}",
        claimed_ms=time,
        claimed_bbbv=bbbv,
        claimed_won=end == WON,
    )


def _places(reader: ByteReader, count: int) -> list[tuple[int, int]]:
    data = reader.take(2 * count)
    return list(zip(data[::2], data[1::2], strict=True))


def _with_flags(events: MousePath, flags: list[tuple[int, int]]) -> MousePath:
    """The events with the flags of before the game in front."""
    if not flags:
        return events
    actions = bytes([CODES[MouseAction.PREFLAG]]) * len(flags) + events.actions
    xs, ys = [x for x, _ in flags], [y for _, y in flags]
    return MousePath([0] * len(flags) + [*events.times], actions, [*xs, *events.xs], [*ys, *events.ys])


def _bbbv_of(result: bytes) -> int | None:
    """The 3BV in the text of version 1: `…#3BV:33#…`."""
    _, _, rest = result.partition(b"3BV:")
    digits = rest.partition(b"#")[0].strip()
    return int(digits) if digits.isdigit() and len(digits) < 7 else None


def _read_events(reader: ByteReader, version: int, outside: tuple[int, int]) -> tuple[MousePath, int, int]:
    """The events of the mouse, how the game ended, and its time."""
    begin, data = reader.at, reader.rest
    found = _ALL[version].match(data)
    assert found is not None, "it matches nothing as well"
    end = found.end()
    columns = _columns_1 if version == 1 else _columns_2
    times, codes, xs, ys = columns(_MOUSE[version].findall(data, 0, end))
    check_count(len(times))
    reader.take(end)
    kind = reader.byte()
    if kind not in ENDS:
        if kind in _KINDS[version]:
            raise RecordingError(f"the file ends at byte {begin + len(data)}, or has more events than are read")
        raise RecordingError(f"byte {begin + end} is {kind}: no kind of event")
    time = reader.number(3)
    right, bottom = outside
    if xs and not (min(xs) >= 0 and max(xs) < right and min(ys) >= 0 and max(ys) < bottom):
        inside = [0 <= x < right and 0 <= y < bottom for x, y in zip(xs, ys, strict=True)]
        xs = [x if is_in else right for x, is_in in zip(xs, inside, strict=True)]
        ys = [y if is_in else bottom for y, is_in in zip(ys, inside, strict=True)]
    if times:
        for values, value in ((times, times[0]), (xs, xs[0]), (ys, ys[0])):
            values.insert(0, value)
        codes = bytes([CODES[MouseAction.LEFT_DOWN]]) + codes
    return MousePath(times, codes, xs, ys), kind, time


_Columns = tuple[list[int], bytes, list[int], list[int]]


def _columns_1(events: list[bytes]) -> _Columns:
    """Times, codes and places in version 1, whose events are all alike; what is no event of the mouse is empty."""
    data = b"".join(events)
    kinds, high, middle, low, _, x_high, x_low, y_high, y_low = (data[byte::9] for byte in range(9))
    times = column(low, middle, high, bytes(len(kinds))).tolist()
    xs, ys = column(x_low, x_high), column(y_low, y_high)
    return times, kinds.translate(_CODES), [x - LEFT_EDGE for x in xs], [y - UPPER_EDGE for y in ys]


def _columns_2(events: list[bytes]) -> _Columns:
    """The same in version 2, where a short move is told from the event before it."""
    times: list[int] = []
    xs: list[int] = []
    ys: list[int] = []
    at = x = y = 0
    for event in events:
        if len(event) == 9:
            high, low, x, y = _FULL(event)
            at = high << 16 | low
        elif event:
            _, later, change = event
            at += later
            x += _SIGNED[change >> 4]
            y += _SIGNED[change & 15]
        else:
            continue
        times.append(at)
        xs.append(x)
        ys.append(y)
    return times, bytes([event[0] for event in events if event]).translate(_CODES), xs, ys
