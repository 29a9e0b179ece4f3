"""What worker processes do: everything that takes thought. Plain functions of values that can be sent.

Each is capped, so that it ends within a second or two on boards that people play; what takes more is answered with None, and what
takes very long (thousands of covered cells strewn over a huge board) is stopped by the pool.

Knows: hints, chances, searches, judging a move and a game; the caps.
Does not know: processes, registry, who waits.
"""

from typing import Final, NamedTuple

from sapper.core.board import Board
from sapper.core.cells import CellSet
from sapper.core.move import Action, Move
from sapper.core.notation import read_board
from sapper.core.record import Record
from sapper.core.update import Update
from sapper.errors import ContradictionError, RequestError, SapperError, TooHardError
from sapper.generator.budget import Budget
from sapper.generator.find import find_layout
from sapper.generator.layout_spec import LayoutSpec
from sapper.metrics.game import guesses_of
from sapper.session.clock import system_clock
from sapper.session.guesses import guesses_in
from sapper.solver.advice import best_reveal
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, PartialAnalysis, analyse, analyse_what_can_be
from sapper.solver.deduce.explain import next_step
from sapper.solver.deduce.step import Step, Technique
from sapper.solver.win import Candidate, WinChance, win_chance_of
from sapper.web.games.bodies import BoardAnalysis, RevealCandidate
from sapper.web.games.messages import CellChance, HintStep, ReviewMessage, place, places

CAP: Final = 200_000
"""States that one analysis may take."""
SEARCH_TIME: Final = 4_000
"""Milliseconds that a layout is looked for."""

ODDS_LAYOUTS: Final = 1_000
ODDS_NODES: Final = 2_000
"""Layouts and positions that the chance to win may take where chances are shown after every move: some milliseconds."""

Chances = list[CellChance]
"""Of all covered cells."""


class WebHint(NamedTuple):
    """A hint as it is found."""

    steps: list[HintStep]
    may_guess: bool | None
    cells: CellSet
    """Those that the last step is about."""


class WebOdds(NamedTuple):
    """Chances of a mine, and the chance to win with its bounds; what is not known is None."""

    chances: Chances | None
    win: float | None = None
    win_low: float | None = None
    win_high: float | None = None
    reason: str | None = None


def warm() -> None:
    """Load what the other jobs need, so that the first of them does not wait for it."""
    hint(_SMALL, Advisor())
    chances(_SMALL)


def hint(board: Board, advisor: Advisor | None = None) -> WebHint:
    """The steps to the next safe cell, and whether a guess is all that is left."""
    steps = next_step(board, cap=CAP, advisor=advisor)
    cells = steps[-1].cells if steps else CellSet()
    return WebHint([step_data(board, step) for step in steps], _may_guess(steps), cells)


def may_guess(board: Board) -> bool | None:
    """Whether nothing is certain to be safe; None if that is too hard to say."""
    found = analyse_what_can_be(board, cap=CAP)
    if isinstance(found, Analysis):
        return found.may_guess
    return False if found.safe else None


def chances(board: Board) -> Chances | None:
    """The chance of every covered cell to be a mine; None if that is too hard to say."""
    try:
        return _chances(analyse(board, cap=CAP))
    except TooHardError:
        return None


def odds(board: Board) -> WebOdds:
    """The same, and the chance to win; no chances and why, where the board is too hard."""
    try:
        analysis = analyse(board, cap=CAP)
    except TooHardError:
        return WebOdds(chances=None, reason="This board takes too much work to be counted.")
    win = win_chance_of(analysis, most_layouts=ODDS_LAYOUTS, nodes=ODDS_NODES, safe_listed=False)
    return WebOdds(_chances(analysis), win.win, win.win_low, win.win_high, _reason(win))


def _reason(chance: WinChance) -> str | None:
    return None if chance.reason is None else f"{chance.reason[:1].upper()}{chance.reason[1:]}."


def find(spec: LayoutSpec, seed: int) -> CellSet:
    """The mines of the layout that a spec and a seed name. `RequestError` (`failed`) if it is not found in time."""
    end = system_clock() + SEARCH_TIME
    try:
        return find_layout(spec, seed, budget=Budget(go_on=lambda: system_clock() < end)).layout.mines
    except SapperError as error:
        raise RequestError("failed", f"no such board was found: {error}") from None


def review(before: Board, move: Move, update: Update) -> ReviewMessage | None:
    """The last move of a game, judged by the board before it; None if nothing at all is known of that.

    Of a first reveal that the start rule protected there is nothing to judge: no cell had to be known, and none was a risk.

    `before` is a board that has not ended, `update` what the move changed.
    """
    try:
        found = analyse_what_can_be(before, cap=CAP)
    except ContradictionError:
        return None
    if before.protected:
        return ReviewMessage(safe=[], mined=[], risk=None, least=0.0, forced=False)
    whole = found if isinstance(found, Analysis) else None
    return ReviewMessage(
        safe=places(before.grid, found.safe),
        mined=places(before.grid, found.mined),
        risk=None if whole is None else _risk(before, move, update),
        least=None if whole is None else whole.least_risk,
        forced=None if whole is None else whole.may_guess,
    )


def luck(record: str) -> list[tuple[float, bool, bool]]:
    """The guesses of a game: the risk of each, whether it was forced, whether it exploded."""
    return [(one.risk, one.forced, one.exploded) for one in guesses_in(Record.from_json(record))]


def analyse_text(
    text: str, mine_count: int | None, most_cells: int = 10_000, advisor: Advisor | None = None
) -> BoardAnalysis:
    """The chances of a board text, and what is certain. `RequestError` (`bad-request`) for what is no board, or fits no layout."""
    try:
        board = read_board(text, mine_count=mine_count, source="board")
    except SapperError as error:
        raise RequestError("bad-request", str(error)) from None
    if board.grid.size > most_cells:
        raise RequestError("bad-request", f"a board here has at most {most_cells} cells, not {board.grid.size}")
    try:
        found = analyse_what_can_be(board, cap=CAP)
    except ContradictionError as error:
        raise RequestError("bad-request", str(error)) from None
    return analysed(board, found, advisor)


def analysed(board: Board, found: Analysis | PartialAnalysis, advisor: Advisor | None = None) -> BoardAnalysis:
    """What is known of a board, and of winning it."""
    whole = found if isinstance(found, Analysis) else None
    chance = None if whole is None else win_chance_of(whole)
    if chance is not None and advisor is not None:
        chance = advisor.advised(chance)
    best = None if chance is None else best_reveal(chance)
    return BoardAnalysis(
        width=board.grid.width,
        height=board.grid.height,
        mine_count=board.mine_count,
        chances=None if whole is None else _chances(whole),
        safe=places(board.grid, found.safe),
        mined=places(board.grid, found.mined),
        may_guess=whole.may_guess if whole is not None else False if found.safe else None,
        best=None if best is None else place(board.grid, best[0]),
        why=None if best is None else f"{best[1]}.",
        win=None if chance is None else chance.win,
        reason=None if chance is None else _reason(chance),
        win_low=None if chance is None else chance.win_low,
        win_high=None if chance is None else chance.win_high,
        candidates=[] if chance is None else [_candidate(board, one) for one in chance.candidates],
    )


def _candidate(board: Board, one: Candidate) -> RevealCandidate:
    return RevealCandidate(
        cell=place(board.grid, one.cell),
        risk=shown(one.risk),
        win=one.win,
        win_low=one.win_low,
        win_high=one.win_high,
        clues=[(clue, share) for clue, share in one.clues],
        can_wait=one.can_wait,
    )


def _chances(found: Analysis) -> Chances:
    width = found.board.grid.width
    return [(cell % width, cell // width, shown(risk)) for cell, risk in found.risks().items()]


def shown(risk: float) -> float:
    """A chance as it is sent: four digits after the point, or all of it where so few would make a certainty of it."""
    rounded = round(risk, 4)
    return rounded if rounded not in (0.0, 1.0) or risk == rounded else risk


def step_data(board: Board, step: Step) -> HintStep:
    """A step as messages have it."""
    grid = board.grid
    guess = None if step.chance is None else step.chance.best
    return HintStep(
        technique=step.technique.words,
        pattern=step.pattern,
        why=f"{step.sentence}.",
        clues=places(grid, step.clues),
        safe=places(grid, step.safe),
        mined=places(grid, step.mined),
        best=None if step.best is None else place(grid, step.best),
        risk=None if step.risk is None else shown(step.risk),
        win=None if guess is None or guess.win is None else shown(guess.win),
        win_low=None if guess is None else guess.win_low,
        win_high=None if guess is None else guess.win_high,
    )


def _may_guess(steps: tuple[Step, ...]) -> bool | None:
    last = steps[-1] if steps else None
    if last is None or last.technique is not Technique.GUESS:
        return False
    return None if last.risk is None else True


def _risk(before: Board, move: Move, update: Update) -> float | None:
    """The chance that the move met a mine; None if it revealed nothing."""
    if move.action not in (Action.REVEAL, Action.CHORD):
        return None
    try:
        guesses = guesses_of(before, move, update, CAP)
    except TooHardError:
        return None
    return guesses[0].risk if guesses else 0.0


_SMALL: Final = read_board("3x3/1\n###\n#1#\n###\n")
