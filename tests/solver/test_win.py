"""The chance to win: exact where it can be, bounds that hold elsewhere, nothing where it is not defined."""

from dataclasses import replace
from fractions import Fraction

import pytest

from sapper.core.board import Board
from sapper.core.cells import Cell, CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.notation import read_board
from sapper.core.rules import RULES, Start
from sapper.core.status import Status
from sapper.core.tile import Tile
from sapper.solver.advice import board_words
from sapper.solver.playouts import play_first, play_out
from sapper.solver.win import WinChance, win_chance
from tests.census import positions
from tests.halves import by_reference
from tests.small_boards import known_wins, whole_games

ANY = RULES["classic"].replace(start=Start.ANY)

CORNER = "6x6/8\n...1##\n...13#\n....2#\n221.1#\n##2111\n###1##\n"
"""Three layouts: the least risk wins 1 in 3, three cells as risky win 2 in 3."""


def _of(text: str) -> WinChance:
    return win_chance(read_board(text, rules=ANY))


def test_the_least_risk_is_not_the_best() -> None:
    chance = _of(CORNER)
    grid = Grid(6, 6)
    assert chance.exact == Fraction(2, 3)
    assert (chance.win_low, chance.win, chance.win_high) == (2 / 3, 2 / 3, 2 / 3)
    wins = {grid.xy(one.cell): (one.exact, round(one.risk, 9)) for one in chance.candidates}
    third = round(1 / 3, 9)
    for best in ((4, 5), (5, 5), (1, 5)):
        assert wins[best] == (Fraction(2, 3), third)
    assert wins[5, 0] == (Fraction(1, 3), third)
    assert chance.best is not None
    assert grid.xy(chance.best.cell) == (1, 5)  # the lowest of three that are equal
    assert grid.xy(chance.best.decides[0]) == (2, 5)


def test_a_coin_flip() -> None:
    chance = _of("2x1/1\n##\n")
    assert chance.exact == Fraction(1, 2)
    assert [(one.cell, one.exact, one.can_wait) for one in chance.candidates] == [
        (0, Fraction(1, 2), False),
        (1, Fraction(1, 2), False),
    ]
    [forced] = chance.forced
    assert forced.cells == (0, 1)
    assert forced.is_even


@pytest.mark.parametrize("name", ["2x1/1", "3x3/2"])
def test_a_protected_start(name: str) -> None:
    """The first reveal is chosen for what comes after it, and what it wins is counted among the layouts it leaves."""
    size, mines = name.split("/")
    width, height = map(int, size.split("x"))
    known = whole_games(2_000)[width, height, int(mines)]
    for start, rule in ((Start.SAFE, "safe_first"), (Start.ANY, "first_click_any")):
        chance = win_chance(Board.new(Grid(width, height), ANY.replace(start=start), int(mines)))
        assert chance.exact == Fraction(known[rule])
        assert chance.best is not None
        assert list(divmod(chance.best.cell, width)) in known["best_first_cells_rowcol"]
        assert (chance.best.risk == 0) == (start is Start.SAFE)


def test_known_positions() -> None:
    for known in known_wins():
        status = Status.PLAYING if known.moves else Status.WON
        grid = Grid(known.width, known.height)
        chance = win_chance(Board(grid=grid, rules=ANY, mine_count=known.mines, tiles=known.tiles, status=status))
        assert chance.exact == known.best, known.name
        assert chance.win == float(known.best), known.name
        if chance.best is not None:
            assert known.moves[chance.best.cell] == known.best, known.name
            assert all(one.exact in (None, known.moves[one.cell]) for one in chance.candidates), known.name
            assert all(one.win_low <= float(known.moves[one.cell]) <= one.win_high for one in chance.candidates), (
                known.name
            )
            for one in chance.candidates:
                assert sum(share for _, share in one.clues) + one.risk == pytest.approx(1)


def test_bounds_hold_whatever_is_searched() -> None:
    """The same boards without the search: what is exact lies within the bounds that are then proved."""
    seen = 0
    for known in known_wins():
        if len(known.moves) < 8 or known.best in (0, 1):
            continue
        board = Board(
            grid=Grid(known.width, known.height), rules=ANY, mine_count=known.mines, tiles=known.tiles, status=Status.PLAYING
        )  # fmt: skip
        chance = win_chance(board, most_layouts=1)
        assert chance.exact is None
        assert chance.win_low is not None
        assert chance.win_high is not None
        assert 0 < chance.win_low <= float(known.best) <= chance.win_high <= 1
        for one in chance.candidates:
            assert one.win_low <= float(known.moves[one.cell]) <= one.win_high + 1e-9
            assert one.win is None or one.win_low <= one.win <= one.win_high <= 1 - one.risk + 1e-9
        seen += 1
    assert seen > 15


def test_what_is_proved_of_a_region_that_is_not_searched_counts_all_its_layouts() -> None:
    """Around a torus each clue sees the three cells: one of them has the mine, and nothing tells which."""
    row = bytes([Tile.COVERED, 1, 0, 0, 1])
    board = Board(grid=Grid(5, 3, TORUS), rules=ANY, mine_count=1, tiles=3 * row, status=Status.PLAYING)
    assert win_chance(board).exact == Fraction(1, 3)
    chance = win_chance(board, most_layouts=1)
    assert (chance.exact, chance.win_low) == (None, 1 / 3)
    assert chance.win_high == pytest.approx(1 / 3)


def test_a_search_that_ends_at_its_limit_gives_bounds() -> None:
    """What it found so far is at most what best play wins; the board is played out instead, where it can be."""
    board = Board.new(Grid(4, 4), ANY, 4)
    whole, ended = win_chance(board), win_chance(board, nodes=3_000)
    assert whole.exact is not None
    for chance in (ended, _without_library(board)):
        assert chance.exact is None
        assert chance.win_low is not None
        assert chance.win_high is not None
        assert chance.win_low <= float(whole.exact) < chance.win_high
    assert ended.win == pytest.approx(float(whole.exact), abs=0.1)
    assert ended.win_error is not None


def _without_library(board: Board) -> WinChance:
    with by_reference():
        ended = win_chance(board, nodes=3_000)
    assert ended.win is None
    assert "is not known" in (ended.reason or "")
    assert "is not known" in board_words(ended)
    assert ended.best is not None
    return ended


def test_regions_are_multiplied_whether_searched_or_not() -> None:
    """A 50/50 in a corner that nothing can tell about halves the chance of a field beside it."""
    field = ["..12######", "..2#######", "..2#######", "..12######"]
    corner = ["###2", "13#2", ".111", "...."]
    alone = win_chance(read_board("\n".join(["10x4/9", *field]) + "\n", rules=ANY), most_layouts=10)
    joined = [left + right for left, right in zip(corner, field, strict=True)]
    both = win_chance(read_board("\n".join(["14x4/12", *joined]) + "\n", rules=ANY), most_layouts=10)
    assert alone.win is not None
    assert alone.exact is None
    assert both.win == pytest.approx(alone.win / 2, abs=0.06)
    assert both.win_high == pytest.approx((alone.win_high or 0) / 2)
    [forced] = both.forced
    assert (len(forced.cells), forced.is_even) == (2, True)
    waits = {one.cell: one.can_wait for one in both.candidates}
    assert [waits.get(cell) for cell in forced.cells] == [False, False]
    best = both.best
    assert best is not None
    assert best.win is not None
    assert all(one.win is None or one.win <= best.win + 1e-9 for one in both.candidates)


def test_stuck_expert_boards_are_played_out() -> None:
    listed = positions("expert-stuck")
    for place in (3, 119, 240):
        one = listed[place]
        board = Board(grid=one.grid, rules=ANY, mine_count=one.mines, tiles=one.tiles, status=Status.PLAYING)
        chance = win_chance(board)
        assert chance.win is not None
        assert chance.win == win_chance(board).win
        assert 0.02 < chance.win < 0.98
        if not one.safe:
            least = chance.analysis.least_risky
            assert least is not None
            assert chance.of(least) is not None
        else:
            assert {candidate.cell for candidate in chance.candidates} <= set(one.safe)


@pytest.mark.parametrize("name", ["jminesweeper", "formal"])
def test_games_won_by_flags_have_no_chance(name: str) -> None:
    chance = win_chance(read_board(CORNER, rules=RULES[name]))
    assert (chance.win, chance.win_low, chance.win_high, chance.exact, chance.candidates) == (None,) * 4 + ((),)
    assert chance.reason is not None
    assert "flagging" in chance.reason


def test_games_that_are_over() -> None:
    assert _of("2x1/1\n1#\n").exact == 1
    assert _of("3x1/1\n1X#\n").exact == 0
    assert _of("3x1/1\n1X#\n").candidates == ()


def test_large_boards_are_not_searched() -> None:
    board = Board.new(Grid(300, 300), ANY, 18_000)
    chance = win_chance(board)
    assert chance.exact is None
    assert chance.best is not None
    assert (play_out(chance.analysis), play_first(board, chance.best.cell)) == (None, None)


@pytest.mark.parametrize(
    ("size", "mines", "start", "exact"), [((11, 1), 3, Start.OPEN, (15, 28)), ((5, 2), 3, Start.SAFE, (5, 21))]
)
def test_a_game_that_begins_with_one_cell_wins_what_that_cell_does(
    size: tuple[int, int], mines: int, start: Start, exact: tuple[int, int]
) -> None:
    board = Board.new(Grid(*size), RULES["classic"].replace(start=start), mines)
    found = win_chance(replace(board, safe_first=CellSet.of([Cell(0)])))
    assert found.best is not None
    assert found.exact == found.best.exact == Fraction(*exact) < (win_chance(board).exact or 0)
