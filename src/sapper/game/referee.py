"""The referee: the engine, which knows the layout and carries out the moves.

Sessions, tests and a debugging server hold one; a player holds its `game` (see `game.game`), through
which the layout cannot be had before the end.
"""

from dataclasses import dataclass, field, replace

from sapper import _kernels
from sapper.core.board import Board, all_safe_revealed, find_fault
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.preset import check_mines
from sapper.core.rules import Promise, Rules, Start, Win
from sapper.core.status import Status
from sapper.core.tile import CLUES, Tile
from sapper.core.update import Update
from sapper.core.words import counted
from sapper.errors import AccessError, LayoutError
from sapper.game.layout import Layout
from sapper.game.source import LayoutSource
from sapper.game.uncopyable import Uncopyable

Run = tuple[int, int]

_COVERED = int(Tile.COVERED)
_FLAGGED = int(Tile.FLAGGED)
_COVERABLE = (_COVERED, int(Tile.QUESTION))
_IS_FLAGGED = bytes(1 if code == Tile.FLAGGED else 0 for code in range(256))
_NOT_CLUES = bytes(code for code in range(256) if code not in CLUES)

_MARKS = {
    Action.FLAG: int(Tile.FLAGGED),
    Action.UNFLAG: int(Tile.COVERED),
    Action.QUESTION: int(Tile.QUESTION),
    Action.UNQUESTION: int(Tile.COVERED),
}


@dataclass(frozen=True, slots=True)
class RefereeSnapshot(Uncopyable):
    """A game at one moment, truth included: for saving and undo, never for a player."""

    tiles: bytes = field(repr=False)
    status: Status
    layout: Layout | None = field(repr=False)


class Referee(Uncopyable):
    """A game with its truth. One referee, one game.

    `rules` say how to play, `source` gives the layout; `LayoutError` if it breaks its contract.
    """

    __slots__ = (
        "_asked_at", "_board", "_drawn_for", "_flags", "_layout", "_revealed", "_source", "_status", "_tiles",
        "grid", "mine_count", "rules",
    )  # fmt: skip

    def __init__(self, *, rules: Rules, source: LayoutSource) -> None:
        self.rules = rules
        self.grid: Grid = source.grid
        self.mine_count = check_mines(source.grid, source.mine_count)
        self._source = source
        self._layout: Layout | None = None
        self._asked_at: Cell | None = None
        self._drawn_for: Cell | None = None
        self._board: Board | None = None
        self._status = Status.READY
        self._tiles = bytearray([_COVERED]) * self.grid.size
        self._revealed = 0
        self._flags = 0
        layout = source.start()
        if layout is not None:
            self._layout = self._accept(layout)

    # --- state ---------------------------------------------------------------------------

    @property
    def layout(self) -> Layout | None:
        """The truth; None while it is not drawn yet."""
        return self._layout

    @property
    def asked_at(self) -> Cell | None:
        """The cell whose reveal the layout was generated at; None for one that was there before, or is not generated yet.

        Moves that are taken back do not change it: the layout stays, whatever is revealed first then.
        """
        return None if self._layout is None else self._asked_at

    @property
    def layout_at_the_end(self) -> Layout:
        """The truth as players have it; `AccessError` unless the game has ended with a layout generated."""
        if not self._status.ended:
            raise AccessError("the mines are known when the game has ended, not before")
        if self._layout is None:
            raise AccessError("the game ended before its first reveal: no layout was ever generated")
        return self._layout

    @property
    def status(self) -> Status:
        """How the game stands."""
        return self._status

    @property
    def board(self) -> Board:
        """The board that the player sees."""
        if self._board is None:
            self._board = Board(
                grid=self.grid,
                rules=self.rules,
                mine_count=self.mine_count,
                tiles=bytes(self._tiles),
                status=self._status,
                safe_first=self._safe_first(),
                promise=self._promise(),
            )
        return self._board

    def tile(self, cell: Cell) -> int:
        """The tile of a cell, without making a board."""
        return self._tiles[cell]

    def _promise(self) -> Promise | None:
        """The source's promise, unless the game was begun at another cell than the promised one."""
        promise = self._source.promise
        if promise is not Promise.NO_GUESS or not self._revealed:
            return promise
        safe = self._source.safe_first or ()
        begun = safe if self._drawn_for is None else (self._drawn_for,)
        return promise if any(self._tiles[cell] <= Tile.EIGHT for cell in begun) else None

    def _safe_first(self) -> CellSet | None:
        """`Board.safe_first` for the next reveal. A layout that exists is not generated again for another cell."""
        if self._revealed or self._status.ended:
            return None
        safe = self._source.safe_first
        if self._layout is not None and self._source.is_fixed:
            if self._drawn_for is not None:
                return CellSet.of((self._drawn_for,))
            if safe is None:
                safe = CellSet()
        return safe if safe or self.rules.start is not Start.ANY else None

    def snapshot(self) -> RefereeSnapshot:
        """The game as it is now."""
        return RefereeSnapshot(bytes(self._tiles), self._status, self._layout)

    def restore(self, snapshot: RefereeSnapshot) -> Update:
        """Go back, or on, to a snapshot of this game; the update that a screen needs."""
        before = self.board
        after = replace(before, tiles=snapshot.tiles, status=snapshot.status, safe_first=None)
        if snapshot.layout is not None and not snapshot.layout.agrees_with(after):
            raise LayoutError("the snapshot is of another game: its layout does not agree with its tiles")
        self._layout = snapshot.layout
        self._tiles = bytearray(after.tiles)
        self._status = snapshot.status
        self._board = None
        self._flags = self._tiles.count(_FLAGGED)
        self._revealed = len(self._tiles.translate(None, _NOT_CLUES))
        return self._update(_kernels.changed_runs(before.tiles, snapshot.tiles))

    # --- moves ----------------------------------------------------------------------------------

    def check(self, move: Move) -> None:
        """Raise the error that says why the move is not legal now."""
        error = find_fault(self.grid, self.rules, self._status, self._tiles, move)
        if error is not None:
            raise error

    def play(self, move: Move, *, chord_to_the_end: bool = False) -> Update:
        """Carry out a move; an `IllegalMoveError` leaves everything as it was.

        `chord_to_the_end` is for games of other programs: there a chord into a mine opens the safe neighbours all the same. One mine
        at most is revealed.
        """
        self.check(move)
        action, cell = move
        if action is Action.TERMINATE:
            self._status = Status.TERMINATED
            runs: list[Run] = []
        elif action is Action.REVEAL:
            runs = self._reveal([cell])
        elif action is Action.CHORD:
            tiles = self._tiles
            near = [near for near in self.grid.neighbours(cell) if tiles[near] in _COVERABLE]
            runs = self._reveal(near, to_the_end=chord_to_the_end)
        else:
            runs = self._mark(cell, _MARKS[action])
        self._board = None
        if not self._status.ended:
            self._status = Status.WON if self._is_won() else Status.PLAYING
            if self._layout is None and self._status is Status.WON:
                self._generate(cell)  # no reveal was needed, as there is one layout only; now it can be looked at
        return self._update(runs)

    def _mark(self, cell: Cell, tile: int) -> list[Run]:
        self._flags += (tile == _FLAGGED) - (self._tiles[cell] == _FLAGGED)
        self._tiles[cell] = tile
        return [(cell, cell + 1)]

    def _reveal(self, cells: list[Cell], *, to_the_end: bool = False) -> list[Run]:
        """Reveal cells in order, each with its cascade, up to the first mine, which ends the game, or `to_the_end` but for other mines."""
        tiles = self._tiles
        runs: list[Run] = []
        for cell in cells:
            if tiles[cell] in CLUES:  # opened by the cascade of one before it
                continue
            layout = self._layout
            if layout is None or not self._source.is_fixed:
                layout = self._generate(cell)
            if tiles[cell] == _FLAGGED:
                self._flags -= 1
                tiles[cell] = _COVERED
            clue = layout.clues[cell]
            if clue == _kernels.MINE_CLUE:
                if self._status is Status.LOST:
                    continue
                tiles[cell] = Tile.EXPLODED
                self._status = Status.LOST
                runs.append((cell, cell + 1))
                if to_the_end:
                    continue
                break
            if clue:
                tiles[cell] = clue
                self._revealed += 1
                runs.append((cell, cell + 1))
            else:
                runs += self._cascade(layout, cell)
        return runs if len(runs) < 2 else _kernels.merge_runs(runs)

    def _cascade(self, layout: Layout, cell: Cell) -> list[Run]:
        rules, grid = self.rules, self.grid
        clears = rules.cascade_clears_flags
        if grid.is_plane:
            runs = _kernels.cascade_plane(
                grid.width, grid.height, rules.spread, clears, layout.clues, self._tiles, cell
            )
        else:
            table = grid.table if rules.spread == 8 else grid.edge_table
            runs = _kernels.cascade_table(*table, clears, layout.clues, self._tiles, cell)
        self._revealed += sum(end - start for start, end in runs)
        if clears and self._flags:
            self._flags = self._tiles.count(_FLAGGED)
        return runs

    def _generate(self, cell: Cell) -> Layout:
        """Ask the source for the layout to reveal `cell` on."""
        self._board = None  # a chord asks in the middle of a move
        is_protected = self.board.is_protected(cell)
        layout = self._accept(self._source.generate(self.board, cell))
        if is_protected and not layout.is_mine(cell):
            self._drawn_for = cell
        self._asked_at = cell
        self._board = None
        self._layout = layout
        return layout

    def _accept(self, layout: Layout) -> Layout:
        if layout.grid != self.grid or layout.mine_count != self.mine_count:
            raise LayoutError(
                f"the layout source promised {counted(self.mine_count, 'mine')} on {self.grid}, "
                f"and gave {layout.mine_count} on {layout.grid}"
            )
        if self._revealed and not layout.agrees_with(self.board):
            raise LayoutError("the layout source gave a layout that contradicts what the player has seen")
        return layout

    # --- the end --------------------------------------------------------------------------------

    def _is_won(self) -> bool:
        win = self.rules.win
        if all_safe_revealed(self.rules, self.grid.size, self.mine_count, self._revealed):
            return True
        return win is not Win.REVEALED and self._flags == self.mine_count and self._are_flags_right()

    def _are_flags_right(self) -> bool:
        """True if exactly the mines are flagged; nobody can tell before the layout is generated.

        Unless there is one layout only, as many flags as mines being set: with no mine, or with nothing else left.
        """
        if self.mine_count == 0 or self._revealed == self.grid.size - self.mine_count:
            return True
        if self._layout is None or not self._source.is_fixed:
            return False
        return CellSet.where(self._tiles.translate(_IS_FLAGGED)) == self._layout.mines

    def _update(self, runs: list[Run]) -> Update:
        tiles = self._tiles
        return Update(tuple([(Cell(start), bytes(tiles[start:end])) for start, end in runs]), self._status)
