"""The inputs of a player as values; a saved game is a list of them."""

from collections.abc import Sequence
from enum import Enum, unique
from typing import Any, NamedTuple

from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Action, Move
from sapper.errors import RecordError


@unique
class Verb(Enum):
    """A kind of input; the texts are those of saved games."""

    LEFT = "left"
    RIGHT = "right"
    REVEAL = "reveal"
    FLAG = "flag"
    UNFLAG = "unflag"
    QUESTION = "question"
    UNQUESTION = "unquestion"
    CHORD = "chord"
    TERMINATE = "terminate"
    UNDO = "undo"
    REDO = "redo"
    RESTART = "restart"
    PAUSE = "pause"
    AUTO_PAUSE = "auto pause"
    GO_ON = "go on"
    HINT = "hint"
    SHOW = "show"
    OVERLAY = "overlay"
    NO_OVERLAY = "no overlay"
    AID = "aid"

    __hash__ = object.__hash__  # members are looked up with each input, and Enum's own hash is a function in Python


ACTIONS = {Verb[action.name]: action for action in Action}
"""The verbs that are moves."""
VERBS = {action: verb for verb, action in ACTIONS.items()}


class Input(NamedTuple):
    """One input: when, what, and where."""

    at: int
    """Milliseconds on the game's clock."""
    verb: Verb
    cell: Cell = Cell(0)
    cells: CellSet = CellSet()
    """Of a hint: the cells that it is about."""

    @classmethod
    def of(cls, at: int, move: Move) -> "Input":
        return cls(at, VERBS[move.action], move.cell)

    def to_list(self) -> list[Any]:
        return [self.at, self.verb.value, list(self.cells) if self.verb is Verb.HINT else self.cell]

    def to_json(self) -> str:
        where = f"[{','.join(map(str, self.cells))}]" if self.verb is Verb.HINT else self.cell
        return f'[{self.at},"{self.verb._value_}",{where}]'  # `value` is a function in Python, and this is written for each move

    @classmethod
    def from_list(cls, grid: Grid, values: Sequence[Any]) -> "Input":
        """What `to_list` made. `RecordError`, or what Python raises, for anything else."""
        at, verb, where = values
        if type(at) is not int or at < 0:
            raise RecordError(f"the time of an input is milliseconds from 0 on, not {at!r}")
        verb = Verb(verb)
        for cell in where if verb is Verb.HINT else [where]:
            if type(cell) is not int:
                raise RecordError(f"a cell is a whole number, not {cell!r}")
            grid.check(cell)
        if verb is Verb.HINT:
            return cls(at, verb, cells=CellSet.of(where))
        return cls(at, verb, Cell(where))
