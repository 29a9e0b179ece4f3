"""The one command that shows a simulated game again."""

import shlex
from collections.abc import Mapping
from typing import Any

from sapper.core.coordinates import cell_name
from sapper.simulate.plan import Plan

_OF_GAMES = ("preset", "rules", "size", "mines", "start")


def again(plan: Plan, options: Mapping[str, Any], strategy: str, number: int) -> str:
    """The command for game `number` of a plan that these options of `sapper simulate` made."""
    words = ["sapper", "bot"]
    for name in _OF_GAMES:
        value = options[name]
        if value is not None and (plan.boards is None or name == "rules"):
            words += [f"--{name}", "x".join(map(str, value)) if name == "size" else str(value)]
    if plan.boards is None:
        words += ["--first", cell_name(plan.preset.grid, plan.first)]
    else:
        words += ["--boards", options["boards"].name, "--game", str(number)]
    return shlex.join([*words, "--strategy", strategy, "--seed", str(plan.seed_of(number))])
