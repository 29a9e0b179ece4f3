"""What sets a game apart."""

import pytest

from sapper.session.events import Assistance

HELP = [
    Assistance(hints=1),
    Assistance(undone=1),
    Assistance(restarts=1),
    Assistance(shown=True),
    Assistance(overlay=True),
    Assistance(seen=True),
    Assistance(practice=True),
]


@pytest.mark.parametrize("assistance", HELP)
def test_help_makes_a_game_assisted_and_a_pause_does_not(assistance: Assistance) -> None:
    assert assistance.is_assisted
    assert not Assistance(pauses=3).is_assisted
