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
from sapper.generator.board_file import ListedGame
from sapper.simulate.engines import NativeEngine, ReferenceEngine, is_native
from sapper.simulate.plan import Chunk, Plan
from sapper.solver.strategies.registry import NATIVE

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
@pytest.mark.parametrize("strategy", NATIVE)
def test_both_play_the_same(strategy: str, rules: str) -> None:
    plan = _plan(rules)
    assert is_native(plan, strategy)
    chunk = Chunk(3, 8, plan.preset.grid)
    played = list(NativeEngine(plan, strategy).play(chunk))
    assert played == list(ReferenceEngine(plan, strategy).play(chunk))
    assert all(one.bbbv is None for one in played)
    measured = replace(plan, with_bbbv=True)
    found = list(NativeEngine(measured, strategy).play(chunk))
    assert found == list(ReferenceEngine(measured, strategy).play(chunk))
    assert [one._replace(bbbv=None) for one in found] == played
    assert all(one.bbbv for one in found)


@pytest.mark.parametrize("strategy", ["single", "least-risk"])
def test_both_play_the_same_boards(strategy: str) -> None:
    plan = replace(_listed(), with_bbbv=True)
    quick, plain = NativeEngine(plan, strategy), ReferenceEngine(plan, strategy)
    for chunk in plan.chunks(10**6, 100):
        assert list(quick.play(chunk)) == list(plain.play(chunk))


def test_what_the_native_half_does_not_know() -> None:
    assert not is_native(_plan("jminesweeper"), "single")
    assert not is_native(_plan("modern+spread=4"), "single")
    assert not is_native(_plan("modern+win=flagged"), "single")
    assert not is_native(_plan(), "last")
    # Without a mine, flags win before all is revealed; and a list may have such boards.
    no_mines = replace(_plan("formal"), preset=replace(find_preset("formal"), mine_counts=(0,)))
    assert not is_native(no_mines, "single")
    assert not is_native(replace(_listed(), preset=find_preset("formal")), "single")
    assert is_native(_listed(), "single")


def test_a_game_too_hard_for_the_kernel_is_played_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = _plan()
    engine = NativeEngine(plan, "least-risk")
    chunk = Chunk(0, 3, plan.preset.grid)
    expected = list(engine.play(chunk))
    assert engine.games_by_reference == 0
    player = next(iter(engine._players.values()))
    normal = player.play(0, 3)

    class Weak:
        def play(self, begin: int, games: int) -> list[batch.EndedGame]:
            return [normal[0], batch.EndedGame(batch.UNSOLVED, 3, 1, 20), normal[2]]

    monkeypatch.setattr(engine, "_player", lambda grid: Weak())
    assert list(engine.play(chunk)) == expected
    assert engine.games_by_reference == 1


@pytest.mark.parametrize("make", [NativeEngine, ReferenceEngine])
def test_stop(make: type[NativeEngine | ReferenceEngine]) -> None:
    plan = _plan()
    engine = make(plan, "random")
    chunk = Chunk(0, 5, plan.preset.grid)
    assert len(list(engine.play(chunk))) == 5
    engine.stop()
    assert list(engine.play(chunk)) == []
    engine.close()
