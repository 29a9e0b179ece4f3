"""Whole games of the strategy `exact`.

Knows: the strategy: what one clue proves, then what two prove, then what the exact analysis proves, lowest
cell first; else the least likely mine.
Does not know: in what it chooses, the layout.
"""

from typing import NamedTuple

import numba
import numpy as np

from sapper._kernels.compiled.board import FACTS, INFO, LOWEST, OK, SAFE_CELLS, analyse_board
from sapper._kernels.compiled.compiler import I32S, I64, I64S, U8S, helper, kernel
from sapper._kernels.compiled.deductions import NOTES, OPENED, Notes
from sapper._kernels.compiled.games import (
    CLUES,
    LOST,
    ORDERS,
    TILES,
    UNSOLVED,
    WON,
    Batch,
    referee_begin,
    referee_end,
    referee_first,
    referee_record,
    referee_reveal,
)
from sapper._kernels.compiled.pairs import lowest_certain
from sapper._kernels.compiled.workspace import (
    PLANE_PAIRS,
    STATES_AT_FIRST,
    Bytes,
    Floats,
    Indices,
    Ints,
    Scratch,
    States,
    make_scratch,
    make_states,
)

MOST_STATES = 200_000
"""States that a component may take here; a board that takes more is left to Python, whose limit is higher."""


class Workspace(NamedTuple):
    """What the analysis of one board after another needs: scratch, and where its answers go."""

    scratch: Scratch
    states: States
    chance: Floats
    mark: Bytes
    info: Ints
    facts: Floats


def make_desk(starts: Indices, cells: Indices, width: int) -> Workspace:  # noqa: ARG001  # as other strategies' desks
    """A space for boards with this neighbour table."""
    size = starts.size - 1
    return Workspace(
        make_scratch(size, max(cells.size, PLANE_PAIRS * size)),
        make_states(STATES_AT_FIRST),
        np.empty(size, np.float64),
        np.empty(size, np.uint8),
        np.empty(INFO, np.int64),
        np.empty(FACTS, np.float64),
    )


SPACE = numba.typeof(make_desk(np.zeros(2, np.int32), np.zeros(0, np.int32), 0))


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def choose_exact(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, count: int) -> int:
    """The cell to reveal as one or two clues have it, -1 where the analysis must say; `count` cells are open."""
    return lowest_certain(starts, cells, tiles, notes, count)


@helper(I64(I64S))
def choose_least(info: Ints) -> int:
    """The cell to reveal where few clues say nothing: what the analysis found, the complement if that is a guess."""
    cell = info[LOWEST]
    return I64(cell) if info[SAFE_CELLS] else ~I64(cell)


@kernel(I64(ORDERS, SPACE))
def play_exact(orders: Batch, space: Workspace) -> int:
    """Play the games of the orders; how many were played."""
    tiles = orders.table[TILES]
    clues = orders.table[CLUES]
    starts = orders.starts
    cells = orders.cells
    notes = orders.notes
    opened = notes[OPENED]
    info = space.info
    # How the analysis is told of the grid: a rectangle needs no table.
    width = orders.width
    if width == 0:
        width = tiles.size
    height = tiles.size // width
    read_starts = starts[:0] if orders.width else starts
    read_cells = cells[:0] if orders.width else cells
    for game in range(orders.games):
        if orders.stop[0]:
            return game
        safe = referee_begin(orders, game)
        cell = referee_first(orders, game)
        revealed = 0
        moves = 0
        guesses = 0
        ending = UNSOLVED
        while True:
            referee_record(orders.moves, game * tiles.size + moves, cell)
            moves += 1
            count = referee_reveal(starts, cells, clues, tiles, cell, opened, revealed)
            if count < 0 or count == safe:
                ending = LOST if count < 0 else WON
            revealed = max(count, revealed)
            if ending != UNSOLVED:
                break
            cell = choose_exact(starts, cells, tiles, notes, revealed)
            if cell < 0:
                # Called from here, since whatever calls it takes seconds to compile.
                found = analyse_board(
                    tiles, width, height, read_starts, read_cells, tiles.size - safe, 0, MOST_STATES,
                    space.scratch, space.states, space.chance, space.mark, info, space.facts,
                )  # fmt: skip
                if found != OK:
                    break
                cell = choose_least(info)
                if cell < 0:
                    cell = ~cell
                    guesses += 1
        referee_end(orders, game, ending, moves, guesses, revealed)
    return orders.games
