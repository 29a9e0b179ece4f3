"""The operations of the formal specification, over the one engine.

>>> from sapper.formal.minesweeper import Minesweeper
>>> minesweeper = Minesweeper(seed=7)
>>> game = minesweeper.start_game()
>>> tile = minesweeper.flag(game.tile(3, 4))
>>> game.mines(), game.flags(), tile.is_flagged, minesweeper.games_played()
(15, 1, True, 1)

An operation whose pre-condition fails raises a named error, and changes nothing.
"""

from sapper.core.move import Move
from sapper.core.preset import Preset, find_preset
from sapper.core.rng import Rng
from sapper.errors import IllegalMoveError, MoveFault
from sapper.formal.counts import GameCounts, MemoryCounts
from sapper.formal.game import FormalGame, FormalTile
from sapper.game.uncopyable import Uncopyable
from sapper.generator.new_game import new_game


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
