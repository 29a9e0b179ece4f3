"""Kernels and Python play the same games of a plan."""

from dataclasses import replace

import pytest

from sapper._kernels import batch
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.preset import find_preset
from sapper.core.rng import Rng
from sapper.core.rules import find_rules
from sapper.game.layout import Layout
from sapper.generator.board_list import ListedGame
from sapper.simulate.engines import CompiledEngine, PythonEngine, can_compile
from sapper.simulate.plan import Chunk, Plan
from sapper.solver.strategies.registry import COMPILED

GRIDS = (Grid(8, 8), Grid(6, 5), Grid(8, 8))


def _plan(rules: str = "modern", preset: str = "beginner") -> Plan:
    base = find_preset(preset)
    return Plan(preset=replace(base, rules=find_rules(rules)), games=12, first=Cell(4), seed=4)


def _listed() -> Plan:
    rng = Rng(2)
    boards = tuple(
        ListedGame(Layout(grid, CellSet.of(rng.sample(grid.size - 1, 6))), Cell(grid.size - 1))
        for grid in GRIDS
        for _ in range(4)
    )
    return Plan(preset=find_preset("beginner"), games=12, first=Cell(0), seed=4, boards=boards)


@pytest.mark.parametrize("rules", ["modern", "engine", "kata", "classic", "formal"])
@pytest.mark.parametrize("strategy", COMPILED)
def test_both_play_the_same(strategy: str, rules: str) -> None:
    plan = _plan(rules)
    assert can_compile(plan, strategy)
    chunk = Chunk(3, 8, plan.preset.grid)
    played = list(CompiledEngine(plan, strategy).play(chunk))
    assert played == list(PythonEngine(plan, strategy).play(chunk))
    assert all(one.bbbv is None for one in played)
    measured = replace(plan, with_bbbv=True)
    found = list(CompiledEngine(measured, strategy).play(chunk))
    assert found == list(PythonEngine(measured, strategy).play(chunk))
    assert [one._replace(bbbv=None) for one in found] == played
    assert all(one.bbbv for one in found)


@pytest.mark.parametrize("strategy", ["single", "exact"])
def test_both_play_the_same_boards(strategy: str) -> None:
    plan = replace(_listed(), with_bbbv=True)
    compiled, python = CompiledEngine(plan, strategy), PythonEngine(plan, strategy)
    for chunk in plan.chunks(10**6, 100):
        assert list(compiled.play(chunk)) == list(python.play(chunk))


def test_what_kernels_do_not_know() -> None:
    assert not can_compile(_plan("jminesweeper"), "single")
    assert not can_compile(_plan("modern+spread=4"), "single")
    assert not can_compile(_plan("modern+win=flagged"), "single")
    assert not can_compile(_plan(), "last")
    # Without a mine, flags win before all is revealed; and a list may have such boards.
    no_mines = replace(_plan("formal"), preset=replace(find_preset("formal"), mine_counts=(0,)))
    assert not can_compile(no_mines, "single")
    assert not can_compile(replace(_listed(), preset=find_preset("formal")), "single")
    assert can_compile(_listed(), "single")


def test_without_numba_there_is_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch, "can_compile", lambda: False)
    assert not can_compile(_plan(), "single")


def test_a_game_too_hard_for_the_kernel_is_played_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _plan()
    engine = CompiledEngine(plan, "exact")
    chunk = Chunk(0, 3, plan.preset.grid)
    expected = list(engine.play(chunk))
    assert engine.games_in_python == 0
    player = next(iter(engine._players.values()))
    normal = player.play(0, 3)

    class Weak:
        def play(self, begin: int, games: int) -> list[batch.EndedGame]:
            return [normal[0], batch.EndedGame(batch.UNSOLVED, 3, 1, 20), normal[2]]

    monkeypatch.setattr(engine, "_player", lambda grid: Weak())
    assert list(engine.play(chunk)) == expected
    assert engine.games_in_python == 1


@pytest.mark.parametrize("make", [CompiledEngine, PythonEngine])
def test_stop(make: type[CompiledEngine | PythonEngine]) -> None:
    plan = _plan()
    engine = make(plan, "random")
    chunk = Chunk(0, 5, plan.preset.grid)
    assert len(list(engine.play(chunk))) == 5
    engine.stop()
    assert list(engine.play(chunk)) == []
    engine.close()
