"""How sure a share of games is.

Knows: Wilson's interval.
Does not know: what was won, who counted.
"""

import math
from typing import NamedTuple

Z95 = 1.959963984540054
"""The normal deviate that 95 % of the distribution lie within."""


class Interval(NamedTuple):
    """From `low` to `high`."""

    low: float
    high: float


def wilson(won: int, games: int, z: float = Z95) -> Interval:
    """The interval that the chance to win lies in, by default with 95 % confidence; 0 to 1 without a game.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", J. Am. Stat.
    Assoc. 22 (1927).
    """
    if not games:
        return Interval(0.0, 1.0)
    rate = won / games
    width = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / width
    reach = z / width * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    # At 0 and 1 the bound is exact, and floats would miss it by an ulp.
    return Interval(0.0 if won == 0 else middle - reach, 1.0 if won == games else middle + reach)
