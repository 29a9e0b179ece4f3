"""A new game from a name and a seed."""

from sapper.core.preset import Preset, as_preset
from sapper.core.rng import Rng
from sapper.game.game import Game
from sapper.game.referee import Referee
from sapper.generator.uniform import UniformSource

LAYOUT_KEY = 0
"""The child of a game's seed that its layout is generated from."""
MINE_COUNT_KEY = 1
"""The child that its mine count is drawn from, where there is a choice."""


def choose_mine_count(preset: Preset, seed: int) -> int:
    """The mine count of a preset's game with that seed: its only one, or one drawn."""
    if len(preset.mine_counts) == 1:
        return preset.mine_counts[0]
    return Rng(seed).split(MINE_COUNT_KEY).choice(preset.mine_counts)


def new_source(preset: Preset, seed: int) -> UniformSource:
    """The layout source of a preset's game with that seed: uniform, by the rules' start."""
    layout_seed = Rng(seed).split(LAYOUT_KEY).seed
    return UniformSource(preset.grid, choose_mine_count(preset, seed), layout_seed, preset.rules.start)


def new_referee(preset: Preset | str, *, seed: int) -> Referee:
    """A referee for a new game of a preset, given by name or as a value.

    The same preset, seed and first reveal give the same layout everywhere and forever.
    `UnknownNameError` for an unknown name, `InvalidValueError` for a seed that is not 0 to 2**64 - 1.
    """
    preset = as_preset(preset)
    return Referee(rules=preset.rules, source=new_source(preset, seed))


def new_game(preset: Preset | str, *, seed: int) -> Game:
    """A new game of a preset: the player's handle of `new_referee`.

    >>> new_game("beginner", seed=7).board.covered_count
    81
    """
    return Game.of(new_referee(preset, seed=seed))
