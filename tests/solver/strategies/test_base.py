"""What every strategy keeps to, whoever registered it."""

import pytest
from hypothesis import given, settings

from sapper.core.rng import Rng
from sapper.core.rules import Rules
from sapper.core.status import Status
from sapper.game.layout import Layout
from sapper.game.referee import Referee
from sapper.game.source import FixedLayout
from sapper.generator.uniform import UniformSource
from sapper.solver.strategies.base import Strategy, StrategyFactory
from sapper.solver.strategies.registry import STRATEGIES
from tests.playing import Script, play
from tests.sizes import sized
from tests.strategies import any_rules, layouts, scripts, seeds


@pytest.mark.parametrize("factory", STRATEGIES.values(), ids=STRATEGIES)
@settings(max_examples=sized(10, 25))
@given(any_rules(), layouts(), seeds, scripts(6))
def test_a_game_that_a_strategy_plays_ends(
    factory: StrategyFactory, rules: Rules, layout: Layout, seed: int, script: Script
) -> None:
    """From any board that people left behind, flags right and wrong included, by legal moves only."""
    referee = Referee(rules=rules, source=UniformSource(layout.grid, layout.mine_count, seed, rules.start))
    list(play(referee, script))
    strategy: Strategy = factory(Rng(seed))
    for _ in range(4 * layout.grid.size + 4):
        if referee.status.ended:
            break
        choice = strategy.choose(referee.board)
        assert referee.board.is_legal(choice.move)
        assert choice.reason
        assert "\n" not in choice.reason
        assert choice.risk is None or 0 <= choice.risk <= 1
        referee.play(choice.move)
    assert referee.status in (Status.WON, Status.LOST)


@pytest.mark.parametrize("factory", STRATEGIES.values(), ids=STRATEGIES)
@settings(max_examples=sized(3, 10))
@given(any_rules(), layouts(), seeds)
def test_one_seed_plays_one_game(factory: StrategyFactory, rules: Rules, layout: Layout, seed: int) -> None:
    games = []
    for _ in range(2):
        referee = Referee(rules=rules, source=FixedLayout(layout))
        strategy, choices = factory(Rng(seed)), []
        while not referee.status.ended:
            choices.append(strategy.choose(referee.board))
            referee.play(choices[-1].move)
        games.append(choices)
    assert games[0] == games[1]
