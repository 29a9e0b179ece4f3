"""Counts and best times."""

from sapper.core.status import Status
from sapper.session.events import Finished, Marks
from sapper.web.new_game import kind_of, read_new_game
from sapper.web.standing import Standing
from tests.sessions import Play

KIND = kind_of(read_new_game({}, most_cells=81).game(1))


def _won(milliseconds: int, marks: Marks | None = None) -> Finished:
    play = Play("beginner")
    play.session.left_click(40)
    layout = play.referee.layout
    assert layout is not None
    for cell in range(81):
        if cell not in layout.mines and not play.session.status.ended:
            play.session.left_click(cell)
    record = play.session.record()
    assert record.status is Status.WON
    return Finished(record=record, marks=marks or Marks(), milliseconds=milliseconds)


def test_the_best_time_is_the_least_of_unaided_wins() -> None:
    standing = Standing(played=5, won=1)
    for milliseconds, marks, best in (
        (900, None, True),
        (950, None, False),
        (900, None, True),
        (100, Marks(hints=1), False),
        (800, Marks(pauses=1), True),
    ):
        standing.start()
        standing.end(KIND, _won(milliseconds, marks))
        assert standing.is_best(KIND, milliseconds) is best
    assert (standing.played, standing.won, standing.bests[KIND]) == (10, 6, 800)


def test_a_best_of_the_store_counts() -> None:
    standing = Standing()
    standing.bests[KIND] = 700
    standing.end(KIND, _won(800))
    assert standing.bests == {KIND: 700}
