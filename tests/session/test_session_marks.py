"""Help in a session, and what marks it: chances shown over the board, a board that may be known, inputs counted."""

from sapper.core.status import Status
from sapper.generator.new_game import new_referee
from sapper.session.events import Assistance, What
from sapper.session.saving import load_session, save_session
from sapper.session.session import Session
from tests.sessions import HandClock, Play


def test_chances_that_are_shown_mark_the_game_and_stay_on() -> None:
    play = Play("beginner")
    play.session.show_chances(True)
    assert (play.session.shows_chances, play.session.assistance) == (True, Assistance(overlay=True))
    assert [event.what for event in play.heard] == [What.OVERLAY]
    play.run([("left", 40, 0), ("no chances", 0, 5)])
    # What was seen cannot be unseen.
    assert (play.session.shows_chances, play.session.assistance.overlay) == (False, True)
    play.run([("restart", 0, 5)])
    assert not play.session.assistance.overlay, "the next game has seen none yet"


def test_the_next_game_is_marked_while_chances_are_shown() -> None:
    play = Play("beginner").run([("chances", 0, 0), ("left", 40, 0), ("restart", 0, 5)])
    assert play.session.assistance == Assistance(overlay=True, restarts=1)


def test_help_with_flags_marks_a_game_once() -> None:
    play = Play("beginner").run([("left", 40, 0)])
    play.session.aid()
    play.session.aid()
    assert play.session.assistance == Assistance(aided=True)
    assert [event.what for event in play.heard] == [What.MOVED, What.AIDED]
    loaded, _ = load_session(save_session(play.session, play.referee))
    assert loaded.assistance == Assistance(aided=True)
    play.session.restart()
    assert play.session.assistance == Assistance(restarts=1)
    play.session.terminate()
    play.session.aid()
    assert not play.session.assistance.aided, "the game is over"


def test_chances_after_the_end_mark_nothing_until_the_game_goes_on() -> None:
    play = Play("beginner").run([("left", 40, 0)])
    layout = play.referee.layout
    assert layout is not None
    play.do("left", next(iter(layout.mines)), 5)
    assert play.session.status is Status.LOST
    play.session.show_chances(True)
    assert not play.session.assistance.overlay
    play.session.undo()
    assert play.session.assistance == Assistance(overlay=True, undone=1)


def test_a_board_that_may_be_known_stays_that() -> None:
    referee = new_referee("beginner", seed=3)
    session = Session(referee, clock=HandClock(), seed=3, seen=True)
    session.left_click(40)
    session.restart()
    assert session.assistance == Assistance(seen=True, restarts=1)


def test_inputs_are_counted_whatever_they_did() -> None:
    play = Play("beginner").run([("left", 40, 0), ("left", 40, 0), ("right", 0, 0), ("restart", 0, 0), ("left", 40, 0)])
    # Giving up, which the restart did first, is one too.
    assert play.session.input_count == 6
