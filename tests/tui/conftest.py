"""What all tests of the terminal's games share: the boards, and that what is told does not depend on how busy the machine is."""

from itertools import count

import pytest

from sapper.tui.keeper import GameArchive
from sapper.tui.local_play import LocalPlay
from tests.network import PATIENCE


@pytest.fixture(autouse=True)
def _same_boards_and_time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time for the store, before a game is said not to be saved; a test of that has a time of its own."""
    values = ((GameArchive, "keep_time", PATIENCE), (LocalPlay, "new_seed", count(1).__next__))
    for kind, name, value in values:
        defaults = kind.__init__.__kwdefaults__
        assert defaults is not None
        monkeypatch.setitem(defaults, name, value)
