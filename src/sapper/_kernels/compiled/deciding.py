"""One decision of `deep` at a time, for callers outside: a round of playouts after the other, or all that the budget allows.

Knows: buffers of tiles, neighbour tables; the clock, between two layouts, where the budget is a time.
Does not know: rules, games.
"""

from collections.abc import Callable, Sequence
from time import monotonic

import numpy as np

from sapper._kernels.compiled.board import LOWEST, OK, SAFE_CELLS
from sapper._kernels.compiled.compiler import I32S, I64, U8S, kernel
from sapper._kernels.compiled.drawing import draw_layout
from sapper._kernels.compiled.games_expert import endgame_move
from sapper._kernels.compiled.playouts import (
    BOARD,
    BUDGET,
    LAYOUTS,
    LEFT,
    MAPPED,
    PLAYOUT_SPACE,
    ROUND,
    USED,
    PlayoutDesk,
    begin_decision,
    make_playout_desk,
    play_layouts,
    settle_guess,
    weigh_guesses,
)
from sapper._kernels.compiled.replies import MINES, read_board
from sapper._kernels.compiled.workspace import Bytes, Indices
from sapper._kernels.reference.expert import DEEP, ExpertParts

BEGIN = 0
PLAY = 1
WEIGH = 2
SETTLE = 3
DRAW = 4
"""Steps of a decision."""


@kernel(I64(PLAYOUT_SPACE, I32S, I32S, U8S, I64, I64))
def take_step(space: PlayoutDesk, starts: Indices, cells: Indices, tiles: Bytes, step: int, number: int) -> int:
    """One step of a decision; its meaning and that of `number` are those of the function that it calls.

    BEGIN: the cell to reveal, with LEFT guesses to compare if there is doubt; -1 where the analysis fails.
    """
    if step == BEGIN:
        space.numbers[LEFT] = 0
        if read_board(space.root.reader, tiles, space.root.found) != OK:
            return -1
        if space.root.found.info[SAFE_CELLS]:
            return I64(space.root.found.info[LOWEST])
        cell = endgame_move(space.root, starts, cells, tiles)
        return cell if cell >= 0 else begin_decision(space, starts, cells, tiles)
    if step == PLAY:
        return play_layouts(space, starts, cells, number)
    if step == WEIGH:
        return weigh_guesses(space)
    if step == SETTLE:
        return settle_guess(space, number)
    return draw_layout(
        space.table[BOARD], space.root.found.mark, space.root.reader.scratch, space.root.reader.states,
        space.root.reader.numbers[MINES], space.words, space.table[MAPPED],
    )  # fmt: skip


def _until(end: float) -> Callable[[], bool]:
    """Whether there is time for another layout that takes as long as the longest so far."""
    longest = 0.0
    last: float | None = None

    def go_on() -> bool:
        nonlocal longest, last
        now = monotonic()
        longest, last = max(longest, now - (now if last is None else last)), now
        return now + longest < end

    return go_on


class Decider:
    """Decides on boards of one grid; one thread uses it."""

    def __init__(self, starts: Sequence[int], cells: Sequence[int], width: int, parts: ExpertParts = DEEP) -> None:
        """`width` is that of a rectangle with eight neighbours, else 0."""
        self._table = np.array(starts, np.int32), np.array(cells, np.int32)
        self.desk = make_playout_desk(*self._table, width, parts)
        self._seconds = parts.milliseconds / 1000

    def step(self, step: int, number: int = 0, tiles: bytes = b"") -> int:
        """One step, for who wants to look at the desk in between: see `take_step`."""
        return int(take_step(self.desk, *self._table, np.frombuffer(tiles, np.uint8).copy(), step, number))

    def choose(self, tiles: bytes, mines: int, go_on: Callable[[], bool] | None = None) -> int:
        """The cell to reveal; -1 where the analysis fails. `go_on` is asked between layouts, in place of the budget."""
        if go_on is None and self._seconds:
            go_on = _until(monotonic() + self._seconds)
        numbers = self.desk.numbers
        self.desk.root.reader.numbers[MINES] = mines
        cell = self.step(BEGIN, tiles=tiles)
        best = -1
        while cell >= 0 and numbers[LEFT] > 1:
            layouts = max(int(numbers[LAYOUTS]), ROUND)
            if go_on is None:
                layouts = min(layouts, int(numbers[BUDGET] - numbers[USED]) // int(numbers[LEFT]))
            if layouts == 0 or self._play(layouts, go_on) == 0:
                break
            best = self.step(WEIGH)
            if go_on is not None and not go_on():
                break
        return self.step(SETTLE, best) if best >= 0 else cell

    def _play(self, layouts: int, go_on: Callable[[], bool] | None) -> int:
        """Play that many layouts, or as long as it may go on; how many."""
        if go_on is None:
            return self.step(PLAY, layouts)
        played = 0
        while played < layouts and go_on() and self.step(PLAY, 1):
            played += 1
        return played
