"""What sets a game apart."""

import pytest

from sapper.session.events import Marks


@pytest.mark.parametrize(
    "marks",
    [Marks(hints=1), Marks(undone=1), Marks(restarts=1), Marks(shown=True), Marks(overlay=True), Marks(seen=True)],
)
def test_help_makes_a_game_assisted(marks: Marks) -> None:
    assert marks.is_assisted


def test_a_game_that_was_paused_is_not_timed() -> None:
    assert [Marks(hints=1).is_timed, Marks(pauses=1).is_timed] == [True, False]


@pytest.mark.parametrize("marks", [Marks(), Marks(pauses=3)])
def test_a_pause_is_no_help(marks: Marks) -> None:
    assert not marks.is_assisted
