"""What a board is worth whose layouts are too many to be searched: an estimate of the chance to win.

A game is lost a little at every place where it may have to be guessed. So the chance is exp(−H), and H is a sum of
hazards: of the guess that is due now, of what is far from every clue, of what is beside clues; before the first reveal of
all cells, and of how they are begun with. Each hazard is the exponential of a weighted sum of a few
numbers of the exact analysis, so that boards of any size are read alike: twice the cells are about twice the hazard.

The weights are fitted to games that sapper played (`scripts/fit_win_value.py`), and checked on others like those; of any other board nothing is said (`why_not_known`). Within, the estimate is calibrated: of boards it gives 0.7, about
seven in ten are won (`bench/calibration.py`). It knows good boards from bad ones, and nothing of one move against another;
that is `best_reply`'s.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.rules import Start
from sapper.core.tile import Tile
from sapper.solver.analysis import Analysis
from sapper.solver.win_weights import AT_REST, AT_START, ON_THE_MOVE

SIDES: Final = (8, 50)
MOST_MINED: Final = 0.22
LONGEST: Final = 4
"""The boards that the estimate was checked on (it was fitted to somewhat more): the cells of a side, the share of mines at most, and how many
times as long as the shorter side the longer one may be."""

Hazards = tuple[tuple[float, ...], ...]
"""The numbers that each hazard is made of, the constant 1 first."""


def why_not_known(board: Board) -> str | None:
    """Why there is no estimate for such a board; None where there is one."""
    grid, (least, most) = board.grid, SIDES
    short, long = sorted((grid.width, grid.height))
    if (
        grid.is_plane
        and least <= short <= long <= min(most, LONGEST * short)
        and board.mine_count <= MOST_MINED * grid.size
    ):
        return None
    return (
        "the chance to win is not known: too many layouts are left to search them, and estimates were checked only on rectangles"
        f" of {least}x{least} to {most}x{most} cells, at most {LONGEST} times as long as wide, with at most {100 * MOST_MINED:.0f} % mines"
    )


def value_of(analysis: Analysis, cells: Sequence[int], score: float | None) -> float | None:
    """The chance to win the part of a board that these uncertain cells are; `score` is its best reply's, None where a cell is safe.

    None where it is not known.
    """
    if why_not_known(analysis.board) is not None:
        return None
    reading = reading_of(analysis, cells, score)
    return chance_of(ON_THE_MOVE if score is None else AT_REST, hazards_of(reading))


def value_at_start(board: Board) -> float | None:
    """The chance to win a board of which nothing is revealed; None where it is not known.

    Where the first reveal is protected by nothing, it is survived first, and what follows is as after a protected one.
    """
    if why_not_known(board) is not None:
        return None
    value = chance_of(AT_START, hazards_at_start(board))
    return value if board.protected else value * (1 - board.mine_count / board.grid.size)


def chance_of(weights: Hazards, hazards: Hazards) -> float:
    """exp(−H)."""
    total = 0.0
    for some, numbers in zip(weights, hazards, strict=True):
        exponent = sum(weight * number for weight, number in zip(some, numbers, strict=True))
        total += math.exp(max(min(exponent, 6.0), -12.0))
    return math.exp(-total)


class Reading(NamedTuple):
    """What the estimate reads of the uncertain cells of a board that has begun."""

    width: int
    height: int
    score: float | None
    """Of the best reply; None where a cell is safe."""
    least: float
    """The least risk."""
    safe: int
    """Cells of the board that are safe."""
    covered: int
    density: float
    """Of mines on the whole board."""
    beside: int
    """Uncertain cells beside clues, and what their risks r add up to: min(r, 1 − r), r (1 − r), those from 0.3 to 0.7."""
    doubt: float
    spread: float
    open: int
    interior: int
    """Uncertain cells beside no clue, those of them at the board's edge, and the risk of each."""
    edge: int
    inner: float
    components: int
    """How many parts there are whose clues share cells."""


def reading_of(analysis: Analysis, cells: Sequence[int], score: float | None) -> Reading:
    """What is read of these uncertain cells."""
    board = analysis.board
    width, height = board.grid.width, board.grid.height
    of_all = analysis.chances
    inside = analysis.interior & cells
    frontier = CellSet.of(cells) - inside
    starts, table = board.grid.table
    tiles, last_clue = board.tiles, int(Tile.EIGHT)
    clues = [[near for near in table[starts[cell] : starts[cell + 1]] if tiles[near] <= last_clue] for cell in frontier]
    beside = [of_all[cell] for cell in frontier]
    return Reading(
        width=width,
        height=height,
        score=score,
        least=min(of_all[cell] for cell in cells),
        safe=len(analysis.safe),
        covered=board.covered_count,
        density=board.mine_count / board.grid.size,
        beside=len(beside),
        doubt=sum(min(risk, 1 - risk) for risk in beside),
        spread=sum(risk * (1 - risk) for risk in beside),
        open=sum(0.3 < risk < 0.7 for risk in beside),
        interior=len(inside),
        edge=sum(cell % width in (0, width - 1) or cell // width in (0, height - 1) for cell in inside),
        inner=of_all[next(iter(inside))] if inside else 0.0,
        components=_parts(clues),
    )


def _parts(clues: Sequence[Sequence[int]]) -> int:
    """Of cells, each by the clues beside it: how many parts they fall into that share no clue."""
    of: dict[int, int] = {}

    def root(clue: int) -> int:
        while of.setdefault(clue, clue) != clue:
            of[clue] = of[of[clue]]
            clue = of[clue]
        return clue

    for first, *others in clues:
        for other in others:
            of[root(other)] = root(first)
        root(first)
    return len({root(clue) for clue in of})


def hazards_of(reading: Reading) -> Hazards:
    """Of the guess that is due, if one is; of what is far from clues; of what is beside them."""
    one = reading
    log_inner = math.log(max(one.inner, 0.01))
    log_interior = math.log(one.interior + 0.2)
    narrow = [_narrowness(one.width, one.height, side) for side in (4, 5, 6)]
    left = one.covered / (one.width * one.height)
    inside = (
        1.0,
        log_interior,
        log_inner,
        log_inner**2,
        log_inner**3,
        one.inner,
        log_interior * log_inner,
        log_interior * log_inner**2,
        one.edge / (one.interior + 1),
        1 / (one.interior + 1),
        1 / min(one.width, one.height),
        left,
        left**2,
        *narrow,
        *(some * log_interior for some in narrow),
        *(some * log_inner for some in narrow),
    )
    beside = (
        1.0,
        math.log(one.doubt + 0.1),
        math.log(one.spread + 0.1),
        math.log(one.beside + 1),
        math.log(one.open + 1),
        one.doubt / (one.beside + 1),
        math.log(one.components + 1),
        math.log(one.safe + 1),
        one.density,
        math.log(one.covered),
        one.least,
        math.log(one.open + 1) * one.density,
        left,
        *narrow,
    )
    if one.score is None:
        return inside, beside
    now = (
        1.0,
        math.log(max(-math.log(max(one.score, 1e-4)), 1e-3)),
        math.log(max(-math.log(max(1 - one.least, 1e-9)), 1e-3)),
        1 / math.sqrt(one.covered),
        one.density,
        one.inner,
        math.log(one.interior + 1),
        math.log(one.beside + 1),
    )
    return now, inside, beside


def _narrowness(width: int, height: int, side: int) -> float:
    """How many sides have so many cells: mines wall off parts of narrow boards, in ways that differ from side to side."""
    return float((width == side) + (height == side))


def hazards_at_start(board: Board) -> Hazards:
    """Of all cells; of the first reveal."""
    grid = board.grid
    is_open = float(opens_at_start(board))
    rest = max(grid.size - known_at_start(board), 1)
    log_rest = math.log(rest)
    density = max(board.mine_count, 0.5) / rest
    log_density = math.log(density)
    shape = math.log(grid.width + grid.height) - log_rest / 2
    edge = 1 / min(grid.width, grid.height)
    longest = math.log(max(grid.width, grid.height))
    narrow = [_narrowness(grid.width, grid.height, side) for side in (4, 5, 6, 7, 8)]
    everywhere = (
        1.0,
        log_rest,
        log_density,
        log_density**2,
        log_density**3,
        density,
        density**2,
        log_rest * log_density,
        log_rest * log_density**2,
        log_rest**2,
        log_rest**2 * log_density,
        shape,
        shape * log_density,
        1 / rest,
        edge,
        edge * log_density,
        log_rest**3,
        density * log_rest,
        density * log_rest**2,
        log_density / rest,
        1 / max(board.mine_count, 1),
        *narrow,
        *(some * longest for some in narrow),
        *(some * log_density for some in narrow),
        *(some * is_open for some in narrow),
    )
    begin = (
        1.0,
        is_open,
        log_density,
        is_open * log_density,
        log_density**2,
        is_open * log_density**2,
        log_rest,
        is_open * log_rest,
        1 / rest,
        is_open / rest,
        density,
        *narrow,
    )
    return everywhere, begin


def opens_at_start(board: Board) -> bool:
    """True if the first reveal is certain to be a zero."""
    return board.rules.start is Start.OPEN and bool(board.protected)


def known_at_start(board: Board) -> int:
    """How many cells have no mine because they are revealed first."""
    first = board.first_cell
    return 1 + len(board.grid.neighbours(first)) if first is not None and opens_at_start(board) else 1
