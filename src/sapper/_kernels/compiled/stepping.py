"""The twin of `reference.stepping`: many games that are played a reveal at a time, all in one call.

Its cost is that of the cells which are looked at: a game is covered when it begins, laid at its first reveal, and afterwards only
the cells that open are touched. Nothing is allocated.

Knows: seeds, layouts, the cascade; buffers that the caller gives, a row for each game.
Does not know: rules of play by name, rewards, observations.
"""

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from sapper._kernels.compiled.compiler import I32S, I64, I64S, U8S, helper, kernel
from sapper._kernels.compiled.layout import MINE_CLUE, draw_mines
from sapper._kernels.compiled.random import Word, Words, child_seed
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints
from sapper._kernels.reference.stepping import StepBuffers, Stepping

COVERED = 9
EXPLODED = 13

NEXT_STEP = 1
SAME_STEP = 2

WON = 1
LOST = 2
TRUNCATED = 4
RESET = 8
ILLEGAL = 16

FRESH = 0
RUNNING = 1
OVER = 2

_LAYOUT_KEY = Word(0)


class StepBatch(NamedTuple):
    """The games of a batch. Two-dimensional arrays have a row for each game; their meaning is that of `StepBuffers`."""

    starts: Indices
    cells: Indices
    open_starts: Indices
    open_cells: Indices
    common: Ints  # mines, start, autoreset, limit
    seeds: Words
    numbers: Ints
    tiles: Bytes
    mask: Bytes
    final: Bytes
    opened: NDArray[np.int32]
    outcome: Bytes
    revealed: NDArray[np.int32]
    steps: NDArray[np.int32]
    clues: Bytes
    stage: Bytes
    order: Indices  # scratch: the cells that a cascade opens
    words: Words  # scratch: the state of random numbers
    mapped: Bytes  # scratch: where the mines are


# Places in `common`.
MINES = 0
START = 1
AUTORESET = 2
LIMIT = 3


def make_batch(order: Stepping, buffers: StepBuffers) -> StepBatch:
    """The batch of these buffers, which are kept, not copied."""
    size = order.size
    shape = (order.games, size)
    return StepBatch(
        starts=np.array(order.starts, np.int32),
        cells=np.array(order.cells, np.int32),
        open_starts=np.array(order.open_starts, np.int32),
        open_cells=np.array(order.open_cells, np.int32),
        common=np.array([order.mines, order.start, order.autoreset, order.limit], np.int64),
        seeds=buffers.seeds,
        numbers=buffers.numbers,
        tiles=buffers.tiles.reshape(shape),
        mask=buffers.mask.reshape(shape),
        final=buffers.final.reshape(shape) if order.autoreset == SAME_STEP else np.empty((0, size), np.uint8),
        opened=buffers.opened,
        outcome=buffers.outcome,
        revealed=buffers.revealed,
        steps=buffers.steps,
        clues=buffers.clues.reshape(shape),
        stage=buffers.stage,
        order=np.empty(size, np.int32),
        words=np.empty(4, np.uint64),
        mapped=np.empty(size, np.uint8),
    )


def _smallest() -> StepBatch:
    """A batch of one game on one cell: what numba reads the types from."""
    bytes_, counts = np.zeros(1, np.uint8), np.zeros(1, np.int32)
    order = Stepping([0, 0], [], [0, 0], [], 0, 0, 1, 0, 0)
    seeds, numbers = np.zeros(1, np.uint64), np.zeros(1, np.int64)
    one = (bytes_, bytes_, bytes_, counts, bytes_, counts, counts, bytes_, bytes_)
    return make_batch(order, StepBuffers(seeds, numbers, *one))


BATCH = numba.typeof(_smallest())


@helper(I64(BATCH, I64))
def _begin(batch: StepBatch, game: int) -> int:
    """Cover the next game of a run."""
    batch.numbers[game] += 1
    batch.tiles[game, :] = COVERED
    batch.mask[game, :] = 1
    batch.revealed[game] = 0
    batch.steps[game] = 0
    batch.stage[game] = FRESH
    return 0


@helper(I64(I32S, I32S, U8S, U8S, I32S))
def _count_clues(starts: Indices, cells: Indices, mapped: Bytes, clues: Bytes, listed: Indices) -> int:
    """`layout.clues_of_table` by a list of the mines, made without a branch: a fifth of all cells mined is what branches are worst at."""
    size = mapped.size
    mines = 0
    for cell in range(size):
        listed[mines] = cell
        mines += mapped[cell]
        clues[cell] = 0
    for number in range(mines):
        cell = listed[number]
        for at in range(starts[cell], starts[cell + 1]):
            clues[cells[at]] += 1
    for number in range(mines):
        clues[listed[number]] = MINE_CLUE
    return mines


@helper(I64(BATCH, I64, I64))
def _lay(batch: StepBatch, game: int, first: int) -> int:
    """Draw the layout of a game whose first reveal is `first`."""
    seed = child_seed(child_seed(batch.seeds[game], Word(batch.numbers[game])), _LAYOUT_KEY)
    common = batch.common
    draw_mines(batch.starts, batch.cells, common[MINES], common[START], first, seed, batch.words, batch.mapped)
    batch.stage[game] = RUNNING
    return _count_clues(batch.starts, batch.cells, batch.mapped, batch.clues[game], batch.order)


@helper(I64(I32S, I32S, U8S, U8S, U8S, I64, I32S))
def _open(starts: Indices, cells: Indices, clues: Bytes, tiles: Bytes, mask: Bytes, cell: int, opened: Indices) -> int:
    """Reveal a covered cell: how many are open now, -1 if it was a mine.

    The cascade of `cascade.cascade_table` where no cell is marked: what a zero opens is no mine, so that only tiles are looked at.
    """
    tiles[cell] = clues[cell]
    if clues[cell] == MINE_CLUE:
        tiles[cell] = EXPLODED
        return -1
    mask[cell] = 0
    opened[0] = cell
    count = 1
    at = 0
    while at < count:
        zero = opened[at]
        at += 1
        if clues[zero] == 0:
            for index in range(starts[zero], starts[zero + 1]):
                near = cells[index]
                if tiles[near] == COVERED:
                    tiles[near] = clues[near]
                    mask[near] = 0
                    opened[count] = near
                    count += 1
    return count


@helper(I64(BATCH, I64, I64), allocates=True)
def _end(batch: StepBatch, game: int, outcome: int) -> int:
    """A game has ended with this outcome: no move is legal any more, unless it was only cut off."""
    batch.stage[game] = OVER
    if outcome & (WON | LOST):
        batch.mask[game, :] = 0
    if batch.common[AUTORESET] == SAME_STEP:
        batch.final[game, :] = batch.tiles[game, :]
        _begin(batch, game)
    return outcome


# What happens in every step stands in the kernel itself: to pass the whole batch on takes longer than a reveal.


@kernel(I64(BATCH, I64S))
def step_games(batch: StepBatch, actions: Ints) -> int:
    """Reveal one cell in every game; cells are on the board. The number of games."""
    starts, cells, opened = batch.open_starts, batch.open_cells, batch.order
    tiles, stage = batch.tiles, batch.stage
    safe = tiles.shape[1] - batch.common[MINES]
    next_step = batch.common[AUTORESET] == NEXT_STEP
    limit = batch.common[LIMIT]
    games = stage.size
    for game in range(games):
        batch.opened[game] = 0
        batch.outcome[game] = 0
        if stage[game] == OVER:
            if next_step:
                _begin(batch, game)
                batch.outcome[game] = RESET
            continue
        batch.steps[game] += 1
        cell = actions[game]
        outcome = 0
        if tiles[game, cell] != COVERED:
            outcome = ILLEGAL
        else:
            if stage[game] == FRESH:
                _lay(batch, game, cell)
            count = _open(starts, cells, batch.clues[game], tiles[game], batch.mask[game], cell, opened)
            if count < 0:
                outcome = LOST
            else:
                batch.opened[game] = count
                batch.revealed[game] += count
                if batch.revealed[game] == safe:
                    outcome = WON
        if outcome & (WON | LOST) == 0 and 0 < limit <= batch.steps[game]:
            outcome |= TRUNCATED
        if outcome & (WON | LOST | TRUNCATED):
            _end(batch, game, outcome)
        batch.outcome[game] = outcome
    return games


@kernel(I64(BATCH, U8S))
def begin_games(batch: StepBatch, which: Bytes) -> int:
    """Begin the next game of its run where `which` is not 0; how many."""
    begun = 0
    for game in range(batch.stage.size):
        if which[game]:
            _begin(batch, game)
            begun += 1
    return begun


class CompiledStepper:
    """Steps a batch of games in kernels; see `reference.stepping.PythonStepper`."""

    def __init__(self, order: Stepping, buffers: StepBuffers) -> None:
        self._batch = make_batch(order, buffers)

    def begin(self, which: Bytes) -> None:
        """Begin the next game of its run where `which` is not 0."""
        begin_games(self._batch, which)

    def step(self, actions: Ints) -> None:
        """Reveal one cell in every game; cells are on the board (the caller has checked)."""
        step_games(self._batch, actions)
