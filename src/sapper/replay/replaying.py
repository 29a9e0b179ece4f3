"""A recording played through the engine: the game that it was, and what the mouse did for it.

A click is counted where the rankings count it. A right press on a revealed cell counts as a right click, unless it becomes a chord. What happens before the first reveal counts
only from the first flag that is still there when the game begins. Effective clicks (Ce) are reveals and chords that revealed something safe or chorded into a mine, and the
first flag on each mine: setting and clearing the same flag again is not.

Knows: recordings, the engine's moves, which clicks count.
Does not know: formats, files.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from math import hypot
from typing import Final

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.mouse_path import MouseAction, MouseEvent
from sapper.core.move import Move
from sapper.core.record import Played, Record
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.replay.mouse import Click, Mouse
from sapper.replay.recording import Recording

CLAIMS: Final = frozenset({"avf", "evf", "rawvf"})
"""The formats whose statement of the game's time is what the rankings take; of the others they take the events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedGame:
    """What came of a recording."""

    recording: Recording
    record: Record
    """The game, with every move that changed the board; times are since its first reveal, and not below 0."""
    status: Status
    left_clicks: int
    right_clicks: int
    chords: int
    effective_clicks: int
    path: float
    """How far the mouse went during the game, in pixels of cells of 16."""
    milliseconds: int
    """The game's time: what the file claims in AVF, EVF and RAWVF, else `event_milliseconds`."""
    event_milliseconds: int
    """From the first reveal to the event that ended the game (or the last one): some programs state another time."""

    @property
    def clicks(self) -> int:
        """Cl: all clicks."""
        return self.left_clicks + self.right_clicks + self.chords


def replay(recording: Recording) -> ReplayedGame:
    """Play a recording's events; what comes after the end of its game does nothing."""
    game = _Replaying(recording)
    for event in recording.events:
        game.take(event)
    return game.finish()


class _Replaying:
    """A recording while it is played."""

    def __init__(self, recording: Recording) -> None:
        rules = RULES["classic"].but(start=Start.ANY, question_marks=False)
        self._recording = recording
        self._referee = Referee(rules=rules, source=FixedLayout(recording.layout))
        self._grid: Grid = recording.grid
        self._mouse = Mouse()
        self._played: list[tuple[int, Move, Update]] = []
        self._left = self._right = self._chords = self._effective = 0
        self._flagged_mines: set[int] = set()
        self._begun: int | None = None
        self._ended: int | None = None
        self._path = 0.0
        self._place: tuple[int, int] | None = None
        self._right_on_revealed = False

    def take(self, event: MouseEvent) -> None:
        """The next event."""
        was_begun = self._begun is not None
        if event.action is not MouseAction.MOVE:
            self._click(event)
        self._go(event, counts=was_begun)

    def _go(self, event: MouseEvent, *, counts: bool) -> None:
        """Add to the path; places outside of the board are left out of it, moves before the game do not count."""
        size, grid = self._recording.cell_size, self._grid
        if event.x >= grid.width * size and event.y >= grid.height * size:
            return
        if counts and self._place is not None:
            self._path += hypot(event.x - self._place[0], event.y - self._place[1]) * 16 / size
        self._place = event.x, event.y

    def _cell(self, event: MouseEvent) -> Cell | None:
        size, grid = self._recording.cell_size, self._grid
        x, y = event.x // size, event.y // size
        return Cell(y * grid.width + x) if 0 <= x < grid.width and 0 <= y < grid.height else None

    def _click(self, event: MouseEvent) -> None:
        cell = self._cell(event)
        click = self._mouse.take(event.action)
        if self._referee.status.ended:
            return
        if click is Click.CHORD and self._right_on_revealed and event.action is not MouseAction.MIDDLE_UP:
            self._right -= 1  # it was no flag, so it was the first half of this
        if click is Click.CHORD or event.action is MouseAction.RIGHT_UP:
            self._right_on_revealed = False
        if click is None:
            return
        if cell is None:
            return
        before = self._referee.board.tiles[cell]
        if click is Click.LEFT:
            self._reveal(event.at, cell, before)
        elif click is Click.CHORD:
            self._chord(event.at, cell)
        else:
            self._flag(event.at, cell, before, is_preflag=click is Click.PREFLAG)

    def _reveal(self, at: int, cell: Cell, before: int) -> None:
        if self._begun is None:
            if before == Tile.FLAGGED:
                return  # the game has not begun, and this begins none
            self._begun = at
        self._left += 1
        if before == Tile.COVERED:
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
        elif before == Tile.FLAGGED:
            self._play(at, Move.unflag(cell))
            if self._begun is None and not self._referee.board.flag_count:
                # All flags of before the game are gone: it is as if nothing had been done.
                self._left = self._right = self._chords = 0
                self._flagged_mines.clear()

    def _play(self, at: int, move: Move) -> Update:
        update = self._referee.play(move)
        self._played.append((at, move, update))
        if update.status.ended and self._ended is None:
            self._ended = at
        return update

    def finish(self) -> ReplayedGame:
        """What came of it."""
        recording, begun = self._recording, self._begun or 0
        last = recording.events[-1].at if recording.events else 0
        ended = last if self._ended is None else self._ended
        times = _rising(max(0, at - begun) for at, _, _ in self._played)
        played = tuple(Played(at, move, update) for at, (_, move, update) in zip(times, self._played, strict=True))
        status = self._referee.status
        record = Record(
            rules=self._referee.board.rules,
            grid=self._grid,
            mine_count=recording.layout.mine_count,
            mines=recording.layout.mines if status.ended else None,
            played=played,
        )
        elapsed = max(0, ended - begun)
        claimed = recording.claimed_ms if recording.format in CLAIMS else None
        return ReplayedGame(
            recording=recording, record=record, status=status, left_clicks=self._left, right_clicks=self._right, chords=self._chords,
            effective_clicks=self._effective, path=self._path,
            milliseconds=elapsed if claimed is None else claimed, event_milliseconds=elapsed,
        )  # fmt: skip


def _rising(times: Iterable[int]) -> list[int]:
    """Times that never go back: a few recordings have events out of order."""
    found: list[int] = []
    for at in times:
        found.append(max(at, found[-1]) if found else at)
    return found
