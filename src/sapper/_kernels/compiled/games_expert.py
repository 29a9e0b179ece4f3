"""Whole games of the strategy `expert`.

Knows: the strategy: what one clue proves, then what two prove, then what the exact analysis proves, lowest cell first; then
the move that wins most layouts where few are left; else the guess with the best reply.
Does not know: in what it chooses, the layout.
"""

from math import exp
from typing import NamedTuple

import numba
import numpy as np

from sapper._kernels.compiled.board import LOG_CENSUS, LOWEST, OK, SAFE_CELLS
from sapper._kernels.compiled.cascade import COVERED
from sapper._kernels.compiled.compiler import F64, I32S, I64, U8S, helper, kernel
from sapper._kernels.compiled.deductions import OPENED
from sapper._kernels.compiled.endgame import BUDGET, SearchTree, make_tree, solve_list, table_size
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
from sapper._kernels.compiled.layouts import VARIABLE, LayoutList, list_layouts, make_list
from sapper._kernels.compiled.pairs import lowest_certain
from sapper._kernels.compiled.replies import (
    LN10,
    MINES,
    TIE,
    Findings,
    Reader,
    clue_share,
    make_findings,
    make_reader,
    read_board,
    reply_value,
)
from sapper._kernels.compiled.scan import MINED
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints
from sapper._kernels.reference.expert import EXPERT, LEAST_OPENING, MOST_PLACES, ExpertParts

MOST_STATES = 200_000
"""States that a component may take here; a board that takes more is left to Python, whose limit is higher."""
# Places in `parts`: the fields of `ExpertParts`.
LAYOUTS = 0
CANDIDATES = 1
MARGIN = 2
NODES = 3
DECAY = 4
OPENING = 5


class ExpertDesk(NamedTuple):
    """Scratch of one player."""

    reader: Reader
    found: Findings
    after: Findings
    layouts: LayoutList
    tree: SearchTree
    work: Ints  # two rows' worth: bounds of each place
    candidates: Ints
    parts: Ints


def make_desk(starts: Indices, cells: Indices, width: int, parts: ExpertParts = EXPERT) -> ExpertDesk:
    """A space for boards with this neighbour table; `width` is that of a rectangle, else 0."""
    size = starts.size - 1
    places = min(size, MOST_PLACES)
    most = max(parts[LAYOUTS], 1)
    return ExpertDesk(
        make_reader(starts, cells, width, MOST_STATES),
        make_findings(size),
        make_findings(size),
        make_list(size, places, most),
        make_tree(places, most, table_size(parts[NODES])),
        np.zeros(2 * places, np.int64),
        np.zeros(3 * size, np.int64),
        np.array(parts, np.int64),
    )


SPACE = numba.typeof(make_desk(np.zeros(2, np.int32), np.zeros(0, np.int32), 0))


@helper(I64(SPACE, I32S, I32S, U8S))
def _endgame_place(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """The place that wins most layouts, where few are left; -1 where there are too many, or the search takes too long.

    `work` has how many it wins, by place.
    """
    most = space.parts[LAYOUTS]
    if exp(space.found.facts[LOG_CENSUS] * LN10) > most + 0.5:
        return -1
    layouts = list_layouts(space.layouts, starts, cells, tiles, space.found.mark, space.reader.numbers[MINES], most)
    if layouts < 0:
        return -1
    places = space.layouts.work[VARIABLE, tiles.size]
    low = space.work[:places]
    high = space.work[places : 2 * places]
    space.tree.tally[BUDGET] = space.parts[NODES]
    return solve_list(space.tree, space.layouts, places, layouts, 0, low, high)


@helper(I64(SPACE, I32S, I32S, U8S))
def endgame_move(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """The cell that wins most layouts, where few are left; -1 where there are too many, or the search takes too long."""
    best = _endgame_place(space, starts, cells, tiles)
    return I64(space.layouts.place[best]) if best >= 0 else -1


@helper(F64(SPACE, I32S, I32S, U8S))
def endgame_share(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> float:
    """The exact chance to win, where few layouts are left; -1 as of `endgame_move`."""
    best = _endgame_place(space, starts, cells, tiles)
    return space.work[best] / exp(space.found.facts[LOG_CENSUS] * LN10) if best >= 0 else -1.0


@helper(I64(SPACE, I32S, I32S, U8S))
def _near_clues(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """Note for every cell whether a clue is beside it (1), or else beside a cell beside it (2), 0 elsewhere; 2."""
    near = space.candidates[2 * tiles.size :]
    for cell in range(tiles.size):
        near[cell] = 0
    for level in range(2):
        for cell in range(tiles.size):
            if (tiles[cell] < COVERED) if level == 0 else (near[cell] == 1):
                for at in range(starts[cell], starts[cell + 1]):
                    if near[cells[at]] == 0:
                        near[cells[at]] = level + 1
    return 2


@helper(I64(SPACE, I32S, I32S, U8S))
def list_candidates(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """Put the guesses to look at into `candidates`; how many there are.

    The safest first, of equals the one with the fewest undecided neighbours, then the lowest. Cells two steps or more from
    every clue are all alike but for their number of neighbours: one of each number is enough.
    """
    chance = space.found.chance
    mark = space.found.mark
    least = (1.0 - chance[space.found.info[LOWEST]]) * space.parts[MARGIN] / 1000.0 - TIE
    most = space.parts[CANDIDATES]
    rank = space.candidates[tiles.size :]
    near = space.candidates[2 * tiles.size :]
    _near_clues(space, starts, cells, tiles)
    far = 0
    count = 0
    for cell in range(tiles.size):
        if tiles[cell] != COVERED or mark[cell] == MINED or 1.0 - chance[cell] < least:
            continue
        undecided = 0
        for at in range(starts[cell], starts[cell + 1]):
            undecided += tiles[cells[at]] == COVERED and mark[cells[at]] != MINED
        if near[cell] == 0:
            if (far >> undecided) & 1:
                continue
            far |= 1 << undecided
        # Chances that are equal as fractions may differ in their last bit.
        rated = (I64(chance[cell] / TIE + 0.5) << 4) + undecided
        at = count
        while at > 0 and rank[at - 1] > rated:
            at -= 1
        if at >= most:
            continue
        count = min(count + 1, most)
        for i in range(count - 1, at, -1):
            rank[i] = rank[i - 1]
            space.candidates[i] = space.candidates[i - 1]
        rank[at] = rated
        space.candidates[at] = cell
    return count


@helper(I64(SPACE, U8S, I64))
def opening_move(space: ExpertDesk, tiles: Bytes, count: int) -> int:
    """Of `count` candidates, the one from which a zero is likeliest to come, if need be after more such guesses.

    With p the chance of a zero and s the safety, that is p / (1 - (s - p)). -1 where a zero is seen or too unlikely.
    """
    for cell in range(tiles.size):
        if tiles[cell] == 0:
            return -1
    best = 0.0
    choice = -1
    for i in range(count):
        cell = space.candidates[i]
        share = clue_share(space.reader, tiles, space.found, space.after, cell, 0)
        value = share / (space.found.chance[cell] + share)
        if value > best + TIE or (value >= best - TIE and cell < choice):
            choice = cell
        best = max(best, value)
    return choice if best >= LEAST_OPENING else -1


@helper(I64(SPACE, I32S, I32S, U8S))
def choose_guess(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """The guess where too many layouts are left to search: see `choose_expert`, which calls this."""
    count = list_candidates(space, starts, cells, tiles)
    if count == 1:
        return I64(space.candidates[0])
    if space.parts[OPENING]:
        cell = opening_move(space, tiles, count)
        if cell >= 0:
            return cell
    decay = space.parts[DECAY] / 1000.0
    best = 0.0
    choice = -1
    for i in range(count):
        cell = space.candidates[i]
        if 1.0 - space.found.chance[cell] < best - TIE:
            break
        value = reply_value(space.reader, starts, cells, tiles, space.found, space.after, cell, decay, best - TIE)
        if value < 0.0:
            return -1
        if value > best + TIE or (value >= best - TIE and cell < choice):
            choice = cell
        best = max(best, value)
    return choice


@helper(I64(SPACE, I32S, I32S, U8S))
def choose_expert(space: ExpertDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """The guess, for a board whose analysis is in `found` and has no safe cell; -1 where an analysis fails."""
    cell = endgame_move(space, starts, cells, tiles)
    return cell if cell >= 0 else choose_guess(space, starts, cells, tiles)


@kernel(I64(ORDERS, SPACE))
def play_expert(orders: Batch, space: ExpertDesk) -> int:
    """Play the games of the orders; how many were played."""
    tiles = orders.table[TILES]
    clues = orders.table[CLUES]
    starts = orders.starts
    cells = orders.cells
    notes = orders.notes
    opened = notes[OPENED]
    info = space.found.info
    for game in range(orders.games):
        if orders.stop[0]:
            return game
        safe = referee_begin(orders, game)
        space.reader.numbers[MINES] = tiles.size - safe
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
            cell = lowest_certain(starts, cells, tiles, notes, revealed)
            if cell < 0:
                if read_board(space.reader, tiles, space.found) != OK:
                    break
                cell = info[LOWEST]
                if not info[SAFE_CELLS]:
                    cell = choose_expert(space, starts, cells, tiles)
                    guesses += 1
                    if cell < 0:
                        break
        referee_end(orders, game, ending, moves, guesses, revealed)
    return orders.games
