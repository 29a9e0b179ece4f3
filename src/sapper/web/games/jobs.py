"""What worker processes do for pages: boards and games that are looked at. Plain functions of values that can be sent; what is worked
out in a game that is played is in `play.jobs`.

Each is capped, so that it ends within a second or two on boards that people play; what takes very long (thousands of covered cells
strewn over a huge board) is stopped by the pool.
"""

from typing import Final

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.record import Record
from sapper.errors import ContradictionError, RequestError, SapperError
from sapper.play import jobs as play_jobs
from sapper.play.jobs import CAP
from sapper.session.guesses import guesses_in
from sapper.solver.advice import best_reveal
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, PartialAnalysis, analyse_what_can_be
from sapper.solver.deduce.step import Step
from sapper.solver.win import Candidate, WinChance, win_chance_of
from sapper.web.games.bodies import BoardAnalysis, RevealCandidate
from sapper.web.games.messages import CellChance, HintStep, place, places

Chances = list[CellChance]
"""Of all covered cells."""


def warm() -> None:
    """Load what the other jobs need, so that the first of them does not wait for it."""
    play_jobs.hint(_SMALL, Advisor())
    analysed(_SMALL, analyse_what_can_be(_SMALL, cap=CAP))


def _reason(chance: WinChance) -> str | None:
    return None if chance.reason is None else f"{chance.reason[:1].upper()}{chance.reason[1:]}."


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


def step_data(grid: Grid, step: Step) -> HintStep:
    """A step as messages have it."""
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


_SMALL: Final = read_board("3x3/1\n###\n#1#\n###\n")
