"""What two clues together say, noted down.

Say clue B needs as many mines more than clue A as it has cells that A does not touch, known cells
left out. Then all those cells are mines, and the cells that only A touches are safe. Together with single
clues that is followed to its end. Like the notes, this only ever grows as cells are opened, so looking at
the clues around what changed gives what the whole board says; the twin, `solver.strategies.subset`,
works that out afresh.

Knows: tiles, notes.
Does not know: layouts, three clues at a time, the number of mines.
"""

from sapper._kernels.compiled.cascade import COVERED
from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.deductions import (
    AT,
    LOWEST_BY_ONE,
    LOWEST_BY_TWO,
    MARKS,
    MINE_BY_TWO,
    NOTES,
    OPENED,
    QUEUE,
    QUEUED,
    SAFE_BY_ONE,
    SAFE_BY_TWO,
    SEEN_BY_TWO,
    SETTLED,
    SHARED,
    STAMP,
    STAMPS,
    TAKEN,
    TOUCHED,
    TOUCHED_BY_TWO,
    TOUCHED_CELLS,
    UNSURE,
    WAITING,
    Notes,
    lowest_safe,
    note_opened,
)
from sapper._kernels.compiled.workspace import Bytes, Indices


@helper(I64(U8S, NOTES, I64))
def _wait(tiles: Bytes, notes: Notes, clue: int) -> int:
    """Put a clue that has something to say into the queue, once."""
    if 0 < tiles[clue] < COVERED and notes[UNSURE, clue] and not notes[MARKS, clue] & WAITING:
        notes[MARKS, clue] |= WAITING
        notes[QUEUE, notes[AT, QUEUED]] = clue
        notes[AT, QUEUED] += 1
    return 0


@helper(I64(I32S, I32S, U8S, NOTES, I64, I64))
def _settle(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, cell: int, mine: int) -> int:
    """Count a cell as opened or known (1: as a mine), and let the clues around it wait to be looked at again."""
    if notes[MARKS, cell] & SETTLED:
        return 0
    notes[MARKS, cell] |= SETTLED
    for at in range(starts[cell], starts[cell + 1]):
        clue = cells[at]
        notes[UNSURE, clue] -= 1
        notes[TAKEN, clue] += mine
        _wait(tiles, notes, clue)
    return 1


@helper(I64(I32S, I32S, U8S, NOTES, I64, I64))
def _mark(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, cell: int, bit: int) -> int:
    """Note what a cell is."""
    notes[MARKS, cell] |= bit
    if bit == SAFE_BY_TWO:
        notes[AT, LOWEST_BY_TWO] = min(notes[AT, LOWEST_BY_TWO], cell)
    return _settle(starts, cells, tiles, notes, cell, 1 if bit == MINE_BY_TWO else 0)


@helper(I64(I32S, I32S, U8S, NOTES, I64, I64, I64, I64))
def _conclude(
    starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, clue: int, other: int, ours: int, theirs: int
) -> int:
    """Mark what only one of two clues touches: the first one's cells with bit `ours`, the other's with `theirs`."""
    notes[AT, STAMP] += 1
    stamp = notes[AT, STAMP]
    for at in range(starts[clue], starts[clue + 1]):
        notes[STAMPS, cells[at]] = stamp
    for at in range(starts[other], starts[other + 1]):
        cell = cells[at]
        if tiles[cell] == COVERED and not notes[MARKS, cell] & SETTLED:
            if notes[STAMPS, cell] == stamp:
                notes[STAMPS, cell] = 0  # shared: nothing is said of it
            else:
                _mark(starts, cells, tiles, notes, cell, theirs)
    for at in range(starts[clue], starts[clue + 1]):
        cell = cells[at]
        if tiles[cell] == COVERED and not notes[MARKS, cell] & SETTLED and notes[STAMPS, cell] == stamp:
            _mark(starts, cells, tiles, notes, cell, ours)
    return _wait(tiles, notes, clue)


@helper(I64(I32S, I32S, U8S, NOTES, I64, I64))
def _count_shared(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, clue: int, step: int) -> int:
    """Add `step` to SHARED, once for each cell of this clue that another has too, at that other one."""
    for at in range(starts[clue], starts[clue + 1]):
        cell = cells[at]
        if tiles[cell] == COVERED and not notes[MARKS, cell] & SETTLED:
            for back in range(starts[cell], starts[cell + 1]):
                notes[SHARED, cells[back]] += step
    return 0


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def _study(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, clue: int) -> int:
    """One clue alone, then beside each that shares a cell with it, until one of these says something."""
    size = I64(notes[UNSURE, clue])
    need = I64(tiles[clue]) - notes[TAKEN, clue]
    if size == 0:
        return 0
    if need in (0, size):
        bit = SAFE_BY_TWO if need == 0 else MINE_BY_TWO
        for at in range(starts[clue], starts[clue + 1]):
            cell = cells[at]
            if tiles[cell] == COVERED and not notes[MARKS, cell] & SETTLED:
                _mark(starts, cells, tiles, notes, cell, bit)
        return 1
    _count_shared(starts, cells, tiles, notes, clue, 1)
    found = -1
    theirs = 0
    for at in range(starts[clue], starts[clue + 1]):
        cell = cells[at]
        if tiles[cell] != COVERED or notes[MARKS, cell] & SETTLED:
            continue
        for back in range(starts[cell], starts[cell + 1]):
            other = cells[back]
            # One that waits will be compared with this one when its turn comes.
            if tiles[other] >= COVERED or notes[MARKS, other] & WAITING:
                continue
            only = size - notes[SHARED, other]
            rest = I64(notes[UNSURE, other]) - notes[SHARED, other]
            more = I64(tiles[other]) - notes[TAKEN, other] - need
            if only + rest and (more == rest or -more == only):
                found = other
                theirs = MINE_BY_TWO if more == rest else SAFE_BY_TWO
    _count_shared(starts, cells, tiles, notes, clue, -1)
    if found < 0:
        return 0
    return _conclude(starts, cells, tiles, notes, clue, found, MINE_BY_TWO + SAFE_BY_TWO - theirs, theirs)


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def note_pairs(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, count: int) -> int:
    """Follow one and two clues to the end, from what was opened (`count` cells by now) and noted since the last time.

    Cells that one clue proves safe must be open by then, so that only its mines are to be taken over.
    """
    for i in range(notes[AT, SEEN_BY_TWO], count):
        cell = notes[OPENED, i]
        _settle(starts, cells, tiles, notes, cell, 0)
        _wait(tiles, notes, cell)
    for i in range(notes[AT, TOUCHED_BY_TWO], notes[AT, TOUCHED]):
        _settle(starts, cells, tiles, notes, notes[TOUCHED_CELLS, i], 1)
    notes[AT, SEEN_BY_TWO] = count
    notes[AT, TOUCHED_BY_TWO] = notes[AT, TOUCHED]
    while notes[AT, QUEUED]:
        notes[AT, QUEUED] -= 1
        clue = notes[QUEUE, notes[AT, QUEUED]]
        notes[MARKS, clue] &= ~WAITING
        _study(starts, cells, tiles, notes, clue)
    return 0


@helper(I64(I32S, I32S, U8S, NOTES, I64))
def lowest_certain(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, count: int) -> int:
    """The lowest cell that one clue proves safe, else the lowest that two do; -1 if there is neither."""
    note_opened(starts, cells, tiles, notes, count)
    cell = lowest_safe(tiles, notes, SAFE_BY_ONE, LOWEST_BY_ONE)
    if cell >= 0:
        return cell
    note_pairs(starts, cells, tiles, notes, count)
    return lowest_safe(tiles, notes, SAFE_BY_TWO, LOWEST_BY_TWO)
