"""The colours of pictures: what is convention is kept, what must be legible is measured."""

from itertools import combinations, pairwise

import pytest

from sapper.render.picture_palette import CLASSIC, CLEAR, PICTURE_PALETTES, PicturePalette, contrast, ink_on, rgb_of
from tests.colour_vision import VISIONS, distance, lightness

PALETTES = pytest.mark.parametrize("palette", PICTURE_PALETTES.values(), ids=PICTURE_PALETTES)
EACH_VISION = pytest.mark.parametrize("vision", VISIONS)
CHANCES = [percent / 100 for percent in range(1, 100)]


def test_the_classic_numbers_have_the_colours_that_players_know() -> None:
    known = "0000FF 008000 FF0000 000080 800000 008080 000000 808080"
    assert [colour[1:].upper() for colour in CLASSIC.clues] == known.split()
    assert CLASSIC.revealed == "#c0c0c0"


def test_the_clear_numbers_are_legible() -> None:
    assert min(contrast(colour, CLEAR.revealed) for colour in CLEAR.clues) >= 4.5


@EACH_VISION
def test_any_two_clear_numbers_are_told_apart_by_colour_alone(vision: str) -> None:
    assert min(distance(one, other, vision) for one, other in combinations(CLEAR.clues, 2)) > 15
    # 1 to 4 are nearly all the numbers of a game.
    assert min(distance(one, other, vision) for one, other in combinations(CLEAR.clues[:4], 2)) > 30


def test_the_classic_ones_are_not_which_is_why_there_are_others() -> None:
    closest = min(distance(one, other, "protanopia") for one, other in combinations(CLASSIC.clues, 2))
    assert closest < 6
    assert min(contrast(colour, CLASSIC.revealed) for colour in CLASSIC.clues) < 2.5


@PALETTES
@pytest.mark.parametrize("chance", [0.0, *CHANCES, 1.0])
def test_percentages_are_legible_on_every_colour(palette: PicturePalette, chance: float) -> None:
    colour = palette.heat_colour(chance)
    assert contrast(ink_on(colour), colour) >= 4.5


@PALETTES
def test_other_text_is_legible(palette: PicturePalette) -> None:
    assert contrast(palette.label, palette.covered) >= 4.5
    assert contrast(palette.counter, "#000") >= 4.5
    for colour in (palette.safe, palette.mined):
        assert ink_on(colour) == "#fff"
        assert contrast("#fff", colour) >= 4.5


@EACH_VISION
def test_clear_chances_get_darker_whatever_one_sees(vision: str) -> None:
    lights = [lightness(CLEAR.heat_colour(chance), vision) for chance in (0.0, *CHANCES, 1.0)]
    assert all(brighter > darker for brighter, darker in pairwise(lights))
    assert lights[0] - lights[-1] > 50


@EACH_VISION
@PALETTES
def test_safe_cells_and_mines_are_told_apart(palette: PicturePalette, vision: str) -> None:
    # In the classic palette red and green differ little to some: the signs on them do not.
    assert distance(palette.safe, palette.mined, vision) > (30 if palette is CLEAR else 5)


@EACH_VISION
def test_clear_covered_cells_are_darker_than_revealed_ones(vision: str) -> None:
    assert lightness(CLEAR.revealed, vision) - lightness(CLEAR.covered, vision) > 20


@EACH_VISION
def test_the_clear_counter_is_bright(vision: str) -> None:
    assert lightness(CLEAR.counter, vision) > 65


def test_between_two_colours_they_are_mixed() -> None:
    (_, first), (second_at, second), *_ = CLASSIC.heat
    middle = rgb_of(CLASSIC.heat_colour(second_at / 2))
    assert all(abs(part - (a + b) / 2) <= 0.5 for part, a, b in zip(middle, first, second, strict=True))
    assert rgb_of(CLASSIC.heat_colour(second_at)) == second
