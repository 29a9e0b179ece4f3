"""Counting games."""

from sapper.core.status import Status
from sapper.formal.tally import GamesTally, MemoryTally


def test_counts_go_on_from_what_they_were() -> None:
    tally: GamesTally = MemoryTally()
    assert (tally.played, tally.won) == (0, 0)
    first, second = (tally.record_start(one_game=False) for _ in range(2))
    tally.record_end(second, Status.LOST)
    tally.record_end(first, Status.WON)
    tally.record_end(first, Status.WON)
    assert (tally.played, tally.won) == (2, 1)
    later = MemoryTally(played=tally.played, won=tally.won)
    later.record_end(later.record_start(one_game=True), Status.TERMINATED)
    assert (later.played, later.won) == (3, 1)
