"""One game in Python, move by move."""

from collections.abc import Callable

from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.record import Record, TimedMove
from sapper.core.record_binary import pack_record
from sapper.core.status import Status
from sapper.errors import SapperError, StrategyError
from sapper.game.game import Game
from sapper.game.referee import Referee
from sapper.metrics.layout import bbbv_of
from sapper.simulate.results import GameOutcome, SimulatedGame
from sapper.solver.strategies.base import Strategy

ENDLESS = 4
"""Moves without a reveal that a game may have at a stretch, a cell: setting and clearing every mark twice."""


class FaultError(StrategyError):
    """A fault of a strategy: its kind, and what happened."""

    def __init__(self, kind: str, why: str) -> None:
        self.kind = kind
        self.why = why
        super().__init__(f"{kind}: {why}")


def play_game(
    index: int, seed: int, referee: Referee, first: Cell, strategy: Strategy, *, with_bbbv: bool = False, recorded_as: str | None = None,
) -> SimulatedGame:  # fmt: skip
    """Play a game to its end. The strategy sees boards only; its `FaultError` ends the game. The game is recorded if there is a name for who plays."""
    game = Game.of(referee)
    played: list[TimedMove] = []

    def do(move: Move) -> None:
        update = game.play(move)
        if recorded_as is not None:
            played.append(TimedMove(0, move, update))

    do(Move.reveal(first))
    moves = 1
    guesses = idle = 0
    fault = ""
    while not game.status.ended:
        try:
            choice = strategy.choose(game.board)
            move = choice.move
            _play(do, move)
        except FaultError as error:
            fault = str(error)
            break
        moves += 1
        guesses += choice.risk != 0
        idle = 0 if move.action in (Action.REVEAL, Action.CHORD) else idle + 1
        if idle > ENDLESS * game.grid.size:
            fault = f"endless: {idle} moves without a reveal"
            break
    revealed = len(game.board.revealed) - (game.status is Status.LOST)
    result = GameOutcome.FAULT if fault else GameOutcome(game.status.value)
    bbbv = bbbv_of(referee.layout) if with_bbbv and referee.layout is not None else None
    record = None if recorded_as is None else pack_record(_record(referee, played, recorded_as))
    return SimulatedGame(index, seed, result, moves, guesses, revealed, bbbv, fault, record)


def _record(referee: Referee, played: list[TimedMove], player: str) -> Record:
    """The game; without its mines if a fault has ended it early. All times are 0."""
    layout = referee.layout
    mines = layout.mines if layout is not None and referee.status.ended else None
    return Record(
        rules=referee.rules, grid=referee.grid, mine_count=referee.mine_count, mines=mines, player=player, played=tuple(played)
    )  # fmt: skip


def _play(do: Callable[[Move], None], move: Move) -> None:
    try:
        do(move)
    except SapperError as error:
        raise FaultError("illegal", f"{move!r}: {error}") from None
