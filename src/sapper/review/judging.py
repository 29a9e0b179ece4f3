"""A recorded game judged move by move: what was certain before each, its risk, and what it made of the chance to win."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise
from typing import Any, Final, NamedTuple

from sapper._kernels import batch
from sapper.core.arguments import check_type
from sapper.core.board import Board, revealed_by
from sapper.core.cells import Cell, CellSet
from sapper.core.move import Action
from sapper.core.record import Record, TimedMove
from sapper.core.rules import Promise
from sapper.core.status import Status
from sapper.core.tile import UNMARKED
from sapper.core.words import counted
from sapper.errors import TooHardError
from sapper.generator.game_code import fresh_board
from sapper.metrics.game import risk_of
from sapper.review.values import GameReview, JudgedWin, MoveReview, MoveVerdict
from sapper.solver.advice import advice_of, chances_apart, forced_words
from sapper.solver.analysis import DEFAULT_CAP, TIE, Analysis, analyse, analyse_what_can_be
from sapper.solver.deduce.explain import cheapest_proof, distance, hardest
from sapper.solver.deduce.step import Step
from sapper.solver.playouts import CLEAR, compare, play_out
from sapper.solver.win import MOST_LAYOUTS, NODES, WinChance, why_undefined, win_chance_of
from sapper.solver.words import at, listed, percent

DEEP_LAYOUTS: Final = 20_000
DEEP_NODES: Final = 100_000
"""Layouts and positions that the exact part of a board's chance may take (`solver.win`)."""
DEEP_PLAYOUTS: Final = 8
"""So many times as many playouts."""
_KEPT: Final = 8
"""Boards that are remembered: a move's board after it is the next one's before it."""
_MOST_NAMED: Final = 12


@dataclass(frozen=True, slots=True)
class _Judged:
    analysis: Analysis
    chance: WinChance | None
    """None where the chance to win is not defined. Boards with safe cells are not played out."""


_Key = tuple[bytes, Status, object, object]


class Judge:
    """Judges the moves of one game, in their order.

    Boards whose chance to win is not exact are played out where a guess is due or has been made. Between, where only certain cells
    are revealed, the chance stays what it was: what their answers are worth shows when the next guess is due.

    `cap` is how much work the analysis of a board may take; `deep` searches further for exact chances, and plays more layouts.
    """

    def __init__(self, *, cap: int, deep: bool = False) -> None:
        self._cap = cap
        parts = batch.SECOND_OPINION
        self._parts = parts._replace(playouts=DEEP_PLAYOUTS * parts.playouts) if deep else parts
        self._layouts, self._nodes = (DEEP_LAYOUTS, DEEP_NODES) if deep else (MOST_LAYOUTS, NODES)
        self._known: OrderedDict[_Key, _Judged] = OrderedDict()
        self._wins: OrderedDict[_Key, JudgedWin] = OrderedDict()
        """Of boards of the game that are not exact."""
        self._following: Sequence[int] = ()

    def review(
        self, number: int, before: Board, one: TimedMove, after: Board, following: Sequence[int] = ()
    ) -> MoveReview:
        """The verdict on a move; `following` are the cells that the next one reveals, none if nothing is revealed any more."""
        self._following = following
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

    @staticmethod
    def _key(board: Board) -> _Key:
        return board.tiles.translate(UNMARKED), board.status, board.safe_first, board.promise

    def _look(self, board: Board) -> _Judged:
        """The analysis and the chance to win; flags are opinions, and make no difference."""
        key = self._key(board)
        found = self._known.get(key)
        if found is None:
            plain = replace(board, tiles=key[0])
            analysis = analyse(plain, cap=self._cap)
            chance = None
            if why_undefined(plain) is None:
                is_played = board.protected or not analysis.safe
                chance = win_chance_of(
                    analysis,
                    most_layouts=self._layouts,
                    nodes=self._nodes,
                    safe_listed=False,
                    parts=self._parts if is_played else None,
                )
            found = self._known[key] = _Judged(analysis, chance)
            _forget(self._known)
        return found

    def _win(self, board: Board) -> JudgedWin | None:
        """The chance to win a board; None where it is not defined or not known."""
        if board.status is Status.WON:
            return JudgedWin(win=1.0, exact=Fraction(1))
        if board.status.ended:
            return JudgedWin(win=0.0, exact=Fraction(0))
        if (known := self._wins.get(self._key(board))) is not None:
            return known
        found = self._look(board)
        if found.chance is None:
            return None
        win, error = found.chance.win, found.chance.win_error
        if win is None and found.analysis.safe and not board.protected:
            played = play_out(found.analysis, self._parts)
            win, error = (played and played.wins.get(played.best)) or (None, None)
        if win is None:
            return None
        low, high = found.chance.win_low or 0.0, 1.0 if found.chance.win_high is None else found.chance.win_high
        return JudgedWin(win=min(max(win, low), high), error=error, exact=found.chance.exact)

    def _keep(self, board: Board, win: JudgedWin) -> None:
        self._wins[self._key(board)] = win
        _forget(self._wins)

    def _win_after(self, of: MoveReview, now: JudgedWin, after: Board) -> JudgedWin | None:
        """The chance to win once the answer is seen; None too where the board is too hard."""
        try:
            if not after.status.ended and of.verdict is MoveVerdict.SAFE and now.exact is None:
                found = self._look(after)
                safe = found.analysis.safe
                if (
                    found.chance is not None
                    and found.chance.exact is None
                    and safe
                    and self._following
                    and all(cell in safe for cell in self._following)
                ):
                    return now
            return self._win(after)
        except TooHardError:
            return None

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
        """With the three chances to win, where they are known."""
        now = self._win(before)
        if now is None or by_move is None:
            return of
        later = self._win_after(of, now, after)
        if later is not None and later.exact is None:
            self._keep(after, later)
        return replace(
            of,
            win_before=now.win,
            win_by_move=min(by_move.win, now.win),
            win_after=None if later is None else later.win,
            cost_error=by_move.error if of.verdict.is_guess else None,
            exact=later is not None and None not in (now.exact, by_move.exact, later.exact),
        )

    def _guess(self, of: MoveReview, known: _Judged, cells: list[Cell], after: Board) -> MoveReview:
        analysis, board = known.analysis, known.analysis.board
        risk = risk_of(analysis, cells)
        is_mine = any(cell in analysis.mined for cell in cells)
        if board.promise is Promise.KABOOM and len(cells) == 1 and not is_mine:
            return self._kaboom_guess(of, known, after)
        by_move = JudgedWin(win=0.0, exact=Fraction(0)) if is_mine else self._win_by(known, cells)
        of = replace(of, verdict=MoveVerdict.WRONG_GUESS, risk=1.0 if is_mine else risk)
        of = self._with_wins(of, board, by_move, after)
        gambles = tuple(cell for cell in cells if cell not in analysis.safe)
        mines = tuple(cell for cell in cells if cell in analysis.mined)
        of = replace(of, chance=known.chance, gambles=gambles, mines=mines)
        if is_mine:
            of = replace(of, verdict=MoveVerdict.CERTAIN_MINE, safe=tuple(analysis.safe))
        elif analysis.safe:
            of = replace(of, verdict=MoveVerdict.NEEDLESS_GUESS, safe=tuple(analysis.safe))
        elif _is_right(of, known, cells):
            # What is not told apart from the best costs nothing.
            return replace(of, verdict=MoveVerdict.RIGHT_GUESS, win_by_move=of.win_before, why=_why_right(known, of))
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
        return replace(of, best=best, why=why if why is None else f"{why.removesuffix('.')}; {_made(of, analysis)}")

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

    def _win_by(self, known: _Judged, cells: list[Cell]) -> JudgedWin | None:
        """The chance to win when these cells are revealed and best play follows."""
        chance = known.chance
        if chance is None:
            return None
        analysis = known.analysis
        survives = 1 - risk_of(analysis, cells)
        if analysis.board.promise is not None and chance.exact == 1:
            # Whoever survives goes on without a guess; the risk is that of layouts that promise nothing.
            return JudgedWin(win=survives)
        if survives <= 0:
            return JudgedWin(win=0.0, exact=Fraction(0))
        if chance.exact is not None and len(cells) == 1:
            listed_one = chance.of(cells[0])
            if listed_one is not None and listed_one.exact is not None:
                return JudgedWin(win=float(listed_one.exact), exact=listed_one.exact)
            exact = self._exact_by_answers(analysis, cells[0])
            if exact is not None:
                return JudgedWin(win=float(exact), exact=exact)
        return self._win_by_playouts(known, cells, survives)

    def _win_by_playouts(self, known: _Judged, cells: list[Cell], survives: float) -> JudgedWin | None:
        """What the board wins, less what the best reveal wins more than the move, as playouts on the same layouts say."""
        analysis, now = known.analysis, self._win(known.analysis.board)
        best = next(iter(analysis.safe), None)
        if best is None and known.chance is not None and known.chance.best is not None:
            best = known.chance.best.cell
        if now is None or best is None:
            return None
        if cells == [best]:
            return replace(now, error=None)
        if analysis.board.protected:
            return JudgedWin(win=now.win * survives)
        more = compare(analysis, best, cells, survives, self._parts)
        return None if more is None else JudgedWin(win=max(0.0, now.win - more.win), error=more.error)

    def _exact_by_answers(self, analysis: Analysis, cell: Cell) -> Fraction | None:
        """What a reveal wins where that is exact: the chance after each clue that it can show, times the chance of that clue."""
        board, exact = analysis.board, Fraction(0)
        for clue in range(len(board.grid.neighbours(cell)) + 1):
            layouts = analysis.supposing(cell, clue)
            if not layouts:
                continue
            tiles = board.tiles[:cell] + bytes([clue]) + board.tiles[cell + 1 :]
            later = self._exact(replace(board, tiles=tiles, status=Status.PLAYING, safe_first=None))
            if later is None:
                return None
            exact += Fraction(layouts, analysis.census) * later
        return exact

    def _exact(self, board: Board) -> Fraction | None:
        found = win_chance_of(
            analyse(board, cap=self._cap), most_layouts=self._layouts, nodes=self._nodes, safe_listed=False, parts=None
        )
        return found.exact

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


def _forget(kept: OrderedDict[_Key, Any]) -> None:
    while len(kept) > _KEPT:
        kept.popitem(last=False)


def _is_right(of: MoveReview, known: _Judged, cells: list[Cell]) -> bool:
    """True if no reveal is better: by the chance to win, by risk where that is not defined."""
    best = None if known.chance is None else known.chance.best
    if of.win_before is None or of.win_by_move is None:
        is_best = best is not None and cells == [best.cell]
        return is_best or (of.risk or 0.0) <= (of.least_risk or 0.0) + TIE
    if best is not None and best.exact is not None and known.chance is not None and known.chance.exact is not None:
        mine = known.chance.of(cells[0]) if len(cells) == 1 else None
        if mine is not None and mine.exact is not None:
            return mine.exact == best.exact
        if of.cost_error is None:
            return of.win_by_move >= of.win_before - TIE
    return of.win_before - of.win_by_move <= max(CLEAR * (of.cost_error or 0.0), TIE)


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


def review_game(record: Record, *, cap: int = DEFAULT_CAP, deep: bool = False) -> GameReview:
    """Judge each move of a game by what could be known before it; docs/review.md has the definitions.

    `cap` is the work that the analysis of a board may take; harder boards get the verdict `UNKNOWN`, unless something is certain.
    The last move of a shortened record (`Record.left_out`) gets it too.
    `deep` makes more chances exact, plays the other boards out on more layouts, and takes some ten times as long.
    """
    check_type("record", record, Record)
    judge = Judge(cap=cap, deep=deep)
    return GameReview(record=record, moves=tuple(_reviews(judge, record)))


def iterate_reviews(record: Record, *, cap: int = DEFAULT_CAP) -> Iterator[MoveReview]:
    """The same, a move at a time as they are asked for."""
    return _reviews(Judge(cap=cap), record)


class _Waiting(NamedTuple):
    """A move that is judged when it is known what follows."""

    number: int
    before: Board
    one: TimedMove
    after: Board


def _reviews(judge: Judge, record: Record) -> Iterator[MoveReview]:
    boards = record.boards(fresh_board(record))
    judged = len(record.judged)
    waiting: list[_Waiting] = []
    for number, (one, (before, after)) in enumerate(zip(record.played, pairwise(boards), strict=True), 1):
        reveals = one.move.action in (Action.REVEAL, Action.CHORD) and not one.update.is_empty
        if number > judged or one.move.action is Action.TERMINATE or reveals:
            following = revealed_by(before, one.move) if reveals and number <= judged else []
            yield from _judge_all(judge, waiting, following)
            waiting.clear()
        if number > judged:
            yield _unknown(number, one, record)
        else:
            waiting.append(_Waiting(number, before, one, after))
    yield from _judge_all(judge, waiting, [])


def _judge_all(judge: Judge, waiting: Sequence[_Waiting], following: Sequence[int]) -> Iterator[MoveReview]:
    return (judge.review(one.number, one.before, one.one, one.after, following) for one in waiting)


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
