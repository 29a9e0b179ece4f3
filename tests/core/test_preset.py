"""The named games are those of the requirements."""

from fractions import Fraction

import pytest

from sapper.core.grid import Grid
from sapper.core.preset import PRESETS, Preset, check_mines, find_preset, percent_of_mines, rounded_share
from sapper.core.rules import RULES
from sapper.errors import InvalidValueError, LayoutError, UnknownNameError

TABLE = {
    "kata": ("kata", 3, 3, (1, 3)),
    "beginner": ("modern", 9, 9, (10,)),
    "beginner8": ("modern", 8, 8, (10,)),
    "intermediate": ("modern", 16, 16, (40,)),
    "expert": ("modern", 30, 16, (99,)),
    "engine": ("engine", 30, 16, (99,)),
    "formal": ("formal", 10, 10, (15,)),
    "jminesweeper-1": ("jminesweeper", 20, 10, (10,)),
    "jminesweeper-2": ("jminesweeper", 20, 10, (50,)),
    "jminesweeper-3": ("jminesweeper", 20, 10, (90,)),
}


def test_the_presets_are_those_of_the_table() -> None:
    assert {
        name: (preset.rules.name, preset.width, preset.height, preset.mine_counts) for name, preset in PRESETS.items()
    } == TABLE
    for name, preset in PRESETS.items():
        assert find_preset(name) is preset
        assert preset.name == name
        assert preset.grid is Grid(preset.width, preset.height)
        assert preset.rules is RULES[preset.rules.name]


@pytest.mark.parametrize(
    ("cells", "percent", "mines"),
    [(200, 5, 10), (200, 25, 50), (200, 45, 90), (1, 5, 1), (9, 5, 1), (10, 5, 1), (30, 5, 2), (65025, 45, 29261)],
)
def test_percentages_round_half_up_and_give_a_mine(cells: int, percent: int, mines: int) -> None:
    assert percent_of_mines(cells, percent) == mines


def test_an_unknown_preset() -> None:
    with pytest.raises(UnknownNameError, match="unknown preset 'export'; known are: kata, beginner, beginner8"):
        find_preset("export")


def test_mines_must_fit() -> None:
    assert [check_mines(Grid(2, 2), mines) for mines in range(5)] == [0, 1, 2, 3, 4]
    for mines in (-1, 5):
        with pytest.raises(LayoutError, match=f"{mines} mines do not fit 2x2 cells: 0 to 4 are possible"):
            check_mines(Grid(2, 2), mines)


def test_impossible_presets() -> None:
    rules = RULES["modern"]
    with pytest.raises(LayoutError, match="10 mines do not fit 3x3"):
        Preset(name="odd", rules=rules, width=3, height=3, mine_counts=(1, 10))
    with pytest.raises(LayoutError, match="preset 'odd' needs at least one mine count"):
        Preset(name="odd", rules=rules, width=3, height=3, mine_counts=())
    with pytest.raises(InvalidValueError, match="at least 1x1"):
        Preset(name="odd", rules=rules, width=0, height=3, mine_counts=(1,))


@pytest.mark.parametrize(
    ("cells", "percent", "mines"),
    [
        (5, 50, 3),
        (1, 50, 1),
        (1, 49, 0),
        (0, 99, 0),
        (5, 0, 0),
        (7, 100, 7),
        (1000, Fraction("0.35"), 4),
        (3, Fraction(50, 3), 1),
    ],
)
def test_half_a_mine_is_one(cells: int, percent: int | Fraction, mines: int) -> None:
    assert rounded_share(cells, percent) == mines
