"""How a game was lost: the move that revealed a mine, and what could be known before it.

The game is played again, so nothing has to be kept of the thousands that were played.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from sapper.core.board import Board, revealed_by
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.status import Status
from sapper.errors import SapperError
from sapper.game.game import Game
from sapper.simulate.external import DEFAULT_MOVE_LIMIT, Child, ExternalStrategy, is_stranger
from sapper.simulate.plan import Plan
from sapper.simulate.results import SimulatedGame
from sapper.solver.analysis import Analysis, analyse_what_can_be
from sapper.solver.strategies.base import Choice, Strategy
from sapper.solver.strategies.registry import find_strategy


@dataclass(frozen=True, slots=True, kw_only=True)
class Loss:
    """The moment that a game was lost in."""

    played: SimulatedGame
    number: int
    """Which move it was, from 1."""
    choice: Choice
    """The move, with the reason and the risk that the strategy gave."""
    board: Board = field(repr=False)
    """The board before it."""
    risk: float | None
    """The exact chance that the move reveals a mine (of a chord: at least that); None where the board is too hard."""
    least_risk: float | None
    """The least chance to be a mine of any covered cell; None where the board is too hard and none is known to be safe."""
    least_cell: Cell | None
    """A cell that has it, the lowest."""
    safe: CellSet
    """The cells that were certain to be safe."""


@contextmanager
def strategies(name: str, move_limit: float = DEFAULT_MOVE_LIMIT) -> Iterator[Callable[[Rng], Strategy]]:
    """What makes a strategy for a game; one that is not sapper's own thinks in a process that ends with the context."""
    if not is_stranger(name):
        yield find_strategy(name)
        return
    child = Child(name)
    try:
        yield lambda rng: ExternalStrategy(child, rng, move_limit)
    finally:
        child.end()


def loss_of(plan: Plan, played: SimulatedGame, make: Callable[[Rng], Strategy]) -> Loss | None:
    """How a lost game was lost. None if the strategy, asked again, does not lose it: then not all of it follows from the seed."""
    referee, first = plan.referee(played.number)
    game = Game.of(referee)
    strategy = make(plan.strategy_rng(played.number))
    choice = Choice(Move.reveal(first), "the game begins here")
    number = 0
    try:
        while True:
            board = game.board
            number += 1
            game.play(choice.move)
            if game.status.ended or number > played.moves:
                break
            choice = strategy.choose(game.board)
    except SapperError:
        return None
    if game.status is not Status.LOST or number != played.moves:
        return None
    return _explained(played, number, choice, board)


def _explained(played: SimulatedGame, number: int, choice: Choice, board: Board) -> Loss:
    analysis = analyse_what_can_be(board)
    risk = least = cell = None
    if isinstance(analysis, Analysis):
        risk = max(analysis.risk(struck) for struck in revealed_by(board, choice.move))
        least, cell = analysis.least_risk, analysis.least_risky
    elif analysis.safe:
        least, cell = 0.0, next(iter(analysis.safe))
    return Loss(
        played=played,
        number=number,
        choice=choice,
        board=board,
        risk=risk,
        least_risk=least,
        least_cell=cell,
        safe=analysis.safe,
    )
