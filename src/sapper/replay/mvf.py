"""MVF, the recordings of Minesweeper Clone: versions before 0.97, 0.97 with its variants, 2006 and 2007.

There is no description of the format; sources are the readers of ms-toollib (0.97) and of the project minesweeper-rawvf (the others). What a file records is the state of the mouse at
each moment: an event is what changed since the one before. From 0.97 on the bits of a state are in an order that is
made of the digits of square roots, sines and cosines of a number in the file.
"""

import math
from typing import Final

from sapper.core.mouse_path import CODES, MOVE, MouseAction, MousePath
from sapper.errors import RecordError
from sapper.game.layout import Layout
from sapper.replay.byte_reader import ByteReader, decode
from sapper.replay.recording import MOST_EVENTS, NOT_WON, WON, Recording, UnknownVersionError, date_text, make_layout

SIGNATURE: Final = b"\x11\x4d"
YEAR_AT: Final = 27
"""The last digit of the program's year."""
MODES: Final = {1: "standard", 2: "density", 3: "upk"}
SCALE: Final = 100_000_000


LEFT, MIDDLE, RIGHT = 4, 2, 1
"""Which buttons are held, as the bits of a state."""
_BUTTONS: Final = (
    (LEFT, MouseAction.LEFT_DOWN, MouseAction.LEFT_UP),
    (RIGHT, MouseAction.RIGHT_DOWN, MouseAction.RIGHT_UP),
    (MIDDLE, MouseAction.MIDDLE_DOWN, MouseAction.MIDDLE_UP),
)
"""In the order in which changes at one moment are told: presses first."""
_OLD_BUTTONS: Final = tuple(
    (LEFT if held & 1 else 0) | (MIDDLE if held & 2 else 0) | (RIGHT if held & 4 else 0) for held in range(256)
)
"""How the oldest files say them."""


def is_mvf(data: bytes) -> bool:
    """True if a file has the signature of 0.97 or newer. Older files have none and are recognised by their name."""
    return data.startswith(SIGNATURE)


def read_mvf(data: bytes) -> Recording:
    """A recording of any version; `RecordError` for anything else."""
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
        raise UnknownVersionError(f"byte {YEAR_AT} is {year!r}: recordings of 0.97, 2006 and 2007 have 5 to 8 there")
    reader.at = 74
    return _read_097(reader, "0.97" if year == "5" else "0.97 Funny Mode")


def _read_097(reader: ByteReader, version: str) -> Recording:
    started = _started(reader)
    _, mode = reader.byte(), reader.byte()
    time = reader.number(2) * 1000 + reader.byte() * 10
    bbbv, solved, left, double, _ = (reader.number(2) for _ in range(5))
    marks, board, player, states = _read_rest(reader, 5)
    events = _events(
        [((bits >> 28 & 1023) * 100 + (bits >> 21 & 127)) * 10 for bits in states],
        [bits >> 12 & 511 for bits in states],
        [bits >> 3 & 511 for bits in states],
        [bits & 7 for bits in states],
    )
    return _recording(
        version, board, events, player, time, started=started, marks=marks, mode=MODES.get(mode, "cheat"), bbbv=bbbv,
        clicks=(left, double), result=WON if solved == bbbv else NOT_WON,
    )  # fmt: skip


def _read_2007(reader: ByteReader, version: str) -> Recording:
    started = _started(reader)
    _, mode = reader.byte(), reader.byte()
    time = reader.number(3)
    marks, board, player, states = _read_rest(reader, 6)
    events = _events(
        [bits >> 25 & 0x3FFFFF for bits in states],
        [(bits >> 14 & 2047) - 32 for bits in states],
        [(bits >> 3 & 2047) - 32 for bits in states],
        [bits & 7 for bits in states],
    )
    return _recording(version, board, events, player, time, started=started, marks=marks, mode=MODES.get(mode, "cheat"))


def _read_rest(reader: ByteReader, size: int) -> tuple[int, tuple[Layout, int], str, list[int]]:
    """Question marks, board, player, and the states of so many bytes each, with their bits in order."""
    marks, board, player = reader.byte(), _read_board(reader, -1), reader.text(reader.byte())
    return marks, board, player, _ordered(reader, _tables(_bit_order(reader.number(2), size)))


def _read_old(reader: ByteReader) -> Recording:
    """Before 0.97: no head, events of 8 bytes, then the time, and from 0.76 on 100 bytes of the player's name, then a checksum."""
    board = _read_board(reader, 0)
    marks = reader.byte()
    reader.take(1)
    begin, size = reader.at, len(reader)
    if size - begin < 13 or size < 22:
        raise RecordError("the file is too short to be a recording")
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
        raise RecordError("the file is too short to be a recording")
    reader.at = time_at
    time = reader.number(2) * 1000 + reader.byte() * 10
    if version != "0.75 or before":
        player = decode(reader.take(100))
    reader.at = begin
    states: list[tuple[int, int, int, int]] = []
    while reader.at + 8 <= time_at:
        second, hundredths, buttons, *place, _ = reader.take(8)
        at = second * 1000 + hundredths * 10
        if (states and at < states[-1][0]) or at > time:
            break
        states.append((at, place[0] << 8 | place[1], place[2] << 8 | place[3], _OLD_BUTTONS[buttons]))
    if states:
        states.append((*states[-1][:3], 0))
    times, xs, ys, held = map(list, zip(*states, strict=True)) if states else ([], [], [], [])
    events = _events(times, xs, ys, held)
    return _recording(version, board, events, player, time, started="", marks=marks, mode="standard")


def _recording(
    version: str, board: tuple[Layout, int], events: MousePath, player: str, time: int, *,
    started: str, marks: int, mode: str, bbbv: int | None = None, clicks: tuple[int, int] | None = None,
    result: str | None = None,
) -> Recording:  # fmt: skip
    layout, mines = board
    return Recording(
        format="mvf", version=version, layout=layout, events=events, player=player, program="Minesweeper Clone",
        started=started, question_marks=bool(marks), mode=mode, claimed_mines=mines, claimed_ms=time,
        claimed_bbbv=bbbv, claimed_clicks=clicks, claimed_result=result,
    )  # fmt: skip


def _started(reader: ByteReader) -> str:
    month, day, year = reader.byte(), reader.byte(), reader.number(2)
    hour, minute, second = reader.byte(), reader.byte(), reader.byte()
    return date_text(year, month, day, hour, minute, second)


def _read_board(reader: ByteReader, offset: int) -> tuple[Layout, int]:
    width, height, mines = reader.byte(), reader.byte(), reader.number(2)
    places = [(reader.byte() + offset, reader.byte() + offset) for _ in range(mines)]
    return make_layout(width, height, places), mines


def _count(reader: ByteReader) -> int:
    count = reader.number(3)
    if count > MOST_EVENTS:
        raise RecordError(f"more than {MOST_EVENTS:,} events")
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
    """For each byte of a state and each of its values: its share of the number that has the state's bits in their true order."""
    tables = [[0] for _ in range(len(order) // 8)]
    weights = {place: 1 << bit for bit, place in enumerate(order)}
    for byte, table in enumerate(tables):
        for held in range(8):
            weight = weights[byte, 1 << held]
            table += [value | weight for value in table]
    return tables


def _ordered(reader: ByteReader, tables: list[list[int]]) -> list[int]:
    """The states as numbers whose bits are in their order."""
    size, count = len(tables), _count(reader)
    data = reader.take(size * count)
    one, two, three, four, five, *more = tables
    columns = [data[byte::size] for byte in range(size)]
    states = [one[a] | two[b] | three[c] | four[d] | five[e] for a, b, c, d, e in zip(*columns[:5], strict=True)]
    for table, column in zip(more, columns[5:], strict=True):
        states = [state | table[byte] for state, byte in zip(states, column, strict=True)]
    return states


def _changes(was: int, held: int) -> bytes:
    """The changes of buttons between two states, as codes: presses, then releases."""
    downs = [down for button, down, _ in _BUTTONS if held & ~was & button]
    ups = [up for button, _, up in _BUTTONS if was & ~held & button]
    return bytes(CODES[action] for action in downs + ups)


_CHANGES: Final = tuple(tuple(_changes(was, held) for held in range(8)) for was in range(8))
_MOVED: Final = tuple(tuple(bytes([MOVE]) + changes for changes in row) for row in _CHANGES)


def _events(times: list[int], xs: list[int], ys: list[int], states: list[int]) -> MousePath:
    """The events between each state and the next; the first one is the press that began the game."""
    if not states:
        return MousePath([], b"", [], [])
    x, y, was = xs[0], ys[0], states[0]
    rows = [0]
    """The state that each event is of."""
    codes = bytearray(_CHANGES[0][was][-1:] or bytes([MOVE]))
    for row, (to_x, to_y, held) in enumerate(zip(xs, ys, states, strict=True)):
        if held == was:
            if to_x != x or to_y != y:
                rows.append(row)
                codes.append(MOVE)
        else:
            changes = (_CHANGES if to_x == x and to_y == y else _MOVED)[was][held]
            rows += [row] * len(changes)
            codes += changes
            was = held
        x, y = to_x, to_y
    return MousePath([times[row] for row in rows], bytes(codes), [xs[row] for row in rows], [ys[row] for row in rows])
