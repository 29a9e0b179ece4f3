"""RMV, the recordings of Viennasweeper: versions 1 and 2.

Source: the specification in the repository ralokt/rmv_spec. All numbers are big-endian. A file has a head with the size of each section, then the sections: texts,
player, board, flags set before the game, properties, events. Events of the mouse have a time in milliseconds; what they changed on the board is
recorded too and not read, since the engine knows. The first press of a button is missing: it is put in.
"""

import struct
from datetime import UTC, datetime
from typing import Final

from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.errors import RecordingError
from sapper.replay.byte_reader import ByteReader
from sapper.replay.evf import MODES
from sapper.replay.recording import MOST_EVENTS, Recording, make_layout

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
        raise RecordingError(f"RMV of version {version}: versions 1 and 2 can be read")
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
    layout = make_layout(width, height, [(reader.byte(), reader.byte()) for _ in range(mines)], mines)
    preflags = [(reader.byte(), reader.byte()) for _ in range(reader.number(2))] if preflags_size else []
    properties = reader.take(properties_size)
    if version == 2:
        for _ in range(reader.number(2)):
            reader.take(reader.byte())
            reader.take(reader.byte())
    cell_size = properties[6] if version == 2 and len(properties) > 6 and properties[6] else 16
    events, end, time = _read_events(reader, version, (width * cell_size, height * cell_size))
    flags = [MouseEvent(0, MouseAction.PREFLAG, x * cell_size, y * cell_size) for x, y in preflags]
    bbbv = properties[4] | properties[5] << 8 if version == 2 and len(properties) > 5 else _bbbv_of(result)
    mode = properties[2] if len(properties) > 2 else 0
    return Recording(
        format="rmv",
        version=str(version),
        layout=layout,
        events=(*flags, *events),
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


def _bbbv_of(result: bytes) -> int | None:
    """The 3BV in the text of version 1: `…#3BV:33#…`."""
    _, _, rest = result.partition(b"3BV:")
    digits = rest.partition(b"#")[0].strip()
    return int(digits) if digits.isdigit() and len(digits) < 7 else None


def _read_events(reader: ByteReader, version: int, outside: tuple[int, int]) -> tuple[list[MouseEvent], int, int]:
    """The events of the mouse, how the game ended, and its time."""
    events: list[MouseEvent] = []
    at = x = y = 0
    # Three bytes of time, a byte that says which buttons are held, the place.
    event = struct.Struct(">BHxhh" if version == 2 else ">BHxHH")
    while (kind := reader.byte()) not in ENDS:
        if kind == TIMESTAMP and version == 1:
            reader.take(4)
        elif kind in BOARD_EVENTS:
            reader.take(2)
        elif 1 <= kind <= len(ACTIONS) or (kind == SHORT_MOVE and version == 2):
            action = MouseAction.MOVE
            if kind == SHORT_MOVE:
                at += reader.byte()
                change = reader.byte()
                x, y = x + _signed(change >> 4), y + _signed(change & 15)
            else:
                action = ACTIONS[kind - 1]
                high, low, x, y = event.unpack(reader.take(8))
                at = high << 16 | low
                if version == 1:
                    x, y = x - LEFT_EDGE, y - UPPER_EDGE
            is_inside = 0 <= x < outside[0] and 0 <= y < outside[1]
            events.append(MouseEvent(at, action, *((x, y) if is_inside else outside)))
        else:
            raise RecordingError(f"byte {reader.at - 1} is {kind}: no kind of event")
        if len(events) > MOST_EVENTS:
            raise RecordingError(f"more than {MOST_EVENTS:,} events")
    if events:
        first = events[0]
        events.insert(0, MouseEvent(first.at, MouseAction.LEFT_DOWN, first.x, first.y))
    return events, kind, reader.number(3)


def _signed(four_bits: int) -> int:
    return four_bits - 16 if four_bits > 7 else four_bits
