"""The chance to win by playing on: layouts that fit a board are drawn, and `best-reply` plays each to its end (`_kernels/native/playouts.h`).

All of it is the native library's. The layouts follow from the board, so that the answer is the same each time.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from sapper._kernels import batch
from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.tile import UNMARKED, Tile
from sapper.solver.analysis import Analysis

if TYPE_CHECKING:
    from sapper._kernels.batch import Decider

LAYOUTS: Final = 128
"""Layouts that one reveal is played out on: a standard error of some two percentage points."""
MOST_CELLS: Final = 20_000
"""Larger boards are not played out: of a million cells one layout takes half a minute."""
CLEAR: Final = 2.0
"""Standard errors by which two chances differ that are told apart."""

_PAIRED = 2
"""So many times as many layouts tell two reveals apart."""
_LEAST_PART = 4
"""With less than this part of the usual layouts nothing is said."""
_MINES = frozenset({int(Tile.MINE), int(Tile.EXPLODED)})


class PlayedWin(NamedTuple):
    """A chance to win by playouts, and its standard error."""

    win: float
    error: float


class PlayedOut(NamedTuple):
    """What playouts say of a board."""

    best: Cell
    """The guess that a strategy chooses by them, or the lowest safe cell."""
    wins: dict[Cell, PlayedWin]
    """The chance to win after the reveals that were played out; empty where the board is too large to play out enough layouts."""
    level: tuple[Cell, ...]
    """The guesses that were not told apart from the best."""


class _Position(NamedTuple):
    """A board for a decider: clues and covered cells only. Mines that are known beyond the clues are left out of it."""

    decider: "Decider"
    tiles: bytes
    mines: int


def can_play_out() -> bool:
    """True if there is the native library."""
    return batch.can_play_out()


def play_out(analysis: Analysis, parts: batch.GuessParts = batch.SECOND_OPINION) -> PlayedOut | None:
    """Choose a guess as the strategy with these parts does, and play it out; a safe cell where there is one.

    None without the native library, and where a board cannot be played out: it is too large, or a cell is known to be safe that
    shows no clue.
    The board is one that has begun, or whose first reveal is not protected.
    """
    position = _position_of(analysis, parts)
    if position is None:
        return None
    decider, tiles, mines = position
    cell = next(iter(analysis.safe), None)
    if cell is None:
        chosen = decider.choose(tiles, mines)
        if chosen < 0:
            return None
        cell = Cell(chosen)
    if cell not in decider.wins():
        decider.win(tiles, mines, cell, _layouts_of(parts))
    wins = _wins_of(decider)
    return PlayedOut(cell, wins, _level(decider, cell, list(wins)))


def play_first(board: Board, first: Cell, parts: batch.GuessParts = batch.SECOND_OPINION) -> PlayedWin | None:
    """The chance to win a board of which nothing is revealed, when a cell is revealed that cannot be a mine."""
    decider = _decider_of(board, parts)
    tiles = board.tiles.translate(UNMARKED)
    if decider is None or decider.win(tiles, board.mine_count, first, _layouts_of(parts)) is None:
        return None
    # Layouts were drawn with a mine there, too, which the first reveal survives as well.
    safe = 1 - board.mine_count / board.grid.size
    won = _wins_of(decider)[first]
    return PlayedWin(min(won.win / safe, 1.0), won.error / safe)


def compare(
    analysis: Analysis,
    one: Cell,
    others: Sequence[Cell],
    survived: float,
    parts: batch.GuessParts = batch.SECOND_OPINION,
) -> PlayedWin | None:
    """By how much a reveal wins more than another, of one cell or of several at once, on layouts that `play_out` does not draw.

    `survived`: the chance that none of the other's cells is a mine. None where it cannot be played out.
    """
    position = _position_of(analysis, parts)
    if position is None:
        return None
    decider, tiles, mines = position
    first = [one, *others] if len(others) == 1 else [one]
    if decider.compare(tiles, mines, first) != one:
        return None
    if len(others) > 1 and not decider.add_together(others, survived):
        return None
    decider.draw_others()
    if decider.play(_PAIRED * _layouts_of(parts)) < LAYOUTS // _LEAST_PART:
        return None
    decider.weigh()
    return PlayedWin(*decider.apart(0, 1))


def _layouts_of(parts: batch.GuessParts) -> int:
    """How many layouts one reveal is played out on: more for whoever has a larger budget."""
    return max(LAYOUTS, LAYOUTS * parts.playouts // batch.SECOND_OPINION.playouts)


def _wins_of(decider: "Decider") -> dict[Cell, PlayedWin]:
    errors = decider.errors()
    return {Cell(cell): PlayedWin(win, errors[cell]) for cell, win in decider.wins().items()}


def _level(decider: "Decider", best: Cell, cells: Sequence[Cell]) -> tuple[Cell, ...]:
    if best not in cells:
        return (best,)
    at, found = cells.index(best), [best]
    for place, cell in enumerate(cells):
        more, error = decider.apart(at, place)
        if cell != best and error >= 0 and more <= CLEAR * error:
            found.append(cell)
    return tuple(sorted(found))


def _position_of(analysis: Analysis, parts: batch.GuessParts) -> _Position | None:
    board = analysis.board
    if board.grid.size > MOST_CELLS:
        return None
    known = CellSet.of(cell for cell, tile in enumerate(board.tiles) if tile in _MINES)
    if analysis.trust_flags:
        known |= board.flagged
    tiles = board.tiles.translate(UNMARKED)
    if not known:
        decider = _decider_of(board, parts)
        return None if decider is None else _Position(decider, tiles, board.mine_count)
    # A known mine becomes a cell with no neighbours that is revealed already, and the clues beside it count one mine less.
    left = bytearray(tiles)
    starts, cells = [0], list[int]()
    for cell in range(board.grid.size):
        near = board.grid.neighbours(Cell(cell))
        if cell in known:
            left[cell] = Tile.ZERO
        else:
            if left[cell] <= Tile.EIGHT:
                left[cell] -= sum(other in known for other in near)
            cells += [other for other in near if other not in known]
        starts.append(len(cells))
    found = batch.make_decider(starts, cells, 0, parts)
    return None if found is None else _Position(found, bytes(left), board.mine_count - len(known))


def _decider_of(board: Board, parts: batch.GuessParts) -> "Decider | None":
    grid = board.grid
    return (
        None if grid.size > MOST_CELLS else batch.make_decider(*grid.table, grid.width if grid.is_plane else 0, parts)
    )
