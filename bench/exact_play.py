"""Best play of whole games by another way than sapper's search: nothing here is imported from sapper.

The game is played as a player sees it: a board is a string of what is shown, a reveal of a zero opens its neighbours, and on
every board *every* covered cell is tried, safe or not. Values are kept by board, in one of its mirrored forms. So nothing is
assumed of which moves are good: neither that safe cells come first, nor that some cells serve for others.

    python bench/exact_play.py 4 4 3 any
"""

import sys
import time
from functools import cache
from itertools import combinations
from math import comb

MINE = 9
COVERED = "#"


class TimeUpError(Exception):
    """The board is too large for the time."""


class Play:
    """One size and number of mines."""

    def __init__(self, width: int, height: int, mines: int, seconds: float) -> None:
        cells = [(x, y) for y in range(height) for x in range(width)]
        self.size = len(cells)
        self.near = [
            [j for j, (a, b) in enumerate(cells) if j != i and abs(a - x) < 2 and abs(b - y) < 2]
            for i, (x, y) in enumerate(cells)
        ]
        self.mines = mines
        self.layouts = [frozenset(mined) for mined in combinations(range(self.size), mines)]
        self.clues = [
            [MINE if cell in mined else sum(one in mined for one in self.near[cell]) for cell in range(self.size)]
            for mined in self.layouts
        ]
        self.forms = self._forms(width, height)
        self.end = time.process_time() + seconds
        self.known: dict[str, int] = {}

    def _forms(self, width: int, height: int) -> list[list[int]]:
        forms = []
        for flip_x in (False, True):
            for flip_y in (False, True):
                at = [
                    [(height - 1 - y if flip_y else y) * width + (width - 1 - x if flip_x else x) for x in range(width)]
                    for y in range(height)
                ]
                forms.append([cell for row in at for cell in row])
                if width == height:
                    forms.append([at[y][x] for x in range(width) for y in range(height)])
        return forms

    def after(self, board: str, cell: int, layouts: list[int]) -> int:
        """How many of these layouts are won when a cell of a board is revealed."""
        boards: dict[str, list[int]] = {}
        for layout in layouts:
            clues = self.clues[layout]
            if clues[cell] == MINE:
                continue
            shown, opened = list(board), [cell]
            while opened:
                one = opened.pop()
                if shown[one] == COVERED:
                    shown[one] = str(clues[one])
                    if not clues[one]:
                        opened += self.near[one]
            boards.setdefault("".join(shown), []).append(layout)
        return sum(self.best(one, some) for one, some in boards.items())

    def best(self, board: str, layouts: list[int]) -> int:
        """How many of the layouts that fit a board best play wins."""
        if board.count(COVERED) == self.mines:
            return len(layouts)
        form = min("".join([board[cell] for cell in one]) for one in self.forms)
        if form not in self.known:
            if time.process_time() > self.end:
                raise TimeUpError
            covered = [cell for cell in range(self.size) if board[cell] == COVERED]
            self.known[form] = max(self.after(board, cell, layouts) for cell in covered)
        return self.known[form]


@cache
def _prepared(width: int, height: int, mines: int) -> Play:
    return Play(width, height, mines, 0)


def play(width: int, height: int, mines: int, start: str, seconds: float) -> tuple[int, int, list[int]]:
    """Layouts won and allowed after the first of the best first cells, and these cells; `TimeUpError` after so many CPU seconds."""
    if comb(width * height, mines) > 200_000:
        raise TimeUpError
    game = _prepared(width, height, mines)
    game.end = time.process_time() + seconds
    found = []
    for first in range(game.size):
        free = {"any": set(), "safe": {first}, "open": {first, *game.near[first]}}[start]
        if len(free) + mines > game.size:
            free = {first}
        allowed = [number for number, mined in enumerate(game.layouts) if not mined & free]
        found.append((game.after(COVERED * game.size, first, allowed), len(allowed)))
    wins, layouts = found[0]
    for one in found:
        if one[0] * layouts > wins * one[1]:
            wins, layouts = one
    return wins, layouts, [first for first, one in enumerate(found) if one[0] * layouts == wins * one[1]]


if __name__ == "__main__":
    width, height, mines = map(int, sys.argv[1:4])
    print(play(width, height, mines, sys.argv[4], 1e9))
