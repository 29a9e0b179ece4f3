"""The kata's messages, in the two wordings that its document has."""

from dataclasses import dataclass
from typing import NamedTuple

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.render import kata as view


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """One wording: how it counts no bomb, and one."""

    name: str
    none: str
    one: str

    def around(self, clue: int) -> str:
        counted = {0: self.none, 1: self.one}.get(clue, f"{clue} bombs")
        return f"{counted} around your square."


EXAMPLES = Catalogue(name="examples", none="No bomb", one="1 bomb")
"""The wording of the scenarios and examples, and of the bot."""

UATS = Catalogue(name="uats", none="0 bomb", one="1 bombs")
"""The wording of the acceptance tests."""

CREATED = "Game created"
EXPLODED = "BOOM! \N{EN DASH} Game Over."
CLEARED = "the land is cleared! GOOD JOB!"
FLAGGED = "Square flagged as bomb."
UNFLAGGED = "Square unflagged as bomb."
# Moves of other rule sets, for which the kata has no words.
QUESTIONED = "Square marked with a question mark."
UNQUESTIONED = "Question mark taken away."
TERMINATED = "Game given up."

_OF_MARKS = {
    Action.FLAG: FLAGGED,
    Action.UNFLAG: UNFLAGGED,
    Action.QUESTION: QUESTIONED,
    Action.UNQUESTION: UNQUESTIONED,
    Action.TERMINATE: TERMINATED,
}


class StepMessage(NamedTuple):
    """What the player is told after a move."""

    symbol: str
    """What the square shows now."""
    message: str
    """The message of the move itself."""
    printed: str
    """The message in print: that of the end where the move ended the game."""


def created(grid: Grid) -> str:
    """The message of a new game.

    >>> created(Grid(3, 3))
    '[Sandbox 3x3] Game created'
    """
    return f"{view.name(grid)} {CREATED}"


def answer(board: Board, move: Move, catalogue: Catalogue = EXAMPLES) -> StepMessage:
    """What follows a move; `board` is the one after it."""
    name = view.name(board.grid)
    own = _own(board, move, catalogue)
    printed = {Status.WON: CLEARED, Status.LOST: EXPLODED}.get(board.status, own)
    return StepMessage(view.symbol(board, move.cell), f"{name} {own}", f"{name} {printed}")


def _own(board: Board, move: Move, catalogue: Catalogue) -> str:
    if move.action in _OF_MARKS:
        return _OF_MARKS[move.action]
    tile = board.tile(move.cell)
    if tile is Tile.EXPLODED or board.status is Status.LOST:  # a chord explodes beside its own square
        return EXPLODED
    return catalogue.around(tile)
