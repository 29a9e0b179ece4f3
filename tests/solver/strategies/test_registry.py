"""Strategies by name, sapper's own and other people's."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.rng import Rng
from sapper.core.rules import RULES
from sapper.errors import StrategyError, UnknownNameError
from sapper.solver.strategies import registry
from sapper.solver.strategies.registry import STRATEGIES, find_strategy, strategy_names
from tests.plugins import install

PLUGIN = """
from sapper.core.move import Move
from sapper.solver.strategies.base import Choice

class Last:
    def __init__(self, rng):
        self.rng = rng

    def choose(self, board):
        return Choice(Move.reveal(max(board.covered)), "the last one")

NOTHING = 3
"""


@pytest.fixture
def others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[None]:
    install(
        tmp_path,
        monkeypatch,
        module="last_strategy",
        code=PLUGIN,
        group="sapper.strategies",
        points=f"last = last_strategy:{request.param}",
    )
    registry._others.cache_clear()
    yield
    registry._others.cache_clear()
    sys.modules.pop("last_strategy", None)


def test_the_names() -> None:
    assert {"random", "single"} <= set(STRATEGIES)
    assert strategy_names()[: len(STRATEGIES)] == tuple(STRATEGIES)
    for name, factory in STRATEGIES.items():
        assert find_strategy(name) is factory


def test_an_unknown_name() -> None:
    with pytest.raises(UnknownNameError, match=f"unknown strategy 'singel'; known are: {', '.join(STRATEGIES)}"):
        find_strategy("singel")
    with pytest.raises(UnknownNameError, match=r"playouts@1 to playouts@1000000, playouts@0.001s to playouts@3600s$"):
        find_strategy("playouts@0")
    with pytest.raises(UnknownNameError):  # what lies in a file names no code to run
        find_strategy("sapper.solver.strategies.simple:SingleStrategy")


@pytest.mark.parametrize("others", ["Last"], indirect=True)
@pytest.mark.usefixtures("others")
def test_other_packages_register_strategies() -> None:
    assert strategy_names() == (*STRATEGIES, "last")
    strategy = find_strategy("last")(Rng(1))
    assert strategy.choose(Board.new(Grid(3, 3), RULES["modern"], 1)).move == Move.reveal(8)


@pytest.mark.parametrize("others", ["NOTHING"], indirect=True)
@pytest.mark.usefixtures("others")
def test_an_entry_point_that_is_no_strategy() -> None:
    assert find_strategy("single") is STRATEGIES["single"]
    with pytest.raises(StrategyError, match=r"'last' of group sapper.strategies is not callable: 3"):
        find_strategy("last")
