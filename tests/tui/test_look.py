"""Colours that can be seen on every terminal, and keys that do one thing each."""

from itertools import combinations

import pytest
from rich._palettes import STANDARD_PALETTE
from rich.color import Color, ColorSystem

from sapper.config.configuration import load
from sapper.errors import ConfigError
from sapper.render.picture_palette import colour_of, contrast, luminance
from sapper.tui.look import COLOURS, BoardColours, PlayLook, bound, theme_of

SIXTEEN = [colours for (_, _, is_sixteen), colours in COLOURS.items() if is_sixteen]
MANY = [colours for (_, _, is_sixteen), colours in COLOURS.items() if not is_sixteen]


def _pairs(colours: BoardColours) -> list[tuple[str, str, str]]:
    """What is written on what."""
    clues = [(f"clue {number}", ink, colours.revealed) for number, ink in enumerate(colours.clues, 1)]
    return [
        *clues,
        ("covered", colours.dots, colours.covered), ("near", colours.dots, colours.near),
        ("flag", colours.flag, colours.covered), ("cursor", colours.cursor_ink, colours.cursor),
        ("hinted", colours.hinted_ink, colours.hinted), ("mine", colours.mine_ink, colours.mine),
        *((f"risk {number}", ink, paper) for number, (paper, ink) in enumerate(colours.risks)),
    ]  # fmt: skip


@pytest.mark.parametrize("colours", COLOURS.values())
def test_everything_can_be_read(colours: BoardColours) -> None:
    # Of 16 colours some pairs reach 2.4 at best, as green on white.
    least = 2.4 if colours in SIXTEEN else 3.0
    assert {name: ratio for name, ink, paper in _pairs(colours) if (ratio := contrast(ink, paper)) < least} == {}


@pytest.mark.parametrize("colours", MANY)
def test_nothing_vanishes_where_colours_are_rounded(colours: BoardColours) -> None:
    def rounded(colour: str) -> str:
        return (Color.parse(colour).downgrade(ColorSystem.EIGHT_BIT).get_truecolor()).hex

    assert [name for name, ink, paper in _pairs(colours) if contrast(rounded(ink), rounded(paper)) < 2.5] == []


@pytest.mark.parametrize("colours", SIXTEEN)
def test_sixteen_colours_are_exactly_those(colours: BoardColours) -> None:
    for _, ink, paper in _pairs(colours):
        for colour in (ink, paper):
            number = Color.parse(colour).downgrade(ColorSystem.STANDARD).number
            assert number is not None
            assert colour_of(STANDARD_PALETTE[number]) == colour


@pytest.mark.parametrize("is_sixteen", [False, True])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_clear_palette_is_told_apart_by_brightness_blue_or_a_line(theme: str, is_sixteen: bool) -> None:
    colours = COLOURS["clear", theme, is_sixteen]
    risks = [luminance(paper) for paper, _ in colours.risks]
    assert risks == sorted(risks, reverse=True)
    for (one, first), (two, second) in combinations(enumerate(colours.clues, 1), 2):
        blue = abs(int(first[5:7], 16) - int(second[5:7], 16))
        differs = contrast(first, second) > 1.15 or blue > 60
        assert differs or (one in colours.underlined) != (two in colours.underlined), (one, two)


def test_the_theme_is_what_the_terminal_says() -> None:
    assert theme_of("auto", {"COLORFGBG": "0;15"}) == "light"
    assert theme_of("auto", {"COLORFGBG": "15;0"}) == theme_of("auto", {}) == "dark"
    assert theme_of("light", {"COLORFGBG": "15;0"}) == "light"
    assert theme_of("auto", {"COLORFGBG": "15;0"}, "light") == "light"
    assert theme_of("dark", {}, "light") == "dark"


def test_settings_and_environment_are_read() -> None:
    environ = {"SAPPER_CONFIG": "/dev/null", "SAPPER_SCREEN_PALETTE": "clear", "SAPPER_PLAY_KEYS": "flag=x,F8"}
    look = PlayLook.of(load(environ), {"NO_COLOR": "1"})
    assert (look.palette, look.has_colours) == ("clear", False)
    assert (look.keys["x"], look.keys["F8"]) == ("flag", "flag")
    assert "f" not in look.keys
    assert PlayLook.of(load(environ | {"SAPPER_SCREEN_COLOUR": "always"}), {"NO_COLOR": "1"}).has_colours


@pytest.mark.parametrize(("keys", "message"), [(("u",), "the same key 'u'"), (("3",), "digits are counts")])
def test_a_key_does_one_thing(keys: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        bound({"flag": keys})
