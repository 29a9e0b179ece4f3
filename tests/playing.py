"""Playing games in tests: scripts that fit any rules and any layout, and what each step led to."""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeVar

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.grid import PLANE, Grid, Topology
from sapper.core.move import Action, Move
from sapper.core.notation import write_board
from sapper.core.rules import Rules, find_rules
from sapper.core.update import Update
from sapper.errors import SapperError
from sapper.game.game import Game
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout

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


def layout_of(rows: str, topology: Topology = PLANE) -> Layout:
    """A layout drawn with `*` for mines and `/` between rows."""
    lines = rows.split("/")
    grid = Grid(len(lines[0]), len(lines), topology)
    return Layout(grid, CellSet.of(cell for cell, symbol in enumerate("".join(lines)) if symbol == "*"))


def game_on(rows: str, rules: Rules | str, topology: Topology = PLANE) -> Game:
    """A game on a layout drawn with `*` for mines and `/` between rows."""
    if isinstance(rules, str):
        rules = find_rules(rules)
    return Game(rules=rules, source=FixedLayout(layout_of(rows, topology)))


def seen(game: Game) -> str:
    """The board's text in one line, with `/` between rows."""
    return write_board(game.board, header=False).strip().replace("\n", "/")
