"""The strategy `subset`: one clue at a time, then two together, then a guess.

Say clue B needs as many mines more than clue A as it has cells that A does not touch, known cells
left out. Then all those cells are mines, and the cells that only A touches are safe. Together with single
clues that is followed to its end; the order does not matter, since knowing more never hides a conclusion.
"""

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.rng import Rng
from sapper.core.tile import Tile
from sapper.solver.strategies.base import Choice
from sapper.solver.strategies.simple import by_single_clues, certain, guess, hidden_cells, only_mines_left, shown_mines
from sapper.solver.words import at

_HIDDEN = frozenset({int(Tile.COVERED), int(Tile.QUESTION), int(Tile.FLAGGED)})


class SubsetStrategy:
    """The lowest cell that one clue makes safe, else the lowest that pairs of clues do, else a guess.

    Flags are opinions, and count for nothing. A guess is a cell, each as likely, that is not known to be a mine.
    """

    def __init__(self, rng: Rng) -> None:
        """All randomness comes from `rng`."""
        self._rng = rng

    def choose(self, board: Board) -> Choice:
        """A certain move if one or two clues give it, else a guess."""
        last = only_mines_left(board)
        if last is not None:
            return last
        safe, _ = by_single_clues(board)
        if safe:
            return by_one(board, safe)
        pairs = Pairs(board)
        if pairs.safe:
            return by_two(board, pairs)
        return guess(board, [cell for cell in hidden_cells(board) if cell not in pairs.mined], self._rng)


def find_certain(board: Board) -> Choice | None:
    """The certain move of this strategy; None where it would guess, or a clue cannot be met."""
    safe, _ = by_single_clues(board)
    if safe:
        return by_one(board, safe)
    pairs = Pairs(board)
    return by_two(board, pairs) if pairs.safe and pairs.is_consistent else None


def by_one(board: Board, safe: dict[Cell, Cell]) -> Choice:
    """The lowest cell that one clue makes safe."""
    cell = min(safe)
    return certain(board, cell, f"{at(board, safe[cell])} has all its mines")


def by_two(board: Board, pairs: "Pairs") -> Choice:
    """The lowest cell that clues make safe, one or two at a time."""
    cell = min(pairs.safe)
    clues = [at(board, clue) for clue in sorted(pairs.safe[cell])]
    why = f"{clues[0]} and {clues[1]} together say" if len(clues) == 2 else f"with what is known, {clues[0]} says"
    return certain(board, cell, f"{why} where the mines are")


class Pairs:
    """What follows from a board's clues, one and two at a time, to the end."""

    def __init__(self, board: Board) -> None:
        """All of it is worked out at once. A board that contradicts itself gives whatever follows first."""
        self.safe: dict[Cell, tuple[Cell, ...]] = {}
        """Cells that are safe, each with the clue or clues that say so last."""
        self.mined: set[Cell] = set()
        """Cells that are mines."""
        tiles = board.tiles
        starts, cells = board.grid.table
        self.is_consistent = True
        """False once a clue needs fewer mines than none, or more than it has cells left."""
        self._open: dict[Cell, set[Cell]] = {}
        self._need: dict[Cell, int] = {}
        self._beside: dict[Cell, list[Cell]] = {}
        for index, tile in enumerate(tiles):
            if tile > Tile.EIGHT:
                continue
            clue = Cell(index)
            near = cells[starts[clue] : starts[clue + 1]]
            around = {Cell(cell) for cell in near if tiles[cell] in _HIDDEN}
            if around:
                self._open[clue] = around
                self._need[clue] = tile - shown_mines(board, clue)
                for cell in around:
                    self._beside.setdefault(cell, []).append(clue)
        self._todo = list(self._open)
        while self._todo:
            self._study(self._todo.pop())

    def _study(self, clue: Cell) -> None:
        """What a clue says alone, and beside each that shares a cell with it."""
        open_cells, need = self._open[clue], self._need[clue]
        if not 0 <= need <= len(open_cells):
            self.is_consistent = False
            return
        if not open_cells:
            return
        if need in (0, len(open_cells)):
            self._learn(set() if need else set(open_cells), set(open_cells) if need else set(), (clue,))
            return
        for other in {other for cell in open_cells for other in self._beside[cell]} - {clue}:
            more = self._need[other] - need
            theirs = self._open[other]
            if more == len(theirs - open_cells):
                safe, mined = open_cells - theirs, theirs - open_cells
            elif -more == len(open_cells - theirs):
                safe, mined = theirs - open_cells, open_cells - theirs
            else:
                continue
            if safe or mined:
                self._learn(safe, mined, (clue, other))
                return  # _learn has put the clue back

    def _learn(self, safe: set[Cell], mined: set[Cell], clues: tuple[Cell, ...]) -> None:
        """Take cells as known, and their clues as worth another look."""
        self._todo += clues
        for cell in safe:
            self.safe[cell] = clues
        self.mined |= mined
        for cells, mines in ((safe, 0), (mined, 1)):
            for cell in cells:
                for clue in self._beside[cell]:
                    self._open[clue].discard(cell)
                    self._need[clue] -= mines
                    self._todo.append(clue)
