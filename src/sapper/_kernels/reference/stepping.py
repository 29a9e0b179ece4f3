"""Many games that are played a reveal at a time, all in one call.

Every game has a run of its own: a seed, and the number of the game that is being played. The layout of a game is drawn at its first
reveal from child 0 of the game's seed, which is child `number` of the run's, as `generator.new_game` and `simulate` do. Until then
there is no layout anywhere.
"""

from collections.abc import MutableSequence, Sequence
from typing import Any, NamedTuple

from sapper._kernels.reference.cascade import cascade_table
from sapper._kernels.reference.layout import MINE_CLUE, clues_of_table
from sapper._kernels.reference.random import child_seed
from sapper._kernels.reference.search import START_ANY, START_OPEN, START_SAFE, Field, draw_mines

COVERED = 9
EXPLODED = 13

AUTORESET_NEVER = 0
AUTORESET_NEXT_STEP = 1
AUTORESET_SAME_STEP = 2
"""When a game that has ended gives way to the next: when `begin` says so, instead of the next move, or at once."""

WON = 1
LOST = 2
TRUNCATED = 4
RESET = 8
ILLEGAL = 16
"""Results of a step, bits of `outcome`. RESET: the next game was begun instead of the move. ILLEGAL: the cell was revealed
already, and nothing happened."""

FRESH = 0
RUNNING = 1
OVER = 2
"""Stages of a game: no layout yet; a layout; ended."""

LAYOUT_KEY = 0


class Stepping(NamedTuple):
    """The values that all games of a batch share."""

    starts: Sequence[int]
    """The neighbour table."""
    cells: Sequence[int]
    open_starts: Sequence[int]
    """The table of the cells that a zero opens: the same, or that of the four beside it."""
    open_cells: Sequence[int]
    mines: int
    start: int
    """0 any, 1 safe, 2 open."""
    games: int
    autoreset: int
    limit: int
    """Steps after which a game that has not ended is cut off; 0: never."""

    @property
    def size(self) -> int:
        return len(self.starts) - 1


class StepBuffers(NamedTuple):
    """The state of the games and what a step tells: flat buffers of the caller's, `games` or `games * size` items each."""

    seeds: Any
    """uint64: of the run of each game."""
    numbers: Any
    """int64: of the game in its run; -1 before the first one."""
    tiles: Any
    """uint8, a byte a cell: what is seen, `Tile` codes."""
    mask: Any
    """uint8, a byte a cell: 1 where a reveal is legal."""
    final: Any
    """uint8, a byte a cell: the tiles of games that ended in this step, for AUTORESET_SAME_STEP; else it may be empty."""
    opened: Any
    """int32: safe cells that the step revealed."""
    outcome: Any
    """uint8: bits, see WON."""
    revealed: Any
    """int32: safe cells revealed in the game."""
    steps: Any
    """int32: steps of the game, illegal ones included."""
    clues: Any
    """uint8, a byte a cell: the truth, where `stage` is not FRESH. Not for players."""
    stage: Any
    """uint8."""


class PythonStepper:
    """Steps a batch of games; the readable reference of the native one."""

    def __init__(self, order: Stepping, buffers: StepBuffers) -> None:
        self._order = order
        self._buffers = StepBuffers(*(memoryview(one) for one in buffers))
        self._field = Field(order.starts, order.cells, 0, 0)

    def begin(self, which: Any) -> None:
        """Begin the next game of its run where `which` is not 0."""
        for game, wanted in enumerate(which):
            if wanted:
                self._begin(game)

    def step(self, actions: Any) -> None:
        """Reveal one cell in every game; cells are on the board (the caller has checked)."""
        for game, cell in enumerate(actions):
            self._buffers.opened[game] = 0
            self._buffers.outcome[game] = self._step(game, int(cell))

    def _begin(self, game: int) -> None:
        buffers, size = self._buffers, self._order.size
        row = slice(game * size, (game + 1) * size)
        buffers.numbers[game] += 1
        buffers.tiles[row] = bytes([COVERED]) * size
        buffers.mask[row] = b"\1" * size
        buffers.revealed[game] = buffers.steps[game] = 0
        buffers.stage[game] = FRESH

    def _step(self, game: int, cell: int) -> int:
        order, buffers, size = self._order, self._buffers, self._order.size
        if buffers.stage[game] == OVER:
            if order.autoreset != AUTORESET_NEXT_STEP:
                return 0
            self._begin(game)
            return RESET
        row = slice(game * size, (game + 1) * size)
        buffers.steps[game] += 1
        outcome = ILLEGAL if buffers.tiles[row][cell] != COVERED else self._reveal(game, row, cell)
        if not outcome & (WON | LOST) and 0 < order.limit <= buffers.steps[game]:
            outcome |= TRUNCATED
        if outcome & (WON | LOST | TRUNCATED):
            buffers.stage[game] = OVER
            if outcome & (WON | LOST):
                buffers.mask[row] = bytes(size)
            if order.autoreset == AUTORESET_SAME_STEP:
                buffers.final[row] = buffers.tiles[row]
                self._begin(game)
        return outcome

    def _reveal(self, game: int, row: slice, cell: int) -> int:
        order, buffers = self._order, self._buffers
        if buffers.stage[game] == FRESH:
            seed = child_seed(child_seed(buffers.seeds[game], buffers.numbers[game]), LAYOUT_KEY)
            start = _nearest_start(order, cell)
            mapped = draw_mines(self._field, order.mines, start, cell, seed)
            buffers.clues[row] = clues_of_table(order.starts, order.cells, mapped)
            buffers.stage[game] = RUNNING
        tiles: MutableSequence[int] = buffers.tiles[row]
        if buffers.clues[row][cell] == MINE_CLUE:
            tiles[cell] = EXPLODED
            return LOST
        shown = bytearray(tiles)
        runs = cascade_table(order.open_starts, order.open_cells, True, bytes(buffers.clues[row]), shown, cell)
        buffers.tiles[row] = shown
        for start, end in runs:
            buffers.mask[row][start:end] = bytes(end - start)
            buffers.opened[game] += end - start
        buffers.revealed[game] += buffers.opened[game]
        return WON if buffers.revealed[game] == order.size - order.mines else 0


def _nearest_start(order: Stepping, first: int) -> int:
    """The start rule, or the nearest that leaves room for the mines."""
    start = order.start
    if start == START_OPEN and order.mines > order.size - 1 - (order.starts[first + 1] - order.starts[first]):
        start = START_SAFE
    return START_ANY if start == START_SAFE and order.mines > order.size - 1 else start
