"""The exact analysis of boards, compiled: chances of a mine as floats, certainty from integers.

    found = analyse(tiles, 30, 16, 99)
    found.chances[found.lowest]

`analyse_batch` takes many boards of one size at once and releases the GIL. ChanceRow have a relative
error of 1e-12 at the most; where the range of a float is not enough the status is LOST, and the exact
analysis in Python has to say.

Knows: buffers of tiles, neighbour tables, the scratch that kernels need, kept for each thread.
Does not know: rules, games, reasons, exact numbers.
"""

import threading
from array import array
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numba import types

from sapper._kernels.compiled.board import (
    CAPPED,
    CONTRADICTION,
    FACTS,
    INFO,
    INTERIOR_CHANCE,
    LOG_CENSUS,
    LOWEST,
    OK,
    STATE_COUNT,
    analyse_board,
)
from sapper._kernels.compiled.compiler import I32S, I64, I64S, kernel
from sapper._kernels.compiled.scan import WIDEST
from sapper._kernels.compiled.workspace import (
    PLANE_PAIRS,
    SCRATCH,
    STATES,
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
from sapper.errors import ContradictionError, SapperError, TooHardError

DEFAULT_CAP = 4_000_000
"""States that a component may have: some seconds of work."""

Table = tuple[Sequence[int], Sequence[int]]
"""Neighbours of any grid: those of cell i are cells[starts[i]:starts[i + 1]]; the relation is symmetric."""

MARK_SAFE = 1
MARK_MINED = 2
_FAULTS: dict[int, type[SapperError]] = {CONTRADICTION: ContradictionError, CAPPED: TooHardError}

_KEPT = 4  # grids whose scratch a thread keeps
_U8M = types.uint8[:, ::1]
_I64M = types.int64[:, ::1]
_F64M = types.float64[:, ::1]


class ChanceRow(NamedTuple):
    """What is to be known of one board; of many in `analyse_batch`, with one more axis in front.

    `status` is a code of `board`: OK, CONTRADICTION, CAPPED, LOST or BAD_TILE. `chances` holds P(mine) of each
    covered cell, NaN elsewhere and where the status is not OK. `marks` are 1 for certainly safe, 2 for
    certainly mined covered cells, else 0; where the status is CAPPED or LOST, only what single clues
    tell. `lowest` is the covered cell least likely to be a mine, the first within 1e-9, or -1.
    `log_census` is the decimal logarithm of the number of layouts, `interior` P(mine) in a cell that
    no clue touches (NaN if there is none), `states` the work it took.
    """

    status: Ints
    chances: Floats
    marks: Bytes
    lowest: Ints
    log_census: Floats
    interior: Floats
    states: Ints


@kernel(I64(_U8M, I64, I64, I32S, I32S, I64S, I64, I64, SCRATCH, STATES, _F64M, _U8M, _I64M, _F64M, I64S))
def analyse_boards(
    tiles: Bytes,
    width: int,
    height: int,
    starts: Indices,
    cells: Indices,
    mines: Ints,
    trust: int,
    cap: int,
    ws: Scratch,
    st: States,
    chance: Floats,
    mark: Bytes,
    info: Ints,
    facts: Floats,
    status: Ints,
) -> int:
    """`analyse_board` for one board after another, a row of every argument each; how many there were."""
    for board in range(mines.size):
        status[board] = analyse_board(
            tiles[board],
            width,
            height,
            starts,
            cells,
            mines[board],
            trust,
            cap,
            ws,
            st,
            chance[board],
            mark[board],
            info[board],
            facts[board],
        )
    return mines.size


def plane_table(width: int, height: int) -> tuple[Indices, Indices]:
    """The neighbours of every cell of a rectangle, eight at most: where they start, and they, in order."""
    y, x = np.divmod(np.arange(width * height), width)
    around = [(dx, dy) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    fits = np.stack([(x + dx >= 0) & (x + dx < width) & (y + dy >= 0) & (y + dy < height) for dx, dy in around], 1)
    near = np.stack([(y + dy) * width + x + dx for dx, dy in around], 1)
    starts = np.concatenate([[0], np.cumsum(fits.sum(1))])
    return starts.astype(np.int32), near[fits].astype(np.int32)


def _check_table(table: Table, size: int) -> tuple[Indices, Indices]:
    starts = np.require(np.asarray(table[0]), np.int32, ["C", "W"])
    cells = np.require(np.asarray(table[1]), np.int32, ["C", "W"])
    if starts.size != size + 1 or starts[0] != 0 or starts[-1] != cells.size or bool((np.diff(starts) < 0).any()):
        raise ValueError(f"a neighbour table of {size} cells has {size + 1} growing starts, the last {cells.size}")
    if cells.size and not 0 <= int(cells.min()) <= int(cells.max()) < size:
        raise ValueError(f"the neighbours in a table of {size} cells are numbered from 0 to {size - 1}")
    owners = np.repeat(np.arange(size), np.diff(starts))
    there = np.sort(owners * size + cells)
    if not np.array_equal(there, np.sort(cells.astype(np.int64) * size + owners)):
        raise ValueError("in a neighbour table, a cell is a neighbour of its own neighbours")
    if bool((np.diff(there) == 0).any()) or bool((owners == cells).any()):
        raise ValueError("in a neighbour table, a cell is no neighbour twice, nor of itself")
    return starts, cells


class Analyser:
    """Analyses boards of one grid; for one thread at a time.

    `table` gives the neighbours where they are not the eight of a rectangle. Raises ValueError for a
    size below 1 or a table that is none.
    """

    def __init__(self, width: int, height: int, table: Table | None = None) -> None:
        if width < 1 or height < 1:
            raise ValueError(f"a grid of {width}x{height} has no cells: width and height are 1 at least")
        self._width, self._height = width, height
        if table is not None:
            self._table = _check_table(table, width * height)
        elif width > WIDEST:
            self._table = plane_table(width, height)
        else:
            self._table = (np.empty(0, np.int32), np.empty(0, np.int32))
        self._scratch = make_scratch(width * height, max(PLANE_PAIRS * width * height, self._table[1].size))
        self._states = make_states(STATES_AT_FIRST)

    def analyse(self, tiles: Bytes, mines: Ints, trust_flags: bool = False, cap: int = DEFAULT_CAP) -> ChanceRow:
        """The analysis of every row of `tiles`, with `mines` mines each. Raises ValueError for other shapes."""
        boards, size = mines.size, self._width * self._height
        if tiles.shape != (boards, size):
            raise ValueError(f"tiles of {boards} boards are {boards} rows of {size} codes, not {tiles.shape}")
        chance = np.empty((boards, size))
        mark = np.empty((boards, size), np.uint8)
        info = np.zeros((boards, INFO), np.int64)
        facts = np.empty((boards, FACTS))
        status = np.empty(boards, np.int64)
        analyse_boards(
            np.require(tiles, np.uint8, ["C", "W"]),
            self._width,
            self._height,
            *self._table,
            np.require(mines, np.int64, ["C", "W"]),
            int(trust_flags),
            cap,
            self._scratch,
            self._states,
            chance,
            mark,
            info,
            facts,
            status,
        )
        return ChanceRow(
            status,
            chance,
            mark,
            info[:, LOWEST],
            facts[:, LOG_CENSUS],
            facts[:, INTERIOR_CHANCE],
            info[:, STATE_COUNT],
        )


class _Kept(threading.local):
    """The analysers of a thread, by their grid; the latest last."""

    def __init__(self) -> None:
        self.analysers: dict[object, tuple[Analyser, Table | None]] = {}


_kept = _Kept()


def _analyser(width: int, height: int, table: Table | None) -> Analyser:
    """The analyser of the calling thread for a grid. Tables are told apart by identity, and kept as long as it is."""
    key = (width, height, id(table))
    found = _kept.analysers.pop(key, None) or (Analyser(width, height, table), table)
    _kept.analysers[key] = found
    if len(_kept.analysers) > _KEPT:
        del _kept.analysers[next(iter(_kept.analysers))]
    return found[0]


def analyse_batch(
    tiles: Bytes,
    width: int,
    height: int,
    mines: Ints,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    table: Table | None = None,
) -> ChanceRow:
    """Analyse many boards of one grid: a row of `tiles` and an entry of `mines` each.

    With `trust_flags` flags are mines, else covered cells. `cap`: states that a component may have.
    Other threads run meanwhile. Raises ValueError for a shape, size or table that cannot be.
    """
    return _analyser(width, height, table).analyse(tiles, mines, trust_flags, cap)


def analyse(
    tiles: bytes | bytearray | memoryview,
    width: int,
    height: int,
    mines: int,
    trust_flags: bool = False,
    cap: int = DEFAULT_CAP,
    table: Table | None = None,
) -> ChanceRow:
    """Analyse one board; as `analyse_batch`, with one axis less in the answer."""
    row = np.frombuffer(tiles, np.uint8).reshape(1, -1)
    # Any count beyond the board is as impossible as any other; the kernel's integers end somewhere.
    count = np.array([min(max(mines, -1), width * height + 1)], np.int64)
    found = _analyser(width, height, table).analyse(row, count, trust_flags, cap)
    return ChanceRow(*(field[0] for field in found))


Row = tuple[Any, ...]
"""The fields of `analysing.Chances`."""


def analyse_rows(
    tiles: Sequence[bytes],
    mines: Sequence[int],
    width: int,
    height: int,
    trust_flags: bool,
    cap: int,
    table: Table | None,
) -> list[Row | None]:
    """The same for the seam: plain Python's types, a row a board; None where the reference has to say."""
    joined = np.frombuffer(b"".join(tiles), np.uint8).reshape(len(tiles), width * height)
    counts = np.array([min(max(count, -1), width * height + 1) for count in mines], np.int64)
    found = analyse_batch(joined, width, height, counts, trust_flags, cap, table)
    rows: list[Row | None] = []
    for board, status in enumerate(found.status.tolist()):
        if status == OK:
            mark = found.marks[board]
            rows.append(
                (
                    array("d", found.chances[board].tobytes()),
                    tuple(np.flatnonzero(mark == MARK_SAFE).tolist()),
                    tuple(np.flatnonzero(mark == MARK_MINED).tolist()),
                    int(found.lowest[board]),
                    float(found.log_census[board]),
                    None,
                )
            )
        elif status in _FAULTS:
            rows.append((array("d"), (), (), -1, float("nan"), _FAULTS[status]))
        else:
            rows.append(None)
    return rows
