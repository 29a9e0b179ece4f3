"""What an operator allows the players of the web game: one value, which goes whole from the configuration to each live game."""

from dataclasses import dataclass

from sapper.config.configuration import Configuration
from sapper.solver.advisor import Advisor

_DEFAULTS = Configuration()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayPolicy:
    """What players may do; the defaults are those of the settings."""

    cells: int = _DEFAULTS.whole("web.max_cells")
    """Of the largest board."""
    open_games: int = _DEFAULTS.whole("web.max_open_games")
    """Unfinished games that a player may have."""
    auto_pause: bool = _DEFAULTS.switch("web.auto_pause")
    """Whether a game is paused when nobody has it in view."""
    unseen_seconds: float = 5.0
    """How long nobody has had it in view by then."""
    advisor: Advisor = _DEFAULTS.advisor
    """Whose guesses hints name, where a player has not said."""

    @classmethod
    def of(cls, configuration: Configuration) -> "PlayPolicy":
        """What the settings say."""
        return cls(
            cells=configuration.whole("web.max_cells"),
            open_games=configuration.whole("web.max_open_games"),
            auto_pause=configuration.switch("web.auto_pause"),
            advisor=configuration.advisor,
        )
