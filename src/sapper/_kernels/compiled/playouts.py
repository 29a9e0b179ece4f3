"""Guesses compared by playing on: layouts drawn from all that fit, and `expert` playing each of them out after each guess.

Playouts that come to the same board guess the same: such guesses are kept, which saves much of the time (the first answers are few).

What is uncertain is lessened in four ways, and none of them changes what is expected. The same layouts are played after every
guess. A playout ends where few layouts are left, with the exact chance to win. What a guess's answers are and how likely each
is comes from the exact analysis, so that only what follows each answer is estimated: the mean of the playouts that had it.
And guesses that are clearly worse are given up, so that the others get more.

What `expert` would do is overruled only by a guess that is better by more than chance would have it. The playouts are those of
`expert` with fewer candidates and smaller endgames (`PLAYED`), which is nearly as strong and several times as quick.

Knows: boards, layouts that fit them.
Does not know: the layout that is true; clocks.
"""

from math import sqrt
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from sapper._kernels.compiled.board import OK, SAFE_CELLS
from sapper._kernels.compiled.cascade import COVERED, cascade_table
from sapper._kernels.compiled.compiler import F64, I32S, I64, U8S, helper
from sapper._kernels.compiled.deductions import OPENED, Notes, clear_notes, make_notes
from sapper._kernels.compiled.drawing import can_draw, draw_layout
from sapper._kernels.compiled.games_expert import (
    ExpertDesk,
    choose_guess,
    endgame_share,
    list_candidates,
    make_desk,
)
from sapper._kernels.compiled.layout import MINE_CLUE, clues_of_table
from sapper._kernels.compiled.pairs import lowest_certain
from sapper._kernels.compiled.random import U64, Word, Words, child_seed, mix, seed_state
from sapper._kernels.compiled.replies import MINES, clue_share, read_board
from sapper._kernels.compiled.scan import SAFE
from sapper._kernels.compiled.workspace import Bytes, Floats, Indices, Ints
from sapper._kernels.reference.expert import DEEP, PLAYED, ExpertParts

MOST_LAYOUTS = 16_384
"""Layouts that are drawn for a decision at most."""
ROUND = 64
"""Layouts in the first round; then there are as many as before."""
DROP = 2.0
"""A guess is given up that is so many standard errors worse than the best; that of `expert` never is."""
DOUBT = 100.0
"""The guess of `expert` is overruled by one that is better by more than the standard error, and than its square times this.

That is what follows if, before any playout, others are thought to be 0.01 worse, give or take 0.01: of many noisy numbers the
greatest is mostly too great. With many playouts it makes no difference, with few it is why there is a gain (`docs/strength.md`).
"""
CLUE_COUNT = 10
STRUCK = 9
KEPT_BITS = 17
"""Guesses that playouts have made and that are kept for those that come to the same board: two to this power at most."""
_KEPT_SHIFT = Word(64 - KEPT_BITS)
_16 = Word(16)

# Places in `PlayoutDesk.numbers`.
BUDGET = 0  # playouts that a decision may take
USED = 1  # that this one has taken
CANDIDATES = 2  # guesses that are compared
LAYOUTS = 3  # layouts that every one left has been played on
LEFT = 4  # guesses that are left
USUAL = 5  # which of them is that of `expert`
REVEALED = 6  # cells
NUMBERS = 8

# Rows of `PlayoutDesk.guess`, a number a candidate.
G_CELL = 0
G_LEFT = 1  # whether it is still compared
GUESS_ROWS = 2

# Rows of `PlayoutDesk.table`, a byte a cell.
BOARD = 0  # as it is
TILES = 1  # as it is played on
MAPPED = 2
CLUES = 3


class PlayoutDesk(NamedTuple):
    """Scratch of one player that plays out."""

    root: ExpertDesk  # the board at hand
    play: ExpertDesk  # the boards that are played
    table: NDArray[np.uint8]
    before: Notes
    notes: Notes
    words: Words
    numbers: Ints
    guess: NDArray[np.int64]
    value: NDArray[np.float64]  # a row a candidate, a number a layout: the chance to win after it
    answer: NDArray[np.uint8]  # the clue that it showed, STRUCK for a mine
    share: NDArray[np.float64]  # a row a candidate: the chance of each clue
    mean: NDArray[np.float64]  # of the values with each clue
    score: Floats
    kept_key: NDArray[np.uint64]  # boards that playouts of this decision have guessed on, 0 for none
    kept_cell: Ints  # what they guessed


def make_playout_desk(starts: Indices, cells: Indices, width: int, parts: ExpertParts = DEEP) -> PlayoutDesk:
    """A desk for boards with this neighbour table; `width` is that of a rectangle, else 0."""
    size = starts.size - 1
    most = max(parts.candidates, 1)
    numbers = np.zeros(NUMBERS, np.int64)
    numbers[BUDGET] = parts.playouts
    return PlayoutDesk(
        make_desk(starts, cells, width, parts),
        make_desk(starts, cells, width, PLAYED),
        np.zeros((4, size), np.uint8),
        make_notes(size),
        make_notes(size),
        np.zeros(4, np.uint64),
        numbers,
        np.zeros((GUESS_ROWS, most), np.int64),
        np.zeros((most, MOST_LAYOUTS), np.float64),
        np.zeros((most, MOST_LAYOUTS), np.uint8),
        np.zeros((most, CLUE_COUNT), np.float64),
        np.zeros((most, CLUE_COUNT), np.float64),
        np.zeros(most, np.float64),
        np.zeros(1 << KEPT_BITS, np.uint64),
        np.zeros(1 << KEPT_BITS, np.int64),
    )


PLAYOUT_SPACE = numba.typeof(make_playout_desk(np.zeros(2, np.int32), np.zeros(0, np.int32), 0))


@helper(I64(PLAYOUT_SPACE, I32S, I32S, I64))
def _reveal_safe(space: PlayoutDesk, starts: Indices, cells: Indices, count: int) -> int:
    """Reveal all cells that the analysis of the board that is played has found safe; how many are open now."""
    tiles = space.table[TILES]
    for cell in range(tiles.size):
        if space.play.found.mark[cell] == SAFE and tiles[cell] == COVERED:
            count = cascade_table(starts, cells, 0, space.table[CLUES], tiles, cell, space.notes[OPENED], count)
    return count


@helper(U64(U8S, I32S, I64))
def _key_of(tiles: Bytes, opened: Indices, count: int) -> Word:
    """A number that tells a board by its open cells (Zobrist's, with a sum)."""
    key = Word(0)
    for at in range(count):
        key += mix(Word(opened[at]) * _16 + Word(tiles[opened[at]]))
    return mix(key)


@helper(F64(PLAYOUT_SPACE, I32S, I32S, I64), allocates=True)
def play_on(space: PlayoutDesk, starts: Indices, cells: Indices, cell: int) -> float:
    """Reveal a cell of the board on the layout in CLUES and play on as `expert`; the chance to win where that becomes known."""
    tiles = space.table[TILES]
    clues = space.table[CLUES]
    desk = space.play
    tiles[:] = space.table[BOARD]
    space.notes[:] = space.before
    count = space.numbers[REVEALED]
    safe = tiles.size - desk.reader.numbers[MINES]
    while clues[cell] != MINE_CLUE:
        count = cascade_table(starts, cells, 0, clues, tiles, cell, space.notes[OPENED], count)
        cell = -1
        while cell < 0:
            if count == safe:
                return 1.0
            cell = lowest_certain(starts, cells, tiles, space.notes, count)
            if cell >= 0:
                break
            # Many playouts come to the same boards at first, and the guess on a board is always the same.
            key = _key_of(tiles, space.notes[OPENED], count)
            at = I64(key >> _KEPT_SHIFT)
            if space.kept_key[at] == key:
                cell = space.kept_cell[at]
                break
            if read_board(desk.reader, tiles, desk.found) != OK:
                return 0.0
            if desk.found.info[SAFE_CELLS]:
                # In what order safe cells are revealed makes no difference.
                count = _reveal_safe(space, starts, cells, count)
                continue
            won = endgame_share(desk, starts, cells, tiles)
            if won >= 0.0:
                return won
            cell = choose_guess(desk, starts, cells, tiles)
            if cell < 0:
                return 0.0
            if space.kept_key[at] == Word(0):
                space.kept_key[at] = key
                space.kept_cell[at] = cell
    return 0.0


@helper(I64(PLAYOUT_SPACE, I32S, I32S, U8S))
def _read_notes(space: PlayoutDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """Keep the board and what one and two clues say of it, for playouts to begin with, and seed the random numbers by it."""
    notes = space.before
    clear_notes(starts, notes)
    count = 0
    seed = Word(space.play.reader.numbers[MINES])
    for cell in range(tiles.size):
        space.table[BOARD, cell] = tiles[cell]
        seed = child_seed(seed, Word(tiles[cell]))
        if tiles[cell] < COVERED:
            notes[OPENED, count] = cell
            count += 1
    seed_state(seed, space.words)
    space.numbers[REVEALED] = count
    return lowest_certain(starts, cells, tiles, notes, count)


@helper(I64(PLAYOUT_SPACE, I32S, I32S, U8S))
def begin_decision(space: PlayoutDesk, starts: Indices, cells: Indices, tiles: Bytes) -> int:
    """List the guesses of a board whose analysis is in `root.found`, with the chances of their answers.

    The guess of `expert`, and the numbers of the decision in `numbers`; -1 where an analysis fails.
    """
    root = space.root
    numbers = space.numbers
    space.play.reader.numbers[MINES] = root.reader.numbers[MINES]
    space.kept_key[:] = Word(0)
    numbers[USED] = 0
    numbers[LAYOUTS] = 0
    numbers[LEFT] = 0
    usual = choose_guess(root, starts, cells, tiles)
    if usual < 0:
        return -1
    count = list_candidates(root, starts, cells, tiles)
    for i in range(count):
        cell = root.candidates[i]
        space.guess[G_CELL, i] = cell
        space.guess[G_LEFT, i] = 1
        for clue in range(9):
            share = clue_share(root.reader, tiles, root.found, root.after, cell, clue)
            if share < 0.0:
                return -1
            space.share[i, clue] = share
        if cell == usual:
            numbers[USUAL] = i
    numbers[CANDIDATES] = count
    # The scratch is to be that of the board itself again.
    if read_board(root.reader, tiles, root.found) != OK or _read_notes(space, starts, cells, tiles) >= 0:
        return usual
    if can_draw(root.reader.scratch, root.reader.states):
        numbers[LEFT] = count
    return usual


@helper(I64(PLAYOUT_SPACE, I32S, I32S, I64))
def play_layouts(space: PlayoutDesk, starts: Indices, cells: Indices, layouts: int) -> int:
    """Play every guess that is left on so many layouts more; how many were drawn."""
    numbers = space.numbers
    root = space.root
    for drawn in range(layouts):
        at = numbers[LAYOUTS]
        if at == MOST_LAYOUTS:
            return drawn
        if not draw_layout(
            space.table[BOARD], root.found.mark, root.reader.scratch, root.reader.states,
            root.reader.numbers[MINES], space.words, space.table[MAPPED],
        ):  # fmt: skip
            numbers[LEFT] = 0
            return drawn
        clues_of_table(starts, cells, space.table[MAPPED], space.table[CLUES])
        for i in range(numbers[CANDIDATES]):
            if space.guess[G_LEFT, i]:
                cell = space.guess[G_CELL, i]
                space.answer[i, at] = space.table[CLUES, cell]
                space.value[i, at] = play_on(space, starts, cells, cell)
                numbers[USED] += 1
        numbers[LAYOUTS] += 1
    return layouts


@helper(F64(PLAYOUT_SPACE, I64), allocates=True)
def _score(space: PlayoutDesk, i: int) -> float:
    """The chance to win after a guess, as far as the playouts tell."""
    sums = np.zeros(CLUE_COUNT)
    counts = np.zeros(CLUE_COUNT)
    layouts = space.numbers[LAYOUTS]
    for at in range(layouts):
        sums[space.answer[i, at]] += space.value[i, at]
        counts[space.answer[i, at]] += 1.0
    safe = layouts - counts[STRUCK]
    usual = (np.sum(sums) / safe) if safe else 0.0
    total = 0.0
    for clue in range(STRUCK):
        space.mean[i, clue] = sums[clue] / counts[clue] if counts[clue] else usual
        total += space.share[i, clue] * space.mean[i, clue]
    space.mean[i, STRUCK] = 0.0
    return total


@helper(F64(PLAYOUT_SPACE, I64, I64))
def _error(space: PlayoutDesk, i: int, j: int) -> float:
    """The standard error of the difference between the scores of two guesses."""
    layouts = space.numbers[LAYOUTS]
    total = 0.0
    for at in range(layouts):
        one = space.value[i, at] - space.mean[i, space.answer[i, at]]
        other = space.value[j, at] - space.mean[j, space.answer[j, at]]
        total += (one - other) ** 2
    # As many numbers were fitted as there are answers.
    return sqrt(total) / max(layouts - 8, 1)


@helper(I64(PLAYOUT_SPACE))
def weigh_guesses(space: PlayoutDesk) -> int:
    """Score the guesses that are left and give up those that are clearly worse; which is the best."""
    best = -1
    for i in range(space.numbers[CANDIDATES]):
        if space.guess[G_LEFT, i]:
            space.score[i] = _score(space, i)
            if best < 0 or space.score[i] > space.score[best]:
                best = i
    left = 0
    for i in range(space.numbers[CANDIDATES]):
        may_go = space.guess[G_LEFT, i] and i != best and i != space.numbers[USUAL]
        if may_go and space.score[best] - space.score[i] > DROP * _error(space, best, i):
            space.guess[G_LEFT, i] = 0
        left += space.guess[G_LEFT, i]
    space.numbers[LEFT] = left
    return best


@helper(I64(PLAYOUT_SPACE, I64))
def settle_guess(space: PlayoutDesk, best: int) -> int:
    """The guess to take: the best, unless that of `expert` is as good but for chance."""
    usual = I64(space.numbers[USUAL])
    error = _error(space, best, usual)
    if space.score[best] - space.score[usual] < max(error, DOUBT * error * error):
        best = usual
    return I64(space.guess[G_CELL, best])
