"""`deep`: a budget of seconds is kept by the clock; flags are opinions."""

from itertools import count

from sapper._kernels import batch
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.solver.strategies.expert import DeepStrategy

BOARD = """9x9/10
#########
#########
#########
#########
####1####
#########
#########
#########
#########
"""


def test_thinking_ends_when_the_time_is_over() -> None:
    """The clock moves a millisecond each time that it is looked at."""
    looks = count()
    parts = batch.DEEP._replace(milliseconds=30)
    strategy = DeepStrategy(Rng(1), parts, clock=lambda: next(looks) / 1000)
    choice = strategy.choose(read_board(BOARD))
    assert choice.risk is not None
    assert 0 < choice.risk < 0.2
    assert 30 <= next(looks) <= 40


def test_flags_are_opinions() -> None:
    plain = DeepStrategy(Rng(1), batch.DEEP._replace(playouts=100)).choose(read_board(BOARD))
    flagged = BOARD.removesuffix("###\n") + "FFF\n"
    assert DeepStrategy(Rng(1), batch.DEEP._replace(playouts=100)).choose(read_board(flagged)).move == plain.move
