"""The JSON of `sapper analyse`.

Exact numbers are texts; one of more than 4,096 digits is null, and the float beside it serves. Where there
is no exact analysis the document has the same keys, what is not known is null, and `error` says why. Where the
chance to win is not defined, `win` says why in `reason`.
"""

import json
import math
from fractions import Fraction
from typing import Any

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.tile import Tile
from sapper.errors import ContradictionError, TooHardError
from sapper.solver.advice import advice_of, candidate_words
from sapper.solver.analysis import PartialAnalysis
from sapper.solver.strategies.least_risk import Best, best_cell, best_certain
from sapper.solver.whole_game import ExactValue
from sapper.solver.win import Candidate, WinChance

MOST_DIGITS = 4096
_LIMIT = 10**MOST_DIGITS
_HIDDEN = frozenset({int(Tile.COVERED), int(Tile.FLAGGED), int(Tile.QUESTION)})

Document = dict[str, Any]


def dumped(document: Document) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False)


def document(chance: WinChance) -> Document:
    """Everything that is known of a board. `best` is null if the game is over or no covered cell can be safe."""
    analysis = chance.analysis
    board, census = analysis.board, analysis.census
    found = _frame(board)
    found["census"] = str(census) if census < _LIMIT else None
    found["census_log10"] = analysis.census_log10
    chances: dict[int, tuple[str | None, float]] = dict.fromkeys(analysis.safe, ("0/1", 0.0))
    chances.update(dict.fromkeys(analysis.mined, ("1/1", 1.0)))
    for group in analysis.groups:  # not cell by cell: numbers can be very long
        chances.update(dict.fromkeys(group.cells, (_fraction(group.numerator, census), group.numerator / census)))
    for cell, (mine, risk) in sorted(chances.items()):
        found["cells"].append(_cell(board, cell, mine, risk))
    found["safe"] = _places(board, analysis.safe)
    found["mined"] = _places(board, analysis.mined)
    best = None if board.status.ended else best_cell(analysis)
    if chance.best is not None:
        found["best"] = _candidate(board, chance.best, advice_of(chance) or "")
    elif best is not None:
        found["best"] = _best(board, best)
    found["candidates"] = [
        _candidate(board, one, candidate_words(board, one))
        | {"risk": one.risk, "clues": [list(clue) for clue in one.clues], "can_wait": one.can_wait}
        for one in chance.candidates
    ]
    found["win"] = {
        "win": chance.win,
        "win_low": chance.win_low,
        "win_high": chance.win_high,
        "exact": _text(chance.exact),
        "reason": chance.reason,
    }
    found["forced"] = [
        {"cells": [board.grid.xy(cell) for cell in one.cells], "chance": _text(one.chance)} for one in chance.forced
    ]
    return found


def whole_game(board: Board, value: ExactValue) -> Document:
    best = [board.grid.xy(cell) for cell in value.best]
    return {"layouts": value.layouts, "wins": value.wins, "win": _text(value.win), "best": best}


def contradiction_document(board: Board, error: ContradictionError) -> Document:
    found = _frame(board)
    found["census"] = "0"
    for cell in _hidden(board):
        found["cells"].append(_cell(board, cell, None, None))
    found["win"]["reason"] = "no layout fits the board"
    found["error"] = contradiction(board, error)
    return found


def contradiction(board: Board, error: ContradictionError) -> Document:
    """Which clues contradict each other, and whether the number of mines has a part in it."""
    clues = _places(board, CellSet.of(error.clues))
    return {"message": str(error), "clues": clues, "mine_count": error.mine_count}


def partial_document(partial: PartialAnalysis, error: TooHardError) -> Document:
    board = partial.board
    found = _frame(board)
    certain = dict.fromkeys(partial.safe, 0) | dict.fromkeys(partial.mined, 1)
    for cell in _hidden(board):
        mine = certain.get(board.grid.check(cell))
        found["cells"].append(_cell(board, cell, None if mine is None else f"{mine}/1", mine))
    found["safe"] = _places(board, partial.safe)
    found["mined"] = _places(board, partial.mined)
    best = None if board.status.ended else best_certain(partial)
    if best is not None:
        found["best"] = _best(board, best)
    found["win"]["reason"] = "the board is too hard to analyse exactly"
    found["error"] = {
        "message": str(error),
        "cap": error.cap,
        "unsolved": [_places(board, CellSet.of(clues)) for clues in partial.unsolved],
    }
    return found


def _frame(board: Board) -> Document:
    return {
        "width": board.grid.width,
        "height": board.grid.height,
        "mine_count": board.mine_count,
        "census": None,
        "census_log10": None,
        "cells": [],
        "safe": [],
        "mined": [],
        "best": None,
        "candidates": [],
        "win": {"win": None, "win_low": None, "win_high": None, "exact": None, "reason": None},
        "forced": [],
    }


def _hidden(board: Board) -> list[int]:
    return [cell for cell, tile in enumerate(board.tiles) if tile in _HIDDEN]


def _cell(board: Board, cell: int, mine: str | None, chance: float | None) -> Document:
    x, y = board.grid.xy(cell)
    return {"x": x, "y": y, "mine": mine, "p": None if chance is None else float(chance)}


def _best(board: Board, best: Best) -> Document:
    x, y = board.grid.xy(best.cell)
    return {"x": x, "y": y, "win": None, "win_low": None, "win_high": None, "exact": None, "why": best.reason}


def _candidate(board: Board, one: Candidate, why: str) -> Document:
    x, y = board.grid.xy(one.cell)
    return {
        "x": x,
        "y": y,
        "win": one.win,
        "win_low": one.win_low,
        "win_high": one.win_high,
        "exact": _text(one.exact),
        "why": why,
    }


def _text(chance: Fraction | None) -> str | None:
    return None if chance is None else _fraction(chance.numerator, chance.denominator)


def _places(board: Board, cells: CellSet) -> list[tuple[int, int]]:
    return [board.grid.xy(cell) for cell in cells]


def _fraction(numerator: int, denominator: int) -> str | None:
    """In lowest terms; None if it has too many digits."""
    divisor = math.gcd(numerator, denominator)
    numerator //= divisor
    denominator //= divisor
    if denominator >= _LIMIT:  # the larger of the two
        return None
    text = f"{numerator}/{denominator}"
    return text if len(text) <= MOST_DIGITS + 1 else None
