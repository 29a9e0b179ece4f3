"""The truth of a session shows itself to nobody by accident."""

from tests.sessions import Play


def test_its_text_does_not_tell_where_the_mines_are() -> None:
    play = Play("beginner").run([("left", 40, 0)])
    truth = play.session.truth(play.referee)
    assert truth.layout is not None
    assert repr(truth) == "SaveState(drawn_first=False)"
