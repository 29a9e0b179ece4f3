"""Whole games: what all of them share, whatever the strategy.

The functions whose names begin with `referee` have the layout; those that begin with `choose` (one
module a strategy, `games_*`) see tiles and notes only. A game is given by the run's seed and its number: with
`seed` that child of the run's seed, the layout is drawn from child 0 of it, the mine count from child
1 if there is a choice, and the strategy's random numbers come from child 2. That is what
`generator.new_game` and `simulate` do.

Knows: layouts, seeds, how a game begins, goes on and ends: won when all safe cells are revealed.
Does not know: how a strategy chooses; flags.
"""

from typing import NamedTuple

import numba
import numpy as np

from sapper._kernels.compiled.cascade import COVERED, cascade_table
from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper
from sapper._kernels.compiled.deductions import Notes, clear_notes, make_notes
from sapper._kernels.compiled.layout import MINE_CLUE, clues_of_table, draw_mines
from sapper._kernels.compiled.random import Word, Words, below, child_seed, seed_state
from sapper._kernels.compiled.scan import WIDEST
from sapper._kernels.compiled.workspace import Bytes, Indices, Ints

EXPLODED = 13

LAYOUT_KEY = Word(0)
MINE_COUNT_KEY = Word(1)
STRATEGY_KEY = Word(2)
"""Children of a game's seed."""

LOST = 0
WON = 1
UNSOLVED = 2
"""How a game ended; UNSOLVED: the kernel cannot play it on, another backend must."""

COLUMNS = 4
"""Numbers in a game's result: how it ended, moves, guesses, cells revealed (the exploded mine not counted)."""


class Batch(NamedTuple):
    """Some games to play one after another, and where the results go."""

    starts: Indices  # the neighbour table
    cells: Indices
    width: int  # of a rectangle with eight neighbours that is no wider than WIDEST; else 0
    mine_counts: Ints  # one, or those to draw from
    start: int  # the start rule's number
    firsts: Ints  # the first cell to reveal: one for all games, or one each
    seed: Word  # of the run
    begin: int  # number of the first game in the run
    games: int  # how many
    given: Bytes  # their mines, `size` bytes a game, 1 at a mine; empty: to be drawn
    table: Bytes  # scratch: three rows, see below
    words: Words
    notes: Notes
    results: Ints  # COLUMNS numbers a game
    moves: Indices  # the cells revealed by moves, `size` a game; empty: not wanted
    maps: Bytes  # where the mines were, as in `given`; empty: not wanted
    stop: Bytes  # one byte: not 0 to stop before the next game


# Rows of `table`, one byte a cell: the truth, which is the referee's, and what is seen of it.
MAPPED = 0
CLUES = 1
TILES = 2

# Rows of `words`: the states of the referee's random numbers and of the strategy's.
REFEREE = 0
STRATEGY = 1


def make_orders(
    table: tuple[Indices, Indices], width: int, mine_counts: Ints, start: int, firsts: Ints, seed: int
) -> Batch:
    """Orders for no games yet, with scratch of their own. `width` is 0 unless the table is a rectangle's."""
    size = table[0].size - 1
    return Batch(
        starts=table[0],
        cells=table[1],
        width=width if width <= WIDEST else 0,
        mine_counts=mine_counts,
        start=start,
        firsts=firsts,
        seed=Word(seed),
        begin=0,
        games=0,
        given=np.empty(0, np.uint8),
        table=np.empty((3, size), np.uint8),
        words=np.empty((2, 4), np.uint64),
        notes=make_notes(size),
        results=np.empty(0, np.int64),
        moves=np.empty(0, np.int32),
        maps=np.empty(0, np.uint8),
        stop=np.zeros(1, np.uint8),
    )


_NOTHING = np.zeros(1, np.int64)
_TABLE = (np.zeros(2, np.int32), np.zeros(0, np.int32))
ORDERS = numba.typeof(make_orders(_TABLE, 0, _NOTHING, 0, _NOTHING, 0))


@helper(I64(ORDERS, I64))
def referee_first(orders: Batch, game: int) -> int:
    """The cell that game `game` of the orders reveals first."""
    return I64(orders.firsts[game if orders.firsts.size > 1 else 0])


@helper(I64(ORDERS, I64))
def referee_begin(orders: Batch, game: int) -> int:
    """Lay out game `game` of the orders, cover everything, and seed the strategy; the number of safe cells."""
    starts = orders.starts
    size = starts.size - 1
    mapped = orders.table[MAPPED]
    words = orders.words[REFEREE]
    seed = child_seed(orders.seed, Word(orders.begin + game))
    if orders.given.size:
        for cell in range(size):
            mapped[cell] = orders.given[game * size + cell]
    else:
        mines = orders.mine_counts[0]
        if orders.mine_counts.size > 1:
            seed_state(child_seed(seed, MINE_COUNT_KEY), words)
            mines = orders.mine_counts[below(words, orders.mine_counts.size)]
        first = referee_first(orders, game)
        seed_layout = child_seed(seed, LAYOUT_KEY)
        draw_mines(starts, orders.cells, mines, orders.start, first, seed_layout, words, mapped)
    if orders.maps.size:
        for cell in range(size):
            orders.maps[game * size + cell] = mapped[cell]
    found = clues_of_table(starts, orders.cells, mapped, orders.table[CLUES])
    for cell in range(size):
        orders.table[TILES, cell] = COVERED
    seed_state(child_seed(seed, STRATEGY_KEY), orders.words[STRATEGY])
    clear_notes(starts, orders.notes)
    return size - found


# What is called for every move is given no more than it needs: passing all orders on takes longer than the move.


@helper(I64(I32S, I32S, U8S, U8S, I64, I32S, I64))
def referee_reveal(
    starts: Indices, cells: Indices, clues: Bytes, tiles: Bytes, cell: int, opened: Indices, count: int
) -> int:
    """Reveal a cell; how many cells are open now, -1 if it was a mine."""
    if clues[cell] == MINE_CLUE:
        tiles[cell] = EXPLODED
        return -1
    return cascade_table(starts, cells, 0, clues, tiles, cell, opened, count)


@helper(I64(I32S, I64, I64))
def referee_record(record: Indices, at: int, cell: int) -> int:
    """Write a move down at a place of the record, if there is one; the next place."""
    if record.size:
        record[at] = cell
    return at + 1


@helper(I64(ORDERS, I64, I64, I64, I64, I64))
def referee_end(orders: Batch, game: int, ending: int, moves: int, guesses: int, revealed: int) -> int:
    """Write down how a game ended."""
    at = game * COLUMNS
    orders.results[at] = ending
    orders.results[at + 1] = moves
    orders.results[at + 2] = guesses
    orders.results[at + 3] = revealed
    return ending
