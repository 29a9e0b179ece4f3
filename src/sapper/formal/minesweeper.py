"""The operations of the formal specification, over the one engine.

>>> from sapper.formal.minesweeper import Minesweeper
>>> minesweeper = Minesweeper(seed=7)
>>> game = minesweeper.start_game()
>>> tile = minesweeper.flag(game.tile(3, 4))
>>> game.mines(), game.flags(), tile.is_flagged, minesweeper.games_played()
(15, 1, True, 1)

An operation whose pre-condition fails raises a named error, and changes nothing.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Protocol

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.preset import Preset, find_preset
from sapper.core.rng import Rng
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import IllegalMoveError, MoveFault
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.uncopyable import Uncopyable
from sapper.generator.new_game import new_game


class GameCounts(Protocol):
    """Counts the games of one player."""

    @property
    def played(self) -> int:
        """How many games were started."""

    @property
    def won(self) -> int:
        """How many games were won."""

    def record_start(self, *, one_game: bool) -> str:
        """A game has started; a name for it.

        `IllegalMoveError` if `one_game`, one at a time, is the rule and a game of this player is unfinished elsewhere.
        """

    def record_end(self, name: str, status: Status) -> None:
        """The game of that name has ended so; a second end of a game changes nothing."""


class MemoryCounts:
    """Counts that last as long as the process."""

    __slots__ = ("_open", "_played", "_won")

    def __init__(self, *, played: int = 0, won: int = 0) -> None:
        """`played` and `won` are counts to go on from."""
        self._played = played
        self._won = won
        self._open: set[str] = set()

    @property
    def played(self) -> int:
        """How many games were started."""
        return self._played

    @property
    def won(self) -> int:
        """How many games were won."""
        return self._won

    def record_start(self, *, one_game: bool) -> str:  # nobody else has these counts
        """A game has started; a name for it."""
        self._played += 1
        name = str(self._played)
        self._open.add(name)
        return name

    def record_end(self, name: str, status: Status) -> None:
        """The game of that name has ended so; a second end of a game changes nothing."""
        if name in self._open:
            self._open.remove(name)
            self._won += status is Status.WON


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


# Games and tiles with the names of the formal specification.
#
# A `FormalTile` is a place in one game, for as long as the game lasts; whether it is hidden, flagged or revealed is
# looked up when asked. (Elsewhere in sapper a place is a *cell*, and a tile is what is seen there.)
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
        """True if it is neither revealed nor flagged."""
        return not self.is_revealed and not self.is_flagged

    @property
    def is_flagged(self) -> bool:
        """True if it is flagged."""
        return self.game.board.tile(self.cell) is Tile.FLAGGED

    @property
    def is_revealed(self) -> bool:
        """True if it is revealed, be it empty or the mine that ended the game."""
        return self.game.board.tile(self.cell).is_revealed

    def is_adjacent(self, tile: "FormalTile") -> bool:
        """True if the two are tiles of one game, and neighbours; no tile is its own."""
        return tile.game is self.game and self.game.board.grid.are_neighbours(self.cell, tile.cell)

    def adjacent_mines(self) -> int:
        """The number of mines beside this tile, 0 to 8.

        The specification says it of an *Empty* tile only, and which tiles are empty is not known to a
        player until they are revealed: `AccessError` for a tile that is not both.
        """
        return self.game.board.clue(self.cell)


class Minesweeper(Uncopyable):
    """One player's Minesweeper: the specification's use cases.

    `seed` gives the layouts, a new one for each game; `counts` keeps the counts, which go on from what
    it holds; `preset` says how and on what is played.
    """

    __slots__ = ("_counts", "_current", "_preset", "_rng")

    def __init__(self, *, seed: int, counts: GameCounts | None = None, preset: Preset | str = "formal") -> None:
        """`InvalidValueError` for a seed that is not 0 to 2**64 - 1, `UnknownNameError` for an unknown preset."""
        self._rng = Rng(seed)
        self._counts: GameCounts = MemoryCounts() if counts is None else counts
        self._preset = find_preset(preset) if isinstance(preset, str) else preset
        self._current: FormalGame | None = None

    # --- one game after the other -------------------------------------------------------------------

    def start_game(self) -> FormalGame:
        """A new game. It is started, and recorded as that, at once.

        Pre-condition: no game of this player is unfinished, where the rules allow one at a time; `IllegalMoveError`. A counts that
        lasts knows games of other objects and processes too. A game whose process has gone is terminated here.
        """
        if self._preset.rules.one_game and self._current is not None and not self._current.is_ended:
            raise IllegalMoveError(
                "a game is still unfinished: end it, or terminate it, before starting another", MoveFault.UNFINISHED
            )
        # By the number of games played, so that a player who comes back does not get the same games again.
        game = new_game(self._preset, seed=self._rng.split(self._counts.played).seed)
        name = self._counts.record_start(one_game=self._preset.rules.one_game)
        self._current = FormalGame(game, self._counts, name)
        return self._current

    def terminate_game(self, game: FormalGame) -> FormalGame:
        """Give a game up: it is played and not won. The game is returned, terminated.

        Pre-condition: it has not ended; `IllegalMoveError`.
        """
        game.play(Move.terminate())
        return game

    def games_played(self) -> int:
        """The number of games started, the one being played included."""
        return self._counts.played

    def games_won(self) -> int:
        """The number of games won."""
        return self._counts.won

    # --- tiles ------------------------------------------------------------------------------------------

    def reveal(self, tile: FormalTile) -> FormalTile:
        """Reveal a hidden tile; the tile is returned, revealed. `game.last_update` has all that changed.

        Pre-conditions: its game has not ended, `IllegalMoveError`; it is hidden, not revealed
        (`IllegalMoveError`) and not flagged (`IllegalMoveError`).
        """
        tile.game.play(Move.reveal(tile.cell))
        return tile

    def flag(self, tile: FormalTile) -> FormalTile:
        """Flag a hidden tile; the tile is returned, flagged.

        Pre-conditions: as for `reveal`, with the same errors.
        """
        tile.game.play(Move.flag(tile.cell))
        return tile

    def remove_flag(self, tile: FormalTile) -> FormalTile:
        """Take the flag off a flagged tile; the tile is returned, hidden.

        Pre-conditions: its game has not ended, `IllegalMoveError`; it is flagged, not revealed
        (`IllegalMoveError`) and not hidden (`IllegalMoveError`).
        """
        tile.game.play(Move.unflag(tile.cell))
        return tile
