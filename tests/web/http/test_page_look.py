"""How the page looks: what settings say; the style sheet has every colour of every palette, and no others."""

import re

from sapper.config.configuration import load
from sapper.render.picture_palette import CLASSIC, CLEAR, PICTURE_PALETTES
from sapper.web.http.page_look import Look, palettes_css, properties


def _rules() -> dict[str, dict[str, str]]:
    rules = re.findall(r"([^{}]+) \{\n([^{}]*)\}\n", palettes_css())
    return {name: dict(re.findall(r"  --([\w-]+): ([^;]+);\n", body)) for name, body in rules}


def test_all_palettes_are_there() -> None:
    rules = _rules()
    assert len(rules) == len(PICTURE_PALETTES)
    assert rules[":root"] == properties(CLASSIC)
    assert rules['html[data-palette="clear"]'] == properties(CLEAR)


def test_the_properties_that_pages_use() -> None:
    values = properties(CLASSIC)
    names = {"covered", "revealed", "lines", "light", "shade", "flag", "cross", "exploded", "safe", "mined", "read", "best"}  # fmt: skip
    assert set(values) == names | {f"clue-{n}" for n in range(1, 9)} | {f"heat-{n}" for n in range(0, 101, 10)}
    assert values["clue-1"] == CLASSIC.clues[0]
    assert (values["heat-0"], values["heat-100"]) == (CLASSIC.heat_colour(0), CLASSIC.heat_colour(1))
    assert all(re.fullmatch(r"#[0-9a-f]{3}([0-9a-f]{3})?", value) for value in values.values())


def test_the_look_is_what_settings_say() -> None:
    environment = {"SAPPER_SCREEN_THEME": "dark", "SAPPER_SCREEN_PALETTE": "clear", "SAPPER_WEB_KEYS": "flag=Space,x"}
    look = Look.of(load(environment | {"SAPPER_CONFIG": "/dev/null"}))
    assert (look.theme, look.palette) == ("dark", "clear")
    assert look.as_data().keys["flag"] == [" ", "x"]
    assert look.as_data().keys["reveal"] == [" ", "Enter"]
    assert Look.of(load({"SAPPER_CONFIG": "/dev/null"})) == Look()
