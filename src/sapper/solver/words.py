"""How cells and chances are put in words, in whatever explains a board."""

import math
from collections.abc import Iterable

from sapper.core.board import Board
from sapper.core.coordinates import cell_name
from sapper.core.words import joined

_MOST_NAMED = 12


def at(board: Board, cell: int) -> str:
    return cell_name(board.grid, cell)


def listed(board: Board, cells: Iterable[int], *, most: int = _MOST_NAMED) -> str:
    """Cells in words, ascending; of very many the first few, and how many more there are."""
    return joined([at(board, cell) for cell in sorted(cells)], most=most)


def count_words(count: int) -> str:
    """A number of layouts: in digits, or the first of them and the power of ten.

    >>> count_words(17577), count_words(4 * 10**30)
    ('17,577', '4.00 × 10^30')
    """
    return f"{count:,}" if count < 10**15 else power_words(math.log10(count))


def power_words(log10: float) -> str:
    """A number of which the decimal logarithm is known: `4.00 × 10^30`."""
    exponent, rest = divmod(log10, 1)
    mantissa = f"{10**rest:.2f}"
    if mantissa == "10.00":
        mantissa, exponent = "1.00", exponent + 1
    return f"{mantissa} × 10^{int(exponent):,}"


def points(change: float) -> str:
    """A change of a chance in percentage points; one that is 0 as it is shown has no sign.

    >>> points(0.123), points(-0.0001), points(0.0)
    ('+12.3', '0.0', '0.0')
    """
    rounded = round(100 * change, 1)
    return f"{rounded:+.1f}" if rounded else "0.0"


def percent(chance: float) -> str:
    """A chance from 0 to 1 as a percentage; one that is not quite 0 or 1 never reads as if it were.

    >>> percent(0.1238), percent(1e-9), percent(1.0), percent(0.0)
    ('12.4 %', 'less than 0.1 %', '100.0 %', '0.0 %')
    """
    value = 100 * chance
    if 0 < value < 0.05:
        return "less than 0.1 %"
    if 99.95 <= value < 100:
        return "more than 99.9 %"
    return f"{value:.1f} %"
