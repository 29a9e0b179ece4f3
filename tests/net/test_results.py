"""A result survives the way between processes."""

import json

from sapper.core.status import Status
from sapper.net.results import GameResult, discard

RESULT = GameResult(
    key="k", columns=20, rows=10, level=1, mines=10, seed=2**64 - 1, status=Status.LOST, debugged=False, moves=3, seconds=1.25,
    peer="127.0.0.1:5",
)  # fmt: skip


def test_json_and_back() -> None:
    values = json.loads(json.dumps(RESULT.to_json()))
    assert values["status"] == "lost"
    assert GameResult.from_json(values) == RESULT


def test_only_games_without_debug_mode_count() -> None:
    assert RESULT.counts
    assert not GameResult.from_json(RESULT.to_json() | {"debugged": True}).counts


def test_a_server_without_statistics_drops_results() -> None:
    discard(RESULT)
