"""The colours of boards as CSS custom properties.

Knows: the names of the properties, which page has which palette.
Does not know: the colours of boards (`render.picture_palette`), the rest of the page's look.
"""

from collections.abc import Mapping
from typing import Final

from sapper.render.picture_palette import PICTURE_PALETTES, PicturePalette

STEPS: Final = 11
"""Chances by tenths."""

DEFAULT: Final = "classic"


def properties(palette: PicturePalette) -> dict[str, str]:
    """The properties of a palette, without their `--`."""
    values = {f"clue-{number}": colour for number, colour in enumerate(palette.clues, 1)}
    names = ("covered", "revealed", "lines", "light", "shade", "flag", "cross", "exploded", "safe", "mined", "read", "best")  # fmt: skip
    values |= {name: getattr(palette, name) for name in names}
    return values | {f"heat-{10 * step}": palette.heat_colour(step / (STEPS - 1)) for step in range(STEPS)}


def _rule(selector: str, values: Mapping[str, str]) -> str:
    lines = "".join(f"  --{name}: {value};\n" for name, value in values.items())
    return f"{selector} {{\n{lines}}}\n"


def palettes_css() -> str:
    """The style sheet: the default palette for all pages, each other one where `data-palette` names it."""
    rules = [_rule(":root", properties(PICTURE_PALETTES[DEFAULT]))]
    rules += [
        _rule(f'html[data-palette="{name}"]', properties(palette))
        for name, palette in PICTURE_PALETTES.items()
        if name != DEFAULT
    ]
    return "".join(rules)
