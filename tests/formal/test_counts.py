"""Counting games."""

from sapper.core.status import Status
from sapper.formal.counts import GameCounts, MemoryCounts


def test_counts_go_on_from_what_they_were() -> None:
    counts: GameCounts = MemoryCounts()
    assert (counts.played, counts.won) == (0, 0)
    first, second = (counts.record_start(one_game=False) for _ in range(2))
    counts.record_end(second, Status.LOST)
    counts.record_end(first, Status.WON)
    counts.record_end(first, Status.WON)
    assert (counts.played, counts.won) == (2, 1)
    later = MemoryCounts(played=counts.played, won=counts.won)
    later.record_end(later.record_start(one_game=True), Status.TERMINATED)
    assert (later.played, later.won) == (3, 1)
