"""The twin of `reference.search`: drawing, measuring and playing out many layouts.

Knows: seeds, start rules by number, mine maps, clues, 3BV and openings; where logic ends and a guess begins.
Does not know: rules of play, reasons in words; what a board over the cap is worth: the twin decides.
"""

from array import array
from typing import NamedTuple

import numba
import numpy as np

from sapper._kernels.compiled.board import FACTS, INFO, OK, SAFE_CELLS, analyse_board, settle_board
from sapper._kernels.compiled.cascade import COVERED, cascade_table
from sapper._kernels.compiled.compiler import I64, helper, kernel
from sapper._kernels.compiled.layout import MINE_CLUE, clues_of_table, draw_mines
from sapper._kernels.compiled.measures import mark_alone, number_openings
from sapper._kernels.compiled.random import U64, Word, Words, child_seed
from sapper._kernels.compiled.scan import MINED, SAFE, WIDEST
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
from sapper._kernels.reference import search as twin

NO_LOGIC = 0
ONE_CLUE = 1
EXACT = 2

STUCK = 0
SOLVED = 1
HARD = 2
STRUCK = 3

CAP = 100_000
"""States of a component at most: far fewer than the twin takes, so that whatever is hard here is settled there."""

# Places in `Task.tally`.
FOUND = 0
TRIED = 1
MEASURED = 2
FURTHEST = 3
ENDED = 4  # how the last try ended
TALLY = 5


class PlayoutState(NamedTuple):
    """One player's table and notebook: what is seen, and the scratch for reasoning about it."""

    tiles: Bytes
    mark: Bytes
    opened: Indices
    chance: Floats
    info: Ints
    facts: Floats
    ws: Scratch
    st: States


class Task(NamedTuple):
    """A search, as the kernel takes it; `read` is the neighbour table, or empty for a rectangle read as rows of bits."""

    starts: Indices
    cells: Indices
    read: Indices
    width: int
    height: int
    mines: int
    start: int
    first: int
    logic: int
    wanted: Ints  # least and most 3BV, least and most openings; empty: anything
    mapped: Bytes  # the mine map of the last try
    clues: Bytes
    words: Words
    tally: Ints


def make_player(field: twin.Field) -> PlayoutState:
    """A player for such boards, with some memory, used for one board after the other."""
    size = field.size
    pairs = PLANE_PAIRS * size if _is_read_as_rows(field) else len(field.cells)
    return PlayoutState(
        np.empty(size, np.uint8),
        np.zeros(size, np.uint8),
        np.empty(size, np.int32),
        np.empty(size, np.float64),
        np.zeros(INFO, np.int64),
        np.empty(FACTS, np.float64),
        make_scratch(size, pairs),
        make_states(STATES_AT_FIRST),
    )


def _is_read_as_rows(field: twin.Field) -> bool:
    return 0 < field.width <= WIDEST


def make_task(order: twin.Search) -> Task:
    """The arrays of a search."""
    field = order.field
    starts = np.frombuffer(field.starts, np.int32)  # type: ignore[call-overload]  # an array of ints is a buffer
    cells = np.frombuffer(field.cells, np.int32) if len(field.cells) else np.empty(0, np.int32)  # type: ignore[call-overload]
    return Task(
        starts,
        cells,
        starts[:0] if _is_read_as_rows(field) else starts,
        field.width or field.size,
        field.height or 1,
        order.mines,
        order.start,
        order.first,
        order.logic,
        np.array(() if order.wanted.is_anything else order.wanted, np.int64),
        np.empty(field.size, np.uint8),
        np.empty(field.size, np.uint8),
        np.empty(4, np.uint64),
        np.zeros(TALLY, np.int64),
    )


_SPOT = twin.Field(array("i", [0, 0]), (), 1, 1)
PLAYER = numba.typeof(make_player(_SPOT))
TASK = numba.typeof(make_task(twin.Search(_SPOT, 0, 0, 0, 0, twin.Wanted(), 0)))


@helper(I64(TASK, PLAYER, I64))
def reveal_safe(task: Task, player: PlayoutState, count: int) -> int:
    """Reveal every covered cell that is marked safe; how many are open now."""
    tiles = player.tiles
    for cell in range(tiles.size):
        if player.mark[cell] == SAFE and tiles[cell] == COVERED:
            count = cascade_table(task.starts, task.cells, 0, task.clues, tiles, cell, player.opened, count)
    return count


@kernel(I64(TASK, PLAYER))
def play_out(task: Task, player: PlayoutState) -> int:
    """Play the layout in `task.clues` by logic alone; how that ends. `player.mark` has the certain mines then."""
    tiles = player.tiles
    for cell in range(tiles.size):
        tiles[cell] = COVERED
        player.mark[cell] = 0
    if task.clues[task.first] == MINE_CLUE:
        return STRUCK
    safe = tiles.size - task.mines
    count = cascade_table(task.starts, task.cells, 0, task.clues, tiles, task.first, player.opened, 0)
    while count < safe:
        before = count
        settle_board(tiles, task.width, task.height, task.read, task.cells, 0, player.ws, player.mark, player.info)
        count = reveal_safe(task, player, count)
        if count > before:
            continue
        if task.logic == ONE_CLUE:
            return STUCK
        status = analyse_board(
            tiles, task.width, task.height, task.read, task.cells, task.mines, 0, CAP,
            player.ws, player.st, player.chance, player.mark, player.info, player.facts,
        )  # fmt: skip
        if status != OK:
            return HARD
        if player.info[SAFE_CELLS] == 0:
            return STUCK
        count = reveal_safe(task, player, count)
    for cell in range(tiles.size):
        player.mark[cell] = MINED if tiles[cell] == COVERED else 0
    return SOLVED


@helper(I64(TASK, PLAYER), allocates=True)
def has_wanted(task: Task, player: PlayoutState) -> int:
    """Whether the layout in `task.clues` has the wanted numbers; tiles, marks and `opened` are scratch."""
    if task.wanted.size == 0:
        return 1
    # A mark is a byte and a place in `opened` is enough for each opening's number.
    openings = number_openings(task.starts, task.cells, task.clues, player.opened, np.empty(task.clues.size, np.int32))
    if openings < task.wanted[2] or openings > task.wanted[3]:
        return 0
    bbbv = openings + mark_alone(task.starts, task.cells, task.clues, player.mark)
    return 1 if task.wanted[0] <= bbbv <= task.wanted[1] else 0


@kernel(I64(TASK, PLAYER, U64, I64, I64))
def search_on(task: Task, player: PlayoutState, seed: Word, begin: int, tries: int) -> int:
    """Try children of the seed up to the first that will do, or that is too hard; how that one ended, else STUCK."""
    task.tally[:] = 0
    task.tally[FOUND] = -1
    for number in range(begin, begin + tries):
        task.tally[TRIED] += 1
        one = child_seed(seed, Word(number))
        draw_mines(task.starts, task.cells, task.mines, task.start, task.first, one, task.words, task.mapped)
        clues_of_table(task.starts, task.cells, task.mapped, task.clues)
        if not has_wanted(task, player):
            continue
        task.tally[MEASURED] += 1
        ended = SOLVED
        if task.logic != NO_LOGIC:
            ended = play_out(task, player)
            revealed = 0
            for cell in range(task.clues.size):
                revealed += player.tiles[cell] != COVERED
            task.tally[FURTHEST] = max(task.tally[FURTHEST], revealed)
        if ended == SOLVED or ended == HARD:
            task.tally[FOUND] = number
            return ended
    return STUCK


# --- as the seam calls them ---------------------------------------------------------------------------


class Searcher:
    """One search, its memory made once."""

    def __init__(self, order: twin.Search) -> None:
        """Make the memory."""
        self._order = order
        self._task = make_task(order)
        self._player = make_player(order.field)

    def search(self, begin: int, tries: int) -> twin.Searched:
        """As `twin.search`, which also settles what is too hard here."""
        order, task, tally = self._order, self._task, self._task.tally
        measured = hard = furthest = 0
        at, end = begin, begin + tries
        while at < end:
            ended = search_on(task, self._player, Word(order.seed), at, end - at)
            at += int(tally[TRIED])
            if ended == HARD:
                settled = twin.search(order, at - 1, 1)
                measured += int(tally[MEASURED]) - 1 + settled.measured
                hard += settled.hard
                furthest = max(furthest, int(tally[FURTHEST]), settled.furthest)
                if settled.found >= 0:
                    return settled._replace(tried=at - begin, measured=measured, hard=hard, furthest=furthest)
                continue
            measured += int(tally[MEASURED])
            furthest = max(furthest, int(tally[FURTHEST]))
            if ended == SOLVED:
                return twin.Searched(at - 1, task.mapped.tobytes(), at - begin, measured, hard, furthest)
        return twin.Searched(-1, b"", tries, measured, hard, furthest)

    def play_out(self, clues: bytes) -> twin.Playout:
        """As `twin.play_out` of one layout."""
        task, player = self._task, self._player
        task.clues[:] = np.frombuffer(clues, np.uint8)
        status = play_out(task, player)
        if status == HARD:
            return twin.play_out(self._order.field, clues, self._order.first, self._order.logic)
        return twin.Playout(status, player.tiles.tobytes(), (player.mark == MINED).tobytes())
