"""What a guess can be answered with: the clues that it can show, and what each of them makes certain.

For each number that a cell can show, the board with that number is analysed. What follows wins at most what the best next safety is, or
1 where a cell is then safe. The sum over the answers, each times its chance, is a bound: nobody wins more often after that guess.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isnan

from sapper._kernels import batch
from sapper.core.cells import Cell, CellSet
from sapper.core.tile import Tile
from sapper.errors import TooHardError
from sapper.solver.analysis import Analysis

MOST_CANDIDATES = 12
LEAST_SAFETY = 0.8
"""Candidates are at least so safe, as a part of the best safety; so many at most, the safest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessReply:
    """What a guess can be answered with."""

    cell: Cell
    risk: float
    clues: tuple[tuple[int, float], ...]
    """The numbers that it can show, each with the chance that it does; they and the risk add up to 1."""
    most: float
    """A bound of the chance to win after it."""
    decides: tuple[Cell, ...]
    """The cells that are not certain yet, and are after every answer."""


@dataclass(frozen=True, slots=True)
class _Answer:
    cell: int
    clue: int
    tiles: bytes


def replies_of(analysis: Analysis, cells: Sequence[int]) -> list[GuessReply]:
    """The replies to guesses (or to safe reveals), in the order of `cells`. Where an answer is too hard to analyse, `without_reply`."""
    board = analysis.board
    answers = [answer for cell in cells for answer in _answers(analysis, cell)]
    grid = board.grid
    found = batch.analyse_many(
        [answer.tiles for answer in answers],
        [board.mine_count] * len(answers),
        grid.width,
        grid.height,
        None if grid.is_plane else grid.table,
        trust_flags=analysis.trust_flags,
        cap=analysis.cap,
    )
    by_cell: dict[int, list[tuple[int, batch.Chances]]] = {cell: [] for cell in cells}
    hard: set[int] = set()
    for answer, chances in zip(answers, found, strict=True):
        if chances.fault is None:
            by_cell[answer.cell].append((answer.clue, chances))
        elif chances.fault is TooHardError:
            hard.add(answer.cell)
    return [
        without_reply(analysis, Cell(cell)) if cell in hard else _reply(analysis, cell, by_cell[cell]) for cell in cells
    ]


def candidates_of(analysis: Analysis, among: Sequence[int] | None = None) -> list[Cell]:
    """The cells that may be worth a guess, the safest first (ties: the lowest); of `among`, or of all uncertain ones."""
    risks = analysis.risks()
    listed = sorted(risks if among is None else among, key=lambda cell: (risks[Cell(cell)], cell))
    if not listed:
        return []
    least = LEAST_SAFETY * (1 - risks[Cell(listed[0])])
    return [Cell(cell) for cell in listed[:MOST_CANDIDATES] if 1 - risks[Cell(cell)] >= least]


def _answers(analysis: Analysis, cell: int) -> list[_Answer]:
    board = analysis.board
    near = board.grid.neighbours(cell)
    shown = sum(board.tiles[other] in (Tile.MINE, Tile.EXPLODED) for other in near)
    chances = [analysis.mine_chance(other) for other in near if board.tiles[other] in _HIDDEN]
    known = shown + sum(chance == 1.0 for chance in chances)
    most = shown + sum(chance > 0.0 for chance in chances)
    return [
        _Answer(cell, clue, board.tiles[:cell] + bytes([clue]) + board.tiles[cell + 1 :])
        for clue in range(known, min(most, int(Tile.EIGHT)) + 1)
    ]


_HIDDEN = frozenset({int(Tile.COVERED), int(Tile.FLAGGED), int(Tile.QUESTION)})


def _reply(analysis: Analysis, cell: int, answers: list[tuple[int, batch.Chances]]) -> GuessReply:
    clues = []
    most = 0.0
    decided: int | None = None
    for clue, chances in answers:
        chance = 10 ** (chances.census_log10 - analysis.census_log10)
        clues.append((clue, chance))
        certain = chances.safe | chances.mined
        decided = certain if decided is None else decided & certain
        most += chance * _next_safety(chances)
    risk = analysis.risk(cell)
    total = sum(chance for _, chance in clues)
    if total:  # they add up but for rounding
        clues = [(clue, chance / total * (1 - risk)) for clue, chance in clues]
    return GuessReply(
        cell=Cell(cell),
        risk=risk,
        clues=tuple(clues),
        most=min(most * (1 + 1e-9), 1 - risk),
        decides=tuple(CellSet(decided or 0) - analysis.safe - analysis.mined),
    )


def without_reply(analysis: Analysis, cell: Cell) -> GuessReply:
    """What is known of a reveal whose answers are not looked at: the risk alone."""
    safety = 1 - analysis.risk(cell)
    return GuessReply(cell=cell, risk=1 - safety, clues=(), most=safety, decides=())


def work_of(analysis: Analysis) -> int:
    """About how many microseconds the analysis of one more board like this takes the reference."""
    return 100 + 3 * analysis.board.grid.size + 5 * analysis.states // 2


def _next_safety(chances: batch.Chances) -> float:
    """The best safety on the board after an answer; 1 if nothing but mines is covered."""
    return 1.0 if chances.safe or isnan(chances.least) else 1.0 - chances.least
