"""Numbers of a game as it was played: how much, how fast, how well, how luckily.

T is seconds, B the layout's 3BV, Bs the 3BV solved so far, Cl all clicks, Ce the clicks that changed the board. The
formulas are those of the rankings (minesweeper.info, *Statistics*; STNB by the same site's community): 3BV/s = Bs/T,
IOE = Bs/Cl, Corr = Ce/Cl, ThrP = Bs/Ce, IOS = log T / log B, RQP = T²/Bs, QG = T^1.7/Bs,
STNB = c·B/T^1.7·√(Bs/B). A number that its formula does not give (no time, no click, another size) is None.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sapper import _kernels
from sapper.core.board import Board, revealed_by
from sapper.core.cells import CellSet
from sapper.core.move import Action, Move
from sapper.core.record import Record, TimedMove
from sapper.core.rules import Promise, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import ContradictionError, RecordError
from sapper.game.layout import Layout
from sapper.solver.analysis import DEFAULT_CAP, Analysis, analyse, with_conditions

STNB_CONSTANTS = {(8, 8): 47.299, (16, 16): 153.73, (30, 16): 435.001}
"""The constant c of STNB, which exists for these sizes only."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GameMetrics:
    """The numbers of one game that has ended."""

    seconds: float
    """T."""
    bbbv: int
    """B, the 3BV of the layout."""
    solved_bbbv: int
    """Bs: openings of which every cell is revealed, and revealed clues apart from openings. It is B where the game is won, and only there."""
    clicks: int
    """Cl: reveals, chords, flags and question marks, those that changed nothing included."""
    effective_clicks: int
    """Ce: those that changed the board."""
    bbbv_per_second: float | None
    ioe: float | None
    """Index of efficiency."""
    correctness: float | None
    """Corr."""
    throughput: float | None
    """ThrP."""
    ios: float | None
    """Index of speed."""
    rqp: float | None
    """Rapport qualité prix: less is better."""
    qg: float | None
    """Quality of the game: less is better."""
    stnb: float | None


def measure_game(record: Record) -> GameMetrics:
    """The numbers of a game; `RecordError` for one without its mines (it has not ended, or has no layout)."""
    return measure_played(layout_of(record), record.last_tiles, record.played)


def measure_played(layout: Layout, tiles: bytes, played: Sequence[TimedMove]) -> GameMetrics:
    """The numbers of a game on that layout that has ended with these tiles."""
    bbbv, solved = solved_of(layout, tiles)
    clicks = [one for one in played if one.move.action is not Action.TERMINATE]
    return ratios(
        seconds=played[-1].at / 1000 if played else 0.0,
        bbbv=bbbv,
        solved=solved,
        clicks=len(clicks),
        effective=sum(not one.update.is_empty for one in clicks),
        size=(layout.grid.width, layout.grid.height),
    )


_IS_CLUE = bytes(tile <= Tile.EIGHT for tile in range(256))


def solved_of(layout: Layout, tiles: bytes) -> tuple[int, int]:
    """B and Bs: the 3BV of a layout, and how much of it is solved where these tiles are seen."""
    table, clues = layout.grid.table, layout.clues
    openings = _kernels.openings_of(*table, clues)
    is_revealed = tiles.translate(_IS_CLUE)
    alone = (int.from_bytes(openings.alone) & int.from_bytes(is_revealed)).bit_count()
    unsolved: set[int] = set()
    cell = is_revealed.find(0)
    while cell >= 0:
        if clues[cell] != _kernels.MINE_CLUE:
            # A zero is of its own opening, a clue beside zeros of theirs: a flag that is wrong keeps either closed.
            near = table.cells[table.starts[cell] : table.starts[cell + 1]] if clues[cell] else (cell,)
            unsolved.update(openings.of[one] for one in near)
        cell = is_revealed.find(0, cell + 1)
    unsolved.discard(_kernels.NO_OPENING)
    return openings.alone.count(1) + openings.total, alone + openings.total - len(unsolved)


def ratios(
    *, seconds: float, bbbv: int, solved: int, clicks: int, effective: int, size: tuple[int, int]
) -> GameMetrics:
    """The numbers that follow from time, 3BV and clicks."""
    constant = STNB_CONSTANTS.get(size)
    return GameMetrics(
        seconds=seconds,
        bbbv=bbbv,
        solved_bbbv=solved,
        clicks=clicks,
        effective_clicks=effective,
        bbbv_per_second=_ratio(solved, seconds),
        ioe=_ratio(solved, clicks),
        correctness=_ratio(effective, clicks),
        throughput=_ratio(solved, effective),
        ios=_ratio(math.log(seconds), math.log(bbbv)) if seconds > 0 and bbbv > 1 else None,
        rqp=_ratio(seconds**2, solved) if seconds > 0 else None,
        qg=_ratio(seconds**1.7, solved) if seconds > 0 else None,
        stnb=constant * bbbv / seconds**1.7 * math.sqrt(solved / bbbv) if constant and seconds > 0 and bbbv else None,
    )


def _ratio(number: float, by: float) -> float | None:
    return number / by if by else None


def layout_of(record: Record) -> Layout:
    """The layout that a record's game was played on; `RecordError` if the record does not tell."""
    if record.mines is None:
        raise RecordError("the record does not tell where the mines were: the game has not ended, or had no layout yet")
    return Layout(record.grid, record.mines)


# --- guesses ----------------------------------------------------------------------------------------


class Guess(NamedTuple):
    """A move that could have revealed a mine."""

    risk: float
    """The exact chance that it revealed a mine, from all that was seen before it."""
    forced: bool
    """True if no covered cell was certain to be safe: a guess was all that was left."""
    survived: bool


def guess_of(before: Board, move: Move, update: Update, *, cap: int = DEFAULT_CAP) -> Guess | None:
    """The guess that a reveal or a chord was, whatever the start rule; None for any other move, and if all it revealed was certain to be safe.

    In Kaboom a forced one is safe, and is none; one that is not forced meets a mine. `TooHardError` if the board takes more than `cap` states.
    """
    if update.is_empty or move.action not in (Action.REVEAL, Action.CHORD):
        return None
    rules = replace(before.rules, start=Start.ANY)
    analysis = analyse(replace(before, rules=rules, status=Status.PLAYING, safe_first=None, promise=None), cap=cap)
    cells = revealed_by(before, move)
    if all(cell in analysis.safe for cell in cells):
        return None
    risk, forced = risk_of(analysis, cells), not analysis.safe
    if before.promise is Promise.KABOOM and move.action is Action.REVEAL:
        if forced:
            return None
        risk = 1.0
    return Guess(risk, forced, not any(tile is Tile.EXPLODED for _, tile in update.cells()))


def risk_of(analysis: Analysis, cells: Sequence[int]) -> float:
    """The chance that any of these covered cells is a mine; `TooHardError` as of `analyse`."""
    if len(cells) == 1:
        return analysis.risk(cells[0])
    try:
        # The layouts in which all of them are safe are those of the board that says so.
        safe = with_conditions(analysis.board, safe=CellSet.of(cells))
        return 1 - analyse(safe, cap=analysis.cap).census / analysis.census
    except ContradictionError:
        return 1.0
