"""The first cell, where none is given: the same for the bot, hints, the web game, simulations and analysis."""

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.rules import Start

_EXPERT = (30, 16)


def first_cell(grid: Grid, start: Start) -> Cell:
    """Start `open`: (3, 3) on Expert and larger, (2, 2) on smaller ones, as near as the grid allows; else (0, 0)."""
    if start is not Start.OPEN:
        return Cell(0)
    step = 3 if grid.width >= _EXPERT[0] and grid.height >= _EXPERT[1] else 2
    return grid.cell(min(step, grid.width - 1), min(step, grid.height - 1))
