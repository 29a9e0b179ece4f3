"""What workers find out for pages, against the library's own answers."""

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board, write_board
from sapper.core.rules import find_rules
from sapper.errors import RequestError
from sapper.play import jobs as play_jobs
from sapper.session.storing import guesses_in
from sapper.solver.analysis import analyse
from sapper.web.games import jobs
from sapper.web.games.reasons import shown as shown_chance, step_data
from tests.live_games import arrived
from tests.sessions import Play, lost_play


def test_guesses_are_chosen_for_winning() -> None:
    """Three layouts are left; the least risk wins 1 in 3, the best guess 2 in 3 (see tests/solver/test_win.py)."""
    board = read_board("6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n")
    last = step_data(board.grid, play_jobs.hint(board).steps[-1])
    assert last.best == (1, 5)
    assert last.win == pytest.approx(2 / 3, abs=1e-4)
    assert (last.win_low, last.win_high) == (2 / 3, 2 / 3)
    assert last.guess is not None
    told = {name: getattr(last.guess, name) for name in ("kind", "cell", "win_fraction", "other_fraction")}
    assert told == {"kind": "better", "cell": (1, 5), "win_fraction": (2, 3), "other_fraction": (1, 3)}
    found = jobs.analyse_text(write_board(board), None)
    assert (found.best, found.win, found.guess) == ((1, 5), 2 / 3, last.guess)
    wins = {one.cell: one.win for one in found.candidates}
    assert (wins[4, 5], wins[5, 0]) == (2 / 3, 1 / 3)


def test_the_first_step_of_a_protected_start_is_said() -> None:
    board = Play("beginner").session.board
    (step,) = (step_data(board.grid, one) for one in play_jobs.hint(board).steps)
    assert (step.technique, step.best, step.risk) == ("start", (2, 2), None)
    assert step.anywhere


def test_what_is_too_hard_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "CAP", 1)
    found = jobs.analyse_text("6x3/4\n######\n#2112#\n######\n", None)
    assert (found.chances, found.may_guess, found.best) == (None, None, None)


def test_the_guesses_of_a_game() -> None:
    record = lost_play([]).session.record()
    guesses = guesses_in(record)
    assert jobs.luck(record.to_json()) == [(one.risk, one.forced, one.exploded) for one in guesses] != []


def test_the_guesses_of_a_game_with_a_protected_start() -> None:
    record = Play("expert").run([("left", cell, 5) for cell in (250, 3, 470, 10, 460)]).session.record()
    guesses = guesses_in(record)
    assert jobs.luck(record.to_json()) == [(one.risk, one.forced, one.exploded) for one in guesses]


def test_a_game_that_takes_long_to_judge_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sapper.session.storing.MOST_TIME", 0)
    assert jobs.luck(lost_play([]).session.record().to_json()) == []


@pytest.mark.parametrize(
    ("text", "mines", "words"),
    [("", 1, "the board is empty"), ("##\n#", 1, "row has 1"), ("##", None, "number of mines"), ("1#", 2, "do not fit|no layout"),
     ("#" * 10_001, 1, "at most 10000")],
)  # fmt: skip
def test_a_text_that_is_no_board_is_refused(text: str, mines: int | None, words: str) -> None:
    with pytest.raises(RequestError, match=words) as caught:
        jobs.analyse_text(text, mines)
    assert caught.value.code == "bad-request"


def test_a_text_is_analysed() -> None:
    found = arrived(jobs.analyse_text(".1#\n.1#", 1))
    flip = {"risk": 0.5, "win": 0.5, "win_low": 0.5, "win_high": 0.5, "clues": [[1, 0.5]], "can_wait": False}
    assert found == {
        "width": 3, "height": 2, "mine_count": 1, "chances": [[2, 0, 0.5], [2, 1, 0.5]], "safe": [], "mined": [],
        "may_guess": True, "best": [2, 0], "win": 0.5, "win_low": 0.5, "win_high": 0.5, "unknown": None,
        "guess": {
            "kind": "least", "cell": [2, 0], "risk": 0.5, "win": 0.5, "win_fraction": [1, 2], "is_exact": True, "other": None,
            "other_risk": None, "other_win": None, "other_fraction": None, "other_is_exact": False, "decides": [[2, 1]],
            "even": [[[2, 0], [2, 1]]], "is_blank": False, "unflag_first": False,
        },
        "candidates": [{"cell": [2, 0], **flip}, {"cell": [2, 1], **flip}],
    }  # fmt: skip


def test_warming_up_does_no_harm() -> None:
    jobs.warm()


def test_what_is_not_certain_is_never_sent_as_if_it_were() -> None:
    """60x60/4 with four clues 1: the cells beside two of them are mines with a chance of 5.6e-6, not 0."""
    board = Board.new(Grid(60, 60), find_rules("engine"), 4)
    tiles = bytearray(board.tiles)
    for x, y in ((9, 9), (11, 9), (9, 11), (11, 11)):
        tiles[board.grid.cell(x, y)] = 1
    board = Board(grid=board.grid, rules=board.rules, mine_count=4, tiles=bytes(tiles))
    analysis = analyse(board)
    chances = jobs.analyse_text(write_board(board), None).chances
    assert chances is not None
    shown = {board.grid.cell(int(x), int(y)): chance for x, y, chance in chances}
    assert {cell for cell, chance in shown.items() if chance == 0} == set(analysis.safe)
    assert 1 not in shown.values()
    small = sorted(chance for chance in shown.values() if 0 < chance < 1e-4)
    assert small == sorted(risk for risk in analysis.risks().values() if 0 < risk < 1e-4)
    assert len(small) == 12
    assert [shown_chance(one) for one in (0.0, 1.0, 1 - 1e-7, 1e-9, 0.12346)] == [0.0, 1.0, 1 - 1e-7, 1e-9, 0.1235]
