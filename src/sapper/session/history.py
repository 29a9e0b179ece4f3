"""The moves of a game, and how to take them back.

Only what a move changed is kept, not whole boards, so that a long game on a large board stays small.
"""

from typing import NamedTuple

from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.record import TimedMove
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.errors import IllegalMoveError, MoveFault


class _Step(NamedTuple):
    """How to take a move back: which of the played it was, the tiles it changed as they were, the status."""

    number: int
    runs: tuple[tuple[Cell, bytes], ...]
    status: Status


class Undone(NamedTuple):
    """A move that was taken back, and how the game stood before it."""

    played: TimedMove
    tiles: bytes
    status: Status


class History:
    """The moves since some tiles, and how to take them back."""

    __slots__ = ("_back", "_forth", "_keeps_back", "_tiles", "played")

    def __init__(self, tiles: bytes, *, keeps_back: bool = True) -> None:
        """`keeps_back`: whether moves can be taken back; it costs room and time with each of them."""
        self._keeps_back = keeps_back
        self._tiles = bytearray(tiles)
        self._back: list[_Step] = []
        self._forth: list[Move] = []
        self.played: list[TimedMove] = []
        """The moves that stand, and clicks that changed nothing."""

    @property
    def can_undo(self) -> bool:
        return bool(self._back)

    @property
    def can_redo(self) -> bool:
        return bool(self._forth)

    def add(self, played: TimedMove, before: Status, *, redone: bool = False) -> None:
        """A move was made, where the game stood so before it."""
        self.played.append(played)
        if not self._keeps_back:
            return
        update = played.update
        if not redone and not update.is_empty:
            self._forth.clear()
        if not update.is_empty:
            tiles = self._tiles
            old = tuple((start, bytes(tiles[start : start + len(new)])) for start, new in update.runs)
            self._back.append(_Step(len(self.played) - 1, old, before))
            for start, new in update.runs:
                tiles[start : start + len(new)] = new

    def undo(self) -> Undone:
        """Take the last move back that changed something; `IllegalMoveError` if there is none."""
        if not self._back:
            raise IllegalMoveError("no move to undo", MoveFault.UNDO)
        number, runs, status = self._back.pop()
        played = self.played.pop(number)
        for start, old in runs:
            self._tiles[start : start + len(old)] = old
        self._forth.append(played.move)
        # Clicks after it that changed nothing told the status that it led to.
        rest = self.played[number:]
        self.played[number:] = [one._replace(update=Update.nothing(status)) for one in rest]
        return Undone(played, bytes(self._tiles), status)

    def redo(self) -> Move:
        """The move that was undone last, which is to be played again; `IllegalMoveError` if there is none."""
        if not self._forth:
            raise IllegalMoveError("no move to redo", MoveFault.UNDO)
        return self._forth.pop()
