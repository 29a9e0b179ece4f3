"""The exact chance to win a whole game by best play: from the table of those that are known, else worked out."""

import csv
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.coordinates import read_cell
from sapper.core.grid import Grid
from sapper.core.rules import Start, Win
from sapper.errors import InvalidValueError, UnknownNameError
from sapper.solver.whole_game import SETS, ExactValue, WholeGame

TABLE: Final = Path(__file__).with_name("exact_values.csv")
COLUMNS: Final = ("width", "height", "mines", "start", "layouts", "wins", "win", "best")
_STARTS = {one.value: one for one in Start}


def exact_value(width: int, height: int, mines: int, start: Start | str = "any", *, sets: int = SETS) -> ExactValue:
    """The chance to win by best play from the first reveal on, as a fraction, and the best first cells.

    Every layout that the start rule allows is equally likely; a game is won when every safe cell is revealed. What the table
    lacks is worked out, which may look at so many `sets` of layouts.

    Raises:
        InvalidValueError: there is no such game: at least one mine and one cell without.
        TooHardError: it is not in the table, and takes more sets.

    >>> value = exact_value(4, 4, 3)
    >>> value.win, value.wins, value.layouts
    (Fraction(5, 7), 400, 560)

    """
    for name, number in (("width", width), ("height", height), ("mines", mines), ("sets", sets)):
        check_type(name, number, int)
    if isinstance(start, str):
        if start not in _STARTS:
            raise UnknownNameError("start", start, _STARTS)
        start = _STARTS[start]
    grid = Grid(width, height)
    if not 0 < mines < grid.size:
        raise InvalidValueError(f"{width}x{height} cells take 1 to {grid.size - 1} mines here, not {mines}")
    known = _known(width, height, mines, start)
    if known is not None:
        return known
    game = WholeGame(grid, mines, sets)
    try:
        return game.value(start)
    finally:
        game.close()


def exact_value_of(board: Board) -> ExactValue | None:
    """That of the game of a board on which nothing is revealed; None where it is not in the table, or flags can win."""
    grid, rules = board.grid, board.rules
    if board.revealed_count or board.status.ended or not grid.is_plane or rules.win is not Win.REVEALED:
        return None
    protected = len(board.protected)
    if protected not in (0, grid.size):
        return None
    return _known(grid.width, grid.height, board.mine_count, rules.start if protected else Start.ANY)


def _known(width: int, height: int, mines: int, start: Start) -> ExactValue | None:
    """A value of the table, which has the boards that are not higher than wide."""
    known = table().get((max(width, height), min(width, height), mines, start))
    return known.transposed() if known is not None and width < height else known


@cache
def table() -> dict[tuple[int, int, int, Start], ExactValue]:
    """The values that are known, by width, height, mines and start rule; widths are not less than heights."""
    return {(one.width, one.height, one.mines, one.start): one for one in read_values(TABLE)}


def read_values(path: Path) -> Iterator[ExactValue]:
    """The values of a table's file; lines that begin with # are comments."""
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            grid = Grid(int(row["width"]), int(row["height"]))
            yield ExactValue(
                width=grid.width,
                height=grid.height,
                mines=int(row["mines"]),
                start=_STARTS[row["start"]],
                layouts=int(row["layouts"]),
                wins=int(row["wins"]),
                best=tuple(read_cell(grid, name) for name in row["best"].split()),
            )
