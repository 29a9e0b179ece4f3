"""The two simplest strategies: `random`, and `single`, which looks at one clue at a time."""

from collections.abc import Container, Iterator

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import Win
from sapper.core.tile import Tile
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.single_clues import SingleClues
from sapper.solver.words import at

_COVERED = (int(Tile.COVERED), int(Tile.QUESTION))
_HIDDEN = (*_COVERED, int(Tile.FLAGGED))


class RandomStrategy:
    """Reveals a covered cell at random, every one as likely.

    Where a game is won by flags alone, it flags what is left when only mines are left.
    """

    def __init__(self, rng: Rng) -> None:
        """All randomness comes from `rng`."""
        self._rng = rng

    def choose(self, board: Board) -> Choice:
        """A reveal, or a flag once only mines are covered."""
        return only_mines_left(board) or guess(board, hidden_cells(board), self._rng)


class SingleStrategy:
    """Single-clue logic, then a guess.

    A clue that equals its covered neighbours makes them all mines; a clue that equals its known mines
    makes the rest safe. The mines are worked out from the clues alone: flags are opinions,
    and count for nothing here. What is safe is revealed, lowest cell first; where nothing is, a cell that is
    not known to be a mine is revealed at random.
    """

    def __init__(self, rng: Rng) -> None:
        """All randomness comes from `rng`."""
        self._rng = rng
        self._clues = SingleClues()

    def choose(self, board: Board) -> Choice:
        """A certain move if one clue gives it, else a guess."""
        last = only_mines_left(board)
        if last is not None:
            return last
        mines: Container[int]
        if max(board.tiles) > Tile.QUESTION:  # mines are shown, which clues count too: no game that goes on
            safe, mines = by_single_clues(board)
            found = (min(safe), safe[min(safe)]) if safe else None
        else:
            found, mines = self._clues.safe_cell(board), self._clues.mines
        if found is not None:
            return certain(board, found[0], f"{at(board, found[1])} has all its mines")
        return guess(board, [cell for cell in hidden_cells(board) if cell not in mines], self._rng)


def only_mines_left(board: Board) -> Choice | None:
    """The flag to set, when as many cells are covered as there are mines and flags win the game."""
    if board.rules.win is Win.REVEALED or board.covered_count != board.mine_count:
        return None
    for cell in hidden_cells(board):
        if board.tiles[cell] != Tile.FLAGGED:
            return Choice(Move.flag(cell), "only mines are left: flag them all", 0.0)
    return None


def by_single_clues(board: Board) -> tuple[dict[Cell, Cell], dict[Cell, Cell]]:
    """The covered cells that one clue makes safe, and those that one clue makes mines; each with such a clue."""
    tiles = board.tiles
    starts, cells = board.grid.table
    mines: dict[Cell, Cell] = {}
    open_clues = []
    for clue in _clues(board):
        around = [Cell(cell) for cell in cells[starts[clue] : starts[clue + 1]] if tiles[cell] in _HIDDEN]
        need = tiles[clue] - shown_mines(board, clue)
        if len(around) == need:
            mines.update(dict.fromkeys(around, clue))
        if around:
            open_clues.append((clue, around, need))
    safe: dict[Cell, Cell] = {}
    for clue, around, need in open_clues:
        rest = [cell for cell in around if cell not in mines]
        if rest and len(around) - len(rest) == need:
            safe.update(dict.fromkeys(rest, clue))
    return safe, mines


def shown_mines(board: Board, clue: int) -> int:
    """How many mines beside a clue are to be seen: the exploded one and those that are shown, after the end."""
    tiles = board.tiles
    if Tile.MINE not in tiles and Tile.EXPLODED not in tiles:
        return 0
    return sum(tiles[near] in (Tile.MINE, Tile.EXPLODED) for near in board.grid.neighbours(clue))


def certain(board: Board, cell: Cell, reason: str) -> Choice:
    """The reveal of a safe cell, or what must come before it."""
    choice = reveal_or_unflag(board, cell, f"{reason}: {at(board, cell)} is safe")
    return Choice(choice.move, choice.reason, 0.0)


def guess(board: Board, cells: list[Cell], rng: Rng) -> Choice:
    """A reveal of one of the cells at random; of any covered one if there are none (a board that contradicts itself)."""
    cell = rng.choice(cells or hidden_cells(board))
    return reveal_or_unflag(board, cell, "nothing is certain by one clue alone: a guess")


def reveal_or_unflag(board: Board, cell: int, reason: str) -> Choice:
    """The reveal of a cell, or what must come before it: taking its flag away."""
    move = Move.reveal(cell)
    return Choice(move if board.is_legal(move) else Move.unflag(cell), reason)


def hidden_cells(board: Board) -> list[Cell]:
    """The cells that are not revealed, flagged ones included, ascending."""
    return list(board.covered)


def _clues(board: Board) -> Iterator[Cell]:
    """The revealed safe cells. A zero says something too, where a cascade left a neighbour of it covered."""
    return (Cell(cell) for cell, code in enumerate(board.tiles) if code <= Tile.EIGHT)
