"""The server's games as the store keeps them."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

from sapper.core.status import Status
from sapper.net.recording import recorder_of
from sapper.net.results import GameResult
from sapper.store.models import Category, Result, StoredGame
from tests.stored import BEGIN


def test_a_result_becomes_a_stored_game() -> None:
    kept: list[StoredGame] = []
    told: list[str] = []

    def put(make: Callable[[], StoredGame], durable: object) -> None:
        kept.append(make())
        assert callable(durable)
        durable()

    recorder = recorder_of(put, now=lambda: BEGIN)
    result = GameResult(
        key="key 0", columns=20, rows=10, level=2, mine_count=50, seed=2**64 - 1, status=Status.WON, debugged=False, moves=70,
        seconds=12.345, peer="192.0.2.1",
    )  # fmt: skip
    recorder(result, lambda: told.append("won"))
    recorder(replace(result, key="key 1", status=Status.LOST, debugged=True), lambda: told.append("lost"))
    recorder(replace(result, key="key 2", status=Status.PLAYING, moves=1), lambda: told.append("started"))
    won, debugged, started = kept
    assert (won.key, won.result, won.time_ms, won.seed, won.moves) == ("key 0", Result.WON, 12345, 2**64 - 1, 70)
    assert (won.kind.width, won.kind.height, won.kind.mine_count, won.kind.rules.name) == (20, 10, 50, "jminesweeper")
    assert won.ended - won.started == timedelta(seconds=12.345)
    assert (debugged.category, debugged.key) == (Category.DEBUGGED, "key 1")
    assert (started.result, started.time_ms, started.moves) == (Result.PLAYING, None, 1)
    assert told == ["won", "lost", "started"]
    # The address of a player is nobody's name.
    assert "192.0.2.1" not in repr(kept)
