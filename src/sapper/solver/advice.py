"""What to reveal next, in a sentence that speaks of winning."""

import math
from fractions import Fraction

from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.rules import Promise
from sapper.core.tile import Tile
from sapper.solver.analysis import TIE
from sapper.solver.strategies.least_risk import best_cell
from sapper.solver.win import Candidate, WinChance
from sapper.solver.words import at, listed, percent

_PLAIN = 12
"""Chances with denominators up to this are said as `2 in 3`."""
_MOST_NAMED = 3
_MOST_DIGITS = 4
_ABOUT = "about "


def advice_of(chance: WinChance) -> str | None:
    """Why the best candidate is the one to reveal; None where there is none.

    A guess that is not the least risky one is compared with that.
    """
    best = chance.best
    if best is None:
        return None
    board = chance.board
    if not best.risk:
        if board.promise is Promise.KABOOM and not chance.analysis.safe:
            return "no cell is certain to be safe, so any guess is safe: Kaboom never punishes a guess that is forced"
        if chance.board.protected:
            said = f"{at(board, best.cell)} is safe, as the first reveal"
        else:
            said = f"{at(board, best.cell)} is safe: it is a mine in no layout that fits"
        return f"{said}; {_you_win(best.win, best.exact)}"
    return f"{_guess(chance, best)}{forced_words(chance)}"


def best_reveal(chance: WinChance) -> tuple[Cell, str] | None:
    """The cell to reveal, and why: for winning, or for surviving where a game is not won by revealing."""
    if chance.best is not None:
        return chance.best.cell, advice_of(chance) or ""
    least = None if chance.board.status.ended else best_cell(chance.analysis)
    return None if least is None else (least.cell, least.reason)


def candidate_words(board: Board, one: Candidate) -> str:
    """One candidate in a few words, for lists."""
    risk = "safe" if not one.risk else f"a risk of {percent(one.risk)}"
    waits = "" if one.can_wait else "; no clue will tell more, so it need not wait"
    return f"{at(board, one.cell)}: {risk}, {_you_win(one.win, one.exact)}{waits}"


def board_words(chance: WinChance) -> str:
    """The board's own chance, or why it has none."""
    if chance.win is None and chance.win_low is None:
        return chance.reason or ""
    if chance.exact is not None:
        return f"{_you_win(chance.win, chance.exact)} by best play"
    bounds = bounds_words(chance.win_low or 0.0, chance.win_high or 0.0)
    if chance.win is None:
        return f"{chance.reason} ({bounds})" if bounds else chance.reason or ""
    margin = f"played out, ± {200 * (chance.win_error or 0.0):.0f} points"
    return f"{_you_win(chance.win, None)} ({margin}{bounds and f'; {bounds}'})"


def chance_words(win: float, exact: Fraction | None, *, digits: int = 0) -> str:
    """A chance to win: `2 in 3`, `46.1 %` where it is exact, `about 46 %` where it is not (with so many digits after the point).

    >>> chance_words(2 / 3, Fraction(2, 3)), chance_words(0.461, None), chance_words(0.001, None)
    ('2 in 3', 'about 46 %', 'less than 1 %')
    """
    if exact is None:
        step = 10**-digits
        if 100 * win < step / 2:
            return f"less than {step:g} %"
        if 100 * win > 100 - step / 2:
            return f"more than {100 - step:g} %"
        return f"{_ABOUT}{100 * win:.{digits}f} %"
    if exact.denominator <= _PLAIN and 0 < exact < 1:
        return f"{exact.numerator} in {exact.denominator}"
    return percent(win)


def win_words(*wins: float, is_exact: bool) -> list[str]:
    """Chances to win in percent; of playouts whole percent, and `about` before the first one.

    >>> win_words(0.9234, 0.4561, 0.0, is_exact=False), win_words(0.9234, is_exact=True)
    (['about 92 %', '46 %', '0.0 %'], ['92.3 %'])
    """
    words = [percent(win) if is_exact or win in (0.0, 1.0) else chance_words(win, None) for win in wins]
    first = next((number for number, word in enumerate(words) if word.startswith(_ABOUT)), 0)
    return [*words[: first + 1], *(word.removeprefix(_ABOUT) for word in words[first + 1 :])]


def bounds_words(low: float, high: float) -> str:
    """Bounds that are proved, rounded away from each other; nothing where every chance is within them.

    >>> bounds_words(0.0004, 0.6093), bounds_words(0.0004, 0.9998)
    ('certainly 0.0 to 61.0 %', '')
    """
    least, most = math.floor(round(1000 * low, 9)) / 10, math.ceil(round(1000 * high, 9)) / 10
    return f"certainly {least:.1f} to {most:.1f} %" if least > 0 or most < 100 else ""


def chances_apart(one: tuple[float, Fraction | None], other: tuple[float, Fraction | None]) -> tuple[str, str]:
    """Two chances to win that differ, in words that differ as well: with as many digits as that takes.

    >>> chances_apart((0.4431, None), (0.4388, None))
    ('about 44.3 %', 'about 43.9 %')
    """
    words = (chance_words(*one), chance_words(*other))
    for digits in range(1, _MOST_DIGITS + 1):
        if words[0] != words[1]:
            break
        words = (chance_words(*one, digits=digits), chance_words(*other, digits=digits))
    return words


def _you_win(win: float | None, exact: Fraction | None) -> str:
    if win is None:
        return "how often that wins is not known"
    return "you win for certain" if exact == 1 else f"you win {chance_words(win, exact)}"


def _guess(chance: WinChance, best: Candidate) -> str:
    board = chance.board
    wins = _you_win(best.win, best.exact)
    least = chance.of(chance.analysis.least_risky) if chance.analysis.least_risky is not None else None
    if least is None or least.cell == best.cell:
        return f"{_opening(board)}; the least risk is {percent(best.risk)} at {at(board, best.cell)}, and {wins}"
    if best.win is not None and least.win is not None and (least.cell in chance.level or best.win <= least.win + TIE):
        return f"{_opening(board)}; {at(board, best.cell)} has a risk of {percent(best.risk)}, and {wins}"
    other = at(board, least.cell)
    if best.risk <= least.risk + TIE:
        risks = f"as risky as {other}"
    else:
        risks = f"a risk of {percent(best.risk)} where {other} has {percent(least.risk)}"
    if best.win is not None and least.win is not None:
        of_best, of_least = chances_apart((best.win, best.exact), (least.win, least.exact))
        wins = f"you win {of_best} instead of {of_least}" if best.exact != 1 else f"{wins} instead of {of_least}"
    return f"{at(board, best.cell)}: {risks}, but it {_tells(board, best)}: {wins}"


def _opening(board: Board) -> str:
    has_clues = any(tile <= Tile.EIGHT for tile in board.tiles)
    return "no safe cell" if has_clues else "nothing is revealed that could make a cell safe"


def _tells(board: Board, best: Candidate) -> str:
    """The cells that the guess decides, whatever its clue, in words."""
    if not best.decides:
        return "tells more"
    if len(best.decides) <= _MOST_NAMED:
        return f"decides {listed(board, best.decides)}"
    return f"decides {len(best.decides):,} more cells"


def forced_words(chance: WinChance) -> str:
    """The unavoidable 50/50s, beside the only one there may be."""
    even = [one for one in chance.forced if one.is_even]
    if not even:
        return ""
    named = "; ".join(
        f"{listed(chance.board, one.cells, most=4)} are a 50/50 that cannot be avoided" for one in even[:_MOST_NAMED]
    )
    more = f"; and {len(even) - _MOST_NAMED:,} more" if len(even) > _MOST_NAMED else ""
    return f"; {named}{more}"
