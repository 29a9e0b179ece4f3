"""What is claimed comes true: on a fixed sample of fresh games, in every tenth."""

from collections.abc import Iterator

import pytest

from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.simulate.calibration import JudgedGame, judge_game, tenths_of


def _games(count: int) -> Iterator[JudgedGame]:
    """Games on small boards, easy and hard ones."""
    rng = Rng(20)
    for number in range(count):
        width, height, mines = ((9, 9, 10), (9, 9, 17), (12, 8, 20))[number % 3]
        start = Start.OPEN if number % 2 else Start.SAFE
        source = UniformSource(Grid(width, height), mines, rng.below(1 << 62), start)
        yield judge_game(Game(rules=RULES["classic"].but(start=start), source=source), most_layouts=300, nodes=3_000)


def test_claims_come_true_in_every_tenth() -> None:
    """Four standard errors of games, in ten tenths: by chance, once in 1,500 samples; this one is fixed."""
    games = list(_games(300))
    tenths = tenths_of(games)
    assert sum(one.claims for one in tenths) == sum(len(game.claims) for game in games) > 600
    assert len(tenths) >= 9
    assert {f"{one.low:.1f}: {one.claimed:.3f} {one.won:.3f}" for one in tenths if abs(one.is_off) > 4} == set()
    every = [claim for game in games for claim in game.claims[:1]]
    assert sum(every) / len(every) == pytest.approx(sum(game.won for game in games) / len(games), abs=0.08)


def test_tenths_count_claims_and_games() -> None:
    games = [JudgedGame(claims=(0.55, 0.51, 1.0), won=True), JudgedGame(claims=(0.5, 0.0), won=False)]
    tenths = tenths_of(games)
    assert [(one.low, one.claims, one.games, one.won) for one in tenths] == [
        (0.0, 1, 1, 0.0),
        (0.5, 3, 2, pytest.approx(2 / 3)),
        (0.9, 1, 1, 1.0),
    ]
    assert tenths[1].claimed == pytest.approx(0.52)
    assert tenths[1].error == pytest.approx((4 * 0.53 * 0.47 + 0.25) ** 0.5 / 3)
    assert [one.is_off for one in tenths if one.low != 0.5] == [0.0, 0.0]


def test_a_claim_that_is_wrong_is_off() -> None:
    [tenth] = tenths_of([JudgedGame(claims=(0.85,), won=number % 2 == 0) for number in range(100)])
    assert tenth.is_off < -9
