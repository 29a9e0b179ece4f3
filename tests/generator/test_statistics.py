"""What seeds give is uniform: cells, pairs, 3BV, openings and zeros, under every start rule, by both backends."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from sapper._kernels import batch
from sapper.core.grid import Grid
from sapper.core.rules import Start
from sapper.generator.search_values import START_NUMBERS, field_of
from sapper.generator.uniform import kept_free

KNOWN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "small" / "layout-statistics.json").read_text(encoding="utf-8")
)
NAMES = {Start.ANY: "any", Start.SAFE: "safe", Start.OPEN: "zero"}
SIZES = [(8, 8, 10), (9, 9, 10), (16, 16, 40), (30, 16, 99)]
SEED = 20261128


@pytest.mark.parametrize("start", list(Start))
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}x{size[2]}")
def test_3bv_openings_and_zeros_have_the_known_means(size: tuple[int, int, int], start: Start) -> None:
    """Within four standard errors of the difference; a first cell away from the edge opens more and makes fewer 3BV."""
    width, height, mines = size
    known = KNOWN[f"{width}x{height}x{mines}:{NAMES[start]}"]
    grid, draws = Grid(width, height), 6000
    first = grid.cell(3, 3) if start is Start.OPEN else grid.cell(0, 0)  # as the known numbers were made
    maps = batch.draw_many(field_of(grid), mines, START_NUMBERS[start], first, SEED, 0, draws)
    measured = batch.measure_many(*grid.table, width, maps, plane=True, with_zini=False)
    for name, values in (("3bv", [one.bbbv for one in measured]), ("openings", [one.openings for one in measured])):
        mean = sum(values) / draws
        error = known[f"sd_{name}"] * (1 / draws + 1 / known["boards"]) ** 0.5
        assert abs(mean - known[f"mean_{name}"]) < 4 * error, name
    spread = sum((one.bbbv - known["mean_3bv"]) ** 2 for one in measured) / draws
    assert abs(spread**0.5 / known["sd_3bv"] - 1) < 0.05


@pytest.mark.parametrize("start", list(Start))
def test_cells_and_pairs_are_mined_as_often_as_they_should_be(start: Start) -> None:
    """Chi-square of cells, whose distribution is known exactly; pairs by the mean of their squared deviations."""
    grid, mines, draws = Grid(8, 8), 10, 12_000
    first = 18
    maps = batch.draw_many(field_of(grid), mines, START_NUMBERS[start], first, SEED, 0, draws)
    free = set(kept_free(grid, start, first))
    cells = dict.fromkeys(range(grid.size), 0)
    pairs = dict.fromkeys(combinations(range(grid.size), 2), 0)
    for game in range(draws):
        drawn = [cell for cell, mine in enumerate(maps[game * grid.size : (game + 1) * grid.size]) if mine]
        for cell in drawn:
            cells[cell] += 1
        for pair in combinations(drawn, 2):
            pairs[pair] += 1
    assert all(cells.pop(cell) == 0 for cell in free)
    pairs = {pair: count for pair, count in pairs.items() if free.isdisjoint(pair)}
    room = len(cells)
    chance = mines / room
    square = sum((count - draws * chance) ** 2 for count in cells.values()) / (draws * chance * (1 - chance))
    square *= (room - 1) / room  # mines are drawn without replacement: one degree of freedom less
    assert abs(square - (room - 1)) < 4 * (2 * (room - 1)) ** 0.5
    both = mines * (mines - 1) / (room * (room - 1))
    deviations = [(count - draws * both) ** 2 / (draws * both * (1 - both)) for count in pairs.values()]
    assert 0.9 < sum(deviations) / len(deviations) < 1.1
    assert max(deviations) < 5**2
