"""The twin of `reference.measures`, for many layouts: 3BV, openings, islands, ZiNi.

Knows: maps of mines, neighbour tables.
Does not know: games, players, times; what the numbers mean is said in the twin.
"""

from collections.abc import Sequence

import numpy as np
from numba import types
from numpy.typing import NDArray

from sapper._kernels.compiled.compiler import I32S, I64, I64S, U8S, helper, kernel
from sapper._kernels.compiled.layout import MINE_CLUE, clues_of_table
from sapper._kernels.compiled.measures_rows import WIDEST, values_of_rows
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints

COLUMNS = 5
"""Numbers a layout: 3BV, openings, islands, greedy ZiNi, human ZiNi."""
NO_OPENING = -1
COVERED = 0
OPEN = 1
MINE = 2
FLAGGED = 3
"""The state of a cell on the ZiNi player's board."""
WORD = 8
LOW_BITS = 0x0101010101010101
HIGH_BITS = -0x7F7F7F7F7F7F7F80
I8S = types.int8[::1]
Premiums = NDArray[np.int8]
"""One premium is -10 to 9; a byte each, so that the highest of all is found sixteen or more at a time."""
OUT_OF_REACH = 50
"""Taken off the premium of a cell that may not be chorded: a mine, or what the human player has not opened."""


@helper(I64(I32S, I32S, U8S, I32S, I32S))
def number_openings(starts: Indices, cells: Indices, clues: Bytes, of: Indices, stack: Indices) -> int:
    """Write the opening of each zero (`NO_OPENING` elsewhere) into `of`; the number of openings."""
    size = clues.size
    for cell in range(size):
        of[cell] = NO_OPENING
    count = 0
    for cell in range(size):
        if clues[cell] != 0 or of[cell] != NO_OPENING:
            continue
        of[cell] = count
        stack[0] = cell
        top = 1
        while top:
            top -= 1
            zero = stack[top]
            for at in range(starts[zero], starts[zero + 1]):
                near = cells[at]
                if clues[near] == 0 and of[near] == NO_OPENING:
                    of[near] = count
                    stack[top] = near
                    top += 1
        count += 1
    return count


@helper(I64(I32S, I32S, U8S, U8S))
def mark_alone(starts: Indices, cells: Indices, clues: Bytes, marks: Bytes) -> int:
    """Write 1 for each clue that touches no opening; how many there are."""
    count = 0
    for cell in range(clues.size):
        marks[cell] = 0
        if clues[cell] == 0 or clues[cell] == MINE_CLUE:
            continue
        touches = False
        for at in range(starts[cell], starts[cell + 1]):
            if clues[cells[at]] == 0:
                touches = True
                break
        if not touches:
            marks[cell] = 1
            count += 1
    return count


@helper(I64(I32S, I32S, U8S, U8S, I32S))
def count_islands(starts: Indices, cells: Indices, marks: Bytes, seen: Bytes, stack: Indices) -> int:
    """Groups of marked cells that are connected over neighbours."""
    size = marks.size
    for cell in range(size):
        seen[cell] = 0
    count = 0
    for cell in range(size):
        if marks[cell] == 0 or seen[cell]:
            continue
        count += 1
        seen[cell] = 1
        stack[0] = cell
        top = 1
        while top:
            top -= 1
            here = stack[top]
            for at in range(starts[here], starts[here + 1]):
                near = cells[at]
                if marks[near] and not seen[near]:
                    seen[near] = 1
                    stack[top] = near
                    top += 1
    return count


@helper(I64(I64, I64, U8S, I8S))
def uncover(cell: int, human: int, opened: Bytes, premium: Premiums) -> int:
    """Mark a cell as open, which its premium gains by, and the human player may chord it now."""
    if opened[cell] == COVERED:
        opened[cell] = OPEN
        premium[cell] += 1 + human * OUT_OF_REACH
    return 0


@helper(I64(I32S, I32S, U8S, U8S, I64, U8S, I8S, I32S, I32S, I64))
def open_cell(
    starts: Indices,
    cells: Indices,
    clues: Bytes,
    alone: Bytes,
    human: int,
    opened: Bytes,
    premium: Premiums,
    stack: Indices,
    touched: Indices,
    cell: int,
) -> int:
    """Open a cell, with its opening if it is a zero; the 3BV that are done by it, 0 or 1.

    Every cell that touches the opening, its zeros among them, had it in its premium. `touched[c]` is the
    last opening (named by its first zero plus 1) that took one off cell c, so that it is taken off once.
    """
    if opened[cell]:
        return 0
    uncover(cell, human, opened, premium)
    if clues[cell]:
        if not alone[cell]:
            return 0
        premium[cell] -= 1
        for at in range(starts[cell], starts[cell + 1]):
            premium[cells[at]] -= 1
        return 1
    name = cell + 1
    premium[cell] -= 1
    touched[cell] = name
    stack[0] = cell
    top = 1
    while top:
        top -= 1
        zero = stack[top]
        for at in range(starts[zero], starts[zero + 1]):
            near = cells[at]
            if touched[near] == name:
                continue
            touched[near] = name
            premium[near] -= 1
            uncover(near, human, opened, premium)
            if clues[near] == 0:
                stack[top] = near
                top += 1
    return 1


@helper(I64(I8S))
def best_premium(premium: Premiums) -> int:
    """The first cell with the highest premium, or -1 if none is 0 or more."""
    highest = np.int8(-1)
    for cell in range(premium.size):
        highest = max(highest, premium[cell])
    if highest < 0:
        return -1
    # Eight premiums at a time: a byte that equals the highest is a zero byte of the difference.
    pattern = highest * LOW_BITS
    words = premium.view(np.int64)
    at = 0
    while True:
        differing = words[at] ^ pattern
        if (differing - LOW_BITS) & ~differing & HIGH_BITS:
            break
        at += 1
    cell = at * WORD
    while premium[cell] != highest:
        cell += 1
    return cell


@helper(I64(I32S, I32S, U8S, U8S, I64, I64, I8S, I32S, U8S))
def count_zini(
    starts: Indices,
    cells: Indices,
    clues: Bytes,
    alone: Bytes,
    bbbv: int,
    human: int,
    premium: Premiums,
    scratch: Indices,
    opened: Bytes,
) -> int:
    """The clicks of the ZiNi player; `premium` holds the first ones, `scratch` room for two numbers a cell."""
    size = clues.size
    stack = scratch[:size]
    touched = scratch[size:]
    for cell in range(size):
        opened[cell] = MINE if clues[cell] == MINE_CLUE else COVERED
        touched[cell] = 0
    clicks = 0
    if human:
        for cell in range(size):
            premium[cell] -= OUT_OF_REACH
        for cell in range(size):
            if clues[cell] == 0 and not opened[cell]:
                clicks += 1
                bbbv -= open_cell(starts, cells, clues, alone, human, opened, premium, stack, touched, cell)
    unopened = 0
    while bbbv:
        best = best_premium(premium)
        if best < 0:
            if not human:
                # Opening what is left raises no premium: what a cell gains by being open, its 3BV loses.
                return clicks + bbbv
            while opened[unopened] or not alone[unopened]:
                unopened += 1
            clicks += 1
            bbbv -= open_cell(starts, cells, clues, alone, human, opened, premium, stack, touched, unopened)
            continue
        if not opened[best]:
            clicks += 1
            bbbv -= open_cell(starts, cells, clues, alone, human, opened, premium, stack, touched, best)
        clicks += 1
        for at in range(starts[best], starts[best + 1]):
            near = cells[at]
            if opened[near] == COVERED and clues[near]:
                # As open_cell does: most cells are opened here, and a call costs more than the work.
                opened[near] = OPEN
                premium[near] += 1 + human * OUT_OF_REACH - alone[near]
                if alone[near]:
                    bbbv -= 1
                    for other in range(starts[near], starts[near + 1]):
                        premium[cells[other]] -= 1
            elif opened[near] == COVERED:
                bbbv -= open_cell(starts, cells, clues, alone, human, opened, premium, stack, touched, near)
            elif opened[near] == MINE:
                opened[near] = FLAGGED
                clicks += 1
                for other in range(starts[near], starts[near + 1]):
                    premium[cells[other]] += 1
    return clicks


@helper(I64(I32S, I32S, U8S, U8S, I32S, I8S))
def first_premiums(starts: Indices, cells: Indices, clues: Bytes, alone: Bytes, of: Indices, premium: Premiums) -> int:
    """The premium of each cell while all are covered; mines are out of reach."""
    for cell in range(clues.size):
        premium[cell] = alone[cell] - 2
    for cell in range(clues.size):
        if alone[cell]:
            for at in range(starts[cell], starts[cell + 1]):
                premium[cells[at]] += 1
        elif clues[cell] == MINE_CLUE:
            premium[cell] -= OUT_OF_REACH
            for at in range(starts[cell], starts[cell + 1]):
                premium[cells[at]] -= 1
        elif clues[cell] != 0:
            first = starts[cell]
            for at in range(first, starts[cell + 1]):
                opening = of[cells[at]]
                if opening == NO_OPENING:
                    continue
                before = first
                while of[cells[before]] != opening:
                    before += 1
                premium[cell] += before == at
        else:
            premium[cell] += 1  # a zero touches one opening, its own
    return 0


@kernel(I64(I32S, I32S, I64, I64, U8S, I64S))
def measure(starts: Indices, cells: Indices, width: int, with_zini: int, mapped: Bytes, values: Ints) -> int:
    """Measure layouts: `mapped` has one byte a cell (1 at a mine), layout after layout, `values` `COLUMNS` each.

    `width` is that of a rectangle with eight neighbours, 0 for any other grid. Of equal premiums the lowest cell
    wins: number the cells column by column to agree with the twin. Without `with_zini` its columns are left as they are.
    """
    size = starts.size - 1
    by_rows = 0 < width <= WIDEST
    height = size // width if by_rows else 1
    words = np.empty((3, size + 1), np.int64)
    clues = np.empty(size, np.uint8)
    alone = np.empty(size, np.uint8)
    opened = np.empty(size, np.uint8)
    of = np.empty(size, np.int32)
    padded = (size + WORD - 1) // WORD * WORD
    first = np.full(padded, np.int8(-128))
    premium = np.empty(padded, np.int8)
    scratch = np.empty(2 * size, np.int32)
    games = mapped.size // size
    for game in range(games):
        at = game * COLUMNS
        mines = mapped[game * size : (game + 1) * size]
        if by_rows:
            values_of_rows(width, height, mines, words[0], words[1], words[2], values, at)
        if with_zini or not by_rows:
            clues_of_table(starts, cells, mines, clues)
            openings = number_openings(starts, cells, clues, of, scratch)
            bbbv = openings + mark_alone(starts, cells, clues, alone)
            if not by_rows:
                values[at] = bbbv
                values[at + 1] = openings
                values[at + 2] = count_islands(starts, cells, alone, opened, scratch)
        if with_zini:
            first_premiums(starts, cells, clues, alone, of, first)
            for human in range(2):
                premium[:] = first
                values[at + 3 + human] = count_zini(
                    starts, cells, clues, alone, values[at], human, premium, scratch, opened
                )
    return games


def measure_many(
    starts: Sequence[int], cells: Sequence[int], width: int, plane: bool, maps: bytes, with_zini: bool
) -> list[list[int]]:
    """The numbers of many layouts, `COLUMNS` each (the last two 0 without `with_zini`).

    `maps` has one byte a cell, 1 at a mine, layout after layout. `plane`: the table is that of a rectangle
    with eight neighbours. Cells are renumbered column by column, so that ties of ZiNi go as in the twin.
    """
    size = len(starts) - 1
    height = size // width
    old = np.arange(size).reshape(height, width).T.ravel()
    new = np.empty(size, np.int64)
    new[old] = np.arange(size)
    old_starts = np.asarray(starts, np.int64)
    degrees = np.diff(old_starts)[old]
    new_starts = np.zeros(size + 1, np.int32)
    np.cumsum(degrees, out=new_starts[1:])
    places = np.repeat(old_starts[old] - new_starts[:-1], degrees) + np.arange(new_starts[-1])
    new_cells = new[np.asarray(cells, np.int64)[places]].astype(np.int32)
    mapped = np.frombuffer(maps, np.uint8).reshape(-1, height, width).transpose(0, 2, 1).reshape(-1).copy()
    values = np.zeros(len(maps) // size * COLUMNS, np.int64)
    measure(new_starts, new_cells, height if plane else 0, int(with_zini), mapped, values)
    found: list[list[int]] = values.reshape(-1, COLUMNS).tolist()
    return found
