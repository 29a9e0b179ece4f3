"""Promises about a layout that the board does not show."""

from enum import Enum, unique


@unique
class Promise(Enum):
    """A promise to the player about the layout."""

    NO_GUESS = "no guess"
    """From the promised first cell on, some covered cell is certain to be safe until the game is won."""
    KABOOM = "kaboom"
    """A reveal where no covered cell is certain is safe; where one is, revealing another that is not meets a mine."""
