"""Counting games."""

from sapper.formal.tally import GamesTally, MemoryTally


def test_counts_go_on_from_what_they_were() -> None:
    tally: GamesTally = MemoryTally()
    assert (tally.played, tally.won) == (0, 0)
    tally.record_start()
    tally.record_start()
    tally.record_victory()
    assert (tally.played, tally.won) == (2, 1)
    later = MemoryTally(played=tally.played, won=tally.won)
    later.record_start()
    assert (later.played, later.won) == (3, 1)
