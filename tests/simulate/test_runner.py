"""Runs: the same games with any number of workers, in order; and what was done when it is time to stop."""

import pytest

from sapper.core.cells import Cell
from sapper.core.preset import find_preset
from sapper.core.rules import RULES
from sapper.errors import UnknownNameError
from sapper.simulate.plan import Plan
from sapper.simulate.results import GameOutcome, RunSummary, SimulatedGame
from sapper.simulate.runner import backend_of, simulate
from sapper.solver.strategies.registry import STRATEGIES
from tests.halves import by_reference

PLAN = Plan(preset=find_preset("beginner"), games=600, first=Cell(20), seed=7)
FEW = Plan(preset=find_preset("kata"), games=60, first=Cell(0), seed=7)


def _run(plan: Plan, strategy: str, *, workers: int = 1, native: bool = True) -> tuple[RunSummary, list[SimulatedGame]]:
    games: list[SimulatedGame] = []
    summary = simulate(plan, strategy, workers=workers, native=native, on_played=games.append)
    return summary, games


def test_workers_change_nothing() -> None:
    summary, games = _run(PLAN, "single")
    assert [game.number for game in games] == list(range(600))
    assert summary.backend == "native"
    assert (summary.games, summary.won + summary.lost) == (600, 600)
    assert summary.won == sum(game.result is GameOutcome.WON for game in games)
    assert (summary.moves, summary.guesses) == (sum(g.moves for g in games), sum(g.guesses for g in games))
    assert not summary.interrupted
    other, others = _run(PLAN, "single", workers=3)
    assert others == games
    assert (other.won, other.moves) == (summary.won, summary.moves)


def test_python_and_processes_play_the_same() -> None:
    _, games = _run(FEW, "subset")
    for workers in (1, 2):
        summary, others = _run(FEW, "subset", workers=workers, native=False)
        assert summary.backend == "reference"
        assert others == games


@pytest.mark.parametrize("workers", [1, 2])
def test_when_it_stops_the_games_so_far_are_kept(workers: int) -> None:
    games: list[SimulatedGame] = []
    plan = Plan(preset=PLAN.preset, games=10**6, first=PLAN.first, seed=7)
    summary = simulate(plan, "single", workers=workers, on_played=games.append, should_stop=lambda: len(games) > 1000)
    assert summary.interrupted
    assert 1000 < summary.games == len(games) < 10**6
    assert (summary.requested, summary.won) == (10**6, sum(game.result is GameOutcome.WON for game in games))
    assert [game.number for game in games] == sorted({game.number for game in games})
    assert games[:600] == _run(PLAN, "single")[1]


def test_backends() -> None:
    assert backend_of(PLAN, "least-risk") == "native"
    assert backend_of(PLAN, "least-risk", native=False) == "reference"
    assert backend_of(PLAN, "module:factory") == "process"
    spread = Plan(preset=find_preset("jminesweeper-1"), games=1, first=Cell(0))
    assert spread.rules == RULES["jminesweeper"]
    assert backend_of(spread, "single") == "reference"
    with pytest.raises(UnknownNameError, match=f"unknown strategy 'exakt'; known are: {', '.join(STRATEGIES)}"):
        backend_of(PLAN, "exakt")


def test_it_says_when_it_is_ready() -> None:
    said: list[str] = []
    simulate(
        FEW, "random", on_ready=lambda: said.append("ready"), on_played=lambda played: said.append(str(played.number))
    )
    assert said == ["ready", *map(str, range(60))]


@pytest.mark.parametrize("workers", [1, 2])
def test_without_a_library_the_reference_plays_the_same(workers: int) -> None:
    _, games = _run(FEW, "single")
    with by_reference():
        summary, others = _run(FEW, "single", workers=workers)
    assert summary.backend == "reference"
    assert others == games


def test_a_stranger_in_threads() -> None:
    name = "sapper.solver.strategies.simple:SingleStrategy"
    plan = Plan(preset=FEW.preset, games=6, first=FEW.first, seed=7)
    summary, games = _run(plan, name, workers=2)
    assert (summary.backend, summary.games) == ("process", 6)
    assert games == _run(plan, name)[1]
