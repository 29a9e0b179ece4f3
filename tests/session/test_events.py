"""What sets a game apart."""

import pytest

from sapper.session.events import Assistance


@pytest.mark.parametrize(
    "assistance",
    [
        Assistance(hints=1),
        Assistance(undone=1),
        Assistance(restarts=1),
        Assistance(shown=True),
        Assistance(overlay=True),
        Assistance(seen=True),
    ],
)
def test_help_makes_a_game_assisted(assistance: Assistance) -> None:
    assert assistance.is_assisted


def test_a_game_that_was_paused_is_not_timed() -> None:
    assert [Assistance(hints=1).is_timed, Assistance(pauses=1).is_timed] == [True, False]


@pytest.mark.parametrize("assistance", [Assistance(), Assistance(pauses=3)])
def test_a_pause_is_no_help(assistance: Assistance) -> None:
    assert not assistance.is_assisted
