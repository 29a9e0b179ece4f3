"""Whether a claimed chance to win is the rate at which such games are won.

A game is played by sapper's advice, and every chance that it claims on the way is kept. Claims of one game stand and fall
together, so the error of a rate is that of games, not of claims.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from sapper.core.move import Move
from sapper.core.status import Status
from sapper.game.game import Game
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, analyse
from sapper.solver.win import MOST_LAYOUTS, NODES, WinChance, win_chance_of

TENTHS = 10
SECOND_OPINION = Advisor()
LEAST_SPREAD = 4.0
"""The least variance of a group of games."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedGame:
    """A game, and the chances to win that were claimed on its way: at the start, before each guess, and after it."""

    claims: tuple[float, ...]
    won: bool
    estimates: tuple[float, ...] = ()
    """Those of the claims that are not exact."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tenth:
    """The claims from `low` to `high`: how many, of how many games, their mean, the share won, and its standard error if the claims are right."""

    low: float
    high: float
    claims: int
    games: int
    claimed: float
    won: float
    error: float

    @property
    def is_off(self) -> float:
        """By how many standard errors the share won differs from the mean claim."""
        return (self.won - self.claimed) / self.error if self.error else 0.0


def judge_game(
    game: Game, *, advisor: Advisor = SECOND_OPINION, most_layouts: int = MOST_LAYOUTS, nodes: int = NODES
) -> JudgedGame:
    """Play a game by sapper's advice to its end; it must be one that is won by revealing, and not begun.

    `advisor` makes the guesses.
    """
    claims: list[WinChance] = []

    def claim(analysis: Analysis) -> WinChance:
        chance = win_chance_of(
            analysis,
            most_layouts=most_layouts,
            nodes=nodes,
            safe_listed=bool(game.board.protected),
            parts=advisor.parts,
        )
        claims.append(chance)
        return chance

    best = claim(analyse(game.board)).best
    while best is not None and not game.board.status.ended:
        game.play(Move.reveal(best.cell))
        best, is_told = None, False
        while not game.board.status.ended:
            analysis = analyse(game.board)
            if not analysis.safe:
                best = claim(analysis).best
                break
            if not is_told:
                claim(analysis)
                is_told = True
            for one in analysis.safe:
                if game.board.is_legal(Move.reveal(one)):  # a cascade may have revealed it meanwhile
                    game.play(Move.reveal(one))
    return JudgedGame(
        claims=tuple(one.win for one in claims if one.win is not None),
        won=game.board.status is Status.WON,
        estimates=tuple(one.win for one in claims if one.win is not None and one.exact is None),
    )


def tenths_of(games: Iterable[JudgedGame]) -> list[Tenth]:
    """The tenths in which there are claims."""
    pieces: list[list[tuple[Sequence[float], bool]]] = [[] for _ in range(TENTHS)]
    for game in games:
        for number in range(TENTHS):
            inside = [claim for claim in game.claims if min(int(claim * TENTHS), TENTHS - 1) == number]
            if inside:
                pieces[number].append((inside, game.won))
    return [_tenth(number, some) for number, some in enumerate(pieces) if some]


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """Whether the estimates of some games agree with their results: a chi-square test over tenths."""

    games: int
    """Games in which something was estimated."""
    chi_square: float
    groups: int
    """Tenths, or several together where one has too few games: the degrees of freedom."""
    p: float
    """How often games that are won at exactly the claimed rates differ so much or more."""


def agreement_of(games: Iterable[JudgedGame]) -> Agreement:
    """The test: of each game the first estimate in each tenth counts.

    What counts must not depend on what follows. An estimate drawn from all those of a game does: a game that is lost early has
    few, so that its early ones are drawn more often, and right claims seem too high there.
    """
    estimated = [game for game in games if game.estimates]
    ends = [0]
    for high in range(1, TENTHS):
        if min(_spread(estimated, ends[-1], high), _spread(estimated, high, TENTHS)) >= LEAST_SPREAD:
            ends.append(high)
    groups = [pair for pair in pairwise([*ends, TENTHS]) if _spread(estimated, *pair)]
    off, spread = np.zeros(len(groups)), np.zeros((len(groups), len(groups)))
    for game in estimated:
        found = [(_first(game, *group), number) for number, group in enumerate(groups)]
        counting = sorted((at, number) for at, number in found if at is not None)
        for rank, (at, number) in enumerate(counting):
            claim = game.estimates[at]
            off[number] += game.won - claim
            # Of two right claims of one game, what the later one leaves open is what both are off by together.
            for other in [number, *(earlier for _, earlier in counting[:rank])]:
                spread[number, other] = spread[other, number] = spread[number, other] + claim * (1 - claim)
    chi_square = max(float(off @ np.linalg.pinv(spread) @ off), 0.0)
    return Agreement(
        games=len(estimated), chi_square=chi_square, groups=len(groups), p=chi_square_tail(chi_square, len(groups))
    )


def _first(game: JudgedGame, low: int, high: int) -> int | None:
    """The place of the first estimate of a game from one tenth up to another."""
    tenths = (min(int(one * TENTHS), TENTHS - 1) for one in game.estimates)
    return next((at for at, tenth in enumerate(tenths) if low <= tenth < high), None)


def _spread(games: Iterable[JudgedGame], low: int, high: int) -> float:
    """The variance of how many of the games are won that have an estimate from one tenth up to another."""
    found = ((game, _first(game, low, high)) for game in games)
    return sum(game.estimates[at] * (1 - game.estimates[at]) for game, at in found if at is not None)


def chi_square_tail(value: float, freedom: int) -> float:
    """The chance that a chi-square variable with so many degrees of freedom is so large or larger.

    >>> round(chi_square_tail(3.841, 1), 3), round(chi_square_tail(18.307, 10), 3), chi_square_tail(0.0, 0)
    (0.05, 0.05, 1.0)
    """
    half, first = value / 2, freedom % 2 / 2
    if freedom < 1 or not half:
        return 1.0
    terms = (
        math.exp((first + step) * math.log(half) - half - math.lgamma(first + step + 1)) for step in range(freedom // 2)
    )
    return min(1.0, sum(terms, math.erfc(math.sqrt(half)) if freedom % 2 else 0.0))


def holm(values: Sequence[float]) -> list[float]:
    """P-values of several tests, adjusted for their number (Holm's method), in the same order.

    >>> holm([0.01, 0.4, 0.03])
    [0.03, 0.4, 0.06]
    """
    adjusted = [0.0] * len(values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        least = max(least, min(1.0, values[place] * (len(values) - rank)))
        adjusted[place] = least
    return adjusted


def _tenth(number: int, games: Sequence[tuple[Sequence[float], bool]]) -> Tenth:
    count = sum(len(claims) for claims, _ in games)
    claimed = sum(sum(claims) for claims, _ in games) / count
    won = sum(len(claims) * win for claims, win in games) / count
    # If the claims are right, a game's claims are all won or all lost, independently of other games.
    means = [sum(claims) / len(claims) for claims, _ in games]
    spread = sum(len(claims) ** 2 * mean * (1 - mean) for mean, (claims, _) in zip(means, games, strict=True))
    return Tenth(
        low=number / TENTHS,
        high=(number + 1) / TENTHS,
        claims=count,
        games=len(games),
        claimed=claimed,
        won=won,
        error=math.sqrt(spread) / count,
    )
