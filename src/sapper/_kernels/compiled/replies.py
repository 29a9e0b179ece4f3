"""Best reply: a guess is worth what the answer will allow.

For each number that a cell can show, the board with that number is analysed: its share of the layouts is the chance of the
answer. Where no cell is safe then, what follows is worth s, FIRST of the best next safety and SECOND of the second best. Each
cell that is safe then makes the next guess less likely: with k of them it is worth 1 - (1 - s) * decay**k. (With a decay of 0
any safe cell is worth 1, and a guess that opens a corner of the board no more than one that makes a single cell safe.)
The sum over the answers is the value of the guess. It is at most the guess's own safety, so guesses are tried from the
safest down, and left as soon as they cannot reach the best.

Knows: tiles, the analysis of boards.
Does not know: layouts; flags.
"""

from math import exp
from typing import NamedTuple

import numba
import numpy as np

from sapper._kernels.compiled.board import CONTRADICTION, FACTS, INFO, LOG_CENSUS, OK, SAFE_CELLS, analyse_board
from sapper._kernels.compiled.cascade import COVERED
from sapper._kernels.compiled.compiler import F64, I32S, I64, U8S, helper
from sapper._kernels.compiled.scan import MINED, UNKNOWN, WIDEST
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
from sapper._kernels.reference.expert import FIRST, SECOND

TIE = 1e-9
LN10 = 2.302585092994046


# Places in `Reader.numbers`.
WIDTH = 0
HEIGHT = 1
MINES = 2
CAP = 3


class Findings(NamedTuple):
    """What the analysis of a board found."""

    chance: Floats
    mark: Bytes
    info: Ints
    facts: Floats


class Reader(NamedTuple):
    """What the analysis of one board after another needs, and how it is told of the grid."""

    scratch: Scratch
    states: States
    starts: Indices  # empty for a rectangle
    cells: Indices
    numbers: Ints  # WIDTH, HEIGHT, MINES of the board; CAP: states that a component may take


def make_findings(size: int) -> Findings:
    """Room for the findings of a board of `size` cells."""
    return Findings(
        np.empty(size, np.float64), np.empty(size, np.uint8), np.empty(INFO, np.int64), np.empty(FACTS, np.float64)
    )


def make_reader(starts: Indices, cells: Indices, width: int, cap: int) -> Reader:
    """Scratch for boards with this neighbour table; `width` is that of a rectangle of at most WIDEST columns, else 0."""
    size = starts.size - 1
    scratch = make_scratch(size, max(cells.size, PLANE_PAIRS * size))
    if 0 < width <= WIDEST:
        return Reader(
            scratch, make_states(STATES_AT_FIRST), starts[:0], cells[:0], np.array([width, size // width, 0, cap])
        )
    return Reader(scratch, make_states(STATES_AT_FIRST), starts, cells, np.array([size, 1, 0, cap]))


FINDINGS = numba.typeof(make_findings(1))
READER = numba.typeof(make_reader(np.zeros(2, np.int32), np.zeros(0, np.int32), 0, 1))


@helper(I64(READER, U8S, FINDINGS))
def read_board(reader: Reader, tiles: Bytes, found: Findings) -> int:
    """Analyse a board; the status of `analyse_board`."""
    return analyse_board(
        tiles, reader.numbers[WIDTH], reader.numbers[HEIGHT], reader.starts, reader.cells, reader.numbers[MINES], 0,
        reader.numbers[CAP],
        reader.scratch, reader.states, found.chance, found.mark, found.info, found.facts,
    )  # fmt: skip


@helper(F64(U8S, FINDINGS, F64))
def next_safety(tiles: Bytes, found: Findings, decay: float) -> float:
    """What a board is worth whose analysis is given: see the top."""
    least = 2.0
    second = 2.0
    for cell in range(tiles.size):
        if tiles[cell] == COVERED and found.mark[cell] == UNKNOWN:
            chance = found.chance[cell]
            if chance < least:
                second = least
                least = chance
            elif chance < second:
                second = chance
    if least > 1.0:
        return 1.0
    return 1.0 - (FIRST * least + SECOND * (least if second > 1.0 else second)) * decay ** found.info[SAFE_CELLS]


@helper(F64(READER, U8S, FINDINGS, FINDINGS, I64, I64))
def clue_share(reader: Reader, tiles: Bytes, found: Findings, after: Findings, cell: int, clue: int) -> float:
    """The chance that a cell is safe and shows this clue; -1 where the analysis fails. `after` is that of the board then."""
    tiles[cell] = clue
    status = read_board(reader, tiles, after)
    tiles[cell] = COVERED
    if status == CONTRADICTION:
        return 0.0
    return exp((after.facts[LOG_CENSUS] - found.facts[LOG_CENSUS]) * LN10) if status == OK else -1.0


@helper(F64(READER, I32S, I32S, U8S, FINDINGS, FINDINGS, I64, F64, F64))
def reply_value(
    reader: Reader,
    starts: Indices,
    cells: Indices,
    tiles: Bytes,
    found: Findings,
    after: Findings,
    cell: int,
    decay: float,
    least: float,
) -> float:
    """The value of a guess, halved if it can show only one number; less than `least` if it is found to be below that.

    -1 where the analysis fails. `found` is that of the board; `after` is written to.
    """
    known = 0
    left = 0
    for at in range(starts[cell], starts[cell + 1]):
        near = cells[at]
        if tiles[near] >= COVERED:
            if found.mark[near] == MINED:
                known += 1
            else:
                left += 1
    rest = 1.0 - found.chance[cell]
    value = 0.0
    answers = 0
    for clue in range(known, known + left + 1):
        share = clue_share(reader, tiles, found, after, cell, clue)
        if share < 0.0:
            return -1.0
        if share == 0.0:
            continue
        value += share * next_safety(tiles, after, decay)
        rest -= share
        answers += 1
        if value + rest < least:
            return value + rest
        if rest < TIE:
            break
    return value if answers > 1 else value * 0.5
