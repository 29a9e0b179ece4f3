"""What all tests of the web game share: what a job finds does not depend on how busy the machine is."""

import pytest

from tests.web_app import BUSY


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """For jobs and for the database; a test of the limits sets them itself."""
    monkeypatch.setattr("sapper.server.worker_pool.NICENESS", 0)
    for name in ("session.storing.MOST_TIME", "play.jobs.SEARCH_TIME"):
        monkeypatch.setattr(f"sapper.{name}", 600_000)
    for name in (
        "registry.KEEP_TIME", "registry.SETTLE_TIME", "live_game.KEEP_TIME", "costs.COST_TIME", "pool_jobs.JOB_TIME", "played_games.PLAYED_TIME",
    ):  # fmt: skip
        monkeypatch.setattr(f"sapper.web.games.{name}", BUSY)
    monkeypatch.setattr("sapper.web.http.endpoints.ANALYSIS_TIME", BUSY)
    monkeypatch.setattr("sapper.web.http.played.POSITION_TIME", BUSY)
