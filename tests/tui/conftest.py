"""What all tests of the terminal's games share: what is told does not depend on how busy the machine is."""

import pytest

from sapper.tui.keeper import GameArchive
from tests.network import PATIENCE


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the store, before a game is said not to be saved; a test of that has a time of its own."""
    monkeypatch.setitem(GameArchive.__init__.__kwdefaults__, "keep_time", PATIENCE)
