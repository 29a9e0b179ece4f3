"""How sure a share of games is, and the difference of two."""

import math
from typing import NamedTuple

from sapper.errors import InvalidValueError

Z95 = 1.959963984540054
"""The normal deviate that 95 % of the distribution lie within."""


_LEAST = 2.0**-1022
"""The least float that has all its digits."""


class Interval(NamedTuple):
    """From `low` to `high`."""

    low: float
    high: float


def wilson(won: int, games: int, z: float = Z95) -> Interval:
    """The interval that the chance to win lies in, by default with 95 % confidence; 0 to 1 without a game.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am. Stat.
    Assoc. 22 (1927).
    """
    if not 0 <= won <= games:
        raise InvalidValueError(f"{won} of {games} games cannot be won")
    if not games:
        return Interval(0.0, 1.0)
    rate = won / games
    width = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / width
    reach = z / width * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    # At 0 and 1 the bound is exact, and floats would miss it by an ulp.
    return Interval(0.0 if won == 0 else middle - reach, 1.0 if won == games else middle + reach)


def mean_at_most(mean: float, count: int, risk: float = 0.05) -> float:
    """The bound that the expected value of something between 0 and 1 is below, given the mean of `count` independent values: wrong with a chance of
    `risk` at most, whatever their distribution; 1 without a value.

    The largest m with count · kl(mean, m) ≤ ln(1 / risk), where kl(p, q) = p ln(p/q) + (1−p) ln((1−p)/(1−q)). W. Hoeffding,
    "Probability inequalities for sums of bounded random variables", J. Am. Stat. Assoc. 58 (1963), theorem 1.
    """
    if count <= 0:
        return 1.0
    most = -math.log(risk) / count

    def divergence(bound: float) -> float:
        lower = mean * math.log(mean / bound) if mean else 0.0
        return lower + ((1 - mean) * math.log((1 - mean) / (1 - bound)) if mean < 1 else 0.0)

    low, high = mean, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if divergence(middle) <= most else (low, middle)
    return low


def paired_difference(both: int, first: int, second: int, neither: int) -> Interval:
    """The interval of how much more often the first of two wins, when both played the same games; -1 to 1 without a game.

    `both`, `first`, `second` and `neither` count the games that both won, only the first, only the second, none of them.
    R. G. Newcombe, "Improved confidence intervals for the difference between binomial proportions based on paired data",
    Statistics in Medicine 17 (1998), method 10: Wilson's intervals of the two rates, joined by their correlation.
    """
    games = both + first + second + neither
    if not games:
        return Interval(-1.0, 1.0)
    rates = (both + first) / games, (both + second) / games
    low_first, high_first = wilson(both + first, games)
    low_second, high_second = wilson(both + second, games)
    covariance = float(both * neither - first * second)
    if covariance > 0:  # Newcombe's continuity correction, which never changes the sign
        covariance = max(covariance - games / 2, 0.0)
    product = (both + first) * (second + neither) * (both + second) * (first + neither)
    phi = covariance / math.sqrt(product) if product else 0.0

    def reach(a: float, b: float) -> float:
        return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))

    difference = rates[0] - rates[1]
    return Interval(
        difference - reach(rates[0] - low_first, high_second - rates[1]),
        difference + reach(high_first - rates[0], rates[1] - low_second),
    )


def sign_test(one: int, other: int) -> float:
    """The two-sided exact p of so many boards that only one of two wins, if either is as likely to.

    It is above 0 whatever the boards; what is less than a float can say is the least one that has all its digits.
    """
    total, term, tail = one + other, 1, 0  # the term is a binomial coefficient, and so whole
    for count in range(min(one, other) + 1):
        tail += term
        term = term * (total - count) // (count + 1)
    p: float = 2 * tail / 2**total
    return min(1.0, max(p, _LEAST))


def p_in_words(p: float) -> str:
    """`p = 0.032`; a small one is said to be small, not 0."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"
