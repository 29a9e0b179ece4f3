"""What a strategy is: a named way to choose a move from a board."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from sapper.core.arguments import check_type
from sapper.core.board import Board
from sapper.core.move import Move
from sapper.core.rng import Rng


@dataclass(frozen=True, slots=True)
class Choice:
    """A move, and why."""

    move: Move
    reason: str
    """One sentence in words, for a player."""
    risk: float | None = None
    """The chance that the move reveals a mine, 0 if that is certain not to be; None if it was not computed."""

    def __post_init__(self) -> None:
        check_type("move", self.move, Move)
        check_type("reason", self.reason, str)


class Strategy(Protocol):
    """Chooses a move. It may keep what it learnt during a game; `choose` gets the whole board each time."""

    def choose(self, board: Board) -> Choice:
        """A legal move for a game that has not ended."""


StrategyFactory = Callable[[Rng], Strategy]
"""Makes a strategy for one game; all its randomness comes from the generator it is given."""
