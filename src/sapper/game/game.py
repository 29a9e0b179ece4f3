"""The player's object: a board to look at and moves to make."""

from sapper.core.board import Board, left_click, right_click
from sapper.core.cells import Cell
from sapper.core.display import shown
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import Rules
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import LayoutSource
from sapper.game.uncopyable import Uncopyable


class Game(Uncopyable):
    """One game, as its player has it.

    `check` raises why a move is not legal, `is_legal` answers, `play` plays it and returns what changed.
    `reveal`, `flag`, … are `play` with a move made for you. `left_click` and `right_click` are a hand's:
    they never raise for a rule, and answer an empty update where a click means nothing.
    """

    __slots__ = ("__referee",)

    def __init__(self, *, rules: Rules, source: LayoutSource) -> None:
        """A new game by these rules on a layout from this source."""
        self._hold(Referee(rules=rules, source=source))

    def _hold(self, referee: Referee) -> None:
        self.__referee = referee

    @classmethod
    def of(cls, referee: Referee) -> "Game":
        """The player's handle on a referee's game."""
        self = cls.__new__(cls)
        self._hold(referee)
        return self

    def __repr__(self) -> str:
        return f"<Game {self.board.summary}>"

    def _repr_svg_(self) -> str | None:
        """The picture that a notebook shows: the board."""
        return shown("svg", self.board)

    def _repr_html_(self) -> str | None:
        """The same within a page."""
        return shown("html", self.board, self.board.summary)

    # --- what the player sees ---------------------------------------------------------------------

    @property
    def board(self) -> Board:
        """The board as it is now."""
        return self.__referee.board

    @property
    def status(self) -> Status:
        """How the game stands."""
        return self.__referee.status

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.__referee.rules

    @property
    def grid(self) -> Grid:
        """The grid of the game."""
        return self.__referee.grid

    @property
    def mine_count(self) -> int:
        """How many mines there are."""
        return self.__referee.mine_count

    @property
    def layout(self) -> Layout:
        """Where the mines were; `AccessError` unless the game has ended with a layout generated."""
        return self.__referee.layout_at_the_end

    # --- moves --------------------------------------------------------------------------------------

    def check(self, move: Move) -> None:
        """Raise the `IllegalMoveError` that says why the move is not legal now."""
        self.__referee.check(move)

    def is_legal(self, move: Move) -> bool:
        """True if the move may be played now."""
        return self.board.is_legal(move)

    def play(self, move: Move) -> Update:
        """Play a move and return what it changed; `IllegalMoveError` if it is not legal."""
        return self.__referee.play(move)

    def reveal(self, cell: int) -> Update:
        """Uncover a covered cell."""
        return self.play(Move.reveal(cell))

    def flag(self, cell: int) -> Update:
        """Mark a covered cell as a mine."""
        return self.play(Move.flag(cell))

    def unflag(self, cell: int) -> Update:
        """Take a flag away."""
        return self.play(Move.unflag(cell))

    def chord(self, cell: int) -> Update:
        """Reveal what a satisfied clue leaves."""
        return self.play(Move.chord(cell))

    def terminate(self) -> Update:
        """Give the game up."""
        return self.play(Move.terminate())

    def left_click(self, cell: int) -> Update:
        """Reveal, chord, or nothing. `CellError` off the grid."""
        return self._click(left_click(self.board, Cell(cell)))

    def right_click(self, cell: int) -> Update:
        """Flag, question mark, unflag, or nothing. `CellError` off the grid."""
        return self._click(right_click(self.board, Cell(cell)))

    def _click(self, move: Move | None) -> Update:
        return Update.nothing(self.status) if move is None else self.play(move)
