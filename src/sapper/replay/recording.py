"""A recording of another program: the layout, what the mouse did in time, and when it was."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.mouse_path import CODES, MouseAction, MouseEvent
from sapper.core.rules import Start
from sapper.errors import RecordError
from sapper.game.layout import Layout

MOST_CELLS: Final = 1 << 16
"""Cells of a board; the binary formats have a byte for each side."""
MOST_EVENTS: Final = 1_000_000
"""Events of a recording. An hour at 200 moves a second has 720,000."""


class UnknownVersionError(RecordError):
    """A recording of a version of its format that no reader here knows: ms-toollib may know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """A recording as its file has it. What it claims about itself (time, 3BV) is None where the format has no such field."""

    format: str
    """`avf`, `rmv`, `evf`, `mvf` or `rawvf`."""
    version: str
    """Of the format or of the program that wrote it."""
    layout: Layout
    events: Sequence[MouseEvent]
    """The mouse events; the readers give a `MousePath`."""
    player: str = ""
    program: str = ""
    started: str = ""
    """When the game was played (`moments`); empty where the file does not say it."""
    cell_size: int = 16
    """Pixels of a cell's side."""
    start: Start = Start.SAFE
    """What the first reveal was protected from: of a mine, as programs do that are ranked by, or as the rules say of a game of sapper's."""
    code: str | None = None
    """The code of a game of sapper's, if it had one."""
    question_marks: bool | None = None
    """Whether the right button sets question marks too, when the game begins; None where the file does not say it."""
    super_click: bool = False
    """True if a left click on a clue chords."""
    other_rules: tuple[str, ...] = ()
    """Settings of the recorded game that its replay does not have, as the file names them: with them a click may do something else."""
    mode: str = "standard"
    claimed_mines: int | None = None
    """The number of mines that the file states, apart from where they are."""
    claimed_ms: int | None = None
    """The time of the game that the file states."""
    claimed_bbbv: int | None = None
    """The layout's 3BV that the file states."""
    claimed_result: str | None = None
    """How the game ended as the file states it: `WON`, `LOST`, or `NOT_WON` where it says no more than that."""
    claimed_clicks: tuple[int, int] | None = None
    """Left and double clicks that the file states. Of right ones programs have different notions."""

    @property
    def grid(self) -> Grid:
        return self.layout.grid


WON: Final = "won"
LOST: Final = "lost"
NOT_WON: Final = "not won"

MODES: Final = {
    **dict(enumerate((
        "standard", "upk", "cheat", "density", "win7", "competitive no-guess", "strong no-guess", "weak no-guess",
        "quasi no-guess", "strong guessable", "weak guessable", "recursive chord", "recursive flag", "recursive chord and flag",
        "no-guess recursive chord", "no-guess recursive flag", "no-guess recursive chord and flag",
    ))),
    65535: "no rules",
}  # fmt: skip

NO_ACTION: Final = 255
"""The code of a byte that names no action."""


def action_table(actions: Mapping[int, MouseAction]) -> bytes:
    """For `bytes.translate`: the codes of `MousePath` for the bytes by which a format names its actions, else `NO_ACTION`."""
    return bytes(CODES[actions[byte]] if byte in actions else NO_ACTION for byte in range(256))


def mode_name(mode: int) -> str:
    """The name of a mode, from its number in EVF and RMV files."""
    return MODES.get(mode, f"mode {mode}")


def check_count(count: int) -> None:
    """`RecordError` for more events than are read."""
    if count > MOST_EVENTS:
        raise RecordError(f"more than {MOST_EVENTS:,} events")


def make_layout(width: int, height: int, mines: Iterable[tuple[int, int]]) -> Layout:
    """A layout from the mines' columns and rows; `RecordError` for one that cannot be."""
    if not (width > 0 and height > 0 and width * height <= MOST_CELLS):
        raise RecordError(f"a board of {width}x{height} cells is impossible")
    marks = bytearray(width * height)
    for x, y in mines:
        if not (0 <= x < width and 0 <= y < height):
            raise RecordError(f"a mine at ({x}, {y}) is not on a board of {width}x{height}")
        marks[y * width + x] = 1
    return Layout(Grid(width, height), CellSet.where(marks))


# When a game was played: one form for what all formats say of it.
#
# ISO 8601, to the second: `2018-07-22T16:44:26`, with `+00:00` behind it where the file says the moment and not what
# some clock showed.
YEAR_10000: Final = 253_402_300_800
"""Seconds since 1970 that no date has any more."""
_ARBITER: Final = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})\.(\d{1,2}):(\d{1,2}):(\d{1,2})(?::\d*)?")
"""`22.7.2018.16:44:26:9876`; what is behind the seconds is no fraction of one."""


def utc_text(seconds: int) -> str:
    """A moment that is so many seconds after 1970 began; empty for none."""
    if not 0 < seconds < YEAR_10000:
        return ""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def date_text(year: int, month: int, day: int, hour: int, minute: int, second: int) -> str:
    """A local date and time; empty if it is not a date."""
    try:
        return datetime(year, month, day, hour, minute, second).isoformat(timespec="seconds")  # noqa: DTZ001  # not known
    except ValueError:
        return ""


def local_text(text: str) -> str:
    """The same of a text as Arbiter writes it, or in ISO's form; empty for anything else, as for a date without a year."""
    if (found := _ARBITER.fullmatch(text)) is not None:
        day, month, year, hour, minute, second = map(int, found.groups())
        return date_text(year, month, day, hour, minute, second)
    try:
        return datetime.fromisoformat(text).isoformat(timespec="seconds")
    except ValueError:
        return ""
