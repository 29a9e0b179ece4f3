"""The kind of a game, and its title: the same on every face."""

from dataclasses import fields
from functools import lru_cache
from typing import Final

from sapper.core.grid import Grid
from sapper.core.preset import PRESETS
from sapper.core.rules import RULES, Rules
from sapper.core.words import counted
from sapper.generator.game_code import CodedGame
from sapper.store.models import GameKind

_FAMILY: Final = {"classic": "modern"}
"""Rules that differ in what the first reveal may meet are one game to who names a size."""


def preset_of(rules: Rules, grid: Grid, mine_count: int) -> str | None:
    """The preset that a game is of, whichever way it was asked for: its size and mines, by rules of its family."""
    return _preset_of(_family(rules), grid, mine_count)


# A server asks for each game that begins, and there are few kinds of games.
@lru_cache(maxsize=1024)
def _preset_of(family: str, grid: Grid, mine_count: int) -> str | None:
    for preset in PRESETS.values():
        if preset.grid == grid and mine_count in preset.mine_counts and _family(preset.rules) == family:
            return preset.name
    return None


def kind_of(game: CodedGame) -> GameKind:
    """Which games this one can be compared with: the same for the same rules, whatever they were called when they were asked for."""
    return GameKind(
        rules=one_name(game.rules),
        width=game.grid.width,
        height=game.grid.height,
        mine_count=game.mine_count,
        preset=preset_of(game.rules, game.grid, game.mine_count),
        no_guess=game.spec is not None and game.spec.no_guess,
    )


def title_of(game: CodedGame) -> str:
    """What to call a game: its preset or size, and what is special about it."""
    no_guess = game.spec is not None and game.spec.no_guess
    return _title(preset_of(game.rules, game.grid, game.mine_count), game.grid, game.mine_count, no_guess=no_guess)


def title_of_kind(kind: GameKind) -> str:
    """What to call a kind of games, in the same words."""
    grid = Grid(kind.width, kind.height)
    name = kind.preset or preset_of(kind.rules, grid, kind.mine_count)
    return _title(name, grid, kind.mine_count, no_guess=kind.no_guess)


def _title(name: str | None, grid: Grid, mine_count: int, *, no_guess: bool) -> str:
    title = f"{grid.width}×{grid.height}, {counted(mine_count, 'mine')}" if name is None else name.capitalize()
    return f"{title}, no guess" if no_guess else title


@lru_cache(maxsize=1024)
def one_name(rules: Rules) -> Rules:
    """The same rules by a name that depends on nothing but their values: by that of ours which needs the fewest changes.

    >>> from sapper.core.rules import find_rules
    >>> one_name(find_rules("classic+start=open")).name
    'modern'
    """

    def changes(base: Rules) -> dict[str, object]:
        names = [one.name for one in fields(Rules) if one.compare]
        return {name: getattr(rules, name) for name in names if getattr(rules, name) != getattr(base, name)}

    base = min(RULES.values(), key=lambda base: len(changes(base)))
    return base.replace(**changes(base))


def _family(rules: Rules) -> str:
    base = rules.name.partition("+")[0]
    return _FAMILY.get(base, base)
