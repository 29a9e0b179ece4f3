"""Input and output of the native player of whole games.

There is no twin of it here: what plays games in Python is the engine itself, with a strategy.
"""

from collections.abc import Sequence
from typing import NamedTuple

LOST = 0
WON = 1
UNSOLVED = 2
"""How a game ended; UNSOLVED: it was too hard for the kernel, and is to be played by Python from its beginning."""


class Series(NamedTuple):
    """Games that differ in their number only."""

    starts: Sequence[int]
    """The neighbour table."""
    cells: Sequence[int]
    width: int
    """Of a rectangle with eight neighbours; 0 for any other grid."""
    mine_counts: Sequence[int]
    """The number of mines, or those that each game draws one of."""
    start: int
    """0 any, 1 safe, 2 open."""
    first: int
    """The cell that every game reveals first."""
    seed: int


class EndedGame(NamedTuple):
    """How one game ended; a guess is a move that was not certain, the first one not counted."""

    ending: int
    moves: int
    guesses: int
    revealed: int
    """Safe cells revealed."""
