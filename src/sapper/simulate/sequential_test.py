"""A sequential test of two strategies on the same boards: pairs of games are looked at until one of two hypotheses is accepted.

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

import math
from enum import Enum
from typing import Final

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
    """The pairs so far, and which hypothesis they have led to."""

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
        """How many pairs of games were looked at."""
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
