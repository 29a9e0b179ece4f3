"""Moves can be taken back one by one to where it all began."""

from hypothesis import given

from sapper.core.move import Move
from sapper.core.record import TimedMove
from sapper.core.rules import Rules
from sapper.core.status import Status
from sapper.core.update import Update
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.session.history import History
from tests.playing import Script, play
from tests.strategies import any_rules, layouts, scripts


@given(any_rules(), layouts(), scripts(12))
def test_undone_move_by_move_every_board_comes_back(rules: Rules, layout: Layout, script: Script) -> None:
    referee = Referee(rules=rules, source=FixedLayout(layout))
    history = History(referee.board.tiles)
    steps = [step for step in play(referee, script) if not step.update.is_empty]
    for number, step in enumerate(steps):
        history.add(TimedMove(number, step.move, step.update), step.before.status)
    for step in reversed(steps):
        undone = history.undo()
        assert (undone.played.move, undone.tiles, undone.status) == (step.move, step.before.tiles, step.before.status)
    assert history.played == []
    assert not history.can_undo
    assert [history.redo() for _ in steps] == [step.move for step in steps]


FLAG = TimedMove(1, Move.flag(0), Update(((Move.flag(0).cell, b"\x0a"),), Status.PLAYING))


def test_clicks_that_changed_nothing_stay_and_tell_the_status_before() -> None:
    history = History(bytes([9, 9]))
    history.add(FLAG, Status.READY)
    history.add(TimedMove(2, Move.reveal(0), Update.nothing(Status.PLAYING)), Status.PLAYING)
    history.undo()
    assert history.played == [TimedMove(2, Move.reveal(0), Update.nothing(Status.READY))]
    assert history.can_redo


def test_another_move_forgets_what_was_undone() -> None:
    history = History(bytes([9, 9]))
    history.add(FLAG, Status.READY)
    history.undo()
    history.add(FLAG, Status.READY)
    assert not history.can_redo


def test_a_move_that_is_redone_does_not() -> None:
    history = History(bytes([9, 9]))
    history.add(FLAG, Status.READY)
    history.add(FLAG, Status.PLAYING)
    history.undo()
    history.undo()
    history.redo()
    history.add(FLAG, Status.READY, redone=True)
    assert history.can_redo
