"""Counting games, the line of a game."""

from sapper.simulate.results import COLUMNS, GameOutcome, SimulatedGame, SimulationStats, line_of


def test_the_line_of_a_game() -> None:
    assert COLUMNS.split() == ["game", "seed", "result", "moves", "guesses", "revealed", "bbbv", "fault"]
    assert line_of(SimulatedGame(3, 99, GameOutcome.WON, 20, 1, 71)) == "3 99 won 20 1 71 - -"
    assert line_of(SimulatedGame(3, 99, GameOutcome.WON, 20, 1, 71, 17)) == "3 99 won 20 1 71 17 -"
    fault = SimulatedGame(4, 7, GameOutcome.FAULT, 2, 0, 5, 8, "raised: ValueError:\n no\x85way")
    assert line_of(fault) == "4 7 fault 2 0 5 8 raised: ValueError: no way"


def test_stats_of_a_run() -> None:
    stats = SimulationStats()
    for played in (
        SimulatedGame(0, 1, GameOutcome.WON, 5, 1, 9),
        SimulatedGame(1, 1, GameOutcome.FAULT, 2, 1, 3, None, "timeout: no move"),
        SimulatedGame(2, 1, GameOutcome.FAULT, 1, 0, 3, None, "raised: x"),
        SimulatedGame(3, 1, GameOutcome.FAULT, 1, 0, 3, None, "timeout: again"),
        SimulatedGame(4, 1, GameOutcome.TERMINATED, 1, 0, 3),
    ):
        stats.add(played)
    assert (stats.games, stats.moves, stats.guesses) == (5, 10, 2)
    assert stats.faults == {"timeout": 2, "raised": 1}
    assert stats.fault_example == "game 1: timeout: no move"
    assert (stats.results[GameOutcome.WON], stats.results[GameOutcome.LOST], stats.results[GameOutcome.TERMINATED]) == (
        1,
        0,
        1,
    )
