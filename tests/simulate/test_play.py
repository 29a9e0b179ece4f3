"""One game, and what a chooser may do wrong in it."""

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rules import RULES
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.simulate.play import ENDLESS, FaultError, play_game
from sapper.simulate.results import GameOutcome, SimulatedGame
from sapper.solver.strategies.base import Choice, Strategy

LAYOUT = Layout(Grid(4, 1), CellSet.of([1]))


class _Script:
    """Plays what it is told."""

    def __init__(self, *moves: Move) -> None:
        self.moves = iter(moves)
        self.boards: list[Board] = []

    def choose(self, board: Board) -> Choice:
        self.boards.append(board)
        return Choice(next(self.moves), "", 0.0 if len(self.boards) % 2 == 0 else 0.5)


def _play(strategy: Strategy) -> SimulatedGame:
    referee = Referee(rules=RULES["modern"], source=FixedLayout(LAYOUT))
    return play_game(5, 77, referee, Cell(0), strategy)


@pytest.mark.parametrize(
    ("moves", "played"),
    [
        ([Move.reveal(2), Move.reveal(3)], SimulatedGame(5, 77, GameOutcome.WON, 3, 1, 3)),
        ([Move.flag(1), Move.reveal(2), Move.reveal(3)], SimulatedGame(5, 77, GameOutcome.WON, 4, 2, 3)),
        ([Move.reveal(1)], SimulatedGame(5, 77, GameOutcome.LOST, 2, 1, 1)),
        ([Move.terminate()], SimulatedGame(5, 77, GameOutcome.TERMINATED, 2, 1, 1)),
    ],
)
def test_games(moves: list[Move], played: SimulatedGame) -> None:
    assert _play(_Script(*moves)) == played


def test_an_illegal_move_loses_the_game() -> None:
    for move, why in ((Move.reveal(0), "revealed already"), (Move.reveal(99), "off the board")):
        played = _play(_Script(Move.reveal(2), move))
        assert (played.result, played.moves, played.revealed) == (GameOutcome.FAULT, 2, 2)
        assert played.fault.startswith(f"illegal: {move!r}: ")
        assert why in played.fault


def test_a_game_without_an_end() -> None:
    played = _play(_Script(*[Move.flag(1), Move.unflag(1)] * 20))
    assert played.result is GameOutcome.FAULT
    assert played.fault == f"endless: {ENDLESS * 4 + 1} moves without a reveal"


def test_a_strategy_without_an_answer() -> None:
    class Silent:
        def choose(self, board: Board) -> Choice:
            raise FaultError("timeout", "no move within 1 seconds")

    assert _play(Silent()) == SimulatedGame(
        5, 77, GameOutcome.FAULT, 1, 0, 1, None, "timeout: no move within 1 seconds"
    )


def test_strategies_see_boards_only() -> None:
    script = _Script(Move.reveal(2), Move.reveal(3))
    _play(script)
    assert [board.tiles for board in script.boards] == [bytes([1, 9, 9, 9]), bytes([1, 9, 1, 9])]
