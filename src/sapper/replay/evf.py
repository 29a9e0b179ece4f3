"""EVF, the recordings of Metasweeper: versions 0 to 4.

Source: the description of versions 0.0 to 0.3 in the repository of ms-toollib (`evf标准.md`), and for version 4 files that
ms-toollib 1.5.20 wrote. All numbers are big-endian; texts end with a zero byte.

Up to version 3 an event has 8 bytes: kind, milliseconds (3), x (2), y (2). Version 4 stores differences in 6 bytes: kind, milliseconds since
the event before (1), change of x and of y (2 each, signed). A wait of more than a byte is a kind 255 with 2 bytes of milliseconds before the event.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import accumulate
from typing import Final

from sapper import _kernels
from sapper.core.mouse_path import MouseAction, MousePath
from sapper.errors import RecordingError, UnknownVersionError
from sapper.replay.byte_reader import ByteReader, column, decode
from sapper.replay.recording import NO_ACTION, Recording, action_table, check_count, make_layout

ACTIONS: Final = {
    1: MouseAction.MOVE, 2: MouseAction.LEFT_DOWN, 3: MouseAction.LEFT_UP, 4: MouseAction.RIGHT_DOWN,
    5: MouseAction.RIGHT_UP, 6: MouseAction.MIDDLE_DOWN, 7: MouseAction.MIDDLE_UP, 8: MouseAction.PREFLAG,
    9: MouseAction.BOTH_DOWN,
}  # fmt: skip
MODES: Final = (
    "standard", "upk", "cheat", "density", "win7", "competitive no-guess", "strong no-guess", "weak no-guess",
    "quasi no-guess", "strong guessable", "weak guessable", "recursive chord", "recursive flag", "recursive chord and flag",
)  # fmt: skip
NEWEST: Final = 4
YEAR_10000: Final = 253_402_300_800_000_000
"""Microseconds since 1970 that no date has any more."""
END: Final = 0
NO_CHECKSUM: Final = 255
"""Ends the events up to version 3; in version 4 it is a long wait."""
_CODES: Final = action_table(ACTIONS)
_OLD_END: Final = re.compile(rb"[\x00\xff]")
_NEW_KINDS: Final = re.compile(rb"[\x01-\x09]*")
_AT_ONCE: Final = 128
"""Events that are looked through for the next long wait."""


def is_evf(data: bytes) -> bool:
    """Whether a file may be one: the format has no signature, so sizes are looked at."""
    at = 2 if data[:1] < b"\x03" else 3
    return len(data) > 20 and data[0] <= NEWEST and data[at] > 0 and data[at + 1] > 0


def read_evf(data: bytes) -> Recording:
    """A recording of any version; `RecordingError` for anything else.

    ms-toollib writes version 2 with the number 0: of the two readings of such a file the one is right whose layout has
    the 3BV that the file states.
    """
    if data[:1] != b"\0":
        return _read(data, data[0] if data else NEWEST + 1)
    read: list[Recording] = []
    fault = RecordingError("no version of EVF")
    for version in (2, 0):
        try:
            one = _read(data, version)
        except RecordingError as error:
            fault = error
        else:
            read.append(one)
            if one.claimed_bbbv == _kernels.values_of(*one.grid.table, one.layout.clues).bbbv:
                return one
    if not read:
        raise fault
    return read[-1]


def _read(data: bytes, version: int) -> Recording:
    reader = ByteReader(data)
    reader.take(1)
    if version > NEWEST:
        raise UnknownVersionError(f"EVF of version {version}: versions 0 to {NEWEST} can be read")
    flags = reader.byte()
    settings = reader.byte() if version >= 3 else 0
    height, width = reader.byte(), reader.byte()
    mines = reader.number(2)
    cell_size = reader.byte()
    mode = reader.number(2)
    bbbv = reader.number(2)
    time = reader.number(4 if version >= 4 else 3)
    started, texts = _read_texts(reader, version)
    bits = reader.take((width * height + 7) // 8)
    found = [(at % width, at // width) for at in range(width * height) if bits[at >> 3] & 128 >> (at & 7)]
    layout = make_layout(width, height, found, mines)
    events = _read_new_events(reader) if version >= 4 else _read_events(reader)
    return Recording(
        format="evf",
        version=str(version),
        layout=layout,
        events=events,
        player=texts[1],
        program=texts[0],
        started=started,
        cell_size=cell_size or 16,
        question_marks=not settings & 128 if version >= 3 else None,
        mode=MODES[mode] if mode < len(MODES) else f"mode {mode}",
        claimed_ms=time,
        claimed_bbbv=bbbv,
        claimed_won=bool(flags & 128),
    )


def _read_texts(reader: ByteReader, version: int) -> tuple[str, list[str]]:
    """When the game began, and the texts: program and player first."""
    if version >= 4:
        reader.take(2)  # country
        started = _moment(reader.number(8))
        reader.number(8)
        texts = [decode(reader.until(b"\0")) for _ in range(8)]
        return started, [texts[0], texts[3]]
    texts = [decode(reader.until(b"\0")) for _ in range(7 if version < 2 else 8)]
    started = texts[4]
    return _moment(int(started)) if started.isdecimal() and len(started) <= 18 else started, texts


def _moment(microseconds: int) -> str:
    if not 0 < microseconds < YEAR_10000:
        return ""
    return datetime.fromtimestamp(microseconds // 1_000_000, UTC).isoformat()


def _read_events(reader: ByteReader) -> MousePath:
    """Up to version 3: events of 8 bytes, all alike."""
    at, data = reader.at, reader.rest
    end = _OLD_END.search(data[::8])
    count = len(data) // 8 + 1 if end is None else end.start()
    check_count(min(count, len(data) // 8))
    kinds, *fields = (data[byte : 8 * count : 8] for byte in range(8))
    actions = _checked(kinds, lambda wrong: at + 8 * wrong)
    reader.take(8 * count + 1)
    high, middle, low, x_high, x_low, y_high, y_low = fields
    times = column(low, middle, high, bytes(count))
    return MousePath(times, actions, column(x_low, x_high), column(y_low, y_high))


def _read_new_events(reader: ByteReader) -> MousePath:
    """Version 4: events of 6 bytes with differences; a long wait of 3 bytes comes before the event that it is of."""
    reader.take(reader.number(2))  # what a program adds of its own
    begin, data = reader.at, reader.rest
    at = count = 0
    pieces: list[bytes] = []
    waits: list[tuple[int, int]] = []
    while True:
        kinds = data[at : at + 6 * _AT_ONCE : 6]
        alike = _NEW_KINDS.match(kinds).end()  # type: ignore[union-attr]  # it matches nothing as well
        pieces.append(data[at : at + 6 * alike])
        count += alike
        at += 6 * alike
        check_count(count)
        if alike < len(kinds):
            kind = kinds[alike]
            if kind == END:
                break
            if kind != NO_CHECKSUM:
                raise RecordingError(f"byte {begin + at} is {kind}: no kind of event")
            waits.append((count, int.from_bytes(data[at + 1 : at + 3], "big")))
            at += 3
        if at >= len(data):
            break
    reader.take(at + 1)
    kinds, later, x_high, x_low, y_high, y_low = (b"".join(pieces)[byte::6] for byte in range(6))
    gaps = [*later, 0]
    for number, wait in waits:
        gaps[number] += wait
    xs, ys = (list(accumulate(column(low, high, signed=True))) for low, high in ((x_low, x_high), (y_low, y_high)))
    return MousePath(list(accumulate(gaps))[:count], kinds.translate(_CODES), xs, ys)


def _checked(kinds: bytes, place: Callable[[int], int]) -> bytes:
    """The codes of some kinds; `place` says at which byte of the file one stands."""
    actions = kinds.translate(_CODES)
    wrong = actions.find(NO_ACTION)
    if wrong >= 0:
        raise RecordingError(f"byte {place(wrong)} is {kinds[wrong]}: no kind of event")
    return actions
