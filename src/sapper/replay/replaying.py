"""A recording played through the engine: the game that it was, and what the mouse did for it.

A click is counted where the rankings count it. A right press on a revealed cell counts as a right click, unless it becomes a chord; a left button that is
released outside of the board counts as a left click. What happens before the first reveal counts only from the first flag that is still there when the game begins. Effective clicks (Ce) are reveals and chords that revealed something safe or chorded into a mine, and the
first flag on each mine: setting and clearing the same flag again is not.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, unique
from itertools import compress
from math import hypot
from operator import sub
from typing import Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.mouse_path import ACTIONS, CODES, MOVE, MouseAction, MousePath
from sapper.core.move import Action, Move
from sapper.core.record import Record, TimedMove
from sapper.core.rules import RULES, Rules, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.core.words import counted
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.metrics.layout import bbbv_of
from sapper.replay.recording import NOT_WON, Recording


@unique
class Click(Enum):
    """The meaning of a mouse event."""

    LEFT = "left"
    RIGHT = "right"
    CHORD = "chord"
    PREFLAG = "preflag"


class Mouse:
    """The buttons of a mouse.

    As in the programs that are ranked by: a left click counts on release, where the mouse is then; a right click on the press. Both buttons held and one
    released is a chord, also when the left one went down first (the 1.5-click: the chord saves a click); the other one's release then does nothing. A drag is a press
    in one cell and a release in another: the release counts, and is a click outside of the board, too. The middle button chords on release, Shift and the left button do, too.

    Impossible sequences are in real recordings (a press without a release, as when the window lost the mouse): they are taken as what the newest event says.
    """

    __slots__ = ("_chorded", "_is_chording", "_left", "_right", "_shift")

    def __init__(self) -> None:
        self._left = self._right = self._shift = False
        self._is_chording = False
        """Both buttons are down, and neither was released since."""
        self._chorded = False
        """A chord was made, and the left button is still down: its release does nothing."""

    def take(self, action: MouseAction) -> Click | None:
        """The meaning of an event; None if it means nothing by itself."""
        match action:
            case MouseAction.LEFT_DOWN | MouseAction.RIGHT_DOWN | MouseAction.BOTH_DOWN | MouseAction.SHIFT_DOWN:
                return self._press(action)
            case MouseAction.LEFT_UP:
                return self._release_left()
            case MouseAction.RIGHT_UP:
                is_chord, self._right = self._is_chording, False
                self._is_chording = False
                self._chorded = self._chorded or is_chord
                return Click.CHORD if is_chord else None
            case MouseAction.MIDDLE_UP:
                return Click.CHORD
            case MouseAction.PREFLAG:
                return Click.PREFLAG
            case _:
                return None

    def _press(self, action: MouseAction) -> Click | None:
        was_free = not (self._left or self._right)
        if action is MouseAction.SHIFT_DOWN:
            self._left = self._shift = True
        elif action is MouseAction.BOTH_DOWN:
            self._left = self._right = True
        elif action is MouseAction.LEFT_DOWN:
            self._left = True
        else:
            self._right = True
        if self._left and self._right:
            self._is_chording = True
        return Click.RIGHT if action is MouseAction.RIGHT_DOWN and was_free else None

    def _release_left(self) -> Click | None:
        was_down, self._left = self._left, False
        is_chord = self._is_chording or self._shift
        is_after_chord = self._chorded
        self._is_chording = self._chorded = self._shift = False
        if is_chord:
            return Click.CHORD
        return Click.LEFT if was_down and not is_after_chord and not self._right else None


class Difference(NamedTuple):
    """One difference between a file and its replay, in words."""

    stated: str
    shown: str
    is_grave: bool
    """True if it is about the result or the mines: then the game that was recorded is not the one that was replayed."""


def find_differences(
    recording: Recording, status: Status, milliseconds: int, clicks: tuple[int, int], *, near: int
) -> tuple[Difference, ...]:
    """The differences. Times that are at most `near` milliseconds apart count as equal."""
    found: list[Difference] = []
    stated, mines = recording.claimed_result, recording.layout.mine_count
    if stated is not None and (status is Status.WON if stated == NOT_WON else stated != status.value):
        found.append(Difference(stated, status.value, is_grave=True))
    if recording.other_rules:
        found.append(Difference(", ".join(recording.other_rules), "a game without", is_grave=True))
    if recording.claimed_mines is not None and recording.claimed_mines != mines:
        found.append(Difference(counted(recording.claimed_mines, "mine"), counted(mines, "mine"), is_grave=True))
    if recording.claimed_bbbv is not None and recording.claimed_bbbv != (bbbv := bbbv_of(recording.layout)):
        found.append(Difference(f"3BV {recording.claimed_bbbv}", f"3BV {bbbv}", is_grave=False))
    if recording.claimed_ms is not None and abs(recording.claimed_ms - milliseconds) > near:
        found.append(Difference(f"{recording.claimed_ms / 1000:.3f} s", f"{milliseconds / 1000:.3f} s", is_grave=False))
    if recording.claimed_clicks is not None and recording.claimed_clicks != clicks:
        found.append(Difference(_clicks(recording.claimed_clicks), _clicks(clicks), is_grave=False))
    return tuple(found)


def _clicks(clicks: tuple[int, int]) -> str:
    return f"{clicks[0]} left and {clicks[1]} double clicks"


def told(differences: Sequence[Difference]) -> str:
    """Differences in a line; empty if there are none."""
    if not differences:
        return ""
    stated, shown = (", ".join(one.stated for one in differences), ", ".join(one.shown for one in differences))
    return f"the file says {stated}; the replay shows {shown}"


_NO_MOVE: Final = re.compile(b"[^%c]" % MOVE, re.DOTALL)

CLAIMS: Final = frozenset({"avf", "evf", "rawvf"})
"""The formats whose statement of the game's time is what the rankings take; of the others they take the events."""
NEAR_MS: Final = 20
"""By how much a time that is stated may differ from that of the events, since programs round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedGame:
    """A recording after its replay."""

    recording: Recording
    record: Record
    """The game, with every move that changed the board; times are since its first reveal, and not below 0."""
    status: Status
    board: Board
    """The last board."""
    left_clicks: int
    right_clicks: int
    chords: int
    effective_clicks: int
    path: float
    """How far the mouse went during the game, in pixels of cells of 16."""
    milliseconds: int
    """The game's time: what the file claims in AVF, EVF and RAWVF, unless that is less than its events last; else `event_milliseconds`."""
    event_milliseconds: int
    """From the first reveal to the event that ended the game (or the last one), 0 without a reveal: some programs state another time."""

    begun: int
    """When the game began, on the clock of the recording's events."""
    differences: tuple[Difference, ...]
    """Where the file and its replay differ."""

    @property
    def is_trusted(self) -> bool:
        """True if the replay shows the result and the mines that the file states. If not, the file is broken, or its game had other rules."""
        return not any(one.is_grave for one in self.differences)

    @property
    def told_differences(self) -> str:
        return told(self.differences)

    @property
    def whole_record(self) -> Record:
        """The record with what else there is to keep: the player, and what the mouse did."""
        path = MousePath.of(self.recording.events)
        times = [at - self.begun for at in path.times]
        return replace(
            self.record,
            player=self.recording.player or None,
            mouse=MousePath(times, path.actions, path.xs, path.ys),
            cell_size=self.recording.cell_size,
        )

    @property
    def clicks(self) -> int:
        return self.left_clicks + self.right_clicks + self.chords


def replay(recording: Recording) -> ReplayedGame:
    """Play a recording's events; what comes after the end of its game does nothing."""
    path = MousePath.of(recording.events)
    game = _Replaying(recording, path)
    for match in _NO_MOVE.finditer(path.actions):
        game.click(match.start())
    return game.finish()


class _Replaying:
    """A recording while it is played. Events are named by their numbers."""

    def __init__(self, recording: Recording, path: MousePath) -> None:
        self._has_marks = bool(recording.question_marks)
        has_marks = self._has_marks or CODES[MouseAction.MARKS_TOGGLED] in path.actions
        rules = RULES["classic"].replace(start=recording.start, question_marks=has_marks)
        self._recording = recording
        self._events = path
        self._referee = Referee(rules=rules, source=FixedLayout(recording.layout))
        self._grid: Grid = recording.grid
        self._mouse = Mouse()
        self._played: list[tuple[int, Move, Update]] = []
        self._left = self._right = self._chords = self._effective = 0
        self._flagged_mines: set[int] = set()
        self._begun: int | None = None
        self._begun_by = 0
        """The number of the event that began the game."""
        self._ended: int | None = None
        self._right_on_revealed = False

    def _way(self) -> float:
        """The path since the game began; places outside of the board are left out of it."""
        if self._begun is None:
            return 0.0
        size, grid = self._recording.cell_size, self._grid
        right, bottom = grid.width * size, grid.height * size
        xs, ys, begin = self._events.xs, self._events.ys, self._begun_by
        if max(xs) >= right and max(ys) >= bottom:
            inside = [x < right or y < bottom for x, y in zip(xs, ys, strict=True)]
            # From the last place that was on the board when the game began.
            while begin > 0 and not inside[begin]:
                begin -= 1
            xs = list(compress(xs[begin:], inside[begin:]))
            ys = list(compress(ys[begin:], inside[begin:]))
        else:
            xs, ys = xs[begin:], ys[begin:]
        steps = map(hypot, map(sub, xs[1:], xs), map(sub, ys[1:], ys))
        return sum(steps) * 16 / size

    def click(self, number: int) -> None:
        events = self._events
        action = ACTIONS[events.actions[number]]
        size, grid = self._recording.cell_size, self._grid
        x, y = events.xs[number] // size, events.ys[number] // size
        is_on_board = 0 <= x < grid.width and 0 <= y < grid.height
        click = self._mouse.take(action)
        if self._referee.status.ended:
            return
        if action is MouseAction.MARKS_TOGGLED:
            self._has_marks = not self._has_marks
        if click is Click.CHORD and self._right_on_revealed and action is not MouseAction.MIDDLE_UP:
            self._right -= 1  # it was no flag, so it was the first half of this
        if click is Click.CHORD or action is MouseAction.RIGHT_UP:
            self._right_on_revealed = False
        if click is None:
            return
        if not is_on_board:
            has_begun = self._begun is not None or self._referee.board.flag_count
            self._left += bool(click is Click.LEFT and has_begun)
            return
        cell = Cell(y * grid.width + x)
        before = self._referee.tile(cell)
        at = events.times[number]
        if click is Click.LEFT and self._recording.super_click and before <= Tile.EIGHT:
            click = Click.CHORD
        if click is Click.LEFT:
            self._reveal(number, cell, before)
        elif click is Click.CHORD:
            self._chord(at, cell)
        else:
            self._flag(at, cell, before, is_preflag=click is Click.PREFLAG)

    def _reveal(self, number: int, cell: Cell, before: int) -> None:
        at = self._events.times[number]
        if self._begun is None:
            if before == Tile.FLAGGED:
                return  # the game has not begun, and this begins none
            self._begun, self._begun_by = at, number
        self._left += 1
        if before in (Tile.COVERED, Tile.QUESTION):
            update = self._play(at, Move.reveal(cell))
            self._effective += update.status is not Status.LOST

    def _chord(self, at: int, cell: Cell) -> None:
        if self._begun is None and not self._referee.board.flag_count:
            return
        self._chords += 1
        move = Move.chord(cell)
        if self._referee.board.is_legal(move):
            self._effective += not self._play(at, move).is_empty

    def _flag(self, at: int, cell: Cell, before: int, *, is_preflag: bool) -> None:
        self._right_on_revealed = before <= Tile.EIGHT and not is_preflag
        self._right += 1
        if before == Tile.COVERED:
            if self._recording.layout.is_mine(cell) and cell not in self._flagged_mines:
                self._flagged_mines.add(cell)
                self._effective += 1
            self._play(at, Move.flag(cell))
        elif before == Tile.QUESTION:
            self._play(at, Move.unquestion(cell))
        elif before == Tile.FLAGGED:
            self._play(at, Move.question(cell) if self._has_marks else Move.unflag(cell))
            if self._begun is None and not self._referee.board.flag_count:
                # All flags of before the game are gone: it is as if nothing had been done.
                self._left = self._right = self._chords = 0
                self._flagged_mines.clear()

    def _play(self, at: int, move: Move) -> Update:
        update = self._referee.play(move, chord_to_the_end=True)
        self._played.append((at, move, update))
        if update.status.ended and self._ended is None:
            self._ended = at
        return update

    def _rules(self) -> Rules:
        """Those of the game: a first reveal that met a mine was not protected, as where a board is played once more."""
        rules = self._referee.board.rules
        first = next((update for _, move, update in self._played if move.action is Action.REVEAL), None)
        return rules if first is None or first.status is not Status.LOST else rules.replace(start=Start.ANY)

    def finish(self) -> ReplayedGame:
        recording, begun = self._recording, self._begun or 0
        last = self._events.times[-1] if self._events else 0
        ended = last if self._ended is None else self._ended
        times = _rising(max(0, at - begun) for at, _, _ in self._played)
        played = tuple(TimedMove(at, move, update) for at, (_, move, update) in zip(times, self._played, strict=True))
        status = self._referee.status
        record = Record(
            rules=self._rules(),
            grid=self._grid,
            code=recording.code,
            started=recording.started or None,
            mine_count=recording.layout.mine_count,
            mines=recording.layout.mines if status.ended else None,
            played=played,
        )
        elapsed = 0 if self._begun is None else max(0, ended - begun)
        claimed = recording.claimed_ms if recording.format in CLAIMS else None
        if claimed is not None and claimed < elapsed:
            claimed = None
        return ReplayedGame(
            recording=recording, record=record, status=status, left_clicks=self._left, right_clicks=self._right, chords=self._chords,
            effective_clicks=self._effective, path=self._way(), board=self._referee.board,
            milliseconds=elapsed if claimed is None else claimed, event_milliseconds=elapsed, begun=begun,
            differences=find_differences(recording, status, elapsed, (self._left, self._chords), near=NEAR_MS),
        )  # fmt: skip


def _rising(times: Iterable[int]) -> list[int]:
    """Times that never go back: a few recordings have events out of order."""
    found: list[int] = []
    for at in times:
        found.append(max(at, found[-1]) if found else at)
    return found
