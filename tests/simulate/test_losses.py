"""The moment that a game was lost in."""

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Move
from sapper.core.preset import find_preset
from sapper.generator.board_file import read_board_list
from sapper.simulate.losses import loss_of
from sapper.simulate.plan import Plan
from sapper.simulate.results import GameOutcome, SimulatedGame
from sapper.solver.strategies.base import Choice


class _Script:
    """Plays the moves it is given."""

    def __init__(self, *moves: Move) -> None:
        self._moves = iter(moves)

    def choose(self, board: Board) -> Choice:
        return Choice(next(self._moves), "as written")


def _plan(line: str) -> Plan:
    boards = tuple(read_board_list([line]))
    return Plan(preset=find_preset("expert"), games=1, first=boards[0].first, boards=boards)


def _lost(moves: int) -> SimulatedGame:
    return SimulatedGame(0, 1, GameOutcome.LOST, moves, 0, 0)


def test_a_risk_where_something_was_safe() -> None:
    plan = _plan("4 1 1 2 1")  # "#1##": the mine is at 0 or 2, and 3 is safe
    loss = loss_of(plan, _lost(2), lambda _: _Script(Move.reveal(2)))
    assert loss is not None
    assert (loss.number, loss.risk, loss.least_risk, loss.least_cell, list(loss.safe)) == (2, 0.5, 0.0, Cell(3), [3])
    assert str(loss.board) == "#1##"


def test_a_chord_on_a_wrong_flag_risks_what_it_reveals() -> None:
    plan = _plan("4 1 1 2 1")
    moves = (Move.flag(0), Move.chord(1))
    loss = loss_of(plan, _lost(3), lambda _: _Script(*moves))
    assert loss is not None
    assert (loss.choice.move, loss.risk) == (Move.chord(1), 0.5)


def test_a_game_that_goes_otherwise_is_no_loss() -> None:
    plan = _plan("4 1 1 2 1")
    scripts = [(Move.reveal(3), Move.reveal(0)), (Move.reveal(3), Move.reveal(2)), (Move.reveal(1),)]
    for number in range(3):
        assert loss_of(plan, _lost(2), lambda _, number=number: _Script(*scripts[number])) is None  # type: ignore[misc]
