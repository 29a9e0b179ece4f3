"""The options that describe a game, and the game they describe."""

from fractions import Fraction

import click
import pytest

from sapper.cli.options import chosen_game, mine_count_from, seed_or_random, size_from
from sapper.core.preset import PRESETS, Preset
from sapper.core.rules import RULES, Start
from sapper.errors import InvalidValueError, LayoutError, UnknownNameError


def _game(preset: str = "kata", **options: object) -> Preset:
    values: dict[str, object] = {"rules": None, "size": None, "mines": None, "start": None}
    return chosen_game(preset, values | options)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_alone(name: str) -> None:
    assert _game(name) == PRESETS[name]


def test_each_option_changes_its_part() -> None:
    game = _game("beginner", rules="kata", size=(4, 2), mines=3, start="safe")
    assert (game.rules, game.width, game.height, game.mine_counts) == (
        RULES["kata"].replace(start=Start.SAFE),
        4,
        2,
        (3,),
    )
    assert _game("beginner", size=(30, 30)).mine_counts == (10,)
    assert _game("kata", size=(9, 9)).mine_counts == (1, 3)
    assert _game(rules="modern+start=safe").rules.start is Start.SAFE


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"preset": "nope"}, UnknownNameError, "unknown preset 'nope'; known are: kata, beginner"),
        ({"rules": "nope"}, UnknownNameError, "unknown rules 'nope'; known are: engine, kata"),
        ({"rules": "modern+start"}, InvalidValueError, "a change of rules is NAME=VALUE"),
        ({"size": (0, 5)}, InvalidValueError, "a grid has at least 1x1 cells, not 0x5"),
        ({"size": (99999, 99999), "mines": 5}, InvalidValueError, "a grid has at most 100,000,000 cells"),
        ({"size": (5, 5), "mines": 99}, LayoutError, "99 mines do not fit 5x5 cells: 0 to 25 are possible$"),
        ({"mines": -1}, LayoutError, "-1 mines do not fit 3x3 cells: 0 to 9 are possible$"),
        (
            {"size": (1, 1)},
            LayoutError,
            "3 mines do not fit 1x1 cells: 0 to 1 are possible; say how many with --mines$",
        ),
    ],
)
def test_what_cannot_be(options: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        _game(**options)  # type: ignore[arg-type]


@pytest.mark.parametrize(("text", "size"), [("9x9", (9, 9)), ("30X16", (30, 16)), ("4×2", (4, 2)), ("0x5", (0, 5))])
def test_a_size(text: str, size: tuple[int, int]) -> None:
    assert size_from(text) == size


@pytest.mark.parametrize("text", ["9y9", "9", "", "-1x5", "9x9x9", "1" * 5000 + "x1", "9 x 9"])
def test_no_size(text: str) -> None:
    with pytest.raises(click.BadParameter, match="a size is WIDTHxHEIGHT, for instance 9x9, not '") as caught:
        size_from(text)
    assert len(caught.value.message) < 120


@pytest.mark.parametrize(
    ("text", "count"),
    [("10", 10), ("12.4%", Fraction("12.4")), ("0%", Fraction(0)), ("100%", Fraction(100)), ("-1", -1)],
)
def test_a_number_of_mines(text: str, count: int | Fraction) -> None:
    assert mine_count_from(text) == count


@pytest.mark.parametrize("text", ["", "many", "101%", "%", "-5%", "1e2%", "1" * 5000 + "%"])
def test_no_number_of_mines(text: str) -> None:
    with pytest.raises(click.BadParameter, match="a number of mines is 40 or 20%, not '"):
        mine_count_from(text)


def test_a_share_is_of_the_cells_there_are() -> None:
    assert _game("beginner", mines=Fraction(20)).mine_counts == (16,)
    assert _game("9x9/10", size=(5, 1), mines=Fraction(50)).mine_counts == (3,)
    assert _game("12x8/20").mine_counts == (20,)


def test_a_seed_is_random_where_none_is_given() -> None:
    assert seed_or_random(0) == 0
    assert seed_or_random(2**64) == 2**64  # whoever draws from it says that it cannot be
    drawn = {seed_or_random(None) for _ in range(20)}
    assert len(drawn) > 1
    assert all(0 <= seed < 2**32 for seed in drawn)
