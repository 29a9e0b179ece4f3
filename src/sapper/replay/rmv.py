"""RMV, the recordings of Viennasweeper: versions 1 and 2.

Source: the specification in the repository ralokt/rmv_spec. All numbers are big-endian. A file has a head with the size of each section, then the sections: texts,
player, board, flags set before the game, properties, events. Events of the mouse have a time in milliseconds; what they changed on the board is
recorded too and not read, since the engine knows. The first press of a button is missing: it is put in.
"""

import re
import struct
import sys
from array import array
from itertools import accumulate
from typing import Final

from sapper.core.mouse_path import CODES, MouseAction, MousePath
from sapper.errors import RecordError
from sapper.replay.byte_reader import ByteReader, decode
from sapper.replay.recording import (
    LOST,
    MOST_EVENTS,
    NOT_WON,
    WON,
    Recording,
    UnknownVersionError,
    action_table,
    check_count,
    make_layout,
    mode_name,
    utc_text,
)

SIGNATURE: Final = b"*rmv"
ACTIONS: Final = (
    MouseAction.MOVE, MouseAction.LEFT_DOWN, MouseAction.LEFT_UP, MouseAction.RIGHT_DOWN, MouseAction.RIGHT_UP,
    MouseAction.MIDDLE_DOWN, MouseAction.MIDDLE_UP,
)  # fmt: skip
"""The events 1 to 7."""
TIMESTAMP, SHORT_MOVE = 0, 28
BOARD_EVENTS: Final = frozenset((*range(9, 15), *range(18, 28)))
RESULTS: Final = {15: LOST, 16: WON, 17: NOT_WON}
"""The events that end a recording."""
_CODES: Final = action_table({**dict(enumerate(ACTIONS, 1)), SHORT_MOVE: MouseAction.MOVE})
_FIRST_PRESS: Final = bytes([CODES[MouseAction.LEFT_DOWN]])
_OTHER: Final = rb"[\x09-\x0e\x12-\x1b].."
_RUNS: Final = {
    1: re.compile(rb"((?:[\x01-\x07].{8})*+)(?:" + _OTHER + rb"|\x00....)*+", re.DOTALL),
    2: re.compile(rb"([\x01-\x07].{8})?((?:\x1c..)*+)(?:" + _OTHER + rb")*+", re.DOTALL),
}
"""Events of the mouse that follow each other, in version 2 one with its place and the short moves after it; then what happened on the board (two
bytes that the engine knows better) and time stamps."""
_KINDS: Final = {1: BOARD_EVENTS | {TIMESTAMP, *range(1, 8)}, 2: BOARD_EVENTS | {SHORT_MOVE, *range(1, 8)}}
_X_STEPS: Final = bytes((byte >> 4 ^ 8) - 8 & 255 for byte in range(256))
_Y_STEPS: Final = bytes((byte & 15 ^ 8) - 8 & 255 for byte in range(256))
"""The two signed half bytes of a short move as signed bytes, for `bytes.translate`."""
_BEGIN: Final = struct.Struct(">4sH")
_HEADS: Final = {1: struct.Struct(">4x6H6x"), 2: struct.Struct(">6x5H8x")}
"""The sizes of result (version 1 alone), info, player, board, preflags and properties, between what is not read: program, size of the file and of the events."""
_BOARD: Final = struct.Struct(">IBBH")
LEFT_EDGE, UPPER_EDGE = 12, 56
"""Where the board is in the window, to which version 1 refers."""


def is_rmv(data: bytes) -> bool:
    return data.startswith(SIGNATURE)


def read_rmv(data: bytes) -> Recording:
    """A recording of either version; `RecordError` for anything else."""
    reader = ByteReader(data)
    signature, version = reader.fields(_BEGIN)
    if signature != SIGNATURE:
        raise RecordError("an RMV file begins with *rmv")
    if version not in _HEADS:
        raise UnknownVersionError(f"RMV of version {version}: versions 1 and 2 can be read")
    *results, info_size, _, _, preflags_size, properties_size = reader.fields(_HEADS[version])
    result = reader.take(results[0]) if results else b""
    program = reader.text(info_size)
    names = [reader.take(reader.byte()) for _ in range(reader.number(2))]
    begun, width, height, mines = reader.fields(_BOARD)
    layout = make_layout(width, height, _places(reader, mines))
    preflags = _places(reader, reader.number(2)) if preflags_size else []
    properties = reader.take(properties_size)
    is_utf8 = version == 2 or (len(properties) > 4 and properties[4] != 0)
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
        player=decode(names[0], may_be_utf8=is_utf8) if names else "",
        program=program or "Viennasweeper",
        started=utc_text(begun),
        cell_size=cell_size,
        question_marks=bool(properties[0]) if properties else None,
        mode=mode_name(mode),
        claimed_mines=mines,
        claimed_ms=time,
        claimed_bbbv=bbbv,
        claimed_result=RESULTS[end],
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
    match, end = _RUNS[version].match, 0
    runs: list[tuple[bytes, ...]] = []
    for _ in range(MOST_EVENTS):
        found = match(data, end)
        if found is None or found.end() == end:
            break
        runs.append(found.groups(b""))
        end = found.end()
    times, codes, xs, ys = (_columns_1 if version == 1 else _columns_2)(runs)
    reader.at += end
    kind = reader.byte()
    if kind not in RESULTS:
        if kind in _KINDS[version]:
            raise RecordError(f"the file ends at byte {begin + len(data)}, or has more events than are read")
        raise RecordError(f"byte {begin + end} is {kind}: not a kind of event")
    time = reader.number(3)
    right, bottom = outside
    if times:
        if min(xs) < 0 or max(xs) >= right or min(ys) < 0 or max(ys) >= bottom:
            for number, (x, y) in enumerate(zip(xs, ys, strict=True)):
                if not (0 <= x < right and 0 <= y < bottom):
                    xs[number], ys[number] = right, bottom
        for values in (times, xs, ys):
            values.insert(0, values[0])
        codes = _FIRST_PRESS + codes
    return MousePath(times, codes, xs, ys), kind, time


_Columns = tuple[list[int], bytes, list[int], list[int]]


def _columns_1(runs: list[tuple[bytes, ...]]) -> _Columns:
    """Times, codes and places in version 1, whose events are all alike."""
    data = b"".join([run for (run,) in runs])
    check_count(len(data) // 9)
    times, xs, ys = _wide_columns(data)
    return times, data[::9].translate(_CODES), [x - LEFT_EDGE for x in xs], [y - UPPER_EDGE for y in ys]


def _columns_2(runs: list[tuple[bytes, ...]]) -> _Columns:
    """The same in version 2, where a short move is told from the event before it.

    Everything becomes differences, which are added up at the end: those of short moves are in the file, that of an event with a
    place of its own is what the short moves before it leave.
    """
    pieces: list[bytes] = []
    placed: list[int] = []
    """The numbers of the events that have a place of their own."""
    count = 0
    for full, run in runs:
        if full:
            placed.append(count)
            count += 1
            pieces.append(full[:1] + b"\0\0")
        pieces.append(run)
        count += len(run) // 3
    check_count(count)
    data = b"".join(pieces)
    changes = data[2::3]
    times, xs, ys = (
        [*data[1::3]],
        [*array("b", changes.translate(_X_STEPS))],
        [*array("b", changes.translate(_Y_STEPS))],
    )
    last = was = was_x = was_y = 0
    for number, at, x, y in zip(placed, *_wide_columns(b"".join([full for full, _ in runs])), strict=True):
        between = slice(last, number)
        times[number] = at - was - sum(times[between])
        xs[number] = x - was_x - sum(xs[between])
        ys[number] = y - was_y - sum(ys[between])
        last, was, was_x, was_y = number + 1, at, x, y
    return [*accumulate(times)], data[::3].translate(_CODES), [*accumulate(xs)], [*accumulate(ys)]


def _wide_columns(events: bytes) -> tuple[list[int], list[int], list[int]]:
    """Times and places of events of nine bytes: the kind, three bytes of time, which buttons are held, x, y."""
    # As one row of eight bytes an event, which are four bytes of time and two of each place.
    rows = bytearray(len(events) // 9 * 8)
    for to, byte in enumerate((1, 2, 3, 5, 6, 7, 8), 1):
        rows[to::8] = events[byte::9]
    times, places = array("I", rows), array("h", rows)
    if sys.byteorder == "little":
        times.byteswap()
        places.byteswap()
    return times[::2].tolist(), places[2::4].tolist(), places[3::4].tolist()
