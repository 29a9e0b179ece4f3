"""The kata's game on a given layout: steps and marks with their answers, and getting to a board that is shown."""

from collections.abc import Iterator

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.core.rules import RULES
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.kata.messages import EXAMPLES, Catalogue, StepMessage, answer
from sapper.render import kata as view

RULES_OF_KATA = RULES["kata"]


class Sandbox:
    """One game of the kata. It can be forked, to see what a move would lead to."""

    __slots__ = ("_referee", "catalogue", "layout")

    def __init__(self, layout: Layout, catalogue: Catalogue = EXAMPLES) -> None:
        self.layout = layout
        self.catalogue = catalogue
        self._referee = Referee(rules=RULES_OF_KATA, source=FixedLayout(layout))

    @property
    def grid(self) -> Grid:
        return self.layout.grid

    @property
    def board(self) -> Board:
        return self._referee.board

    @property
    def bomb_count(self) -> int:
        return self.layout.mine_count

    @property
    def has_won(self) -> bool:
        return self._referee.status is Status.WON

    @property
    def possible_steps(self) -> list[Cell]:
        """The squares that can be stepped on, marked ones included."""
        return [move.cell for move in self.board.legal_moves.of(Action.REVEAL)]

    def play(self, move: Move) -> StepMessage:
        """Carry out a move; `IllegalMoveError` if it is not legal."""
        self._referee.play(move)
        return answer(self.board, move, self.catalogue)

    def fork(self) -> "Sandbox":
        """The same game at the same moment, apart from this one."""
        other = Sandbox(self.layout, self.catalogue)
        other._referee.restore(self._referee.snapshot())
        return other

    def set_up(self, tiles: bytes) -> bool:
        """Play from the new game until the board shows these tiles; False if no play leads there."""
        for move in _moves_to(self.layout, tiles):
            if self.board.tiles[move.cell] != tiles[move.cell]:
                if self._referee.status.ended:
                    return False
                self._referee.play(move)
        return self.board.tiles == tiles

    def __repr__(self) -> str:
        return f"Sandbox({view.bombs(self.grid, self.layout.clues)!r})"


def move_to(tiles: bytes, wanted: bytes, cell: int) -> Move | None:
    """The one move that could make a square show what is wanted there; None if it does already, or none can."""
    now, then = tiles[cell], wanted[cell]
    if now == then or now not in (Tile.COVERED, Tile.FLAGGED):
        return None
    if then == Tile.COVERED:
        return Move.unflag(cell)
    return Move.flag(cell) if then == Tile.FLAGGED else Move.reveal(cell)


def _moves_to(layout: Layout, tiles: bytes) -> Iterator[Move]:
    """All that is to be done for a board, in an order that works if any does.

    A cascade clears marks, but never those on bombs; a win or a loss ends the game. So: marks on bombs,
    zeros with their cascades, marks on safe squares (which keep the game from being won), the rest, the bomb.
    """
    marks = [cell for cell, tile in enumerate(tiles) if tile == Tile.FLAGGED]
    yield from (Move.flag(cell) for cell in marks if layout.is_mine(cell))
    yield from (Move.reveal(cell) for cell, tile in enumerate(tiles) if tile == Tile.ZERO)
    yield from (Move.flag(cell) for cell in marks if not layout.is_mine(cell))
    yield from (Move.reveal(cell) for cell, tile in enumerate(tiles) if Tile.ONE <= tile <= Tile.EIGHT)
    yield from (Move.reveal(cell) for cell, tile in enumerate(tiles) if tile == Tile.EXPLODED)
