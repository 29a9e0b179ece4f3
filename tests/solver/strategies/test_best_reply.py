"""`playouts`: flags are opinions."""

from sapper._kernels import batch
from sapper.core.notation import read_board
from sapper.core.rng import Rng
from sapper.solver.strategies.best_reply import SecondOpinionStrategy

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
    plain = SecondOpinionStrategy(Rng(1), batch.PLAYOUTS._replace(playouts=100)).choose(read_board(BOARD))
    flagged = BOARD.removesuffix("###\n") + "FFF\n"
    assert (
        SecondOpinionStrategy(Rng(1), batch.PLAYOUTS._replace(playouts=100)).choose(read_board(flagged)).move
        == plain.move
    )
