"""Numbers of a game as it was played: how much, how fast, how well, how luckily.

T is seconds, B the layout's 3BV, Bs the 3BV solved so far, Cl all clicks, Ce the clicks that changed the board. The
formulas are those of the rankings (minesweeper.info, *Statistics*; STNB by the same site's community): 3BV/s = Bs/T,
IOE = Bs/Cl, Corr = Ce/Cl, ThrP = Bs/Ce, IOS = log T / log B, RQP = T²/Bs, QG = T^1.7/Bs,
STNB = c·B/T^1.7·√(Bs/B). A number that its formula does not give (no time, no click, another size) is None.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sapper import _kernels
from sapper.core.board import Board
from sapper.core.cells import Cell
from sapper.core.move import Action, Move
from sapper.core.promise import Promise
from sapper.core.record import Record, TimedMove
from sapper.core.rules import Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.core.update import Update
from sapper.errors import ContradictionError, RecordError
from sapper.game.layout import Layout
from sapper.solver.analysis import DEFAULT_CAP, analyse

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


# --- luck -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Guess:
    """A move that could have revealed a mine."""

    number: int
    """Which of the record's moves it was, from 0."""
    move: Move
    risk: float
    """The exact chance that it revealed a mine, from all that was seen before it."""
    forced: bool
    """Whether no covered cell was certain to be safe: a guess was all that was left."""
    survived: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Luck:
    """The guesses of a game, and the chance to survive them all."""

    guesses: tuple[Guess, ...]
    chance: float
    """The product of 1 − risk over all guesses; 1 if there was none."""

    @property
    def needless(self) -> int:
        """How many guesses were not forced."""
        return sum(not guess.forced for guess in self.guesses)


def luck_of(record: Record, *, cap: int = DEFAULT_CAP) -> Luck:
    """The guesses of a game, judged by exact analysis of the board before each reveal and chord.

    A first reveal that the start rule protects is no guess. The last move of a shortened record is none that could be judged:
    the board before it is not known. `TooHardError` if a board takes more than `cap` states.
    """
    guesses = tuple(_guesses(record, cap))
    return Luck(guesses=guesses, chance=math.prod(1 - guess.risk for guess in guesses))


def guesses_of(before: Board, move: Move, update: Update, cap: int = DEFAULT_CAP) -> tuple[Guess, ...]:
    """The guess that a reveal or a chord was, or none, whatever the start rule; errors as of `luck_of`.

    In Kaboom a forced one is safe, and is none; one that is not forced meets a mine.
    """
    # A game of two moves: one that led to the board as it was, and this one.
    record = Record(
        rules=replace(before.rules, start=Start.ANY),
        grid=before.grid,
        mine_count=before.mine_count,
        played=(
            TimedMove(0, Move.flag(0), Update(((Cell(0), before.tiles),), Status.PLAYING)),
            TimedMove(0, move, update),
        ),
    )
    guesses = luck_of(record, cap=cap).guesses
    if before.promise is Promise.KABOOM and move.action is Action.REVEAL:
        return tuple(replace(guess, risk=1.0) for guess in guesses if not guess.forced)
    return guesses


def _guesses(record: Record, cap: int) -> Iterator[Guess]:
    for number, (one, before) in enumerate(zip(record.judged, record.boards(), strict=False)):
        if one.update.is_empty or one.move.action not in (Action.REVEAL, Action.CHORD):
            continue
        if before.is_protected(one.move.cell):
            continue
        analysis = analyse(before, cap=cap)
        cells = _aimed_at(before, one.move)
        if all(cell in analysis.safe for cell in cells):
            continue
        if len(cells) == 1:
            risk = analysis.risk(cells[0])
        else:
            # The layouts in which all of them are safe are those of the board that says so.
            tiles = bytearray(before.tiles)
            for cell in cells:
                tiles[cell] = Tile.WRONG_FLAG
            risk = 1 - _census_or_zero(before, bytes(tiles), cap) / analysis.census
        yield Guess(
            number=number,
            move=one.move,
            risk=risk,
            forced=not analysis.safe,
            survived=not any(tile is Tile.EXPLODED for _, tile in one.update.cells()),
        )


def _aimed_at(board: Board, move: Move) -> list[int]:
    """The cells that a move reveals before any cascade."""
    if move.action is Action.REVEAL:
        return [move.cell]
    near = board.grid.neighbours(move.cell)
    return [cell for cell in near if board.tiles[cell] in (Tile.COVERED, Tile.QUESTION)]


def _census_or_zero(board: Board, tiles: bytes, cap: int) -> int:
    """The census of the board with other tiles; 0 if no layout fits them."""
    try:
        return analyse(replace(board, tiles=tiles), cap=cap).census
    except ContradictionError:
        return 0
