"""The native endgame: known answers to the fraction, the reference's move by move, and what a budget leaves."""

from fractions import Fraction

import pytest

from sapper._kernels.native.endgames import SolvedList, solve_board
from sapper._kernels.reference.analysis import analyse_table
from sapper._kernels.reference.endgame import solve_endgame
from sapper._kernels.reference.scan import plane_table
from tests.small_boards import KnownWin, known_wins, whole_games

PLENTY = 10**7


def _solved(
    tiles: bytes, width: int, height: int, mine_count: int, *, sets: int = PLENTY, every: bool = True
) -> SolvedList:
    table = plane_table(width, height)
    found = analyse_table(tiles, *table, mine_count)
    marks = bytearray(len(tiles))
    for cell in found.safe:
        marks[cell] = 1
    for cell in found.mined:
        marks[cell] = 2
    solved = solve_board(*table, tiles, bytes(marks), mine_count, found.census, sets, every=every)
    assert solved is not None
    assert solved.layouts == found.census
    return solved


@pytest.mark.parametrize("known", known_wins(), ids=lambda known: known.name)
def test_known_positions(known: KnownWin) -> None:
    solved = _solved(known.tiles, known.width, known.height, known.mines)
    assert solved.is_done
    assert solved.low == solved.high
    wins = {cell: Fraction(low, solved.layouts) for cell, low in zip(solved.cells, solved.low, strict=True)}
    if known.moves:
        assert max(wins.values(), default=Fraction(1)) == known.best
        assert {cell: win for cell, win in known.moves.items() if win} == {c: win for c, win in wins.items() if win}


def test_whole_games_up_to_two_thousand_layouts() -> None:
    for (width, height, mines), known in whole_games(2_000).items():
        solved = _solved(bytes([9]) * (width * height), width, height, mines)
        most = max(solved.low)
        assert Fraction(most, solved.layouts) == Fraction(known["first_click_any"]), (width, height, mines)
        best = [cell for cell, low in zip(solved.cells, solved.low, strict=True) if low == most]
        assert [list(divmod(cell, width)) for cell in best] == sorted(known["best_first_cells_rowcol"])
        quick = _solved(bytes([9]) * (width * height), width, height, mines, every=False)
        assert (quick.best, max(quick.low)) == (min(best), most)


def test_every_move_is_worth_what_the_reference_says() -> None:
    compared = 0
    for text, mines in (("##1\n###\n###\n###", 4), ("1###\n####\n##2#\n####", 5), ("#2##\n####\n####", 4)):
        rows = text.split("\n")
        tiles = bytes(9 if tile == "#" else int(tile) for row in rows for tile in row)
        width, height = len(rows[0]), len(rows)
        table = plane_table(width, height)
        slow = solve_endgame(analyse_table(tiles, *table, mines), *table, nodes=10**6)
        solved = _solved(tiles, width, height, mines)
        wins = dict(zip(solved.cells, solved.low, strict=True))
        (region,) = slow.regions
        for move in region.moves:
            assert (move.low, move.high) == (wins[move.cell], wins[move.cell])
            compared += 1
    assert compared > 20


def test_a_budget_that_runs_out_leaves_bounds_that_hold() -> None:
    tiles = bytes([9]) * 25
    exact = _solved(tiles, 5, 5, 3)
    for sets in (1, 30, 1_000):
        short = _solved(tiles, 5, 5, 3, sets=sets)
        assert not short.is_done
        assert short.sets <= sets + 1
        for low, high, least, most in zip(short.low, short.high, exact.low, exact.high, strict=True):
            assert low <= least == most <= high
        assert short.low[short.cells.index(short.best)] == max(short.low)


def test_more_layouts_than_were_asked_for() -> None:
    table = plane_table(5, 5)
    assert solve_board(*table, bytes([9]) * 25, bytes(25), 3, 2_299, 10, every=False) is None
