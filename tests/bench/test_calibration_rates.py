"""What is claimed comes true: on a fixed sample of fresh games, in every tenth."""

import math
import re
from collections.abc import Iterator

import pytest

from bench.calibration_rates import JudgedGame, agreement_of, holm, judge_game, tenths_of
from sapper.core.grid import Grid
from sapper.core.rng import Rng
from sapper.core.rules import RULES, Start
from sapper.game.game import Game
from sapper.generator.uniform import UniformSource
from sapper.solver.advisor import Advisor


def _games(count: int) -> Iterator[JudgedGame]:
    """Games on small boards, easy and hard ones."""
    rng = Rng(20)
    for number in range(count):
        width, height, mines = ((9, 9, 10), (9, 9, 17), (12, 8, 20))[number % 3]
        start = Start.OPEN if number % 2 else Start.SAFE
        source = UniformSource(Grid(width, height), mines, rng.below(1 << 62), start)
        yield judge_game(
            Game(rules=RULES["classic"].replace(start=start), source=source), most_layouts=300, nodes=3_000
        )


def test_claims_come_true_in_every_tenth() -> None:
    """Four standard errors of games, in ten tenths: by chance, once in 1,500 samples; this one is fixed."""
    games = list(_games(300))
    tenths = tenths_of(games)
    assert sum(one.claims for one in tenths) == sum(len(game.claims) for game in games) > 600
    assert len(tenths) >= 8
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


BEYOND = ("8x8/13", "12x8/20", "40x10/70", "24x18/70", "40x40/220")
"""Beyond the standard boards: two small ones, a dense one, a long one, two large ones."""


def _played(name: str, games: int) -> list[JudgedGame]:
    width, height, mines = map(int, re.split("[x/]", name))
    rng = Rng(6).split(width * 1000 + mines)
    found = []
    for number in range(games):
        start = (Start.OPEN, Start.SAFE)[number % 2]
        source = UniformSource(Grid(width, height), mines, rng.below(1 << 62), start)
        found.append(judge_game(Game(rules=RULES["classic"].replace(start=start), source=source)))
    return found


def test_an_advisor_makes_the_guesses_and_claims_what_the_board_is_worth() -> None:
    """Whoever plays, the claim at the start is the same; other guesses come to other boards."""
    played = []
    for advisor in (Advisor("best-reply"), Advisor("second-opinion")):
        games = [
            Game(
                rules=RULES["classic"].replace(start=Start.SAFE),
                source=UniformSource(Grid(12, 8), 20, seed, Start.SAFE),
            )
            for seed in range(8)
        ]
        played.append([judge_game(game, advisor=advisor) for game in games])
    assert len({game.claims[0] for games in played for game in games}) == 1
    assert played[0] != played[1]
    assert all(0 <= claim <= 1 for games in played for game in games for claim in game.claims)


@pytest.mark.full
def test_estimates_agree_with_results_on_boards_beyond_the_standard_ones() -> None:
    """A small sample of what bench/calibration.py plays: a chi-square test a board, adjusted for their number."""
    tests = [agreement_of(_played(name, 100)) for name in BEYOND]
    assert all(one.games >= 80 for one in tests)
    assert sum(one.groups for one in tests) >= 10
    assert min(holm([one.p for one in tests])) > 0.05


def test_the_test_finds_estimates_that_are_wrong() -> None:
    """9 in 10 are claimed where 6 in 10 are won, and the other way round."""
    for claim, won in ((0.9, 6), (0.6, 9)):
        games = [JudgedGame(claims=(claim,), estimates=(claim,), won=number % 10 < won) for number in range(200)]
        assert agreement_of(games).p < 1e-6
    right = [JudgedGame(claims=(0.7,), estimates=(0.7,), won=number % 10 < 7) for number in range(200)]
    assert agreement_of(right).p > 0.9
    nothing = agreement_of([JudgedGame(claims=(1.0,), won=True)])
    assert (nothing.games, nothing.groups, nothing.p) == (0, 0, 1.0)


def test_right_claims_pass_however_many_a_game_has() -> None:
    """A game that is lost early has few claims. Of 200 samples one in 20 has p below 0.05, within three standard errors."""
    rng, samples = Rng(5), 200
    ps = [agreement_of([_guesses(rng) for _ in range(150)]).p for _ in range(samples)]
    assert abs(sum(p < 0.05 for p in ps) / samples - 0.05) < 3 * (0.05 * 0.95 / samples) ** 0.5
    assert abs(sum(ps) / samples - 0.5) < 3 * (1 / 12 / samples) ** 0.5


def _guesses(rng: Rng) -> JudgedGame:
    """A game of up to five guesses, each of which says what it and those after it win."""
    safeties = [0.55 + 0.4 * rng.below(100) / 100 for _ in range(1 + rng.below(5))]
    claims: list[float] = []
    for number, safety in enumerate(safeties):
        claims.append(math.prod(safeties[number:]))
        if rng.below(1 << 30) >= safety * (1 << 30):
            return JudgedGame(claims=tuple(claims), estimates=tuple(claims), won=False)
    return JudgedGame(claims=tuple(claims), estimates=tuple(claims), won=True)
