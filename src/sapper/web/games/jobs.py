"""What worker processes do for pages: boards and games that are looked at. Plain functions of values that can be sent; what is worked
out in a game that is played is in `play.jobs`.

Each is capped, so that it ends within a second or two on boards that people play; what takes very long (thousands of covered cells
strewn over a huge board) is stopped by the pool.
"""

from typing import Final

from sapper.core.board import Board
from sapper.core.notation import read_board
from sapper.core.record import Record
from sapper.errors import ContradictionError, RequestError, SapperError
from sapper.play import jobs as play_jobs
from sapper.play.jobs import CAP
from sapper.session.storing import guesses_in
from sapper.solver.advice import best_reveal
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import Analysis, PartialAnalysis, analyse_what_can_be
from sapper.solver.win import Candidate, win_chance_of
from sapper.web.games.bodies import BoardAnalysis, RevealCandidate
from sapper.web.games.messages import CellChance, place, places
from sapper.web.games.reasons import guess_of, shown, win_unknown

Chances = list[CellChance]
"""Of all covered cells."""


def warm() -> None:
    """Load what the other jobs need, so that the first of them does not wait for it."""
    play_jobs.hint(_SMALL, Advisor())
    analysed(_SMALL, analyse_what_can_be(_SMALL, cap=CAP))


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
    chance = None if whole is None else win_chance_of(whole, parts=(advisor or Advisor()).parts)
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
        guess=None if chance is None else guess_of(chance),
        win=None if chance is None else chance.win,
        unknown=None if chance is None or chance.win is not None else win_unknown(board),
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


_SMALL: Final = read_board("3x3/1\n###\n#1#\n###\n")
