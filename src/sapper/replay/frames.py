"""The boards of a record by number, in bounded memory."""

from collections.abc import Iterator
from typing import Final

from sapper.core.board import Board
from sapper.core.coordinates import cell_name
from sapper.core.record import Record

MOST_BYTES: Final = 32 * 1024 * 1024
"""Bytes of tiles that are kept; between the boards kept, updates are applied again."""

LONGEST_WAIT: Final = 3.0
"""Seconds between two moves of a replay at most, however long the player thought: else it looks stuck."""
EVEN_PACE: Final = 0.2


class Frames:
    """Board 0 is that before the first move, board n that after move n; of a game that has ended the last shows the mines."""

    __slots__ = ("_kept", "_step", "record")

    def __init__(self, record: Record) -> None:
        self.record = record
        self._step = max(1, len(record.played) * record.grid.size // MOST_BYTES + 1)
        self._kept = [board for number, board in enumerate(record.boards()) if number % self._step == 0]

    def __len__(self) -> int:
        return len(self.record.played) + 1

    def board(self, number: int) -> Board:
        """The board after so many moves, without what is shown at the end. `IndexError` for a number that it has not."""
        if not 0 <= number < len(self):
            raise IndexError(number)
        begin = number // self._step
        board = self._kept[begin]
        for one in self.record.played[begin * self._step : number]:
            board = board.apply(one.update)
        return board

    def shown(self, number: int) -> Board:
        board = self.board(number)
        mines = self.record.mines
        return board.show(mines) if mines is not None and board.status.ended else board

    def summary(self, number: int) -> str:
        """Which moment it is, in a line: the move, its time, what it was and what it led to."""
        played = self.record.played
        of = f"{number}/{len(played)}"
        if number == 0:
            return f"move {of}: before the first move"
        one = played[number - 1]
        changed = sum(1 for _ in one.update.cells())
        led = one.update.status.value if one.update.status.ended else f"{changed} changed"
        what = one.move.action.name.lower()
        place = "" if what == "terminate" else f" {cell_name(self.record.grid, one.move.cell)}"
        return f"move {of}, {one.at / 1000:.3f} s: {what}{place}, {led}"

    def after(self, milliseconds: float) -> int:
        """How many moves had been made at this time."""
        low, high = 0, len(self.record.played)
        while low < high:
            middle = (low + high) // 2
            if self.record.played[middle].at <= milliseconds:
                low = middle + 1
            else:
                high = middle
        return low

    def at(self, number: int) -> int:
        """The time of a board in milliseconds: that of its last move."""
        return self.record.played[number - 1].at if number else 0

    def gap(self, number: int, speed: float = 1.0) -> float:
        """Seconds from a board to the next one as a replay of that speed shows them, `LONGEST_WAIT` at most.

        A game without times, as `simulate` writes them, goes at an even pace.
        """
        is_timed = self.at(len(self) - 1) > 0
        gap = (self.at(number + 1) - self.at(number)) / 1000 if is_timed else EVEN_PACE
        return min(gap / speed, LONGEST_WAIT)

    def __iter__(self) -> Iterator[Board]:
        return self.record.boards()
