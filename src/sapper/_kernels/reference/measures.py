"""Measures of a layout: 3BV, openings, islands, ZiNi.

*3BV* (Bechtel's Board Benchmark Value, S. Bechtel 2002) is the least number of left clicks that opens all
safe cells: one for each opening, one for each clue that touches no opening. *ZiNi* (E. Zimmermann and
C. Nikolaus, 2009) is the number of clicks of a heuristic player who flags and chords: again and again the
cell with the highest *premium*, adjacent 3BV − adjacent unflagged mines − [covered] − 1, is opened if need
be, its mines are flagged, and it is chorded; while no premium is 0 or more, the first cell that counts in
3BV is opened. The *greedy* form may take any safe cell; the *human* form opens all openings first
and then chords only cells that are open. Equal premiums go to the cell that is top-left most, the leftmost
column first: the original leaves that open, and this is how `ms-toollib` reads it.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sapper._kernels.reference.layout import MINE_CLUE

NO_OPENING = -1

_TOUCHED = 255
_IS_CLUE = bytes(0 < clue < MINE_CLUE for clue in range(256))


class Openings(NamedTuple):
    """The openings of a layout: how many, which one each zero belongs to (`NO_OPENING` elsewhere), and what touches none."""

    total: int
    of: list[int]
    alone: bytes
    """1 for each clue that touches no opening, and so takes a click of its own; 0 elsewhere."""


class Values(NamedTuple):
    """The numbers of a layout that need no player."""

    bbbv: int
    openings: int
    islands: int
    """Groups of clues that touch no opening, connected over neighbours."""


def openings_of(starts: Sequence[int], cells: Sequence[int], clues: bytes) -> Openings:
    """Number the openings in the order of their lowest zero."""
    of = [NO_OPENING] * len(clues)
    left = bytearray(clues)
    count, cell = 0, left.find(0)
    while cell >= 0:
        stack = [cell]
        left[cell] = _TOUCHED
        while stack:
            zero = stack.pop()
            of[zero] = count
            for near in cells[starts[zero] : starts[zero + 1]]:
                if not left[near]:
                    stack.append(near)
                left[near] = _TOUCHED
        count += 1
        cell = left.find(0, cell + 1)
    return Openings(count, of, bytes(left.translate(_IS_CLUE)))


def values_of(starts: Sequence[int], cells: Sequence[int], clues: bytes) -> Values:
    """3BV, openings and islands."""
    openings, _, alone = openings_of(starts, cells, clues)
    marks = bytearray(alone)
    bbbv = openings + marks.count(1)
    islands = 0
    for cell in range(len(clues)):
        if marks[cell]:
            islands += 1
            marks[cell] = 0
            stack = [cell]
            while stack:
                here = stack.pop()
                for near in cells[starts[here] : starts[here + 1]]:
                    if marks[near]:
                        marks[near] = 0
                        stack.append(near)
    return Values(bbbv, openings, islands)


def zini_of(starts: Sequence[int], cells: Sequence[int], clues: bytes, width: int, human: bool) -> int:
    """The clicks of the ZiNi player, greedy or human."""
    player = _ZiniPlayer(starts, cells, clues, width)
    return player.play(human)


class _ZiniPlayer:
    """The board of the ZiNi player, and the premium of each cell, kept up to date."""

    def __init__(self, starts: Sequence[int], cells: Sequence[int], clues: bytes, width: int) -> None:
        size = len(clues)
        self.clues = clues
        self.near = [cells[starts[cell] : starts[cell + 1]] for cell in range(size)]
        self.order = [cell for column in range(width) for cell in range(column, size, width)]
        count, of, self.alone = openings_of(starts, cells, clues)
        self.of = of
        self.members: list[list[int]] = [[] for _ in range(count)]  # zeros and the clues around them
        touching = [sorted({of[one] for one in (cell, *self.near[cell]) if clues[one] == 0}) for cell in range(size)]
        for cell in range(size):
            for opening in touching[cell] if clues[cell] != MINE_CLUE else ():
                self.members[opening].append(cell)
        self.opened = bytearray(size)
        self.flagged = bytearray(size)
        self.bbbv_left = count + self.alone.count(1)
        self.clicks = 0
        self.premium = [self._first_premium(cell, len(touching[cell])) for cell in range(size)]

    def _first_premium(self, cell: int, openings: int) -> int:
        mines = sum(self.clues[near] == MINE_CLUE for near in self.near[cell])
        return openings + self.alone[cell] + sum(self.alone[near] for near in self.near[cell]) - mines - 2

    def play(self, human: bool) -> int:
        """The number of clicks that open everything."""
        if human:
            for cell, clue in enumerate(self.clues):
                if clue == 0 and not self.opened[cell]:
                    self.click_open(cell)
        while self.bbbv_left:
            best = self.best(human)
            if best is not None:
                self.chord(best)
            elif human:
                counted = (
                    one for one in self.order if not self.opened[one] and (self.alone[one] or not self.clues[one])
                )
                self.click_open(next(counted))
            else:
                # Opening what is left raises no premium: what a cell gains by being open, its 3BV loses.
                return self.clicks + self.bbbv_left
        return self.clicks

    def best(self, human: bool) -> int | None:
        """The first cell with the highest premium, if that is 0 or more: then something around it is covered."""
        best, highest = None, -1
        for cell in self.order:
            if self.premium[cell] > highest and self.clues[cell] != MINE_CLUE and (self.opened[cell] or not human):
                best, highest = cell, self.premium[cell]
        return best

    def chord(self, cell: int) -> None:
        """Open a cell if need be, flag its mines, chord it."""
        if not self.opened[cell]:
            self.click_open(cell)
        for near in self.near[cell]:
            if self.clues[near] == MINE_CLUE and not self.flagged[near]:
                self.flagged[near] = 1
                self.clicks += 1
                for other in self.near[near]:
                    self.premium[other] += 1
        self.clicks += 1
        for near in self.near[cell]:
            if self.clues[near] != MINE_CLUE:
                self.open(near)

    def click_open(self, cell: int) -> None:
        self.clicks += 1
        self.open(cell)

    def open(self, cell: int) -> None:
        """Open a cell, and its opening if it is a zero."""
        if self.opened[cell]:
            return
        if self.clues[cell] == 0:
            self.bbbv_left -= 1
            members = self.members[self.of[cell]]
            # All that touch the opening had it in their premium: its members, and the cells of mines
            # beside a zero do not exist.
            for member in members:
                self.premium[member] -= 1
                self._uncover(member)
        else:
            self._uncover(cell)
            if self.alone[cell]:
                self.bbbv_left -= 1
                self.premium[cell] -= 1
                for near in self.near[cell]:
                    self.premium[near] -= 1

    def _uncover(self, cell: int) -> None:
        if not self.opened[cell]:
            self.opened[cell] = 1
            self.premium[cell] += 1  # it is covered no more
