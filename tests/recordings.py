"""Recordings for tests: games made up here, and writers of each format, so that no foreign file is needed."""

import struct
from collections.abc import Iterable

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.game.layout import Layout
from sapper.replay import avf, evf, rmv
from sapper.replay.mvf import _bit_order
from sapper.replay.recording import Recording

A = MouseAction
LAYOUT = Layout(Grid(8, 8), CellSet.of([5, 8, 23, 32, 35, 37, 41, 46, 48, 55]))
"""3BV 16; the first opening is around (2, 2)."""


def click(at: int, x: int, y: int) -> list[MouseEvent]:
    """A left click in a cell."""
    return [MouseEvent(at, A.LEFT_DOWN, 16 * x + 8, 16 * y + 3), MouseEvent(at + 20, A.LEFT_UP, 16 * x + 8, 16 * y + 3)]


def flag(at: int, x: int, y: int) -> list[MouseEvent]:
    """A right click in a cell."""
    return [
        MouseEvent(at, A.RIGHT_DOWN, 16 * x + 8, 16 * y + 3),
        MouseEvent(at + 10, A.RIGHT_UP, 16 * x + 8, 16 * y + 3),
    ]


def chord(at: int, x: int, y: int) -> list[MouseEvent]:
    """Left, right, left again, right again: the 1.5-click's chord."""
    place = 16 * x + 8, 16 * y + 3
    actions = (A.LEFT_DOWN, A.RIGHT_DOWN, A.LEFT_UP, A.RIGHT_UP)
    return [MouseEvent(at + 10 * number, action, *place) for number, action in enumerate(actions)]


def recording(
    events: Iterable[MouseEvent], *, layout: Layout = LAYOUT, milliseconds: int | None = None, **values: object
) -> Recording:
    """A recording of these events."""
    found = tuple(events)
    return Recording(
        format="rawvf", version="", layout=layout, events=found, player="Ann",
        claimed_ms=milliseconds if milliseconds is not None else (found[-1].at if found else 0), claimed_bbbv=16, **values,  # type: ignore[arg-type]
    )  # fmt: skip


def some_game() -> Recording:
    """An opening, a flag, a chord, moves with a long wait, and the loss at (5, 0)."""
    events = [
        *click(0, 2, 2), MouseEvent(400, A.MOVE, 90, 3), *flag(900, 5, 0), *chord(1500, 4, 0),
        MouseEvent(2100, A.MOVE, 120, 40), *flag(2200, 5, 0), *click(2300, 5, 0), MouseEvent(2330, A.MOVE, 1, 1),
    ]  # fmt: skip
    return recording(events, milliseconds=2320)


def write_evf(one: Recording, version: int) -> bytes:
    """As Metasweeper writes it."""
    grid, codes = one.grid, {action: code for code, action in evf.ACTIONS.items()}
    marks = one.layout.mines.marks(grid.size)
    bits = int("".join(map(str, marks)).ljust(-(-grid.size // 8) * 8, "0"), 2).to_bytes(-(-grid.size // 8), "big")
    out = bytes([version, 0x80 if one.claimed_result == "won" else 0])
    out += bytes([0x80 if one.question_marks else 0]) if version >= 3 else b""
    out += struct.pack(
        ">BBHBHH", grid.height, grid.width, one.layout.mine_count, one.cell_size, 0, one.claimed_bbbv or 0
    )
    name = one.player.encode()
    if version < 4:
        out += (one.claimed_ms or 0).to_bytes(3, "big")
        out += (
            b"Test\0" + name + b"\0\0\0" + b"1600000000000000\0" * 2 + b"XX\0" + (b"" if version < 2 else b"\0") + bits
        )
        for at, action, x, y in one.events:
            out += bytes([codes[action]]) + at.to_bytes(3, "big") + struct.pack(">HH", x, y)
        return out + b"\xff"
    out += (one.claimed_ms or 0).to_bytes(4, "big") + b"XX" + (1_600_000_000_000_000).to_bytes(8, "big") * 2
    # The program, the player, their race and what tells them apart, the length of the device's name; then the number of metrics.
    out += b"Test\0" + name + b"\0\0\0\0\0" + bits + b"\0\0"
    last = MouseEvent(0, A.MOVE, 0, 0)
    for event in one.events:
        wait = event.at - last.at
        if wait > 255:
            out += b"\xff" + struct.pack(">H", wait)
            wait = 0
        out += bytes([codes[event.action], wait]) + struct.pack(">hh", event.x - last.x, event.y - last.y)
        last = event
    return out + b"\0\0\0"


def write_avf(one: Recording) -> bytes:
    """As Arbiter writes it; times are hundredths."""
    grid, codes = one.grid, {action: code for code, action in reversed(avf.ACTIONS.items())}
    mines = sorted(one.layout.mines)
    head = bytes([52, 0, 0, 0, 0, avf.CUSTOM, grid.width - 1, grid.height - 1]) + struct.pack(">H", len(mines))
    for cell in mines:
        x, y = grid.xy(cell)
        head += bytes([y + 1, x + 1])
    seconds = ((one.claimed_ms or 0) + 1000) / 1000
    head += bytes(range(160, 180))  # a checksum
    head += (
        (b"\x115" if one.question_marks else b"\x7f5")
        + b"[0|W8H8M10|5.6.2021.11:07:48:6674|5.11:08:10:1000|B%dT%.2f]" % (one.claimed_bbbv or 0, seconds)
        + b"\x77\x77"
    )
    for at, action, x, y in one.events:
        second = at // 1000 + 1
        head += bytes([codes[action], x >> 8, second & 255, x & 255, at % 1000 // 10, y >> 8, second >> 8, y & 255])
    tail = b"cs=" + bytes(range(16, 32)) + b"\rRealTime: %.2f\rSkin: 3.1\r" % ((one.claimed_ms or 0) / 1000)
    program = b"\rMinesweeper Arbiter 0.52.3. Copyright \xa9 2005-2006 Dmitriy I. Sukhomlynov"
    return head + bytes(8) + tail + one.player.encode("gbk") + program


def write_rmv(one: Recording, version: int, *, is_utf8: bool = True) -> bytes:
    """As Viennasweeper writes it, without the first press; in version 2 with short moves where they fit. `is_utf8` is a flag of version 1."""
    grid = one.grid
    info, player = b"Test", one.player.encode()
    result = b"\nLEVEL:0#3BV:%d#NF:0#\n" % (one.claimed_bbbv or 0) if version == 1 else b""
    board = struct.pack(">IBBH", 1_600_000_000, grid.width, grid.height, one.layout.mine_count)
    for cell in sorted(one.layout.mines):
        board += bytes(grid.xy(cell))
    flags = [event for event in one.events if event.action is A.PREFLAG]
    preflags = struct.pack(">H", len(flags)) + b"".join(bytes([e.x // 16, e.y // 16]) for e in flags) if flags else b""
    properties = bytes([bool(one.question_marks), 0, 0, 3])
    properties += bytes([(one.claimed_bbbv or 0), 0, 16]) if version == 2 else bytes([is_utf8])
    events = _rmv_events([event for event in one.events if event.action is not A.PREFLAG][1:], version)
    events += bytes([16 if one.claimed_result == "won" else 15]) + (one.claimed_ms or 0).to_bytes(3, "big")
    head = b"*rmv" + struct.pack(">H", version) + (b"\x01\x05" if version == 2 else b"") + bytes(4)
    sizes = [len(result)] if version == 1 else []
    sizes += [len(info), 0, len(board), len(preflags), len(properties), *([2] if version == 2 else [])]
    head += b"".join(struct.pack(">H", size) for size in sizes) + struct.pack(">IH", len(events), 0)
    fields = struct.pack(">H", 1) + bytes([len(player)]) + player
    return head + result + info + fields + board + preflags + properties + (b"\0\0" if version == 2 else b"") + events


def _rmv_events(events: list[MouseEvent], version: int) -> bytes:
    out = b""
    last: MouseEvent | None = None
    for event in events:
        code = rmv.ACTIONS.index(event.action) + 1
        near = last is not None and event.at - last.at < 256 and abs(event.x - last.x) < 8 and abs(event.y - last.y) < 8
        if version == 2 and event.action is A.MOVE and near and last is not None:
            out += bytes([28, event.at - last.at, (event.x - last.x & 15) << 4 | event.y - last.y & 15])
        else:
            edge = (rmv.LEFT_EDGE, rmv.UPPER_EDGE) if version == 1 else (0, 0)
            out += (
                bytes([code])
                + event.at.to_bytes(3, "big")
                + b"\0"
                + struct.pack(">hh", event.x + edge[0], event.y + edge[1])
            )
            out += b"\x0e\x01\x01"  # what changed on the board
        last = event
    return out


def write_mvf(one: Recording, kind: str) -> bytes:
    """As Clone writes it: `old`, `0.97` or `2007`. One state an event, so presses and moves must come one at a time."""
    grid = one.grid
    offset = 0 if kind == "old" else 1
    board = struct.pack(">BBH", grid.width, grid.height, one.layout.mine_count)
    for cell in sorted(one.layout.mines):
        x, y = grid.xy(cell)
        board += bytes([x + offset, y + offset])
    time = one.claimed_ms or 0
    score = struct.pack(">HB", time // 1000, time % 1000 // 10)
    held = {"left": 0, "middle": 0, "right": 0}
    states = []
    for at, action, x, y in one.events:
        side, _, way = action.name.lower().partition("_")
        if side in held:
            held[side] = int(way == "down")
        states.append((at, x, y, *held.values()))
    if kind == "old":
        body = b"".join(
            bytes([at // 1000, at % 1000 // 10, left | middle << 1 | right << 2]) + struct.pack(">HHB", x, y, 0)
            for at, x, y, left, middle, right in states
        )
        return board + b"\0\0" + body + score + one.player.encode().ljust(100) + b"\0" + b"7" * 20 + b"\0"
    size, name = (5, one.player.encode()) if kind == "0.97" else (6, one.player.encode())
    order = _bit_order(1234, size)
    body = b"".join(_mvf_state(state, order, size) for state in states)
    started = bytes([6, 5]) + struct.pack(">H", 2021) + bytes([11, 7, 48])
    tail = board + bytes([len(name)]) + name + struct.pack(">H", 1234) + len(states).to_bytes(3, "big") + body
    if kind == "0.97":
        head = b"\x11\x4d" + bytes(25) + b"5" + bytes(46)
        return head + started + bytes([1, 1]) + score + _mvf_stated(one) + bytes([bool(one.question_marks)]) + tail
    head = (b"\x11\x4d" + bytes(25) + b"7").ljust(53, b"\0") + bytes([4]) + b"2007"
    return head.ljust(71, b"\0") + started + bytes([1, 1]) + time.to_bytes(3, "big") + b"\0" + tail


def _mvf_stated(one: Recording) -> bytes:
    """3BV, how much of it is solved, left, double and right clicks."""
    bbbv, (left, double) = one.claimed_bbbv or 0, one.claimed_clicks or (0, 0)
    return struct.pack(">5H", bbbv, bbbv if one.claimed_result == "won" else 0, left, double, 0)


def _mvf_state(state: tuple[int, ...], order: list[tuple[int, int]], size: int) -> bytes:
    at, x, y, left, middle, right = state
    fields = (
        [
            (0, 1, right),
            (1, 1, middle),
            (2, 1, left),
            (3, 9, y),
            (12, 9, x),
            (21, 7, at % 1000 // 10),
            (28, 10, at // 1000),
        ]
        if size == 5
        else [(0, 1, right), (1, 1, middle), (2, 1, left), (3, 11, y + 32), (14, 11, x + 32), (25, 22, at)]
    )
    out = bytearray(size)
    for begin, count, value in fields:
        for bit in range(count):
            if value >> bit & 1:
                byte, mask = order[begin + bit]
                out[byte] |= mask
    return bytes(out)
