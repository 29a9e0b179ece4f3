"""A game of ours as a recording, as other programs have it."""

from collections.abc import Iterator
from typing import Final

from sapper.core.mouse_path import MouseAction, MouseEvent, MousePath
from sapper.core.move import Action
from sapper.core.record import Record
from sapper.core.rules import Rules, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import RecordError
from sapper.metrics.game import layout_of
from sapper.metrics.layout import bbbv_of
from sapper.replay.numbers import RecordedGame
from sapper.replay.recording import LOST, WON, Recording

_LEFT: Final = (MouseAction.LEFT_DOWN, MouseAction.LEFT_UP)
_RIGHT: Final = (MouseAction.RIGHT_DOWN, MouseAction.RIGHT_UP)
_BOTH: Final = (MouseAction.LEFT_DOWN, MouseAction.RIGHT_DOWN, MouseAction.RIGHT_UP, MouseAction.LEFT_UP)
_CYCLE: Final = (Tile.COVERED, Tile.FLAGGED, Tile.QUESTION)
"""What right clicks make of a cell, one after the other."""
_MARKS: Final = {
    Action.FLAG: Tile.FLAGGED,
    Action.UNFLAG: Tile.COVERED,
    Action.QUESTION: Tile.QUESTION,
    Action.UNQUESTION: Tile.COVERED,
}
_RESULTS: Final = {Status.WON: WON, Status.LOST: LOST}


def recording_of(game: RecordedGame) -> Recording:
    """The recording that a game came from, or one that is made of its record; `RecordError` for what no other program plays.

    Where nobody watched the mouse, each move becomes the click for it, in the middle of the cell.
    """
    if game.replayed is not None:
        return game.replayed.recording
    record = game.record
    if not (record.grid.is_plane and _is_usual(record.rules)):
        raise RecordError("recordings of other programs are of the classic rules on a rectangle, and this game is not")
    if record.left_out:
        raise RecordError(f"the record leaves out {record.left_out:,} moves before the last one")
    has_marks = any(one.move.action is Action.QUESTION for one in record.played)
    events = record.mouse
    if events is None:
        events = MousePath.of(_clicks(record, 3 if has_marks else 2))
    layout = layout_of(record)
    return Recording(
        format="rawvf", version="", layout=layout, events=events, player=game.player or "", program="sapper",
        started=record.started or "", start=record.rules.start, code=record.code,
        cell_size=record.cell_size, question_marks=has_marks, claimed_ms=game.milliseconds, claimed_bbbv=bbbv_of(layout),
        claimed_result=_RESULTS.get(record.status),
    )  # fmt: skip


def _is_usual(rules: Rules) -> bool:
    return (
        rules.win is Win.REVEALED
        and rules.spread == 8
        and rules.chording
        and not (rules.cascade_clears_flags or rules.click_reveals_flagged)
    )


def _clicks(record: Record, marks: int) -> Iterator[MouseEvent]:
    size = record.cell_size
    for one, before in zip(record.played, record.boards(), strict=False):
        action, cell = one.move
        if action is Action.TERMINATE:
            return
        buttons: tuple[MouseAction, ...]
        if action in _MARKS:
            tile = before.tiles[cell]
            buttons = _RIGHT * ((_CYCLE.index(_MARKS[action]) - _CYCLE.index(Tile(tile))) % marks)
        else:
            buttons = _LEFT if action is Action.REVEAL else _BOTH
        x, y = (size * place + size // 2 for place in record.grid.xy(cell))
        for button in buttons:
            yield MouseEvent(one.at, button, x, y)
