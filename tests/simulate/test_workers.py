"""Threads and processes that play chunks."""

import multiprocessing
import os
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from threading import Event

import pytest

from sapper.core.cells import Cell
from sapper.core.grid import Grid
from sapper.core.preset import find_preset
from sapper.errors import UnavailableError
from sapper.server.signals import ENDING
from sapper.simulate.engines import ReferenceEngine
from sapper.simulate.plan import Chunk, Plan
from sapper.simulate.results import GameOutcome, SimulatedGame
from sapper.simulate.workers import ProcessEngine, Workers

PLAN = Plan(preset=find_preset("kata"), games=40, first=Cell(4), seed=1)
CHUNKS = list(PLAN.chunks(90, 10))


class _Engine:
    """One game a chunk, when it is let."""

    def __init__(self) -> None:
        self.go = Event()
        self.closed = False

    def play(self, chunk: Chunk) -> Iterator[SimulatedGame]:
        self.go.wait(timeout=60)
        yield SimulatedGame(chunk.begin, 0, GameOutcome.WON, 1, 0, 1)

    def stop(self) -> None:
        self.go.set()

    def close(self) -> None:
        self.closed = True


def test_threads_have_an_engine_each() -> None:
    made: list[_Engine] = []

    def make() -> _Engine:
        made.append(_Engine())
        return made[-1]

    team = Workers(make, 2)
    futures = [team.submit(Chunk(begin, 1, Grid(3, 3))) for begin in range(3)]
    assert len(made) == 2
    team.stop()
    assert [future.result()[0].number for future in futures] == [0, 1, 2]
    team.close()
    assert all(engine.closed for engine in made)


def test_an_engine_that_cannot_be_made() -> None:
    made: list[_Engine] = []

    def make() -> _Engine:
        if made:
            raise ValueError("no more")
        made.append(_Engine())
        return made[0]

    with pytest.raises(ValueError, match="no more"):
        Workers(make, 2)
    assert made[0].closed


def test_signals_to_a_process_that_is_still_starting_are_its_parents() -> None:
    """A terminal's Ctrl-C goes to all processes of its group, whatever each of them is at."""
    before = set(multiprocessing.active_children())
    team = Workers(lambda: ProcessEngine(PLAN, "single"), 1)
    try:
        future = team.submit(CHUNKS[0])
        (child,) = _children_since(before)
        assert child.pid is not None
        for number in ENDING:
            os.kill(child.pid, number)
        assert future.result() == list(ReferenceEngine(PLAN, "single").play(CHUNKS[0]))
    finally:
        team.close()


def _children_since(before: set[BaseProcess]) -> set[BaseProcess]:
    """The processes that were started meanwhile, as soon as there are any."""
    while not (found := set(multiprocessing.active_children()) - before):
        Event().wait(0.005)
    return found


def test_processes_play_what_an_engine_plays() -> None:
    engine = ReferenceEngine(PLAN, "single")
    expected = [list(engine.play(chunk)) for chunk in CHUNKS]
    team = Workers(lambda: ProcessEngine(PLAN, "single"), 2)
    try:
        assert [future.result() for future in [team.submit(chunk) for chunk in CHUNKS]] == expected
        team.stop()
        assert len(team.submit(CHUNKS[0]).result()) == 1
    finally:
        team.close()


def test_a_process_that_is_killed_is_replaced_and_its_games_are_the_same() -> None:
    before = set(multiprocessing.active_children())
    engine = ProcessEngine(PLAN, "single")
    try:
        expected = list(ReferenceEngine(PLAN, "single").play(CHUNKS[1]))
        assert list(engine.play(CHUNKS[1])) == expected
        (child,) = _children_since(before)
        child.kill()
        child.join()
        assert list(engine.play(CHUNKS[1])) == expected
        engine._process.kill()
        with pytest.raises(UnavailableError, match="killed twice while it played games 10"):
            engine.play(CHUNKS[1])  # it was ended for good: no process that is started now lives
    finally:
        engine.close()
    assert list(engine.play(CHUNKS[1])) == [], "nothing is missing where it was told to end"
