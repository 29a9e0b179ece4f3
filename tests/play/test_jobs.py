"""What is worked out in a played game, against the library's own answers."""

import pickle

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import Grid
from sapper.core.move import Move
from sapper.core.notation import read_board
from sapper.core.rules import Start
from sapper.errors import RequestError
from sapper.generator.layout_spec import LayoutSpec, Method, Range
from sapper.metrics.game import guess_of
from sapper.play import jobs
from sapper.solver.advisor import Advisor
from sapper.solver.analysis import analyse
from tests.sessions import Play, lost_play

EASY = read_board("3x3/1\n###\n#1#\n###\n")
ONE_LEFT = read_board("3x2/1\n.1#\n.1#\n")


def test_hints_lead_to_a_safe_cell_and_can_be_sent() -> None:
    board = Play("beginner").run([("left", 40, 5)]).session.board
    found = pickle.loads(pickle.dumps(jobs.hint(board)))
    last = found.steps[-1]
    assert last.safe | last.mined == found.cells
    assert last.safe
    assert found.cells <= analyse(board).safe | analyse(board).mined
    assert found.may_guess is jobs.may_guess(board) is False


def test_where_nothing_is_certain_a_hint_is_a_guess() -> None:
    found = jobs.hint(ONE_LEFT)
    assert (found.may_guess, found.steps[-1].risk, list(found.cells)) == (True, 0.5, [2])
    assert jobs.may_guess(ONE_LEFT) is True


def test_what_is_too_hard_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CAP", 1)
    board = read_board("6x3/4\n######\n#2112#\n######\n")
    assert jobs.may_guess(board) is None
    assert jobs.chances(board, Advisor()) == jobs.FoundChances(
        None, reason="this board takes too much work to be counted"
    )
    assert jobs.hint(board).may_guess is None


def test_chances_are_those_of_the_analysis() -> None:
    found = jobs.chances(EASY, Advisor())
    assert found.risks == analyse(EASY).risks()
    assert (found.win, found.is_exact) == (found.win_low, True)


def test_a_search_finds_the_layout_of_the_code_or_says_that_it_did_not(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = LayoutSpec(grid=Grid(9, 9), mine_count=10, start=Start.OPEN, first=Cell(40), no_guess=True)
    assert len(jobs.generate(spec, 5)) == 10
    monkeypatch.setattr(jobs, "SEARCH_TIME", -1)
    rare = LayoutSpec(
        grid=Grid(9, 9), mine_count=10, start=Start.OPEN, first=Cell(40), bbbv=Range(62, 63), method=Method.REJECTION
    )
    with pytest.raises(RequestError, match="no such board was found") as caught:
        jobs.generate(rare, 5)
    assert caught.value.code == "failed"
    assert pickle.loads(pickle.dumps(caught.value)).code == "failed"


def test_the_last_move_is_judged_as_luck_is() -> None:
    layout = Play("engine").referee.layout
    assert layout is not None
    first = next(cell for cell in range(480) if layout.clues[cell] == 0)
    record = lost_play([("left", first, 5)]).session.record()
    *_, before, _ = record.boards()
    last = record.played[-1]
    found = jobs.judge(before, last.move, last.update)
    guess = guess_of(before, last.move, last.update)
    assert guess is not None
    analysis = analyse(before)
    assert found is not None
    assert (found.risk, found.forced, found.least) == (guess.risk, guess.forced, analysis.least_risk)
    assert (found.safe, found.mined) == (analysis.safe, analysis.mined)


def test_what_is_no_guess_has_no_risk() -> None:
    safe = Play("beginner").run([("left", 40, 5)])
    first = safe.session.played[0]
    new = Board.new(safe.session.grid, safe.session.rules, 10)
    found = jobs.judge(new, first.move, first.update)
    assert found is not None
    assert found.risk is None, "the start rule kept it safe"
    board = safe.session.board
    given_up = jobs.judge(board, Move.terminate(), first.update)
    assert given_up is not None
    assert given_up.risk is None
    certain = next(iter(analyse(board).safe))
    update = safe.session.left_click(certain)
    found = jobs.judge(board, Move.reveal(certain), update)
    assert found is not None
    assert found.risk == 0.0


def test_before_a_protected_first_reveal_nothing_is_risky() -> None:
    """Beginner, start open, nothing revealed: every cell is safe to begin with, and c3 is the one to take."""
    board = Play("beginner").session.board
    found = jobs.hint(board)
    assert (found.may_guess, jobs.may_guess(board), list(found.cells)) == (False, False, [20])
    (step,) = found.steps
    assert (step.best, step.risk) == (20, None)
    assert set((jobs.chances(board, Advisor()).risks or {}).values()) == {0.0}
    play = Play("beginner").run([("left", 40, 5)])
    first = play.session.played[0]
    nothing = CellSet()
    assert jobs.judge(board, first.move, first.update) == jobs.LastMoveVerdict(
        nothing, nothing, risk=None, least=0.0, forced=False, is_protected=True
    )
    play.run([("restart", 0, 5)])
    risks = jobs.chances(
        play.referee.board, Advisor()
    ).risks  # the mines lie where they lay: only there one can begin without a risk
    assert risks is not None
    assert [cell for cell, risk in risks.items() if not risk] == [40]
