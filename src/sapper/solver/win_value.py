"""What a board is worth whose layouts are too many to be searched: an estimate of the chance to win.

A logistic regression on what the exact analysis says of the whole board, fitted to games that sapper played by its own
advice (`scripts/fit_win_value.py` plays them and fits the weights). It is calibrated: of boards it gives 0.7, about
seven in ten are won (`bench/calibration.py`). It knows good boards from bad ones, and nothing of one move
against another; that is `best_reply`'s.

Knows: the numbers of an analysis, the weights.
Does not know: moves.
"""

import math
from collections.abc import Sequence

from sapper.core.board import Board
from sapper.core.rules import Start
from sapper.core.tile import Tile
from sapper.solver.analysis import Analysis
from sapper.solver.win_weights import AT_REST, AT_START, ON_THE_MOVE


def value_of(analysis: Analysis, cells: Sequence[int], score: float | None) -> float:
    """The chance to win the part of a board that these uncertain cells are; `score` is its best reply's, None where a cell is safe."""
    return _logistic(ON_THE_MOVE if score is None else AT_REST, numbers_of(analysis, cells, score))


def value_at_start(board: Board) -> float:
    """The chance to win a board of which nothing is revealed.

    Where the first reveal is protected by nothing, it is survived first, and what follows is as after a protected one.
    """
    value = _logistic(AT_START, numbers_at_start(board))
    return value if board.protected else value * (1 - board.mines / board.grid.size)


def _logistic(weights: Sequence[float], numbers: Sequence[float]) -> float:
    total = sum(weight * number for weight, number in zip(weights, numbers, strict=True))
    return 1 / (1 + math.exp(-max(min(total, 30.0), -30.0)))


def numbers_of(analysis: Analysis, cells: Sequence[int], score: float | None) -> list[float]:
    """What the estimate reads of a board, the constant 1 first."""
    tiles, neighbours = analysis.board.tiles, analysis.board.grid.neighbours
    risks = [analysis.risk(cell) for cell in cells]
    beside = [
        risk
        for cell, risk in zip(cells, risks, strict=True)
        if any(tiles[near] <= Tile.EIGHT for near in neighbours(cell))
    ]
    interior = len(cells) - len(beside)
    mines = sum(risks)
    density = mines / max(len(cells), 1)
    inner = (mines - sum(beside)) / max(interior, 1)
    to_reveal = len(cells) - mines
    doubt = sum(min(risk, 1 - risk) for risk in beside)
    safe = min(risks, default=0.0)
    even = sum(0.4 < risk < 0.6 for risk in beside)
    return [
        1.0,
        *((0.0, 0.0) if score is None else (math.log(max(score, 1e-6)), math.log(max(1 - safe, 1e-6)))),
        math.log1p(to_reveal),
        math.log1p(mines),
        math.log1p(interior),
        math.log1p(len(beside)),
        math.log1p(doubt),
        doubt / (len(beside) + 1),
        math.log1p(even),
        density,
        inner,
        inner * inner,
        inner * math.log1p(interior),
        inner * interior / 100,
        interior / 100,
        doubt / 10,
        math.log1p(len(analysis.safe)),
    ]


def numbers_at_start(board: Board) -> list[float]:
    """The same before the first reveal: size, density, start rule."""
    size = board.grid.size
    density = board.mines / size
    is_open = float(board.rules.start is Start.OPEN)
    edge = (board.grid.width + board.grid.height) / size
    return [
        1.0,
        is_open,
        density,
        density * density,
        density**3,
        math.log(size),
        density * math.log(size),
        density * density * math.log(size),
        is_open * density,
        is_open * math.log(size),
        math.log(size) ** 2,
        density * math.log(size) ** 2,
        edge,
    ]
