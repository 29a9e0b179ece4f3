"""The rules of play once more, as plainly as they can be said: a set of cells at a time, nothing kept.

Slow, and shares no code with the engine but the values; tests compare the two.
"""

from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.rules import Rules, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout

Tiles = dict[int, Tile]
"""What is seen at each cell."""

COVERED = (Tile.COVERED, Tile.QUESTION)


def reveal(rules: Rules, grid: Grid, mines: set[int], tiles: Tiles, cell: int) -> bool:
    """Reveal one cell, and on from zeros; False if it was a mine."""
    if cell in mines:
        tiles[cell] = Tile.EXPLODED
        return False
    tiles[cell] = Tile(len(mines & set(grid.neighbours(cell))))
    opened = {cell} if tiles[cell] is Tile.ZERO else set[int]()
    while opened:
        here = opened.pop()
        for near in grid.neighbours(here) if rules.spread == 8 else grid.edges(here):
            if tiles[near] in COVERED or (tiles[near] is Tile.FLAGGED and rules.cascade_clears_flags):
                tiles[near] = Tile(len(mines & set(grid.neighbours(near))))
                if tiles[near] is Tile.ZERO:
                    opened.add(near)
    return True


def is_won(rules: Rules, grid: Grid, mines: set[int], tiles: Tiles) -> bool:
    """Whether the game is won, at least one move having been made."""
    flagged = {cell for cell, tile in tiles.items() if tile is Tile.FLAGGED}
    revealed = {cell for cell, tile in tiles.items() if tile.is_clue}
    by_revealing = revealed == set(range(grid.size)) - mines
    by_flagging = flagged == mines
    return {Win.REVEALED: by_revealing, Win.FLAGGED: by_flagging, Win.EITHER: by_revealing or by_flagging}[rules.win]


def play(rules: Rules, layout: Layout, tiles: Tiles, move: Move) -> tuple[Tiles, Status]:
    """The tiles and the status after a legal move of a game that has not ended."""
    action, cell = move
    grid, mines = layout.grid, set[int](layout.mines)
    after = dict(tiles)
    alive = True
    if action is Action.TERMINATE:
        return after, Status.TERMINATED
    if action is Action.REVEAL:
        alive = reveal(rules, grid, mines, after, cell)
    elif action is Action.CHORD:
        for near in sorted(near for near in grid.neighbours(cell) if tiles[near] in COVERED):
            if alive and after[near] in COVERED:
                alive = reveal(rules, grid, mines, after, near)
    else:
        marks = {Action.FLAG: Tile.FLAGGED, Action.QUESTION: Tile.QUESTION}
        after[cell] = marks.get(action, Tile.COVERED)
    if not alive:
        return after, Status.LOST
    return after, Status.WON if is_won(rules, grid, mines, after) else Status.PLAYING
