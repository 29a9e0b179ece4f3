"""Kaboom: the mines are decided as late and as cruelly as the board allows.

A reveal of a cell that may be a mine while another cell is certain to be safe finds a mine. Where no cell
is certain, a guess is forced, and it is safe. What is revealed then is generated uniformly from the layouts that
are left; so every layout shown agrees with everything seen, and nobody can prove that it was not there from the
start. (The game was made known by M. Warcholiński's *Kaboom*.)

A draw depends on seed, board and cell alone: a move that is taken back and made again ends as it did.
"""

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.preset import check_mines
from sapper.core.rng import Rng
from sapper.core.rules import Promise, Start, Win
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.game.layout import Layout
from sapper.game.referee import Referee, RefereeSnapshot
from sapper.game.source import FixedLayout
from sapper.game.uncopyable import Uncopyable
from sapper.generator.sample import sample_layout
from sapper.generator.uniform import kept_free, nearest_start
from sapper.solver.analysis import analyse

_WORD = (1 << 64) - 1


class KaboomSource(Uncopyable):
    """A layout source that decides at every reveal anew.

    The start rule is kept as `UniformSource` keeps it, but a first reveal is never a mine where it can be safe:
    it is a forced guess. A board too hard to analyse is played on with the layout it was given last.

    Where games are won by flags, the layout is fixed once only one is left, or nobody could win; going back to a
    moment before that then keeps the mines where they were. Otherwise it is never fixed.
    """

    __slots__ = ("_last", "_seed", "_start", "grid", "is_fixed", "mine_count", "promise", "safe_first")

    def __init__(self, grid: Grid, mine_count: int, seed: int, start: Start = Start.ANY) -> None:
        """A source for `mines` mines on `grid`; `LayoutError` if they do not fit at all."""
        self.grid = grid
        self.mine_count = check_mines(grid, mine_count)
        self._seed = Rng(seed).seed
        self._start = start
        self._last: Layout | None = None
        self.is_fixed = False
        # The first reveal is a forced guess, which is safe unless all cells are mines.
        self.safe_first = CellSet((1 << grid.size) - 1)
        self.promise = Promise.KABOOM

    def start(self) -> Layout | None:
        return None  # nothing is decided before the first reveal

    def generate(self, board: Board, cell: Cell) -> Layout:
        """The layout to reveal `cell` on: a mine if that was avoidable, else safe."""
        rng = Rng(self._seed).split(_key(board, cell))
        try:
            layout = self._decide(board, cell, rng)
        except TooHardError:
            if self._last is None or not self._last.agrees_with(board):
                raise
            layout = self._last
        self._last = layout
        self.is_fixed = board.rules.win is not Win.REVEALED and self._is_last(board, layout, cell)
        return layout

    def _decide(self, board: Board, cell: Cell, rng: Rng) -> Layout:
        if not board.revealed_count:
            rule = nearest_start(self.grid, self.mine_count, self._start, cell)
            free = set(kept_free(self.grid, rule, cell))
            if self.mine_count < self.grid.size:
                free.add(cell)
            return sample_layout(board, rng, safe=CellSet.of(free))
        analysis = analyse(board)
        if cell in analysis.safe or cell in analysis.mined:
            return sample_layout(board, rng)
        one = CellSet.of((cell,))
        return sample_layout(board, rng, mined=one) if analysis.safe else sample_layout(board, rng, safe=one)

    def _is_last(self, board: Board, layout: Layout, cell: Cell) -> bool:
        """True if no other layout agrees with the board once `cell` is revealed on this one."""
        if layout.is_mine(cell):
            return False  # nobody asks any more
        referee = Referee(rules=board.rules, source=FixedLayout(layout))
        covered = bytearray(board.tiles)
        covered[cell] = Tile.COVERED  # whatever mark it had, it is being revealed
        referee.restore(RefereeSnapshot(bytes(covered), Status.PLAYING, layout))
        referee.play(Move.reveal(cell))
        try:
            return analyse(referee.board).census == 1
        except TooHardError:
            return False


def _key(board: Board, cell: Cell) -> int:
    """A number for what is seen and asked: FNV-1a over the tiles, marks left out, and the cell."""
    key = 0xCBF29CE484222325
    for code in (*board.tiles.translate(_UNMARKED), *cell.to_bytes(4, "little")):
        key = ((key ^ code) * 0x100000001B3) & _WORD
    return key


_UNMARKED = bytes(Tile.COVERED if code in (Tile.FLAGGED, Tile.QUESTION) else code for code in range(256))
