"""Playing games in tests: scripts that fit any rules and any layout, and what each step led to."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from sapper.core.board import Board
from sapper.core.move import Action, Move
from sapper.core.update import Update
from sapper.errors import SapperError
from sapper.game.referee import Referee

T = TypeVar("T")

Script = list[tuple[str, int]]
"""What to try, and a number to choose the cell by."""

# Twice what leads far into a game: a random game mostly ends at its second reveal.
KINDS = ("safe", "safe", "safe", "mine", "mine", "chord", "chord", "reveal", "flag", "unflag", "question", "unquestion")

_ACTIONS = {
    "reveal": Action.REVEAL,
    "safe": Action.REVEAL,
    "flag": Action.FLAG,
    "mine": Action.FLAG,
    "unflag": Action.UNFLAG,
    "chord": Action.CHORD,
    "question": Action.QUESTION,
    "unquestion": Action.UNQUESTION,
}


class Step(NamedTuple):
    """One move of a game: the board before it, the move, what it changed, the board after it."""

    before: Board
    move: Move
    update: Update
    after: Board


def choose(referee: Referee, kind: str, number: int) -> Move | None:
    """The legal move of that kind which the number picks: `safe` and `mine` know the layout."""
    moves = list(referee.board.legal_moves.of(_ACTIONS[kind]))
    layout = referee.layout
    if layout is not None and kind in ("safe", "mine"):
        moves = [move for move in moves if layout.is_mine(move.cell) == (kind == "mine")]
    return moves[number % len(moves)] if moves else None


def play(referee: Referee, script: Script) -> Iterator[Step]:
    """Play what of the script is possible."""
    for kind, number in script:
        if referee.status.ended:
            return
        move = choose(referee, kind, number)
        if move is not None:
            before = referee.board
            update = referee.play(move)
            yield Step(before, move, update, referee.board)


def outcome(act: Callable[[], T]) -> T | SapperError:
    """What `act` gives, or the error that sapper raises on purpose; any other error is a bug."""
    try:
        return act()
    except SapperError as error:
        return error
