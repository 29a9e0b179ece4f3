"""`deep`: flags are opinions."""

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


def test_flags_are_opinions() -> None:
    plain = DeepStrategy(Rng(1), batch.DEEP._replace(playouts=100)).choose(read_board(BOARD))
    flagged = BOARD.removesuffix("###\n") + "FFF\n"
    assert DeepStrategy(Rng(1), batch.DEEP._replace(playouts=100)).choose(read_board(flagged)).move == plain.move
