"""What all tests of the web game share: what a job finds does not depend on how busy the machine is."""

import pytest

from sapper.play import jobs


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """For jobs that are done in this process; a test of the limits sets them itself."""
    monkeypatch.setattr("sapper.session.storing.MOST_TIME", 600_000)
    monkeypatch.setattr(jobs, "SEARCH_TIME", 600_000)
