"""Strategies side by side: runs of the same plan, game by game; a sequential test of two of them."""

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import combinations
from typing import Final

from sapper.metrics.interval import Interval, paired_difference
from sapper.simulate.results import GameOutcome, RunSummary, SimulatedGame

_OUTCOMES = tuple(GameOutcome)
_NOT_PLAYED = len(_OUTCOMES)


class OutcomeLog:
    """How each game of a run ended, a byte a game, by its number; `begin` is the first.

    A run that was interrupted may lack games before its last: each worker was in the middle of games of its own.
    """

    __slots__ = ("_codes", "begin")

    def __init__(self, begin: int = 0) -> None:
        self.begin = begin
        self._codes = bytearray()

    def add(self, outcome: GameOutcome, *, game: int | None = None) -> None:
        """The next game, or that of this number, which is after all that are here; `ValueError` if it is not."""
        missing = 0 if game is None else game - self.end
        if missing < 0:
            raise ValueError(f"game {game} comes after game {self.end - 1}")
        self._codes += bytes([_NOT_PLAYED]) * missing
        self._codes.append(_OUTCOMES.index(outcome))

    @property
    def end(self) -> int:
        return self.begin + len(self._codes)

    def __len__(self) -> int:
        return len(self._codes) - self._codes.count(_NOT_PLAYED)

    def __contains__(self, game: int) -> bool:
        return self.begin <= game < self.end and self._codes[game - self.begin] != _NOT_PLAYED

    def __getitem__(self, game: int) -> GameOutcome:
        """How that game ended; `KeyError` of one that was not played."""
        if game not in self:
            raise KeyError(game)
        return _OUTCOMES[self._codes[game - self.begin]]

    def has_won(self, game: int) -> bool:
        return self[game] is GameOutcome.WON


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyRun:
    """What one strategy made of the plan."""

    strategy: str
    summary: RunSummary
    outcomes: OutcomeLog = field(repr=False, hash=False, compare=False)
    lost: tuple[SimulatedGame, ...] = field(default=(), repr=False)
    """The first games that it lost, as many as are wanted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairing:
    """Two strategies on the same games; those that both have played count."""

    first: str
    second: str
    both: int
    """Games that both won."""
    only_first: int
    only_second: int
    neither: int
    first_games: tuple[int, ...] = field(repr=False)
    """The numbers of the games that only the first won, ascending."""
    second_games: tuple[int, ...] = field(repr=False)
    """The numbers of the games that only the second won."""

    @classmethod
    def of(cls, first: StrategyRun, second: StrategyRun) -> "Pairing":
        mine, others = first.outcomes, second.outcomes
        numbers = range(max(mine.begin, others.begin), min(mine.end, others.end))
        games = [game for game in numbers if game in mine and game in others]
        won = {game: (mine.has_won(game), others.has_won(game)) for game in games}
        counts = Counter(won.values())
        return cls(
            first=first.strategy,
            second=second.strategy,
            both=counts[(True, True)],
            only_first=counts[(True, False)],
            only_second=counts[(False, True)],
            neither=counts[(False, False)],
            first_games=tuple(game for game in games if won[game] == (True, False)),
            second_games=tuple(game for game in games if won[game] == (False, True)),
        )

    @property
    def games(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def difference(self) -> float:
        """The first's win rate less the second's, from -1 to 1."""
        return (self.only_first - self.only_second) / self.games if self.games else 0.0

    @property
    def interval(self) -> Interval:
        """The 95 % interval of the difference, for games that are the same for both (Newcombe's)."""
        return paired_difference(self.both, self.only_first, self.only_second, self.neither)


def pairings(runs: list[StrategyRun]) -> Iterator[Pairing]:
    return (Pairing.of(first, second) for first, second in combinations(runs, 2))


ALPHA: Final = 0.05
"""How often d = high is accepted where d = low is true, about."""
BETA: Final = 0.05
"""How often d = low is accepted where d = high is true, about."""
LOWER: Final = math.log(BETA / (1 - ALPHA))
UPPER: Final = math.log((1 - BETA) / ALPHA)


class Accepted(Enum):
    """Which hypothesis is accepted."""

    HIGH = "high"
    LOW = "low"


class SequentialTest:
    """The pairs so far, and which hypothesis they have led to.

    The hypotheses are values of d, how much more often the first of the two wins: d = low, and d = high. Each pair of games is +1 (only the
    first won), -1 (only the second) or 0. Wald's sequential probability ratio test goes on while the log-likelihood ratio of the
    hypotheses lies between log(beta / (1 - alpha)) and log((1 - beta) / alpha). How many pairs differ is not known beforehand, so that each
    hypothesis gets the likelihood of the chances that fit best among those with its d: the *generalized* test. With w, n and l pairs of
    +1, 0 and -1 these are, with x the chance of -1 and x + d that of +1, where the derivative of

        w log(x + d) + n log(1 - 2 x - d) + l log(x)

    is 0, which is a quadratic equation in x. For d of at most some tenths of a point the errors are close to alpha and beta, as
    `bench/sequential_test.py` shows by simulation.

    Pairs are to be given in the order of the boards, not in that in which they end: lost games end sooner. What has been won by the time a
    test ends is no measure of d, since a test ends when the first of the two has been lucky or unlucky: d is measured on fresh boards.

    A. Wald, "Sequential tests of statistical hypotheses", Annals of Mathematical Statistics 16 (1945). X. Li, J. Liu and Z. Ying,
    "Generalized sequential probability ratio test for separate families of hypotheses", Sequential Analysis 33 (2014). The trinomial form
    for pairs of games is that of engine testing in chess: M. Van den Bergh, "A practical introduction to the GSPRT" (2017, fishtest).
    """

    __slots__ = ("accepted", "both", "high", "low", "neither", "only_first", "only_second")

    def __init__(self, *, low: float, high: float) -> None:
        """`low` and `high` are differences of win rates, from -1 to 1."""
        if not -1 < low < high < 1:
            raise ValueError(f"a test is between two differences, the lower first, not {low} and {high}")
        self.low, self.high = low, high
        self.both = self.only_first = self.only_second = self.neither = 0
        self.accepted: Accepted | None = None
        """None while the test goes on."""

    @property
    def pairs(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihood of d = high over that of d = low."""
        counts = self.only_first, self.both + self.neither, self.only_second
        return _best_log_likelihood(*counts, self.high) - _best_log_likelihood(*counts, self.low)

    def add(self, *, first: bool, second: bool) -> Accepted | None:
        """The games of the next board: whether each strategy won. After that nothing is added."""
        if self.accepted is None:
            if first != second:
                self.only_first += first
                self.only_second += second
            else:
                self.both += first
                self.neither += not first
            ratio = self.ratio
            if ratio >= UPPER:
                self.accepted = Accepted.HIGH
            elif ratio <= LOWER:
                self.accepted = Accepted.LOW
        return self.accepted


def _best_log_likelihood(wins: int, draws: int, losses: int, difference: float) -> float:
    """The greatest log-likelihood of these counts, of all chances with so much between those of +1 and -1.

    >>> round(_best_log_likelihood(1, 0, 1, 0.0), 6) == round(2 * math.log(1 / 2), 6)
    True
    """
    count = wins + draws + losses
    middle = (wins + losses) * (1 - difference) - 2 * difference * (draws + losses)
    product = 8 * count * losses * difference * (1 - difference)
    loss = (middle + math.sqrt(max(0.0, middle * middle + product))) / (4 * count) if count else 0.0
    loss = min(max(loss, 0.0, -difference), (1 - difference) / 2)
    chances = (loss + difference, 1 - 2 * loss - difference, loss)
    return sum(
        number * math.log(max(chance, _LEAST))
        for number, chance in zip((wins, draws, losses), chances, strict=True)
        if number
    )


_LEAST = 1e-300
