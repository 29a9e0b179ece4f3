"""EVF, the recordings of Metasweeper: versions 0 to 4.

Source: the description of all five versions in the repository of ms-toollib (`evf标准.md`). All numbers are big-endian; texts end with a zero byte.

Up to version 3 an event has 8 bytes: kind, milliseconds (3), x (2), y (2). Version 4 has differences. Each of its events begins with its kind and the
milliseconds since the event before; one of the mouse has the change of x and of y behind them (2 bytes each, signed). Other events say how the game
stands (81 to 99), what changed on the board (100 to 121: row and column) or what a metric is (200: a number of 8 bytes; 201: a text; both after the metric's
index). A wait of more than a byte is a kind 255 with 2 bytes of milliseconds before the event.

Bit 128 of the settings is 1 where question marks are on. The description says the reverse; the programs that write the files do it so.
"""

import re
from collections.abc import Callable
from itertools import accumulate
from typing import Final

from sapper import _kernels
from sapper.core.mouse_path import CODES, MouseAction, MousePath
from sapper.errors import RecordError
from sapper.replay.byte_reader import ByteReader, column, decode
from sapper.replay.recording import (
    NO_ACTION,
    NOT_WON,
    WON,
    Recording,
    UnknownVersionError,
    action_table,
    check_count,
    local_text,
    make_layout,
    mode_name,
    utc_text,
)

ACTIONS: Final = {
    1: MouseAction.MOVE, 2: MouseAction.LEFT_DOWN, 3: MouseAction.LEFT_UP, 4: MouseAction.RIGHT_DOWN,
    5: MouseAction.RIGHT_UP, 6: MouseAction.MIDDLE_DOWN, 7: MouseAction.MIDDLE_UP, 8: MouseAction.PREFLAG,
    9: MouseAction.BOTH_DOWN,
}  # fmt: skip
NEWEST: Final = 4
_SECONDS: Final = 100_000_000_000
"""A moment below this is in seconds since 1970, another in microseconds."""
TRANSCODED: Final = 8
"""The bit of a file that was made from one of another program."""
END: Final = 0
_CODES: Final = action_table(ACTIONS)
_OLD_END: Final = re.compile(rb"[\x00\xff]")
WAIT: Final = 255
"""In version 4, a long wait."""
STATES: Final = range(81, 100)
"""The game was restarted (81), won (82), lost (83), or something went wrong (99): what follows is not of this game."""
BOARD_EVENTS: Final = range(100, 122)
NUMBER, TEXT = 200, 201
_TOGGLES: Final = {
    10: (MouseAction.LEFT_DOWN, MouseAction.LEFT_UP),
    11: (MouseAction.RIGHT_DOWN, MouseAction.RIGHT_UP),
    12: (MouseAction.MIDDLE_DOWN, MouseAction.MIDDLE_UP),
}
"""Kinds of version 4 that say which button changed, and not whether it was pressed or released."""
_NEW_KINDS: Final = re.compile(rb"[\x01-\x0c]*")
_AT_ONCE: Final = 128
"""Events that are looked through for the next one that is not of the mouse."""


def is_evf(data: bytes) -> bool:
    """True if a file may be one: the format has no signature, so sizes are looked at."""
    at = 2 if data[:1] < b"\x03" else 3
    return len(data) > 20 and data[0] <= NEWEST and data[at] > 0 and data[at + 1] > 0


def read_evf(data: bytes) -> Recording:
    """A recording of any version; `RecordError` for anything else.

    ms-toollib writes version 2 with the number 0: of the two readings of such a file the one is right whose layout has
    as many mines, and the 3BV, that the file states.
    """
    if data[:1] != b"\0":
        return _read(data, data[0] if data else NEWEST + 1)
    read: list[Recording] = []
    fault = RecordError("no version of EVF")
    for version in (2, 0):
        try:
            one = _read(data, version)
        except RecordError as error:
            fault = error
        else:
            if one.claimed_mines == one.layout.mine_count:
                read.insert(0, one)
                if one.claimed_bbbv == _kernels.values_of(*one.grid.table, one.layout.clues).bbbv:
                    return one
    if not read:
        raise fault
    return read[0]


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
    started, program, player = _read_new_texts(reader, flags) if version >= 4 else _read_texts(reader, version)
    bits = reader.take((width * height + 7) // 8)
    found = [(at % width, at // width) for at in range(width * height) if bits[at >> 3] & 128 >> (at & 7)]
    layout = make_layout(width, height, found)
    if version >= 4:
        for _ in range(reader.number(2)):
            reader.until(b"\0")  # the name of a metric
        events = _read_new_events(reader)
    else:
        events = _read_events(reader)
    return Recording(
        format="evf",
        version=str(version),
        layout=layout,
        events=events,
        player=player,
        program=program,
        started=started,
        cell_size=cell_size or 16,
        question_marks=bool(settings & 128) if version >= 3 else None,
        mode=mode_name(mode),
        claimed_mines=mines,
        claimed_ms=time,
        claimed_bbbv=bbbv,
        claimed_result=WON if flags & 128 else NOT_WON,
    )


def _read_new_texts(reader: ByteReader, flags: int) -> tuple[str, str, str]:
    """Of version 4: when the game began, the program and the player."""
    reader.take(2)  # country
    started = utc_text(reader.number(8) // 1_000_000)
    reader.take(8)  # when it ended
    program = decode(reader.until(b"\0"))
    if flags & TRANSCODED:
        reader.until(b"\0")  # which program wrote this file from that one's
        reader.until(b"\0")  # the encoding that the names had
    player = decode(reader.until(b"\0"))
    reader.until(b"\0")  # race
    reader.until(b"\0")  # what tells players of one name apart
    reader.take(reader.number(2))  # the device
    return started, program, player


def _read_texts(reader: ByteReader, version: int) -> tuple[str, str, str]:
    """Up to version 3: when the game began, the program and the player."""
    texts = [decode(reader.until(b"\0")) for _ in range(7 if version < 2 else 8)]
    program, player, started = texts[0], texts[1], texts[4]
    if started.isascii() and started.isdecimal() and len(started) <= 18:
        # Transcoded files of Viennasweeper have seconds, all others microseconds.
        number = int(started)
        return utc_text(number if number < _SECONDS else number // 1_000_000), program, player
    return local_text(started), program, player


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
    """Version 4: events of the mouse have 6 bytes with differences; what is between them is skipped but for its time."""
    begin, data = reader.at, reader.rest
    at = count = 0
    last: int | None = None
    """How many events were there when the game ended by an event that says so."""
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
            size, wait = _other_event(data, at, begin)
            waits.append((count, wait))
            at += size
            if kind in STATES and last is None:
                last = count
        if at >= len(data):
            break
    reader.take(at + 1)
    reader.take(reader.number(2))  # the checksum
    kinds, later, x_high, x_low, y_high, y_low = (b"".join(pieces)[byte::6] for byte in range(6))
    gaps = [*later, 0]
    for number, wait in waits:
        gaps[number] += wait
    count = count if last is None else last
    xs, ys = (list(accumulate(column(low, high, signed=True))) for low, high in ((x_low, x_high), (y_low, y_high)))
    return MousePath(list(accumulate(gaps))[:count], _new_actions(kinds[:count]), xs[:count], ys[:count])


def _other_event(data: bytes, at: int, begin: int) -> tuple[int, int]:
    """The size of an event that is not of the mouse, and its milliseconds."""
    kind = data[at]
    if kind == WAIT:
        return 3, int.from_bytes(data[at + 1 : at + 3], "big")
    later = int.from_bytes(data[at + 1 : at + 2], "big")
    if kind in STATES:
        return 2, later
    if kind in BOARD_EVENTS:
        return 4, later
    if kind == NUMBER:
        return 12, later
    if kind == TEXT:
        end = data.find(b"\0", at + 4)
        if end < 0:
            raise RecordError(f"the text of the event at byte {begin + at} has no end")
        return end + 1 - at, later
    raise RecordError(f"byte {begin + at} is {kind}: not a kind of event")


def _new_actions(kinds: bytes) -> bytes:
    """The codes of some kinds; a button that only changed was pressed if it was not held, else released."""
    if not any(kind in kinds for kind in _TOGGLES):
        return kinds.translate(_CODES)
    held: set[int] = set()
    actions = bytearray()
    for kind in kinds:
        button = (kind - 2) // 2 + 10 if 2 <= kind <= 7 else kind
        is_down = button not in held if kind in _TOGGLES else kind in (2, 4, 6)
        if button in _TOGGLES:
            (held.add if is_down else held.discard)(button)
        action = ACTIONS[kind] if kind in ACTIONS else _TOGGLES[kind][not is_down]
        actions.append(CODES[action])
    return bytes(actions)


def _checked(kinds: bytes, place: Callable[[int], int]) -> bytes:
    """The codes of some kinds; `place` says at which byte of the file one stands."""
    actions = kinds.translate(_CODES)
    wrong = actions.find(NO_ACTION)
    if wrong >= 0:
        raise RecordError(f"byte {place(wrong)} is {kinds[wrong]}: not a kind of event")
    return actions
