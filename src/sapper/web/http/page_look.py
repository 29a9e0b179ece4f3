"""How the page looks where a player has not said otherwise: keys, theme, and the palettes of boards as CSS custom properties."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from sapper.config.configuration import Configuration
from sapper.render.picture_palette import PICTURE_PALETTES, PicturePalette
from sapper.web.games.bodies import PageLook

STEPS: Final = 11
"""Chances by tenths."""

DEFAULT: Final = "classic"


def _keys(configuration: Configuration) -> dict[str, list[str]]:
    """Browsers call the space bar by its character, which a list of settings cannot hold."""
    return {
        action: [" " if key == "Space" else key for key in keys]
        for action, keys in configuration.keys("web.keys").items()
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The page's defaults: keys by action (as `KeyboardEvent` names them), palette, theme."""

    keys: Mapping[str, list[str]] = field(default_factory=lambda: _keys(Configuration()))
    palette: str = "classic"
    theme: str = "auto"

    @classmethod
    def of(cls, configuration: Configuration) -> "Look":
        palette, theme = configuration.text("screen.palette"), configuration.text("screen.theme")
        return cls(keys=_keys(configuration), palette=palette, theme=theme)

    def as_data(self) -> PageLook:
        return PageLook(keys=dict(self.keys), palette=self.palette, theme=self.theme)


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
