"""The visible states of a cell."""

from enum import IntEnum, unique


@unique
class Tile(IntEnum):
    """The visible state of one cell. Codes 0 to 8 are the clue itself."""

    ZERO = 0
    ONE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    COVERED = 9
    FLAGGED = 10
    QUESTION = 11
    """Covered, with a question mark."""
    MINE = 12
    """A mine shown at the end of a game; not revealed."""
    EXPLODED = 13
    """The mine that was revealed, and ended the game."""
    WRONG_FLAG = 14
    """A flag shown to be on a safe cell, at the end of a game."""

    @property
    def is_clue(self) -> bool:
        """True if it is a revealed safe cell, 0 included."""
        return self <= Tile.EIGHT

    @property
    def is_revealed(self) -> bool:
        """True if the cell was revealed: a clue, or the mine that exploded."""
        return self <= Tile.EIGHT or self is Tile.EXPLODED


CLUES = frozenset(range(Tile.EIGHT + 1))
"""Codes of revealed safe cells."""
UNMARKED = bytes.maketrans(bytes([Tile.FLAGGED, Tile.QUESTION]), bytes([Tile.COVERED, Tile.COVERED]))
"""For `bytes.translate`: flags and question marks, which are opinions, become covered cells."""
