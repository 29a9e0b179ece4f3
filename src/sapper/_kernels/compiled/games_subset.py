"""Whole games of the strategy `subset`.

Knows: the strategy: subset: what one clue proves, then what two prove, lowest cell first; else a guess.
Does not know: in what it chooses, the layout.
"""

from sapper._kernels.compiled.compiler import I32S, I64, U8S, helper, kernel
from sapper._kernels.compiled.deductions import MINE_BY_ONE, MINE_BY_TWO, NOTES, OPENED, Notes, guess
from sapper._kernels.compiled.games import (
    CLUES,
    LOST,
    ORDERS,
    STRATEGY,
    TILES,
    WON,
    Batch,
    referee_begin,
    referee_end,
    referee_first,
    referee_record,
    referee_reveal,
)
from sapper._kernels.compiled.pairs import lowest_certain
from sapper._kernels.compiled.random import U64S, Words
from sapper._kernels.compiled.workspace import Bytes, Indices


@helper(I64(I32S, I32S, U8S, NOTES, I64, U64S))
def choose_subset(starts: Indices, cells: Indices, tiles: Bytes, notes: Notes, count: int, rng: Words) -> int:
    """The cell to reveal, or its complement (`~cell`) if that is a guess; `count` cells are open."""
    cell = lowest_certain(starts, cells, tiles, notes, count)
    return cell if cell >= 0 else ~guess(tiles, notes, MINE_BY_ONE | MINE_BY_TWO, rng)


@kernel(I64(ORDERS))
def play_subset(orders: Batch) -> int:
    """Play the games of the orders; how many were played."""
    starts = orders.starts
    cells = orders.cells
    notes = orders.notes
    opened = notes[OPENED]
    rng = orders.words[STRATEGY]
    tiles = orders.table[TILES]
    clues = orders.table[CLUES]
    for game in range(orders.games):
        if orders.stop[0]:
            return game
        safe = referee_begin(orders, game)
        cell = referee_first(orders, game)
        revealed = 0
        moves = 0
        guesses = 0
        while True:
            referee_record(orders.moves, game * tiles.size + moves, cell)
            moves += 1
            count = referee_reveal(starts, cells, clues, tiles, cell, opened, revealed)
            if count < 0 or count == safe:
                break
            revealed = count
            cell = choose_subset(starts, cells, tiles, notes, revealed, rng)
            if cell < 0:
                cell = ~cell
                guesses += 1
        referee_end(orders, game, WON if count == safe else LOST, moves, guesses, max(count, revealed))
    return orders.games
