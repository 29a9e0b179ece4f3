"""The server's games as the store keeps them."""

from datetime import timedelta

from sapper.core.status import Status
from sapper.net.recording import recording_sink
from sapper.net.results import GameResult
from sapper.store.models import Category, Result, StoredGame
from tests.stored import BEGIN


def test_a_result_becomes_a_stored_game() -> None:
    kept: list[StoredGame] = []
    sink = recording_sink(kept.append, now=lambda: BEGIN, new_key=lambda: f"key {len(kept)}")
    result = GameResult(
        columns=20, rows=10, level=2, mines=50, seed=2**64 - 1, status=Status.WON, debugged=False, moves=70,
        seconds=12.345, peer="192.0.2.1",
    )  # fmt: skip
    sink(result)
    sink(GameResult(**{**result.to_json(), "status": Status.LOST, "debugged": True}))
    won, debugged = kept
    assert (won.key, won.result, won.time_ms, won.seed, won.moves) == ("key 0", Result.WON, 12345, 2**64 - 1, 70)
    assert (won.kind.width, won.kind.height, won.kind.mines, won.kind.rules.name) == (20, 10, 50, "jminesweeper")
    assert won.ended - won.started == timedelta(seconds=12.345)
    assert (debugged.category, debugged.key) == (Category.DEBUGGED, "key 1")
    # The address of a player is nobody's name.
    assert "192.0.2.1" not in repr(kept)
