"""Which games the bot plays: those of a preset, or the one that a code names.

Knows: the options that say so, and which of them cannot be said together.
Does not know: how a game is played, printed, recorded.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from sapper.cli.file_text import decoded, read_input
from sapper.cli.options import cell_of, chosen_game, rules_of_list
from sapper.core.cells import Cell
from sapper.core.preset import Preset
from sapper.core.rules import Start
from sapper.game.game import Game
from sapper.game.source import FixedLayout
from sapper.generator.new_game import draw_mine_count, new_game

if TYPE_CHECKING:
    from sapper.generator.board_list import ListedGame
    from sapper.generator.game_code import CodedGame

OF_PRESETS = ("preset", "rules", "size", "mines", "start", "kaboom")
"""Options that describe a game, which a code does as well."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Games:
    """The games."""

    preset: Preset
    """What is played; of a code, all of it that a preset can say."""
    code: "CodedGame | None" = None
    listed: "ListedGame | None" = None
    """The one game of a board list that is played."""
    kaboom: bool = False
    said_first: Cell | None = None
    """The cell to reveal first, if somebody said which."""

    @classmethod
    def of(cls, options: Mapping[str, Any], context: click.Context) -> "Games":
        """The games that the options describe, or the error of what cannot be."""
        if options["record"] and (options["code"] is not None or options["kaboom"]):
            raise click.UsageError("--record keeps games of presets, neither Kaboom's nor a code's")
        if options["boards"] is not None:
            return cls._of_list(options, context)
        if options["game"] is not None:
            raise click.UsageError("--game is the number of a game in --boards FILE")
        if options["code"] is None:
            names = ("rules", "size", "mines", "start")
            preset = chosen_game(options["preset"], **{name: options[name] for name in names})
            first = None if options["first"] is None else cell_of(preset.grid, options["first"])
            return cls(preset=preset, kaboom=options["kaboom"], said_first=first)
        for name in (*OF_PRESETS, "games", "first"):
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"--code names one game, all of it: leave out --{name}")
        from sapper.generator.game_code import game_of_code

        code = game_of_code(options["code"])
        width, height = code.grid.width, code.grid.height
        preset = Preset(name="a code", rules=code.rules, width=width, height=height, mine_counts=(code.mine_count,))
        return cls(preset=preset, code=code, kaboom=code.kaboom)

    @classmethod
    def _of_list(cls, options: Mapping[str, Any], context: click.Context) -> "Games":
        """One game of a board list, by the rules that `sapper simulate --boards` plays it by."""
        for name in ("preset", "size", "mines", "start", "kaboom", "games", "first", "code", "record"):
            if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(
                    f"--boards has a game with all of it but the rules (--rules): leave out --{name}"
                )
        from sapper.generator.board_list import read_board_list

        name, number = options["boards"], options["game"] or 0
        lines = decoded(*read_input(name, wanted="a board list")).splitlines()
        listed = next(islice(read_board_list(lines, source=name), number, None), None)
        if listed is None:
            raise click.UsageError(f"{name} has no game {number}; they are counted from 0")
        return cls(preset=rules_of_list(listed, options["rules"]), listed=listed)

    @property
    def first(self) -> Cell | None:
        """The cell that has to be revealed first, if one has to."""
        if self.listed is not None:
            return self.listed.first
        return self.said_first if self.code is None else self.code.first

    @property
    def start(self) -> Start:
        """The start rule that the layouts are drawn by; those of a code have what start they have."""
        return self.preset.rules.start if self.code is None and self.listed is None else Start.ANY

    @property
    def name(self) -> str:
        """What is played, in a word or two."""
        return self.preset.name + (", Kaboom" if self.kaboom else "")

    def new(self, seed: int) -> Game:
        """The game with that seed. A code's is always the same: the seed is the strategy's alone."""
        if self.code is not None:
            return Game.of(self.code.referee())
        if self.listed is not None:
            return Game(rules=self.preset.rules, source=FixedLayout(self.listed.layout))
        if not self.kaboom:
            return new_game(self.preset, seed=seed)
        from sapper.generator.game_code import CodedGame

        preset = self.preset
        mines = draw_mine_count(preset, seed)
        return Game.of(
            CodedGame(rules=preset.rules, grid=preset.grid, mine_count=mines, seed=seed, kaboom=True).referee()
        )
