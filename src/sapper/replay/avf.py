"""AVF, the recordings of Minesweeper Arbiter (and FreeSweeper).

There is no description of the format; sources are the readers of ms-toollib and of the project minesweeper-rawvf. A file has: the version (1 byte), 4 bytes
without a known meaning, the level (1), for custom boards width - 1, height - 1 and mines (1, 1, 2), the mines as (row, column) from 1, some bytes, whether question marks
were on (1), a byte, a text in brackets with when the game began and ended, 3BV and time, some bytes, events of 8 bytes, some bytes, and texts of `name: value` with the player last.

The bytes of an event are mixed: 0 the kind, 1 and 3 x, 5 and 7 y, 6 and 2 the second (from 1), 4 the hundredths.
"""

import re
from typing import Final

from sapper.core.mouse_path import MouseAction, MousePath
from sapper.errors import RecordError
from sapper.replay.byte_reader import ByteReader, column, decode
from sapper.replay.recording import NO_ACTION, Recording, action_table, check_count, local_text, make_layout

LEVELS: Final = {3: (8, 8, 10), 4: (16, 16, 40), 5: (30, 16, 99)}
CUSTOM: Final = 6

ACTIONS: Final = {
    1: MouseAction.MOVE, 3: MouseAction.LEFT_DOWN, 5: MouseAction.LEFT_UP, 9: MouseAction.RIGHT_DOWN,
    17: MouseAction.RIGHT_UP, 33: MouseAction.MIDDLE_DOWN, 65: MouseAction.MIDDLE_UP, 145: MouseAction.RIGHT_UP,
    193: MouseAction.MIDDLE_UP, 11: MouseAction.SHIFT_DOWN, 21: MouseAction.LEFT_UP,
}  # fmt: skip
"""The kinds of events: a bit for what happened, and others for what is held."""

_CODES: Final = action_table(ACTIONS)
_BEGIN: Final = re.compile(rb".[\x00\x01]\x01.{5}", re.DOTALL)

_INFO: Final = re.compile(rb"\[[0-3]\|([^\]\[]{0,400}?)\|?B(\d{1,6})T(\d{1,6})[.,](\d{1,3})\]")
"""The text in brackets: `[0|22.7.2018.16:44:26:9876|16:44:29:9479|B28T4.07]`; the time is a second too much. Up to 0.51 there is no `|` before the B."""
MARKS_ON: Final = 17
"""The byte two before the bracket, where question marks were on; else it is 127."""
_DATE: Final = re.compile(rb"\d{1,2}\.\d{1,2}\.\d{4}\.[\d:]+")
"""When the game began; when it ended has no month and no year."""


def is_avf(data: bytes) -> bool:
    """True if a file looks like one: a level and the text in brackets."""
    return len(data) > 40 and data[5] in (*LEVELS, CUSTOM) and _INFO.search(data, 6) is not None


def read_avf(data: bytes) -> Recording:
    """A recording; `RecordError` for anything else."""
    reader = ByteReader(data)
    version = reader.byte()
    reader.take(4)
    level = reader.byte()
    if level == CUSTOM:
        width, height = reader.byte() + 1, reader.byte() + 1
        mines = reader.number(2)
    elif level in LEVELS:
        width, height, mines = LEVELS[level]
    else:
        raise RecordError(f"byte 5 is {level}: levels are 3 to {CUSTOM}")
    found = [(reader.byte() - 1, reader.byte() - 1) for _ in range(mines)]
    layout = make_layout(width, height, [(column, row) for row, column in found])
    info = _INFO.search(data, reader.at)
    if info is None:
        raise RecordError("no text [0|…|…|B…T…] with 3BV and time")
    marks_at = info.start() - 2
    reader.at = info.end()
    date = _DATE.search(info[1])
    milliseconds = (int(info[3]) - 1) * 1000 + int(info[4].ljust(3, b"0"))
    events = _read_events(reader, data)
    player, program = _read_names(data[reader.at :])
    return Recording(
        format="avf",
        version=str(version),
        layout=layout,
        events=events,
        player=player,
        program=program,
        started=local_text(date[0].decode("ascii")) if date else "",
        question_marks=data[marks_at] == MARKS_ON,
        claimed_mines=mines,
        claimed_ms=max(0, milliseconds),
        claimed_bbbv=int(info[2]),
    )


def _read_events(reader: ByteReader, data: bytes) -> MousePath:
    """The events, which begin where a second of 1 and an x below 512 are first, and end with one of second 0."""
    begin = _BEGIN.search(data, reader.at)
    at = len(data) if begin is None else begin.start()
    whole = at + (len(data) - at) // 8 * 8
    kinds, x_high, seconds, x_low, hundredths, y_high, seconds_high, y_low = (
        data[at + byte : whole : 8] for byte in range(8)
    )
    try:
        count = column(seconds, seconds_high).index(0)
    except ValueError:
        raise RecordError(f"the file ends at byte {len(data)}, in the middle of its events") from None
    check_count(count)
    actions = kinds[:count].translate(_CODES)
    wrong = actions.find(NO_ACTION)
    if wrong >= 0:
        raise RecordError(f"byte {at + 8 * wrong} is {kinds[wrong]}: not a kind of event")
    times = [
        1000 * second + 10 * hundredth - 1000
        for second, hundredth in zip(column(seconds[:count], seconds_high[:count]), hundredths, strict=False)
    ]
    reader.at = at + 8 * (count + 1)
    return MousePath(
        times, actions, column(x_low[:count], x_high[:count]), column(y_low[:count], y_high[:count])
    )  # fmt: skip


def _read_names(rest: bytes) -> tuple[str, str]:
    """Player and program: the lines behind `Skin:` are the player, then the program with its version."""
    at = rest.find(b"Skin:")
    lines = [decode(line) for line in rest[max(at, 0) :].split(b"\r")] if at >= 0 else []
    return lines[1] if len(lines) > 1 else "", "Arbiter"
