"""What is said on a game's socket, as values: requests that were read, answers before they are written.

Knows: the words and shapes of docs/web-protocol.md.
Does not know: sockets, tables, what a request leads to.
"""

import json
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.notation import write_tiles
from sapper.core.rules import Rules
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import RequestError
from sapper.session.events import Marks
from sapper.session.session import Session

Message = dict[str, Any]
"""A message of the server's, with its `type`."""

OF_CELLS: Final = frozenset({"left", "right", "reveal", "flag", "unflag", "question", "unquestion", "chord"})
"""The verbs that concern a cell."""
OTHERS: Final = frozenset(
    {"terminate", "undo", "redo", "restart", "pause", "go_on", "hint", "may_guess", "overlay", "state", "ping"}
)
VERBS: Final = OF_CELLS | OTHERS
FIELDS: Final = frozenset({"do", "cell", "id", "on"})
LARGEST_ID: Final = 2**53
"""Larger numbers are not the same in every language that reads JSON."""


class Request(NamedTuple):
    """One message of a player's."""

    verb: str
    cell: Cell = Cell(0)
    id: int | None = None
    on: bool = False


def read_request(text: str | bytes, grid: Grid) -> Request:
    """What a message asks for; `RequestError` (`bad-message`) that says what is wrong with it, with its `id` if it has one."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise RequestError(
            "bad-message", 'a message is one JSON object in UTF-8, as {"do": "left", "cell": [3, 4]}'
        ) from None
    if not isinstance(values, dict):
        raise RequestError("bad-message", 'a message is an object, as {"do": "left", "cell": [3, 4]}')
    number = values.get("id")
    if number is not None and (type(number) is not int or abs(number) > LARGEST_ID):
        raise RequestError("bad-message", "id is a whole number, of no more than 53 bits")
    try:
        return _read(values, number, grid)
    except ValueError as error:
        raise RequestError("bad-message", str(error), number=number) from None


def _read(values: dict[str, Any], number: int | None, grid: Grid) -> Request:
    verb = values.get("do")
    if not isinstance(verb, str) or verb not in VERBS:
        raise ValueError(f"do is one of {', '.join(sorted(VERBS))}, not {_shown(verb)}")
    wanted = {"cell"} if verb in OF_CELLS else {"on"} if verb == "overlay" else set()
    for name in values:
        if name not in FIELDS or (name in ("cell", "on") and name not in wanted):
            raise ValueError(f"{verb!r} has no {_shown(name)}")
    if verb in OF_CELLS:
        return Request(verb, _read_cell(values.get("cell"), grid), number)
    if verb == "overlay" and not isinstance(values.get("on"), bool):
        raise ValueError(f"on is true or false, not {_shown(values.get('on'))}")
    return Request(verb, id=number, on=values.get("on") is True)


def _read_cell(value: object, grid: Grid) -> Cell:
    if not isinstance(value, list) or len(value) != 2 or any(type(one) is not int for one in value):
        raise ValueError(f"a cell is [column, row], not {_shown(value)}")
    x, y = value
    if not (0 <= x < grid.width and 0 <= y < grid.height):
        raise ValueError(
            f"the columns are 0 to {grid.width - 1} and the rows 0 to {grid.height - 1}, not {_shown(value)}"
        )
    return Cell(y * grid.width + x)


def _shown(value: object) -> str:
    """A value as it came, but for its length."""
    try:
        text = json.dumps(value)
    except RecursionError:  # it could be read, one call further up
        return "that"
    return text if len(text) <= 40 else text[:37] + "…"


# --- what the server says -----------------------------------------------------------------------------


def error_message(code: str, message: str, number: int | None = None) -> Message:
    """That something is not done, and why."""
    return {"type": "error", "code": code, "message": message} | ({} if number is None else {"id": number})


def with_id(message: Message, number: int | None) -> Message:
    """The message as the answer to a request of that id."""
    return message if number is None else {**message, "id": number}


def place(grid: Grid, cell: int) -> list[int]:
    """A cell as `[x, y]`."""
    return [cell % grid.width, cell // grid.width]


def places(grid: Grid, cells: Iterable[int]) -> list[list[int]]:
    """Cells as `[x, y]` each."""
    return [place(grid, cell) for cell in cells]


def runs_data(update: Update) -> list[list[Any]]:
    """What an update changed, as `[start, "tiles"]`."""
    return [[start, write_tiles(tiles)] for start, tiles in update.runs]


def rows_data(board: Board) -> list[str]:
    """A board, a text a row."""
    text, width = write_tiles(board.tiles), board.grid.width
    return [text[at : at + width] for at in range(0, len(text), width)]


def rules_data(rules: Rules) -> dict[str, Any]:
    """Rules, as far as they concern who plays by hand."""
    return {
        "name": rules.name,
        "win": rules.win.value,
        "start": rules.start.value,
        "chording": rules.chording,
        "question_marks": rules.question_marks,
        "cascade_clears_flags": rules.cascade_clears_flags,
        "click_reveals_flagged": rules.click_reveals_flagged,
    }


def marks_data(marks: Marks) -> dict[str, Any]:
    """What sets a game apart."""
    return {
        "hints": marks.hints,
        "undone": marks.undone,
        "restarts": marks.restarts,
        "pauses": marks.pauses,
        "overlay": marks.overlay,
        "seen": marks.seen,
    }


def now_data(session: Session, number: int, status: Status, flags: int) -> Message:
    """What updates and states both have: how the game stands after the update of this number."""
    return {
        "number": number,
        "status": status.value,
        "time": session.elapsed,
        "running": session.is_running,
        "paused": session.is_paused,
        "flags": flags,
        "can_undo": session.can_undo,
        "can_redo": session.can_redo,
        "marks": marks_data(session.marks),
        "overlay": session.shows_chances,
    }
