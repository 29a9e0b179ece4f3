"""All layouts that fit a board, one by one, where they are few.

`list_layouts` walks through the cells that the analysis leaves open, mine or not, and gives up a branch as soon as a clue or
the number of mines cannot be met. Each layout becomes a column of numbers: what every place would show. A place is a covered
cell that is not certainly mined; those that are certainly safe come too, since what they show tells layouts apart.

Knows: tiles, marks (certain cells), clues, the number of mines.
Does not know: which moves are good.
"""

from typing import NamedTuple

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.scan import COVERED, EXPLODED, MINE, MINED, QUESTION, UNKNOWN
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints

MINE_VALUE = 9
"""In place of a clue: the cell is a mine."""

TOO_MANY = -1
"""More layouts, places or steps than there is room for."""

STEPS_PER_LAYOUT = 400
"""Cells tried, for each layout that there is room for, before the walk is given up."""

# Rows of `LayoutList.work`, a number a cell of the board.
SLOT = 0  # the cell's place, -1 if it has none
NEED = 1  # mines that a clue still needs
LEFT = 2  # cells beside it that are still to be decided
VARIABLE = 3  # the undecided cells, in the order in which they are decided
CHOICE = 4  # of each of these: -1 not tried, 0 safe, 1 mine
BASE = 5  # certain mines beside a place
SHOWN = 6  # what the places show in one layout
WORK_ROWS = 7


class LayoutList(NamedTuple):
    """The layouts of one board; made once, used for many."""

    value: NDArray[np.uint8]
    """A row for each place, a column for each layout: the clue there, or MINE_VALUE."""
    place: Ints
    """The board's cell at each place, ascending."""
    work: NDArray[np.int64]


def make_list(cells: int, places: int, layouts: int) -> LayoutList:
    """Room for boards of `cells` cells with up to `places` undecided ones and `layouts` layouts."""
    return LayoutList(
        np.empty((places, layouts), np.uint8),
        np.empty(places, np.int64),
        np.empty((WORK_ROWS, cells + 1), np.int64),
    )


LIST = numba.typeof(make_list(1, 1, 1))
MARKS = types.uint8[::1]


@helper(I64(LIST, I32S, I32S, U8S, U8S))
def _read(found: LayoutList, starts: Indices, cells: Indices, tiles: Bytes, mark: Bytes) -> int:
    """Name the places, and what each clue needs of undecided cells; the number of places, TOO_MANY if there is no room."""
    size = tiles.size
    places = 0
    for cell in range(size):
        found.work[SLOT, cell] = -1
        tile = tiles[cell]
        if COVERED <= tile <= QUESTION and mark[cell] != MINED:
            if places == found.place.size:
                return TOO_MANY
            found.work[SLOT, cell] = places
            found.place[places] = cell
            places += 1
    for cell in range(size):
        known = 0
        left = 0
        for at in range(starts[cell], starts[cell + 1]):
            near = cells[at]
            tile = tiles[near]
            if tile == MINE or tile == EXPLODED or (tile >= COVERED and mark[near] == MINED):
                known += 1
            elif found.work[SLOT, near] >= 0 and mark[near] == UNKNOWN:
                left += 1
        found.work[BASE, cell] = known
        found.work[LEFT, cell] = left
        found.work[NEED, cell] = tiles[cell] - known if tiles[cell] < COVERED else 0
    return places


@helper(I64(LIST, I32S, I32S, U8S, U8S))
def _order(found: LayoutList, starts: Indices, cells: Indices, tiles: Bytes, mark: Bytes) -> int:
    """Put the undecided cells in the order of a walk from clue to clue, those of no clue last; how many there are."""
    size = tiles.size
    count = 0
    for cell in range(size):
        found.work[CHOICE, cell] = 0  # here: whether the cell is in the order yet
    for whole in range(2):
        for seed in range(size):
            if found.work[SLOT, seed] < 0 or mark[seed] != UNKNOWN or found.work[CHOICE, seed]:
                continue
            has_clue = whole
            for at in range(starts[seed], starts[seed + 1]):
                has_clue |= tiles[cells[at]] < COVERED
            if not has_clue:
                continue
            head = count
            found.work[VARIABLE, count] = seed
            found.work[CHOICE, seed] = 1
            count += 1
            while head < count:
                cell = found.work[VARIABLE, head]
                head += 1
                for at in range(starts[cell], starts[cell + 1]):
                    clue = cells[at]
                    if tiles[clue] >= COVERED:
                        continue
                    for back in range(starts[clue], starts[clue + 1]):
                        near = cells[back]
                        if found.work[SLOT, near] >= 0 and mark[near] == UNKNOWN and not found.work[CHOICE, near]:
                            found.work[VARIABLE, count] = near
                            found.work[CHOICE, near] = 1
                            count += 1
    return count


@helper(I64(LIST, I32S, I32S, U8S, I64, I64, I64))
def _decide(found: LayoutList, starts: Indices, cells: Indices, tiles: Bytes, cell: int, mine: int, sign: int) -> int:
    """Count a decided cell at the clues beside it (sign 1), or take that back (-1); whether each can still be met."""
    fits = 1
    for at in range(starts[cell], starts[cell + 1]):
        clue = cells[at]
        if tiles[clue] < COVERED:
            found.work[LEFT, clue] -= sign
            found.work[NEED, clue] -= sign * mine
            if found.work[NEED, clue] < 0 or found.work[NEED, clue] > found.work[LEFT, clue]:
                fits = 0
    return fits


@helper(I64(LIST, I32S, I32S, I64, I64, I64))
def _write(found: LayoutList, starts: Indices, cells: Indices, places: int, count: int, layout: int) -> int:
    """Write down what every place shows in the layout that was just found; the number of layouts."""
    shown = found.work[SHOWN]
    for place in range(places):
        shown[place] = found.work[BASE, found.place[place]]
    for i in range(count):
        if found.work[CHOICE, i]:
            cell = found.work[VARIABLE, i]
            for at in range(starts[cell], starts[cell + 1]):
                slot = found.work[SLOT, cells[at]]
                if slot >= 0:
                    shown[slot] += 1
    for i in range(count):
        if found.work[CHOICE, i]:
            shown[found.work[SLOT, found.work[VARIABLE, i]]] = MINE_VALUE
    for place in range(places):
        found.value[place, layout] = shown[place]
    return layout + 1


@helper(I64(LIST, I32S, I32S, U8S, U8S, I64, I64))
def list_layouts(
    found: LayoutList, starts: Indices, cells: Indices, tiles: Bytes, mark: Bytes, mines: int, most: int
) -> int:
    """Fill the list with the board's layouts, `most` at the most; how many, or TOO_MANY. `mines`: of the whole board.

    `mark` has 1 at cells that are certainly safe, 2 at those certainly mined (trusted flags included). `work[VARIABLE, -1]`
    is the number of places afterwards.
    """
    places = _read(found, starts, cells, tiles, mark)
    if places < 0:
        return TOO_MANY
    found.work[VARIABLE, tiles.size] = places
    count = _order(found, starts, cells, tiles, mark)
    left = mines
    for cell in range(tiles.size):
        tile = tiles[cell]
        left -= tile == MINE or tile == EXPLODED or (COVERED <= tile <= QUESTION and mark[cell] == MINED)
    layouts = 0
    steps = STEPS_PER_LAYOUT * (most + 100)
    depth = 0
    found.work[CHOICE, 0] = -1
    while depth >= 0:
        if depth == count:
            if left == 0:
                if layouts == min(most, found.value.shape[1]):
                    return TOO_MANY
                layouts = _write(found, starts, cells, places, count, layouts)
            depth -= 1
            continue
        cell = found.work[VARIABLE, depth]
        before = found.work[CHOICE, depth]
        if before >= 0:
            _decide(found, starts, cells, tiles, cell, before, -1)
            left += before
        if before == 1:
            depth -= 1
            continue
        steps -= 1
        if steps < 0:
            return TOO_MANY
        mine = before + 1
        found.work[CHOICE, depth] = mine
        left -= mine
        if _decide(found, starts, cells, tiles, cell, mine, 1) and 0 <= left < count - depth:
            depth += 1
            found.work[CHOICE, depth] = -1
    return layouts
