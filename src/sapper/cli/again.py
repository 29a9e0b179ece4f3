"""The one command that shows a simulated game again."""

import shlex
from collections.abc import Mapping
from typing import Any

from sapper.cli.options import game_words
from sapper.core.coordinates import cell_name
from sapper.simulate.plan import Plan


def again(plan: Plan, options: Mapping[str, Any], strategy: str, number: int) -> str:
    """The command for game `number` of a plan that these options of `sapper simulate` made; a listed game is named by its code."""
    if plan.boards is None:
        words = [*game_words(plan.preset, options), "--first", cell_name(plan.preset.grid, plan.first)]
    else:
        from sapper.generator.game_code import CodedGame

        (listed,) = plan.listed(number, 1)
        layout = listed.layout
        game = CodedGame(
            rules=plan.rules, grid=layout.grid, mine_count=layout.mine_count, first=listed.first, layout=layout
        )
        words = ["--code", game.code]
    return shlex.join(["sapper", "bot", *words, "--strategy", strategy, "--seed", str(plan.seed_of(number))])
