"""Replies to guesses: their chances are exact, their bounds hold."""

from dataclasses import replace

import pytest

from sapper.core.board import Board
from sapper.core.grid import Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.solver.analysis import analyse
from sapper.solver.best_reply import candidates_of, replies_of, without_reply
from tests.small_boards import KnownWin, known_wins
from tests.solver_boards import board_of_seed

ANY = RULES["classic"].replace(start=Start.ANY)


def _board(known: KnownWin) -> Board:
    grid = Grid(known.width, known.height)
    return Board(grid=grid, rules=ANY, mine_count=known.mines, tiles=known.tiles, status=Status.PLAYING)


@pytest.mark.usefixtures("half")
def test_clues_are_those_of_the_layouts() -> None:
    for seed in (1, 7, 21, 33, 40):
        analysis = analyse(board_of_seed(seed))
        cells = [cell for group in analysis.groups for cell in group.cells if group.numerator < analysis.census]
        for reply in replies_of(analysis, cells):
            expected = {clue: analysis.supposing(reply.cell, clue) / analysis.census for clue in range(9)}
            assert dict(reply.clues) == pytest.approx({clue: share for clue, share in expected.items() if share})
            assert reply.risk == analysis.risk(reply.cell)


def test_the_only_clue_has_all_of_the_chance() -> None:
    (reply,) = replies_of(analyse(read_board("2x2/1\n##\n##\n")), [0])
    assert (reply.risk, reply.clues) == (0.25, ((1, 0.75),))


def test_nobody_wins_more_than_the_bound() -> None:
    checked = 0
    for known in known_wins():
        analysis = analyse(_board(known))
        cells = [cell for cell in known.moves if cell not in analysis.mined]
        for reply in replies_of(analysis, cells):
            assert float(known.moves[reply.cell]) <= reply.most + 1e-9 <= 1 - reply.risk + 2e-9
            checked += 1
    assert checked > 200


def test_answers_that_are_too_hard_are_not_looked_at() -> None:
    """Each analysis may take one state, which no answer here is content with: what is left is the risk."""
    analysis = replace(analyse(_board(next(known for known in known_wins() if known.name == "nosafe-4"))), cap=1)
    cells = candidates_of(analysis)
    assert replies_of(analysis, cells) == [without_reply(analysis, cell) for cell in cells]


def test_candidates_are_the_safest() -> None:
    analysis = analyse(_board(next(known for known in known_wins() if known.name == "nosafe-4")))
    cells = candidates_of(analysis)
    risks = [analysis.risk(cell) for cell in cells]
    assert risks == sorted(risks)
    assert len(cells) <= 12
    assert 1 - risks[-1] >= 0.8 * (1 - risks[0])
    bare = without_reply(analysis, cells[0])
    assert (bare.clues, bare.most) == ((), 1 - risks[0])
