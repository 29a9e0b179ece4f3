"""What can be played, and how the page looks where a player has not said otherwise.

Knows: the presets, the limits of custom games, the settings that are the page's.
Does not know: what a player chose (that is kept in the browser).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sapper.config.configuration import Configuration
from sapper.config.settings import SETTINGS
from sapper.core.preset import PRESETS
from sapper.session.wanted_game import MOST_NO_GUESS_CELLS
from sapper.web.games.bodies import PageDefaults, PageLook, PresetData, PresetsAnswer, SizeLimits
from sapper.web.games.messages import RulesData
from sapper.web.games.play_policy import PlayPolicy

PREFIX = "web.keys."

DEFAULT_PRESET = "beginner"


def _keys(configuration: Configuration) -> dict[str, list[str]]:
    """Browsers call the space bar by its character, which a list of settings cannot hold."""
    names = [key for key in SETTINGS if key.startswith(PREFIX)]
    return {
        name.removeprefix(PREFIX): [" " if key == "Space" else key for key in configuration.texts(name)]
        for name in names
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """The page's defaults: keys by action (as `KeyboardEvent` names them), palette, theme."""

    keys: Mapping[str, list[str]] = field(default_factory=lambda: _keys(Configuration()))
    palette: str = "classic"
    theme: str = "auto"

    @classmethod
    def of(cls, configuration: Configuration) -> "Look":
        """What the settings say."""
        palette, theme = configuration.text("web.palette"), configuration.text("web.theme")
        return cls(keys=_keys(configuration), palette=palette, theme=theme)

    def as_data(self) -> PageLook:
        """For the page."""
        return PageLook(keys=dict(self.keys), palette=self.palette, theme=self.theme)


def presets_data(policy: PlayPolicy, look: Look) -> PresetsAnswer:
    """What a new game may be."""
    presets = [
        PresetData(
            name=one.name, rules=RulesData.of(one.rules), width=one.width, height=one.height, mines=list(one.mine_counts)
        )
        for one in PRESETS.values()
        if one.grid.size <= policy.cells
    ]  # fmt: skip
    sizes = SizeLimits(
        width=(1, policy.cells),
        height=(1, policy.cells),
        cells=policy.cells,
        no_guess_cells=min(MOST_NO_GUESS_CELLS, policy.cells),
    )
    defaults = PageDefaults(preset=DEFAULT_PRESET, keys=dict(look.keys), palette=look.palette, theme=look.theme)
    return PresetsAnswer(presets=presets, limits=sizes, defaults=defaults)
