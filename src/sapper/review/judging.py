"""A recorded game judged move by move: what was certain before each, its risk, and what it made of the chance to win."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Final

from sapper._kernels import batch
from sapper.core.arguments import check_type
from sapper.core.board import Board, revealed_by
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Action, Move
from sapper.core.record import Record, TimedMove
from sapper.core.rng import Rng
from sapper.core.rules import Promise, Start
from sapper.core.status import Status
from sapper.core.tile import UNMARKED, Tile
from sapper.core.words import counted
from sapper.errors import TooHardError
from sapper.game.referee import Referee, RefereeSnapshot
from sapper.game.source import FixedLayout
from sapper.generator.game_code import fresh_board
from sapper.generator.sample import sample_analysed
from sapper.metrics.game import risk_of
from sapper.review.values import GameReview, JudgedWin, MoveReview, MoveVerdict, SampledWin
from sapper.solver.advice import advice_of, chances_apart, forced_words
from sapper.solver.analysis import DEFAULT_CAP, TIE, Analysis, analyse, analyse_what_can_be, with_conditions
from sapper.solver.deduce.explain import cheapest_proof, distance, hardest
from sapper.solver.deduce.step import Step
from sapper.solver.win import MOST_LAYOUTS, NODES, WinChance, why_undefined, win_chance_of
from sapper.solver.words import at, listed, percent

# The chance to win by playing on: layouts that fit a board are drawn, and each is played to its end.
#
# All guesses of a board are tried on the same layouts, so that what one is better by than another shows in far fewer
# games.
#
# What plays on takes what is certain, else the least risk: so a chance that is sampled is a little below that of best
# play.


def sample_wins(analysis: Analysis, cells: Sequence[Cell], rng: Rng, games: int) -> tuple[SampledWin, ...]:
    """Reveal each of some cells on the same layouts and play on; the same `rng` gives the same games on either backend.

    The board is one of a game that is won by revealing, with a layout that lies: no start rule is left.
    """
    board = analysis.board
    rules = board.rules.replace(start=Start.ANY)
    ready = board.tiles.translate(UNMARKED)
    playing: list[tuple[Cell, Referee]] = []
    for number in range(games):
        layout = sample_analysed(board, analysis, rng.split(number))
        for cell in dict.fromkeys(cells):
            if layout.is_mine(cell):
                continue
            referee = Referee(rules=rules, source=FixedLayout(layout))
            referee.restore(RefereeSnapshot(ready, Status.PLAYING, layout))
            referee.play(Move.reveal(cell))
            playing.append((cell, referee))
    won = dict.fromkeys(cells, 0)
    while playing:
        on: list[tuple[Cell, Referee]] = []
        for cell, referee in playing:
            if referee.status is Status.PLAYING:
                on.append((cell, referee))
            else:
                won[cell] += referee.status is Status.WON
        _move([referee for _, referee in on], analysis.cap)
        playing = on
    return tuple(SampledWin(cell=cell, games=games, won=count) for cell, count in won.items())


def _move(referees: Sequence[Referee], cap: int) -> None:
    """Play on in each game: all that is certain to be safe, else the least risk (ties: the lowest cell), as `least-risk` does."""
    if not referees:
        return
    grid = referees[0].grid
    found = batch.analyse_many(
        [referee.board.tiles for referee in referees],
        [referee.mine_count for referee in referees],
        grid.width,
        grid.height,
        None if grid.is_plane else grid.table,
        cap=cap,
    )
    for referee, chances in zip(referees, found, strict=True):
        if chances.fault is not None:
            referee.play(Move.terminate())  # too hard to play on: not won
            continue
        for cell in CellSet(chances.safe) or (Cell(chances.lowest),):
            if referee.status is Status.PLAYING and referee.tile(cell) == Tile.COVERED:
                referee.play(Move.reveal(cell))


CLOSE: Final = 0.01
"""A guess whose chance to win is estimated counts as right if no other is estimated to win so much more often."""
DEEP_LAYOUTS: Final = 20_000
DEEP_NODES: Final = 100_000
"""Layouts and positions that the exact part of a board's chance may take (`solver.win`)."""
SAMPLES: Final = 200
"""Layouts that a guess is played on with; their interval is some seven percentage points to either side."""
_KEPT: Final = 8
"""Boards whose chances are remembered: a move's board after it is the next one's before it."""
_MOST_NAMED: Final = 12


@dataclass(frozen=True, slots=True)
class _Judged:
    analysis: Analysis
    chance: WinChance | None
    """None where the chance to win is not defined."""


class Judge:
    """Judges the moves of one game.

    `cap` is how much work the analysis of a board may take; `deep` searches further for exact chances, and plays guesses on
    that have none: `samples` layouts of each, drawn by `seed`.
    """

    def __init__(self, *, cap: int, deep: bool = False, samples: int = SAMPLES, seed: int = 0) -> None:
        self._cap = cap
        self._samples = samples if deep else 0
        self._rng = Rng(seed)
        self._layouts, self._nodes = (DEEP_LAYOUTS, DEEP_NODES) if deep else (MOST_LAYOUTS, NODES)
        self._known: OrderedDict[tuple[bytes, Status, object, object], _Judged] = OrderedDict()

    def review(self, number: int, before: Board, one: TimedMove, after: Board) -> MoveReview:
        of = MoveReview(number=number, at=one.at, move=one.move, verdict=MoveVerdict.NOTHING)
        if one.update.is_empty or one.move.action is Action.TERMINATE:
            return of
        try:
            if one.move.action in (Action.REVEAL, Action.CHORD):
                return self._reveal(of, before, after)
            return self._mark(of, before)
        except TooHardError:
            return self._too_hard(of, before, after)

    # --- what is known of a board -----------------------------------------------------------------------

    def _look(self, board: Board) -> _Judged:
        """The analysis and the chance to win; flags are opinions, and make no difference."""
        tiles = board.tiles.translate(UNMARKED)
        key = tiles, board.status, board.safe_first, board.promise
        found = self._known.get(key)
        if found is None:
            plain = replace(board, tiles=tiles)
            analysis = analyse(plain, cap=self._cap)
            chance = None
            if why_undefined(plain) is None:
                chance = win_chance_of(analysis, most_layouts=self._layouts, nodes=self._nodes, safe_listed=False)
            found = self._known[key] = _Judged(analysis, chance)
            while len(self._known) > _KEPT:
                self._known.popitem(last=False)
        return found

    def _win(self, board: Board) -> JudgedWin | None:
        """The chance to win a board; None where it is not defined."""
        if board.status is Status.WON:
            return JudgedWin(win=1.0, exact=Fraction(1))
        if board.status.ended:
            return JudgedWin(win=0.0, exact=Fraction(0))
        chance = self._look(board).chance
        return None if chance is None or chance.win is None else JudgedWin(win=chance.win, exact=chance.exact)

    # --- reveals ----------------------------------------------------------------------------------------

    def _reveal(self, of: MoveReview, before: Board, after: Board) -> MoveReview:
        known = self._look(before)
        analysis = known.analysis
        cells = revealed_by(before, of.move)
        of = replace(
            of,
            survived=after.status is not Status.LOST,
            least_risk=analysis.least_risk,
            safe_count=len(analysis.safe),
            mine_count=len(analysis.mined),
        )
        if before.promise is Promise.KABOOM:
            of = replace(of, least_risk=0.0)
        if before.protected and any(cell in before.protected for cell in cells):
            of = replace(of, verdict=MoveVerdict.FIRST, risk=0.0)
        elif all(cell in analysis.safe for cell in cells):
            of = replace(of, verdict=MoveVerdict.SAFE, risk=0.0)
        else:
            return self._guess(of, known, cells, after)
        return self._with_wins(of, before, self._win(before), after)

    def _with_wins(self, of: MoveReview, before: Board, by_move: JudgedWin | None, after: Board) -> MoveReview:
        """With the three chances to win, where they are defined."""
        now = self._win(before)
        if now is None or by_move is None:
            return of
        later = self._win_or_none(after)
        return replace(
            of,
            win_before=now.win,
            win_by_move=min(by_move.win, now.win),
            win_after=None if later is None else later.win,
            exact=later is not None and None not in (now.exact, by_move.exact, later.exact),
        )

    def _win_or_none(self, board: Board) -> JudgedWin | None:
        """The same; None too where the board is too hard."""
        try:
            return self._win(board)
        except TooHardError:
            return None

    def _guess(self, of: MoveReview, known: _Judged, cells: list[Cell], after: Board) -> MoveReview:
        analysis, board = known.analysis, known.analysis.board
        risk = risk_of(analysis, cells)
        is_mine = any(cell in analysis.mined for cell in cells)
        if board.promise is Promise.KABOOM and len(cells) == 1 and not is_mine:
            return self._kaboom_guess(of, known, after)
        by_move = JudgedWin(win=0.0, exact=Fraction(0)) if is_mine else self._win_by(known, cells)
        of = self._with_wins(replace(of, risk=1.0 if is_mine else risk), board, by_move, after)
        gambles = tuple(cell for cell in cells if cell not in analysis.safe)
        mines = tuple(cell for cell in cells if cell in analysis.mined)
        of = replace(of, chance=known.chance, gambles=gambles, mines=mines)
        if is_mine:
            of = replace(of, verdict=MoveVerdict.CERTAIN_MINE, safe=tuple(analysis.safe))
        elif analysis.safe:
            of = replace(of, verdict=MoveVerdict.NEEDLESS_GUESS, safe=tuple(analysis.safe))
        elif _is_right(of, known, cells):
            # That of an estimate is not told apart from the best, and costs nothing.
            of = replace(of, verdict=MoveVerdict.RIGHT_GUESS, win_by_move=of.win_before, why=_why_right(known, of))
            return replace(of, sampled=self._sampled(of, known, cells))
        else:
            of = replace(of, verdict=MoveVerdict.WRONG_GUESS)
        best, steps = self._safe_cell(analysis, cells)
        if is_mine:
            steps = cheapest_proof(board, analysis.mined & CellSet.of(cells), near=cells, cap=self._cap) or steps
        if best is None:
            best, why = _better(known)
        else:
            why = None
        if steps:
            of = replace(of, technique=hardest(steps), proof=steps)
            why = " ".join(f"{step.sentence}." for step in steps)
        of = replace(of, best=best, why=why if why is None else f"{why.removesuffix('.')}; {_made(of, analysis)}")
        return replace(of, sampled=self._sampled(of, known, cells))

    def _safe_cell(self, analysis: Analysis, cells: list[Cell]) -> tuple[Cell | None, tuple[Step, ...]]:
        """The safe cell that was the cheapest to find, near those of the move, and its proof."""
        if not analysis.safe:
            return None, ()
        board = analysis.board
        steps = cheapest_proof(board, analysis.safe, near=cells, cap=self._cap)
        shown = steps[-1].safe & analysis.safe if steps else analysis.safe
        return min(shown, key=lambda cell: (distance(board, cell, cells), cell)), steps

    def _kaboom_guess(self, of: MoveReview, known: _Judged, after: Board) -> MoveReview:
        """A guess in Kaboom: it is safe where it is forced, and meets a mine where it is not."""
        analysis = known.analysis
        is_forced = not analysis.safe
        by_move = JudgedWin(win=float(is_forced), exact=Fraction(int(is_forced)))
        of = self._with_wins(replace(of, risk=1.0 - is_forced, kaboom=True), analysis.board, by_move, after)
        if is_forced:
            return replace(
                of, verdict=MoveVerdict.RIGHT_GUESS, why="no safe cell, and Kaboom keeps a forced guess safe"
            )
        best, steps = self._safe_cell(analysis, [of.move.cell])
        why = " ".join(f"{step.sentence}." for step in steps).removesuffix(".")
        return replace(
            of,
            verdict=MoveVerdict.NEEDLESS_GUESS,
            safe=tuple(analysis.safe),
            best=best,
            technique=hardest(steps) if steps else None,
            proof=steps,
            why=f"{why}; Kaboom answers a needless guess with a mine",
        )

    def _sampled(self, of: MoveReview, known: _Judged, cells: list[Cell]) -> tuple[SampledWin, ...]:
        """The guess and the best reveal played on, where their chances are defined and not exact."""
        is_promised = known.analysis.board.promise is not None  # then the layouts are not uniform
        if not self._samples or of.exact or is_promised or known.chance is None or of.risk == 1.0 or len(cells) > 1:
            return ()
        best = [] if of.best is None or of.best in cells else [of.best]
        rng = self._rng.split(of.number)
        return sample_wins(known.analysis, [*cells, *best], rng, self._samples)

    def _win_by(self, known: _Judged, cells: list[Cell]) -> JudgedWin | None:
        """The chance to win when these cells are revealed and best play follows."""
        chance = known.chance
        if chance is None:
            return None
        if len(cells) > 1:
            # What their clues will tell is left out: an estimate from below.
            board = known.analysis.board
            survives = 1 - risk_of(known.analysis, cells)
            if survives <= 0:
                return JudgedWin(win=0.0)
            later = self._win(with_conditions(board, safe=CellSet.of(cells)))
            return None if later is None else JudgedWin(win=survives * later.win)
        if known.analysis.board.promise is Promise.NO_GUESS and chance.exact == 1:
            # Whoever survives goes on without a guess; the risk is that of layouts that promise nothing.
            return JudgedWin(win=1 - known.analysis.risk(cells[0]))
        listed_one = chance.of(cells[0])
        if listed_one is not None:
            return None if listed_one.win is None else JudgedWin(win=listed_one.win, exact=listed_one.exact)
        return self._win_by_answers(known.analysis, cells[0])

    def _win_by_answers(self, analysis: Analysis, cell: Cell) -> JudgedWin | None:
        """The same of one cell: the chance after each clue that it can show, times the chance of that clue."""
        board, win, exact = analysis.board, 0.0, Fraction(0)
        is_exact = True
        for clue in range(len(board.grid.neighbours(cell)) + 1):
            layouts = analysis.supposing(cell, clue)
            if not layouts:
                continue
            tiles = board.tiles[:cell] + bytes([clue]) + board.tiles[cell + 1 :]
            later = self._win(replace(board, tiles=tiles, status=Status.PLAYING, safe_first=None))
            if later is None:
                return None
            share = Fraction(layouts, analysis.census)
            win += float(share) * later.win
            is_exact = is_exact and later.exact is not None
            exact += share * (later.exact or 0)
        return JudgedWin(win=float(exact) if is_exact else win, exact=exact if is_exact else None)

    # --- marks, and boards that are too hard ---------------------------------------------------------------

    def _mark(self, of: MoveReview, before: Board) -> MoveReview:
        of = replace(of, verdict=MoveVerdict.MARK)
        if of.move.action is not Action.FLAG or before.protected:
            return of
        analysis = self._look(before).analysis
        of = replace(of, safe_count=len(analysis.safe), mine_count=len(analysis.mined))
        if of.move.cell not in analysis.safe:
            return of
        why = f"{at(before, of.move.cell)} is safe: it is a mine in no layout that fits"
        return replace(of, verdict=MoveVerdict.WRONG_FLAG, best=of.move.cell, why=why)

    def _too_hard(self, of: MoveReview, before: Board, after: Board) -> MoveReview:
        partial = analyse_what_can_be(replace(before, tiles=before.tiles.translate(UNMARKED)), cap=self._cap)
        cells = revealed_by(before, of.move) if of.move.action in (Action.REVEAL, Action.CHORD) else []
        of = replace(
            of, survived=after.status is not Status.LOST, safe_count=len(partial.safe), mine_count=len(partial.mined)
        )
        if not cells:
            return replace(of, verdict=MoveVerdict.MARK)
        if all(cell in partial.safe for cell in cells):
            return replace(of, verdict=MoveVerdict.SAFE, risk=0.0, least_risk=0.0)
        if any(cell in partial.mined for cell in cells):
            return replace(of, verdict=MoveVerdict.CERTAIN_MINE, risk=1.0, safe=tuple(partial.safe))
        if partial.safe:
            why = f"{listed(before, partial.safe, most=_MOST_NAMED)} cannot be mines"
            return replace(
                of,
                verdict=MoveVerdict.NEEDLESS_GUESS,
                safe=tuple(partial.safe),
                least_risk=0.0,
                best=next(iter(partial.safe)),
                why=why,
            )
        return replace(of, verdict=MoveVerdict.UNKNOWN)


def _is_right(of: MoveReview, known: _Judged, cells: list[Cell]) -> bool:
    """True if no reveal is better: by the chance to win, by risk where that is not defined."""
    best = None if known.chance is None else known.chance.best
    if of.win_before is None or of.win_by_move is None:
        is_best = best is not None and cells == [best.cell]
        return is_best or (of.risk or 0.0) <= (of.least_risk or 0.0) + TIE
    mine = None if known.chance is None or len(cells) > 1 else known.chance.of(cells[0])
    if best is not None and mine is not None and best.exact is not None and mine.exact is not None:
        return mine.exact == best.exact
    is_exact = (
        best is not None and best.exact is not None and known.chance is not None and known.chance.exact is not None
    )
    return of.win_by_move >= of.win_before - (TIE if is_exact else CLOSE)


def _better(known: _Judged) -> tuple[Cell | None, str | None]:
    """The best reveal where nothing is safe, and why."""
    analysis = known.analysis
    best = None if known.chance is None else known.chance.best
    if best is not None and known.chance is not None:
        return best.cell, advice_of(known.chance)
    least, risk = analysis.least_risky, analysis.least_risk
    if least is None or risk is None:
        return None, None
    return least, f"the least risk is {percent(risk)} at {at(analysis.board, least)}"


def _made(of: MoveReview, analysis: Analysis) -> str:
    """The move that was made instead, in words; of a chord, which of its cells were not certain."""
    board, gambles = analysis.board, of.gambles
    if of.move.action is Action.CHORD and of.mines:
        return f"the chord revealed {listed(board, of.mines)}"
    if of.risk == 1.0:
        if of.move.action is Action.CHORD:
            return f"one of {listed(board, gambles)}, which the chord revealed, was certain to be a mine"
        return "what was revealed was certain to be a mine"
    made = f"the move that was made has a risk of {percent(of.risk or 0.0)}"
    if of.move.action is Action.CHORD:
        verb = "was" if len(gambles) == 1 else "were"
        made = f"of what the chord revealed, {listed(board, gambles)} {verb} not certain; {made}"
    if of.win_by_move is None or of.win_before is None:
        return made
    if of.exact:
        return f"{made}, and wins {percent(of.win_by_move)} instead of {percent(of.win_before)}"
    mine, best = chances_apart((of.win_by_move, None), (of.win_before, None))
    return f"{made}, and wins {mine} instead of {best}"


def _why_right(known: _Judged, of: MoveReview) -> str | None:
    best = None if known.chance is None else known.chance.best
    if best is not None and best.cell == of.move.cell and known.chance is not None:
        return advice_of(known.chance)
    forced = "" if known.chance is None else forced_words(known.chance)
    return (
        None if of.risk is None else f"no safe cell; a risk of {percent(of.risk)}, and nothing wins more often{forced}"
    )


def review_game(
    record: Record,
    *,
    protected_first: bool = False,
    cap: int = DEFAULT_CAP,
    deep: bool = False,
    samples: int = SAMPLES,
    seed: int = 0,
) -> GameReview:
    """Judge each move of a game by what could be known before it; docs/review.md has the definitions.

    `protected_first` says that the first reveal could meet no mine whatever the record's rules say: recordings of other
    programs have their layout from the start, though those programs protect it. `cap` is the work that
    the analysis of a board may take; harder boards get the verdict `UNKNOWN`, unless something is certain. The last move of a
    shortened record (`Record.left_out`) gets it too.
    `deep` makes more chances exact, and takes many times as long; guesses whose chances are estimates all the same are played on
    with `samples` layouts each, drawn by `seed` (`MoveReview.sampled`).
    """
    check_type("record", record, Record)
    judge = Judge(cap=cap, deep=deep, samples=samples, seed=seed)
    return GameReview(record=record, moves=tuple(_reviews(judge, record, protected_first=protected_first)))


def iterate_reviews(record: Record, *, protected_first: bool = False, cap: int = DEFAULT_CAP) -> Iterator[MoveReview]:
    """The same, a move at a time as they are asked for."""
    return _reviews(Judge(cap=cap), record, protected_first=protected_first)


def _reviews(judge: Judge, record: Record, *, protected_first: bool) -> Iterator[MoveReview]:
    boards = _boards(record, protected_first=protected_first)
    judged = len(record.judged)
    for number, (one, (before, after)) in enumerate(zip(record.played, pairwise(boards), strict=True), 1):
        yield judge.review(number, before, one, after) if number <= judged else _unknown(number, one, record)


def _unknown(number: int, one: TimedMove, record: Record) -> MoveReview:
    """The last move of a shortened record: the board before it is not known, so nothing is said of it."""
    if one.move.action is Action.TERMINATE:
        return MoveReview(number=number, at=one.at, move=one.move, verdict=MoveVerdict.NOTHING)
    return MoveReview(
        number=number,
        at=one.at,
        move=one.move,
        verdict=MoveVerdict.UNKNOWN,
        survived=one.update.status is not Status.LOST,
        why=f"the record leaves out {counted(record.left_out, 'move')} before it",
    )


def _boards(record: Record, *, protected_first: bool) -> Iterator[Board]:
    fresh = fresh_board(record)
    if protected_first and record.rules.start is Start.ANY:
        fresh = replace(fresh, rules=record.rules.replace(start=Start.SAFE))
    return record.boards(fresh)
