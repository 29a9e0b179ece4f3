"""The environments under Gymnasium's names: import this, then `gymnasium.make("sapper/Expert-v1")`.

Or name the module with it: `gymnasium.make("sapper.rl.envs:sapper/Expert-v1")`.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gymnasium.envs.registration import register, registry

from sapper.core.preset import PRESETS

NAMESPACE = "sapper"


def _size_of(preset: str) -> dict[str, Any]:
    found = PRESETS[preset]
    return {"width": found.width, "height": found.height, "mine_count": found.mine_counts[0]}


ENVIRONMENTS: Mapping[str, Mapping[str, Any]] = MappingProxyType(
    {
        f"{NAMESPACE}/Beginner-v1": _size_of("beginner"),
        f"{NAMESPACE}/Intermediate-v1": _size_of("intermediate"),
        f"{NAMESPACE}/Expert-v1": _size_of("expert"),
        f"{NAMESPACE}/Minesweeper-v1": {},
    }
)
"""The names, each with the arguments that it fixes; `Minesweeper` is for sizes of your own."""

for _name, _arguments in ENVIRONMENTS.items():
    if _name not in registry:  # a second import of this file, as reloading does
        register(
            _name,
            entry_point="sapper.rl.env:MinesweeperEnv",
            vector_entry_point="sapper.rl.vector_env:MinesweeperVectorEnv",
            kwargs=dict(_arguments),
        )
