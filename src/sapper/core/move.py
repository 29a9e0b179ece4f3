"""The moves of a player."""

from enum import IntEnum, unique
from typing import NamedTuple

from sapper.core.arguments import check_type
from sapper.core.cells import Cell


@unique
class Action(IntEnum):
    """A kind of move; the codes are those of formats and kernels."""

    REVEAL = 0
    """Uncover the cell; a zero goes on to its neighbours."""
    FLAG = 1
    """Mark the cell as a mine."""
    UNFLAG = 2
    """Take the flag away."""
    QUESTION = 3
    """Put a question mark, in place of a flag if there is one."""
    UNQUESTION = 4
    """Take the question mark away."""
    CHORD = 5
    """Reveal all unflagged neighbours of a clue that has as many flags beside it."""
    TERMINATE = 6
    """Give the game up; the cell does not matter and is 0."""


def _cell(cell: object) -> Cell:
    if not isinstance(cell, int):
        check_type("cell", cell, int)
    return cell  # type: ignore[return-value]  # calling `Cell` would take as long again


class Move(NamedTuple):
    """One move: an action and the cell it is done to."""

    action: Action
    cell: Cell

    @classmethod
    def reveal(cls, cell: int) -> "Move":
        """Uncover a cell."""
        return cls(Action.REVEAL, _cell(cell))

    @classmethod
    def flag(cls, cell: int) -> "Move":
        """Mark a cell as a mine."""
        return cls(Action.FLAG, _cell(cell))

    @classmethod
    def unflag(cls, cell: int) -> "Move":
        """Take a flag away."""
        return cls(Action.UNFLAG, _cell(cell))

    @classmethod
    def question(cls, cell: int) -> "Move":
        """Put a question mark."""
        return cls(Action.QUESTION, _cell(cell))

    @classmethod
    def unquestion(cls, cell: int) -> "Move":
        """Take a question mark away."""
        return cls(Action.UNQUESTION, _cell(cell))

    @classmethod
    def chord(cls, cell: int) -> "Move":
        """Reveal what a satisfied clue leaves."""
        return cls(Action.CHORD, _cell(cell))

    @classmethod
    def terminate(cls) -> "Move":
        """Give the game up."""
        return cls(Action.TERMINATE, Cell(0))

    def __repr__(self) -> str:
        if self.action is Action.TERMINATE:
            return "Move.terminate()"
        return f"Move.{self.action.name.lower()}({self.cell})"
