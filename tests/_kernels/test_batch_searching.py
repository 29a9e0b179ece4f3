"""Searches of layouts: both backends draw, measure and play out alike; logic ends where the reference says."""

from typing import Any

import pytest

from sapper._kernels import batch, library
from sapper._kernels.declarations import SEARCHED
from sapper._kernels.native import search as native
from sapper._kernels.reference import search as python
from sapper._kernels.reference.search import EXACT, NO_LOGIC, ONE_CLUE, Search, Wanted
from sapper.core.cells import CellSet
from sapper.core.grid import TORUS, Grid
from sapper.core.rng import Rng
from sapper.core.rules import Start
from sapper.game.layout import Layout
from sapper.generator.search_values import START_NUMBERS, field_of
from sapper.generator.uniform import nearest_start, place_mines
from tests.halves import by_reference

ORDERS = [
    (Grid(9, 9), 10, Start.OPEN, 20, EXACT, Wanted(), 60),
    (Grid(9, 9), 10, Start.SAFE, 0, ONE_CLUE, Wanted(), 100),
    (Grid(9, 9), 10, Start.ANY, 40, EXACT, Wanted(10, 25, 1, 3), 60),
    (Grid(9, 9, TORUS), 10, Start.OPEN, 20, EXACT, Wanted(), 40),
    (Grid(70, 4), 30, Start.OPEN, 20, EXACT, Wanted(), 30),
    (Grid(30, 16), 99, Start.OPEN, 93, EXACT, Wanted(), 15),
    (Grid(5, 1), 2, Start.SAFE, 0, EXACT, Wanted(), 30),
    (Grid(8, 8), 10, Start.SAFE, 9, NO_LOGIC, Wanted(12, 14), 100),
]


@pytest.mark.parametrize("case", ORDERS, ids=str)
def test_both_backends_find_the_same_and_count_the_same(case: tuple[Grid, int, Start, int, int, Wanted, int]) -> None:
    grid, mines, start, first, logic, wanted, tries = case
    order = Search(field_of(grid), mines, START_NUMBERS[start], first, logic, wanted, 5)
    quick, plain = batch.searcher(order), batch.PythonSearcher(order)
    assert isinstance(quick, native.Searcher)
    at = 0
    found = []
    while at < tries:
        one = quick.search(at, tries - at)
        assert one == plain.search(at, tries - at)
        at += one.tried
        found.append(one.found)
    assert any(number >= 0 for number in found)


@pytest.mark.parametrize("grid", [Grid(9, 9), Grid(7, 6, TORUS)], ids=repr)
def test_playing_out_ends_alike_on_both(grid: Grid) -> None:
    mines = 8
    order = Search(field_of(grid), mines, START_NUMBERS[Start.ANY], 0, EXACT, Wanted(), 0)
    quick, plain = batch.searcher(order), batch.PythonSearcher(order)
    ends = set()
    for number in range(60):
        layout = place_mines(grid, mines, Rng(number))
        played = plain.play_out(layout.clues)
        assert quick.play_out(layout.clues) == played
        ends.add(played.status)
    assert ends == {python.STUCK, python.SOLVED, python.STRUCK}


def test_what_is_too_hard_for_one_backend_is_settled_by_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = Grid(9, 9)
    order = Search(field_of(grid), 10, 2, 20, EXACT, Wanted(), 5)
    plain = python.search(order, 0, 40)
    monkeypatch.setattr(native, "BATCH", _AlwaysHard())
    assert native.Searcher(order).search(0, 40) == plain
    none = Search(field_of(grid), 10, 2, 20, EXACT, Wanted(200, 300), 5)
    assert native.Searcher(none).search(0, 40) == python.search(none, 0, 40)._replace(measured=40)
    clues = place_mines(grid, 10, Rng(1)).clues
    assert native.Searcher(order).play_out(clues) == python.play_out(order.field, clues, 20, EXACT)


class _AlwaysHard:
    """A library that finds every board too hard."""

    def __getattr__(self, name: str) -> Any:
        return getattr(library.BATCH, name)

    def sapper_search(self, searcher: int, _begin: int, _tries: int, address: int, _mapped: object) -> None:
        library.BATCH.sapper_search(searcher, 0, 0, address, _mapped)
        made = SEARCHED.from_address(address)
        made.tried, made.measured, made.status = 1, 1, python.HARD

    def sapper_play_out(self, *_: object) -> int:
        return python.HARD


def test_a_board_over_the_cap_ends_the_attempt() -> None:
    layout = place_mines(Grid(16, 16), 40, Rng(3), start=Start.OPEN, first=40)
    ended = python.play_out(field_of(layout.grid), layout.clues, 40, EXACT, cap=1)
    assert ended.status == python.HARD
    assert ended.revealed >= 1


@pytest.mark.parametrize("start", list(Start))
@pytest.mark.parametrize(
    "grid", [Grid(12, 7), Grid(7, 6, TORUS), Grid(3, 3), Grid(1, 9), Grid(2, 2), Grid(1, 1)], ids=repr
)
def test_many_layouts_are_those_of_games_one_by_one(grid: Grid, start: Start) -> None:
    seed = 2**64 - 3
    for mines in {0, 1, grid.size // 3, grid.size - 1, grid.size}:
        first = mines * 7 % grid.size
        order = (field_of(grid), mines, START_NUMBERS[start], first, seed, 3, 20)
        maps = batch.draw_many(*order)
        kept = nearest_start(grid, mines, start, first)
        if kept is start:
            with by_reference():
                assert batch.draw_many(*order) == maps
        for number in range(20):
            drawn = CellSet.where(maps[number * grid.size : (number + 1) * grid.size])
            rng = Rng(Rng(seed).split(3 + number).split(0).seed)
            assert Layout(grid, drawn) == place_mines(grid, mines, rng, start=kept, first=first)
