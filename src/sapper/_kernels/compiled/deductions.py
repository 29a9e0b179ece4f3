"""What a player notes down during one game, and what one clue at a time says.

The notes follow the board: `note_opened` is told which cells were opened since it was last called,
and looks only around those. A clue with as many covered neighbours as mines makes them all mines; a clue
whose mines are all known makes its other neighbours safe. Both only ever become true as cells are opened,
so the notes are at every moment what the whole board says: the twin, `solver.strategies.simple`, works that
out afresh from the board each time.

Knows: tiles, a neighbour table; no tile is ever flagged here.
Does not know: layouts.
"""

import numpy as np
from numba import types
from numpy.typing import NDArray

from sapper._kernels.compiled.cascade import COVERED
from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.random import U64S, Words, below
from sapper._kernels.compiled.workspace import Bytes, Indices

MINE_BY_ONE = 1
SAFE_BY_ONE = 2
MINE_BY_TWO = 4
SAFE_BY_TWO = 8
WAITING = 16
SETTLED = 32
"""Bits of a cell's mark: proven by one clue at a time, by two (see pairs); a clue that waits to be looked at;
a cell that the rules for two clues count as opened or known."""

# Places in row AT.
SEEN_BY_ONE = 0  # how much of OPENED has been noted
LOWEST_BY_ONE = 1  # no cell below this one is covered and proven safe by one clue
TOUCHED = 2  # how many cells are in TOUCHED_CELLS
SEEN_BY_TWO = 3  # how much of OPENED the rules for two clues have seen
TOUCHED_BY_TWO = 4  # and how much of TOUCHED_CELLS
LOWEST_BY_TWO = 5
QUEUED = 6  # how many clues wait in QUEUE
STAMP = 7  # the last number written into STAMPS
PLACES = 8


# Rows of the notes, one number a cell (AT: one each of the places above).
MARKS = 0
COVERED_NEAR = 1  # covered neighbours
MINES_NEAR = 2  # neighbours that one clue proves to be mines
OPENED = 3  # the cells opened, in order: what each move's update says
TOUCHED_CELLS = 4  # cells proven to be mines by one clue, in order
AT = 5
# What pairs keeps.
QUEUE = 6  # clues to look at
STAMPS = 7
UNSURE = 8  # neighbours that are not settled
TAKEN = 9  # neighbours that are known to be mines
SHARED = 10  # all 0 between calls
ROWS = 11

NOTES = types.int32[:, ::1]
Notes = NDArray[np.int32]
"""One player's notes: all of it follows from the tiles seen. One array, since every call passes it on."""


def make_notes(size: int) -> Notes:
    """Notes for boards of `size` cells."""
    return np.zeros((ROWS, max(size, PLACES)), np.int32)


@helper(I64(I32S, NOTES))
def clear_notes(starts: Indices, notes: Notes) -> int:
    """Forget everything: a new game."""
    size = starts.size - 1
    for cell in range(size):
        notes[MARKS, cell] = 0
        notes[COVERED_NEAR, cell] = starts[cell + 1] - starts[cell]
        notes[MINES_NEAR, cell] = 0
        notes[STAMPS, cell] = 0
        notes[UNSURE, cell] = notes[COVERED_NEAR, cell]
        notes[TAKEN, cell] = 0
        notes[SHARED, cell] = 0
    for i in range(PLACES):
        notes[AT, i] = 0
    return size


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def _open_rest(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, clue: int) -> int:
    """A clue whose mines are all known: its other covered neighbours are safe."""
    for at in range(starts[clue], starts[clue + 1]):
        cell = cells[at]
        if tiles[cell] == COVERED and not notes[MARKS, cell] & (MINE_BY_ONE | SAFE_BY_ONE):
            notes[MARKS, cell] |= SAFE_BY_ONE
            notes[AT, LOWEST_BY_ONE] = min(notes[AT, LOWEST_BY_ONE], cell)
    return 0


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def _mine_all(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, clue: int) -> int:
    """All covered neighbours of this clue are mines: say so around them; the number of new ones."""
    new = 0
    for at in range(starts[clue], starts[clue + 1]):
        mine = cells[at]
        if tiles[mine] != COVERED or notes[MARKS, mine] & MINE_BY_ONE:
            continue
        notes[MARKS, mine] |= MINE_BY_ONE
        notes[TOUCHED_CELLS, notes[AT, TOUCHED]] = mine
        notes[AT, TOUCHED] += 1
        new += 1
        for back in range(starts[mine], starts[mine + 1]):
            near = cells[back]
            notes[MINES_NEAR, near] += 1
            if notes[MINES_NEAR, near] == tiles[near]:
                _open_rest(starts, cells, tiles, notes, near)
    return new


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def note_opened(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, count: int) -> int:
    """Note down what the cells opened since the last time say; `count` is the length of OPENED now."""
    begin = notes[AT, SEEN_BY_ONE]
    notes[AT, SEEN_BY_ONE] = count
    for i in range(begin, count):
        cell = notes[OPENED, i]
        for at in range(starts[cell], starts[cell + 1]):
            notes[COVERED_NEAR, cells[at]] -= 1
    for i in range(begin, count):
        cell = notes[OPENED, i]
        if tiles[cell]:
            if tiles[cell] == notes[COVERED_NEAR, cell]:
                _mine_all(starts, cells, tiles, notes, cell)
            if notes[MINES_NEAR, cell] == tiles[cell]:
                _open_rest(starts, cells, tiles, notes, cell)
        for at in range(starts[cell], starts[cell + 1]):
            near = cells[at]
            if tiles[near] == notes[COVERED_NEAR, near] and notes[MINES_NEAR, near] != tiles[near]:
                _mine_all(starts, cells, tiles, notes, near)
    return count - begin


@helper(I64(U8S, NOTES, I64, I64))
def lowest_safe(tiles: Bytes, notes: Notes, bit: int, place: int) -> int:
    """The lowest covered cell with this bit in its mark, searched from `place` on; -1 if there is none."""
    cell = notes[AT, place]
    while cell < tiles.size and (tiles[cell] != COVERED or not notes[MARKS, cell] & bit):
        cell += 1
    notes[AT, place] = cell
    return I64(cell) if cell < tiles.size else -1


@helper(I64(U8S, NOTES, I64))
def _count_covered(tiles: Bytes, notes: Notes, mines: int) -> int:
    count = 0
    for cell in range(tiles.size):
        count += tiles[cell] == COVERED and not notes[MARKS, cell] & mines
    return count


@helper(I64(U8S, NOTES, I64, U64S))
def guess(tiles: Bytes, notes: Notes, mines: int, rng: Words) -> int:
    """A covered cell at random that has none of the bits `mines` in its mark; of all if each has."""
    count = _count_covered(tiles, notes, mines)
    if count == 0:
        mines = 0
        count = _count_covered(tiles, notes, mines)
    left = below(rng, count)
    for cell in range(tiles.size):
        if tiles[cell] == COVERED and not notes[MARKS, cell] & mines:
            if left == 0:
                return cell
            left -= 1
    return -1
