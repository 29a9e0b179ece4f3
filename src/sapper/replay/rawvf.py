"""RAWVF, recordings as text: read and written.

Source: the description of the format in the repository thefinerminer/minesweeper-rawvf, and its files. A head of `Name: value` lines, `Board:` with a row a line (`*` a mine, `0` none),
`Events:` with a line an event: seconds, what the mouse did, cell (from 1), and in brackets the place in pixels. Lines that tell what changed on the board, and how the game
ended, are skipped: the engine knows. Anything else is an error.
"""

import re
from typing import Final

from sapper.core.mouse_path import MouseAction, MouseEvent, MousePath
from sapper.core.rules import Start
from sapper.core.words import counted
from sapper.errors import RecordError
from sapper.replay.byte_reader import decode
from sapper.replay.recording import LOST, MOST_CELLS, MOST_EVENTS, WON, Recording, local_text, make_layout

VERSION: Final = "Rev6"
MOST_LINES: Final = 4 * MOST_EVENTS
"""With those that tell what changed on the board. A file of nothing but line feeds would take a gigabyte."""
LEVELS: Final = {"beginner": (8, 8, 10), "intermediate": (16, 16, 40), "expert": (30, 16, 99)}

_HEAD = re.compile(r"([A-Za-z][A-Za-z0-9_ ]{0,40}):[ \t]*(.{0,400})")
_EVENT = re.compile(r"(-?\d{1,7})(?:\.(\d{1,3}))?\s+([a-z_]+)\b[^(]{0,40}(?:\(\s*(-?\d{1,6})\s+(-?\d{1,6})\s*\))?")
_BOARD_EVENT: Final = re.compile(
    r"(cell|number|flag|pressed|pressedqm|questionmark|closed|blast|mine|toggle|nonstandard|solved|start|won|lost|boom|cl_|score|bbbv|raw_)[a-z0-9_]*\b",
    re.IGNORECASE,
)
"""Changes of the board; some files have it without a line `Events:` before."""
_NO_ACTIONS: Final = frozenset(("start", "won", "lost", "blast", "boom", "nonstandard", "solved", "sx", "sy"))
"""Events with a time that do nothing to the board; sx and sy are the mouse wheel."""
_ACTIONS: Final = {
    action.value: action for action in MouseAction if action not in (MouseAction.PREFLAG, MouseAction.BOTH_DOWN)
}
"""Mouse events by name. A flag without its events has no name, nor has a press of an unknown button."""
_OTHER_RULES: Final = ("Lives", "Autoflag", "Lawnmower", "ElmarTechnique", "NonoMouse", "SuperFlag")
"""Settings that change the meaning of clicks, which the replay does not support."""
_MODES: Final = {"classic": "standard"}
"""Modes that have another name here."""


def is_rawvf(data: bytes) -> bool:
    """True if a file is text with a head of this format."""
    head = data[:4096].lower()
    return b"\0" not in head and (
        head.lstrip().startswith(b"rawvf") or (b"board:" in data[:65536].lower() and b"width:" in head)
    )


def read_rawvf(data: bytes) -> Recording:
    """A recording; `RecordError` that names the line for anything else."""
    if data.count(b"\n") > MOST_LINES:
        raise RecordError(f"a recording as text has at most {MOST_LINES:,} lines")
    lines = data.split(b"\n")
    head: dict[str, str] = {}
    at = 0
    while at < len(lines):
        line = decode(lines[at])
        at += 1
        match = _HEAD.fullmatch(line)
        if match is None:
            if line:
                raise RecordError(f"line {at}: a line of the head is 'Name: value', not {line[:60]!r}")
            continue
        name = match[1].strip().lower()
        if name == "board":
            break
        head[name] = match[2].strip()
    else:
        raise RecordError("no line 'Board:'")
    width, height, mines = _size(head)
    rows, at = _read_rows(lines, at, width, height)
    found = [(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "*"]
    cell_size = _whole(head.get("squaresize", "16"), "SquareSize") or 16
    mode = head.get("mode", "standard").lower()
    program = " ".join(part for part in (head.get("program", ""), head.get("version", "")) if part)
    return Recording(
        format="rawvf", version=head.get("rawvf_version", ""), layout=make_layout(width, height, found),
        events=_read_events(lines, at, width * cell_size, height * cell_size), player=head.get("player", ""), program=program,
        started=local_text(head.get("timestamp", "")), start=_start(head.get("firstreveal", "safe")), code=head.get("code"),
        cell_size=cell_size,
        question_marks=_is_on(head["marks"], "Marks") if "marks" in head else None,
        other_rules=tuple(
            f"{name}: {value}" for name in _OTHER_RULES if (value := head.get(name.lower(), "Off")).lower() not in ("off", "0", "")
        ),
        super_click=_is_on(head["superclick"], "SuperClick") if "superclick" in head else False, mode=_MODES.get(mode, mode),
        claimed_mines=mines, claimed_ms=_milliseconds(head.get("time")), claimed_bbbv=_bbbv(head.get("bbbv")),
        claimed_result=status if (status := head.get("status", "").lower()) in (WON, LOST) else None,
    )  # fmt: skip


def _start(text: str) -> Start:
    """The start rule of a game of sapper's, which alone writes it."""
    try:
        return Start(text.lower())
    except ValueError:
        raise RecordError(f"FirstReveal is Any, Safe or Open, not {text[:20]!r}") from None


def _is_on(text: str, name: str) -> bool:
    if text.lower() not in ("on", "off"):
        raise RecordError(f"{name} is On or Off, not {text[:20]!r}")
    return text.lower() == "on"


def write_rawvf(recording: Recording) -> str:
    """The same recording as text; reading it gives its layout and events again.

    A flag from before the game, which the format has no event for, becomes a click of the right button, and the press of which only
    is known that it made two, that of the other button.
    """
    grid, size = recording.grid, recording.cell_size
    head = {
        "RawVF_Version": VERSION, "Program": recording.program, "Player": recording.player, "Timestamp": recording.started,
        "Width": str(grid.width), "Height": str(grid.height),
        "Mines": str(recording.layout.mine_count if recording.claimed_mines is None else recording.claimed_mines),
        "SquareSize": str(size), "Mode": "Classic" if recording.mode == "standard" else recording.mode.capitalize(),
    }  # fmt: skip
    if recording.question_marks is not None:
        head["Marks"] = "On" if recording.question_marks else "Off"
    if recording.start is not Start.SAFE:
        head["FirstReveal"] = recording.start.value.capitalize()
    if recording.code is not None:
        head["Code"] = recording.code
    if recording.super_click:
        head["SuperClick"] = "On"
    head |= dict(setting.split(": ", 1) for setting in recording.other_rules)
    if recording.claimed_ms is not None:
        head["Time"] = f"{recording.claimed_ms // 1000}.{recording.claimed_ms % 1000:03}"
    if recording.claimed_bbbv is not None:
        head["BBBV"] = str(recording.claimed_bbbv)
    if recording.claimed_result in (WON, LOST):
        head["Status"] = recording.claimed_result.capitalize()
    mines = recording.layout.mines.marks(grid.size)
    rows = [
        "".join("*" if mine else "0" for mine in mines[at : at + grid.width]) for at in range(0, grid.size, grid.width)
    ]
    lines = [f"{name}: {value}" for name, value in head.items() if value]
    lines += ["Board:", *rows, "Events:", "0.000 start"]
    is_left_down = False
    for at, action, x, y in recording.events:
        names: tuple[str, ...] = (action.value,)
        if action is MouseAction.PREFLAG:
            names = ("rc", "rr")
        elif action is MouseAction.BOTH_DOWN:
            names = ("rc",) if is_left_down else ("lc",)
        is_left_down = (is_left_down or "lc" in names or "sc" in names) and "lr" not in names
        for name in names:
            lines.append(f"{at // 1000}.{at % 1000:03} {name} {x // size + 1} {y // size + 1} ({x} {y})")
    return "\n".join(lines) + "\n"


def _size(head: dict[str, str]) -> tuple[int, int, int | None]:
    width, height, mines = LEVELS.get(head.get("level", "").lower(), (None, None, None))
    if "width" in head or width is None:
        width = _whole(head.get("width", ""), "Width")
    if "height" in head or height is None:
        height = _whole(head.get("height", ""), "Height")
    if "mines" in head:
        mines = _whole(head["mines"], "Mines")
    if not 0 < width * height <= MOST_CELLS:
        raise RecordError(f"a board of {width}x{height} cells is impossible")
    return width, height, mines


def _whole(text: str, name: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 6):
        raise RecordError(f"{name} is a whole number, not {text[:20]!r}")
    return int(text)


def _milliseconds(text: str | None) -> int | None:
    match = re.fullmatch(r"(\d{1,7})(?:[.,](\d{1,3}))?", text or "")
    return None if match is None else int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0"))


def _bbbv(text: str | None) -> int | None:
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) <= 6 else None


def _read_rows(lines: list[bytes], at: int, width: int, height: int) -> tuple[list[str], int]:
    rows: list[str] = []
    while len(rows) < height:
        if at >= len(lines):
            raise RecordError(f"the board has {counted(len(rows), 'row')}, and should have {height}")
        line = decode(lines[at])
        at += 1
        if not line and not rows:
            continue
        if len(line) != width or not set(line) <= {"*", "0"}:
            raise RecordError(f"line {at}: a row of the board is {width} times * or 0, not {line[:60]!r}")
        rows.append(line)
    return rows, at


def _read_events(lines: list[bytes], at: int, right: int, bottom: int) -> MousePath:
    """The events; a place left of or above the board is outside, as one to the right is."""
    events: list[MouseEvent] = []
    is_begun = False
    for number in range(at, len(lines)):
        line = lines[number].decode("utf-8", "replace").strip()
        if line.lower() == "events:":
            is_begun = True
            continue
        match = _EVENT.match(line)
        if match is None:
            if not line or _BOARD_EVENT.match(line):
                continue
            wanted = "an event is a line as '1.250 lc 2 1 (24 8)'" if is_begun else "'Events:' was expected"
            raise RecordError(f"line {number + 1}: {wanted}, not {line[:60]!r}")
        if match[3] in _NO_ACTIONS:
            continue
        if match[3] not in _ACTIONS:
            raise RecordError(f"line {number + 1}: {match[3][:20]!r} is not an event; events are {', '.join(_ACTIONS)}")
        if match[4] is None:
            raise RecordError(f"line {number + 1}: an event has its place in brackets, as (16 8)")
        when = int(match[1]) * 1000 + int((match[2] or "0").ljust(3, "0"))
        x, y = int(match[4]), int(match[5])
        if not (0 <= x < right and 0 <= y < bottom):
            x, y = right, bottom
        events.append(MouseEvent(max(0, when), _ACTIONS[match[3]], x, y))
        if len(events) > MOST_EVENTS:
            raise RecordError(f"more than {MOST_EVENTS:,} events")
    return MousePath.of(events)
