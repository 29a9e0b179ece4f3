"""What reviews of many games come to, where not all is known."""

from sapper.core.cells import CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.record import Record, TimedMove
from sapper.core.rules import RULES, Start
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.review.judging import review_game
from sapper.review.summary import by_kind, needless, reviewed_game
from tests.halves import by_reference


def test_a_cost_that_is_not_known_is_not_counted_as_none() -> None:
    """Three rows of 60 cells have too many layouts to be searched, and without the native library nothing is played out."""
    grid = Grid(60, 3)
    layout = Layout(grid, CellSet.of([grid.cell(2, 1), *range(10, 60, 2)]))
    referee = Referee(rules=RULES["classic"].replace(start=Start.ANY), source=FixedLayout(layout))
    moves = [Move.reveal(0), Move.reveal(29)]
    played = tuple(TimedMove(at, move, referee.play(move)) for at, move in enumerate(moves))
    rules = referee.board.rules.replace(start=Start.SAFE)
    record = Record(rules=rules, grid=grid, mine_count=layout.mine_count, played=played)
    with by_reference():
        review = review_game(record)
    game = reviewed_game(review, source="a", month="")
    total = needless([game])
    assert (total.count, total.cost, total.unknown) == (1, 0, 1)
    assert [(one.name, one.unknown) for one in by_kind([game])] == [("order of guesses", 1)]
