"""Forced guesses to come: how much a guess is worth because nobody has to make it later.

Two neighbours that no cell sees but both together, or a 2x2 square of which no cell sees one alone, are a forced guess where
half of their cells are mines: mirrored, they look the same from everywhere. As long as cells that could tell are covered, it is
forced only in those layouts where all of these are mines. The *influence* of a cell is the share of the layouts in which it is safe
and part of such a guess: in them, a guess there costs nothing. A cell that could tell has the share of the layouts in which it is
one of the mines that force the guess: to know it settles more.

The definition, for whatever works it out faster, on rectangles with eight neighbours (on other grids it is 0):

- Pairs are a covered cell and the one to its right or below it, squares four covered cells; none of them is certain.
  The cells that could tell are the three at each end of a pair, the four at the corners of a square.
- A pair or square counts if each of these is a certain mine or off the board, but for at most three that are covered, and if
  the product of the chances of these three is at least `LEAST_CHANCE`. Its share is that of the layouts in which all of them are
  mines, the first cell of the pair is a mine and the other safe (of the square: one diagonal, and the other).
- A cell has the sum of its pairs' shares and the greatest of its squares' shares, and the sum of the shares of all pairs and squares
  of which it is one of the three that are covered; at most its risk, and its safety.
"""

from collections.abc import Iterator
from math import prod

from sapper._kernels import batch
from sapper.core.grid import Grid
from sapper.core.tile import Tile
from sapper.solver.analysis import TIE, Analysis

MOST_DOUBTS = 3
LEAST_CHANCE = 0.02

_Figure = tuple[list[int], list[int], list[int]]
"""The mines of one of the two mirror images, its safe cells, and the cells that could tell."""
_COVERED = frozenset({int(Tile.COVERED), int(Tile.FLAGGED), int(Tile.QUESTION)})
_UNMARKED = bytes(int(Tile.COVERED) if code in _COVERED else code for code in range(256))


def influence_of(analysis: Analysis) -> dict[int, float]:
    """The influence of each cell that has some."""
    grid = analysis.board.grid
    if not grid.is_plane:
        return {}
    pairs: dict[int, float] = {}
    squares: dict[int, float] = {}
    risks = analysis.risks()
    undecided = {int(cell) for cell, risk in risks.items() if 0 < risk < 1}
    for cell in sorted(undecided):
        for figure in _figures(grid, cell):
            share = _forced_share(analysis, undecided, figure)
            mined, safe, sides = figure
            for one in sides if share else ():
                if one not in analysis.mined:
                    pairs[one] = pairs.get(one, 0.0) + share
            for one in (*mined, *safe) if share else ():
                if len(mined) == 1:
                    pairs[one] = pairs.get(one, 0.0) + share
                else:
                    squares[one] = max(squares.get(one, 0.0), share)
    found = {}
    for cell in pairs.keys() | squares.keys():
        risk = analysis.chances[cell]
        found[cell] = min(pairs.get(cell, 0.0) + squares.get(cell, 0.0), risk, 1 - risk)
    return found


def _figures(grid: Grid, cell: int) -> Iterator[_Figure]:
    """The pairs and the square that begin at a cell."""
    x, y = grid.xy(cell)

    def cells(*places: tuple[int, int]) -> list[int]:
        return [
            row * grid.width + column for column, row in places if 0 <= column < grid.width and 0 <= row < grid.height
        ]

    ends = (-1, 0, 1)
    if x + 1 < grid.width:
        yield [cell], [cell + 1], cells(*((x - 1, y + end) for end in ends), *((x + 2, y + end) for end in ends))
    if y + 1 < grid.height:
        below = cell + grid.width
        yield [cell], [below], cells(*((x + end, y - 1) for end in ends), *((x + end, y + 2) for end in ends))
        if x + 1 < grid.width:
            corners = cells((x - 1, y - 1), (x + 2, y - 1), (x - 1, y + 2), (x + 2, y + 2))
            yield [cell, below + 1], [cell + 1, below], corners


def _forced_share(analysis: Analysis, undecided: set[int], figure: _Figure) -> float:
    mined, safe, sides = figure
    board = analysis.board
    doubts = [side for side in sides if side not in analysis.mined]
    if not undecided.issuperset((*mined, *safe, *doubts)) or len(doubts) > MOST_DOUBTS:
        return 0.0
    if prod(analysis.chances[doubt] for doubt in doubts) < LEAST_CHANCE - TIE:
        return 0.0
    tiles = bytearray(board.tiles.translate(_UNMARKED))
    for cell in (*mined, *doubts):
        tiles[cell] = Tile.MINE
    for cell in safe:
        tiles[cell] = Tile.WRONG_FLAG
    found = next(
        iter(batch.analyse_many([bytes(tiles)], [board.mine_count], board.grid.width, board.grid.height, None))
    )
    return 0.0 if found.fault is not None else 10 ** (found.census_log10 - analysis.census_log10)
