"""Games and tiles with the names of the formal specification.

A `FormalTile` is a place in one game, for as long as the game lasts; whether it is hidden, flagged or
revealed is looked up when asked. (Elsewhere in sapper a place is a *cell*, and a tile is what is seen there.)
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.formal.counts import GameCounts
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable


class FormalGame(Uncopyable):
    """One game of the specification: *Game*, with its *Victory*, *Loss*, *Terminated* and *Ended*."""

    __slots__ = ("_counts", "_game", "_name", "last_update")

    last_update: Update
    """The changes of the last operation, for redrawing."""

    def __init__(self, game: Game, counts: GameCounts, name: str) -> None:
        """A started game, which has that name in `counts`; its end is counted there."""
        self._game = game
        self._counts = counts
        self._name = name
        self.last_update = Update.nothing(game.status)

    def mines(self) -> int:
        """The number of mines; 0 to 100 on a board of 10×10."""
        return self._game.mine_count

    def flags(self) -> int:
        """The number of flagged tiles; 0 to 100 on a board of 10×10."""
        return self._game.board.flag_count

    @property
    def status(self) -> Status:
        """How the game stands."""
        return self._game.status

    @property
    def is_ended(self) -> bool:
        """*Ended*: won, lost or terminated."""
        return self._game.status.ended

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self._game.board

    @property
    def layout(self) -> Layout:
        """Where the mines were; `AccessError` until the game has ended."""
        return self._game.layout

    def tile(self, x: int, y: int) -> "FormalTile":
        """The tile in column `x` of row `y`, from 0 at the top left; `CellError` off the board."""
        return FormalTile(self, self._game.grid.cell(x, y))

    def tiles(self) -> Iterator["FormalTile"]:
        """All tiles of the game, row by row."""
        return (FormalTile(self, Cell(cell)) for cell in range(self._game.grid.size))

    def play(self, move: Move) -> Update:
        """Play a move; a named `IllegalMoveError` if its pre-condition fails, and then nothing has changed."""
        self.last_update = self._game.play(move)
        if self.is_ended:
            self._counts.record_end(self._name, self.status)
        return self.last_update


@dataclass(frozen=True, slots=True)
class FormalTile:
    """One tile of one game: *Hidden*, *Flagged* or *Revealed*."""

    game: FormalGame = field(repr=False)
    cell: Cell

    @property
    def x(self) -> int:
        """The column, from 0 at the left."""
        return self.game.board.grid.xy(self.cell)[0]

    @property
    def y(self) -> int:
        """The row, from 0 at the top."""
        return self.game.board.grid.xy(self.cell)[1]

    @property
    def is_hidden(self) -> bool:
        """Whether it is neither revealed nor flagged."""
        return not self.is_revealed and not self.is_flagged

    @property
    def is_flagged(self) -> bool:
        """Whether it is flagged."""
        return self.game.board.tile(self.cell) is Tile.FLAGGED

    @property
    def is_revealed(self) -> bool:
        """Whether it is revealed, be it empty or the mine that ended the game."""
        return self.game.board.tile(self.cell).is_revealed

    def is_adjacent(self, tile: "FormalTile") -> bool:
        """Whether the two are tiles of one game, and neighbours; no tile is its own."""
        return tile.game is self.game and self.game.board.grid.are_neighbours(self.cell, tile.cell)

    def adjacent_mines(self) -> int:
        """The number of mines beside this tile, 0 to 8.

        The specification says it of an *Empty* tile only, and which tiles are empty is not known to a
        player until they are revealed: `AccessError` for a tile that is not both.
        """
        return self.game.board.clue(self.cell)
