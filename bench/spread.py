"""How the figures of several rounds are said: the median, and beside it the least and the greatest of a round."""

import statistics
from collections.abc import Sequence


def spread(figures: Sequence[float], digits: int = 1) -> str:
    """`6.7 (6.1 to 7.2)`."""
    return f"{statistics.median(figures):,.{digits}f} ({min(figures):,.{digits}f} to {max(figures):,.{digits}f})"
